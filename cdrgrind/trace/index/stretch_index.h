// SPDX-License-Identifier: GPL-2.0-or-later
// What a reader derives of the stretches of a trace: how many events, blocks and instructions lie before each block
// of a stretch, where in stretches a block stands, and what a stretch does to the frames of its thread.
#ifndef CDRGRIND_TRACE_INDEX_STRETCH_INDEX_H
#define CDRGRIND_TRACE_INDEX_STRETCH_INDEX_H

#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/encode/thread_states.h"
#include "cdrgrind/trace/read/stretch_table.h"

namespace cdr::trace {

// Of frames, seen from the start of a piece of a thread's path: how deep the end is, how deep the lowest point is (0
// or less), and whether the frame of that point gets a name there.
struct StackEffect {
  int64_t net = 0, lowest = 0;
  bool named = false;

  // Then another piece, `count` times.
  void add(const StackEffect& then, uint64_t count);
};

// An event of a stretch: a block, or the call or return that follows from it.
struct StretchEvent {
  uint32_t block = 0;  // index in the stretch
  bool follows = false;
};

class StretchIndex {
 public:
  // O(blocks in all stretches).
  StretchIndex(const StretchTable& stretches, const BlockTable& blocks);

  ThreadCounts counts(uint32_t stretch) const {
    return {events_[stretch - 1], length(stretch), insns_[stretch - 1], 0};
  }
  uint32_t count() const { return stretches_.count(); }
  uint32_t length(uint32_t stretch) const { return static_cast<uint32_t>(stretches_[stretch].size()); }
  std::span<const BlockId> blocks(uint32_t stretch) const { return stretches_[stretch]; }
  bool bare(uint32_t stretch) const { return stretches_.bare(stretch); }
  const StackEffect& effect(uint32_t stretch) const { return effects_[stretch - 1]; }

  StretchEvent event(uint32_t stretch, uint64_t offset) const;
  // Events before block `i` of the stretch, and instructions.
  uint32_t events_before(uint32_t stretch, uint32_t i) const {
    return steps_[stretches_.first_step(stretch) + i].events;
  }
  uint32_t insns_before(uint32_t stretch, uint32_t i) const { return steps_[stretches_.first_step(stretch) + i].insns; }
  // The call or return that comes at once behind block `i`, or kNone.
  EventKind follows(uint32_t stretch, uint32_t i) const {
    const bool at_once = i + 1 < length(stretch) || !bare(stretch);
    return at_once ? models_[stretches_[stretch][i]].then : EventKind::kNone;
  }
  // Whether block `i`, from 1, follows a jump and enters a function.
  bool renames(uint32_t stretch, uint32_t i) const {
    return i > 0 && models_[stretches_[stretch][i]].entry && models_[stretches_[stretch][i - 1]].jumps;
  }
  // The stretches that have the block, ascending.
  std::span<const uint32_t> with_block(BlockId id) const;
  const BlockModel& model(BlockId id) const { return models_[id]; }
  const BlockTable& block_table() const { return blocks_; }

 private:
  struct Step {
    uint32_t events = 0, insns = 0;
  };
  void add(uint32_t stretch);
  void collect_users(const BlockTable& blocks);

  const StretchTable& stretches_;
  const BlockTable& blocks_;
  mutable BlockModels models_;
  std::vector<Step> steps_;
  std::vector<uint32_t> events_, insns_;  // by stretch
  std::vector<StackEffect> effects_;
  std::vector<uint32_t> users_begin_, users_;  // by block: stretches
};

}  // namespace cdr::trace

#endif
