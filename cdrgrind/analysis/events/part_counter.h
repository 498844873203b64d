// SPDX-License-Identifier: GPL-2.0-or-later
// For CopyFollower: what counts one thread's events, or all without one, and the part of the program, if that alone
// counts.
#ifndef CDRGRIND_ANALYSIS_EVENTS_PART_COUNTER_H
#define CDRGRIND_ANALYSIS_EVENTS_PART_COUNTER_H

#include <optional>

#include "cdrgrind/analysis/events/program_part.h"

namespace cdr::analysis {

template <class Counter>
class PartCounter {
 public:
  struct CopyMark {
    typename Counter::CopyMark counter;
    std::optional<ProgramPart::Standing> standing;
  };

  // All must outlive it.
  PartCounter(Counter& counter, ThreadId only, ProgramPart* part) : counter_(counter), only_(only), part_(part) {}

  void mark(ThreadId thread, CopyMark& mark) {
    if (part_) mark.standing = part_->standing(thread);
    if (counts(thread)) counter_.mark(thread, mark.counter);
  }
  bool is_as(ThreadId thread, const CopyMark& mark) {
    return (!part_ || mark.standing == part_->standing(thread)) &&
           (!counts(thread) || counter_.is_as(thread, mark.counter));
  }
  void again(ThreadId thread, const CopyMark& mark, uint64_t times) {
    if (counts(thread)) counter_.again(thread, mark.counter, times);
  }

 private:
  bool counts(ThreadId thread) const { return !only_ || thread == only_; }

  Counter& counter_;
  ThreadId only_;
  ProgramPart* part_;
};

}  // namespace cdr::analysis

#endif
