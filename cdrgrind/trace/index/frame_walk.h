// SPDX-License-Identifier: GPL-2.0-or-later
// The frames of a thread's present stack at a place, from the innermost on, one after the other, each by a search
// backwards (trace/index/frame_finder.h). The frames that were there when the epoch began come from its THREAD frame.
// Behind a handler on an alternate stack follow those of the stack that it interrupted, or of its own one.
#ifndef CDRGRIND_TRACE_INDEX_FRAME_WALK_H
#define CDRGRIND_TRACE_INDEX_FRAME_WALK_H

#include "cdrgrind/trace/index/seeker.h"

namespace cdr::trace {

enum class BelowHandler : uint8_t { kInterrupted, kOwnStack };

class FrameWalk {
 public:
  FrameWalk(Seeker& seeker, const TracePosition& place, BelowHandler below = BelowHandler::kInterrupted);

  // False at the end. O(log) of the trace, and some places more `with_sp`.
  bool next(StackFrame& f, bool with_sp);

 private:
  const EventRow* last_barrier() const;
  bool pass(const EventRow& barrier, StackFrame& f);
  bool pass_switch(const EventRow& barrier, const Event& e, StackFrame& f);
  bool pass_handler(uint64_t event);
  std::span<const StackChange> stack_changes();
  bool has_gone_back(StackId stack, uint64_t event);
  StackId stack_before(uint64_t event);
  void go_on_with(const StackModel& stack, int64_t passed);
  bool old_frame(StackFrame& f);
  void opened(const PathPosition& at, StackFrame& f, bool with_sp);
  BlockId name_at(uint64_t event);
  Event row(const EventRow& r);
  PathPosition place_of(uint64_t event) const;
  void call_from(const PathPosition& block, StackFrame& f, bool with_sp);

  Seeker& seeker_;
  EpochPin epoch_;
  EpochIndex& index_;
  TracePosition place_;  // where the walk began
  BelowHandler below_;
  uint32_t string_;
  PathPosition point_;  // frames are looked for before it
  int64_t depth_;       // of the next one
  BlockId name_;        // of the next one, if it is known already
  bool done_ = false;
  const StackModel* old_ = nullptr;  // the stack whose frames are older than the epoch, once they are reached
  int64_t old_at_ = 0;
  size_t old_stacks_ = 0;
};

}  // namespace cdr::trace

#endif
