// SPDX-License-Identifier: GPL-2.0-or-later
// What lives at an address while the stream is read: a block of the heap, a place in the frame of a call that is open
// on the stack that the address lies in, or something else. What objects are, and so their numbers, is the caller's
// matter.
#ifndef CDRGRIND_ANALYSIS_EVENTS_LIVE_OBJECTS_H
#define CDRGRIND_ANALYSIS_EVENTS_LIVE_OBJECTS_H

#include <cstdint>
#include <vector>

#include "cdrgrind/analysis/events/call_stacks.h"
#include "cdrgrind/analysis/events/frame_places.h"
#include "cdrgrind/analysis/events/live_blocks.h"

namespace cdr::analysis {

// Objects by number. Asked for each access that is not to where the one before was: answers are remembered.
class ObjectNumbers {
 public:
  virtual ~ObjectNumbers() = default;
  // In a live block, which is `allocation` by `calls`.
  virtual uint32_t in_block(uint32_t allocation, const AllocatingCalls& calls, uint64_t size, uint64_t offset) = 0;
  virtual uint32_t in_frame(const FramePlace& place) = 0;
  // `pthread`: of the thread that accesses it, 0 if not known; `by`: the instruction.
  virtual uint32_t elsewhere(uint64_t addr, uint64_t pthread, CodeAddr by) = 0;
};

class LiveObjects {
 public:
  // What an asker met last: those that mostly ask for the same object should have one each.
  struct Recent {
    LiveBlocks::Found found;
    uint64_t version = 0;
    FramePlace frame;
    uint32_t in_frame = 0;
  };

  // `libraries`: by module, what is not the program's. The tables, it and `numbers` must outlive this.
  LiveObjects(const ModuleTable& modules, const BlockTable& blocks, const std::vector<bool>& libraries,
              ObjectNumbers& numbers);

  // Every event; of one that makes accesses, before these are asked for.
  void event(const Event& e);
  // The object at the address, for an access of the thread by that instruction.
  uint32_t at(uint64_t addr, ThreadId thread, CodeAddr by, Recent& recent);

 private:
  struct KnownStack {
    StackId id;
    AddrRange range;
    ThreadId owner;  // began on it; none: it was switched to
    bool grows = false;
  };

  void start_thread(const Event& e);
  void switch_stack(const Event& e);
  void remap(AddrRange range);
  KnownStack* find_stack(StackId id);
  const KnownStack* stack_at(uint64_t addr, StackId present) const;
  uint32_t elsewhere(uint64_t addr, ThreadId thread, CodeAddr by) {
    return numbers_.elsewhere(addr, thread.value < threads_.size() ? threads_[thread.value].pthread : 0, by);
  }

  struct Thread {
    uint64_t pthread = 0;
    StackId stack;  // on which it runs
  };

  const std::vector<bool>& libraries_;
  ObjectNumbers& numbers_;
  const std::vector<bool> shim_;
  CallStacks calls_;
  LiveBlocks blocks_;
  std::vector<Thread> threads_;
  std::vector<KnownStack> stacks_;  // the newest last
};

}  // namespace cdr::analysis

#endif
