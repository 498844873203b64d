// SPDX-License-Identifier: GPL-2.0-or-later
// The buffers that the recorded process and its helpers share. The process writes records into a slot and publishes it,
// the helpers consume the slots in that order, each all of them, and the last one clears the slot. Offsets only: but
// for the write pointer, which means the same in all, for the memory lies at the same address.
//
// Invariants: consumed <= published <= consumed + kSlots; slot `published` is the recorded process's, and all zero
// behind what is written.
#ifndef CDRGRIND_TOOL_RING_H
#define CDRGRIND_TOOL_RING_H

#include <cstdint>
#include <type_traits>

#include "cdrgrind/drain/session.h"
#include "cdrgrind/tool/outbox.h"
#include "cdrgrind/tool/record_buffer.h"
#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

class Ring {
 public:
  static constexpr uint32_t kSlots = 8;
  static constexpr uint64_t kSlotWords = (RecordBuffer::kBytes + RecordBuffer::kMargin) / sizeof(uint64_t);
  // Each has a socket at the process, among the twelve descriptors that Valgrind keeps for itself.
  static constexpr uint32_t kMostHelpers = 5;
  static_assert(kMostHelpers <= kSlots);  // their outboxes

  struct Control {
    uint64_t write_pointer;
    int32_t helpers[kMostHelpers];  // pids; 0 until it runs
    alignas(64) uint32_t published;
    uint32_t helpers_asleep;
    uint32_t words[kSlots];
    bool split[kSlots];  // behind these records the process forks
    alignas(64) uint32_t consumed;
    uint32_t process_sleeps;
    uint32_t consumed_by[kMostHelpers];
    uint32_t done[kSlots];        // helpers that have consumed the slot
    bool leave_dependences;       // a helper could not keep up
    drain::SessionStatus status;  // behind slot consumed - 1; the numbers only if nothing else was published then
  };
  static_assert(std::is_trivially_copyable_v<drain::SessionStatus>);

  // New memory, for so many helpers. False if there is none.
  bool create(uint32_t helpers);
  uint32_t helpers() const { return helpers_; }
  // Whether a counter of slots, which wraps around, has come to `slots`.
  static bool is_reached(const uint32_t& counter, uint32_t slots) {
    return static_cast<int32_t>(__atomic_load_n(&counter, __ATOMIC_ACQUIRE) - slots) >= 0;
  }
  // Other memory, at the address of the present one: what memory_for_another() gave, or none that others share if there
  // is no descriptor.
  void replace(Int shared);
  // Memory for replace(), kNoDescriptor if there is none.
  static Int memory_for_another();

  Control& control() const { return *control_; }
  // The one that records go into while `published` is n.
  uint64_t* slot(uint32_t n) const { return first_ + n % kSlots * (kSlotStride / sizeof(uint64_t)); }
  // What the helper with this number, from 1 on, tells the first one.
  Outbox& outbox(uint32_t helper) const { return *reinterpret_cast<Outbox*>(slot(helper) + kSlotWords); }

 private:
  // The write pointer has the bit RecordBuffer::kBytes set when a slot is full.
  static constexpr uint64_t kSlotStride = 2 * RecordBuffer::kBytes;
  static constexpr uint64_t kBytes = (kSlots + 1) * kSlotStride;  // one more to align the first

  void* mapping_ = nullptr;
  uint64_t* first_ = nullptr;
  uint32_t helpers_ = 0;
  Control* control_ = nullptr;  // in the unused end of the first slot
};

}  // namespace cdr::tool

#endif
