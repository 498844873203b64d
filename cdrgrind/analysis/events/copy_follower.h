// SPDX-License-Identifier: GPL-2.0-or-later
// Counts at once what a trace does many times one after the other (trace::Cursor::copy()). What counts has a CopyMark
// and
//   mark(thread, mark)          notes how everything stands that the thread's next events depend on, and what was
//   counted is_as(thread, mark)         whether it stands so again: the same events would be counted once more
//   again(thread, mark, times)  counts what was counted since then so many times more
// between the mark and now there were only blocks, and calls and returns that follow from them, of that thread; no call
// that was open at the mark was left.
#ifndef CDRGRIND_ANALYSIS_EVENTS_COPY_FOLLOWER_H
#define CDRGRIND_ANALYSIS_EVENTS_COPY_FOLLOWER_H

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cdrgrind/trace/read/cursor.h"

namespace cdr::analysis {

template <class Counter>
class CopyFollower {
 public:
  // `counter` must outlive it.
  explicit CopyFollower(Counter& counter) : counter_(counter) {}

  // At an event of kind kNone.
  void follow(trace::Cursor& cursor) {
    const trace::EpochDecoder::Copy& copy = cursor.copy();
    if (!copy.ends) {
      open_ = std::min(open_, copy.open - 1);
      if (open_ == marks_.size()) marks_.emplace_back();
      marks_[open_].number = copy.number;
      counter_.mark(copy.thread, marks_[open_].mark);
      ++open_;
      return;
    }
    while (open_ > 0 && marks_[open_ - 1].number > copy.number) --open_;
    if (open_ == 0 || marks_[open_ - 1].number != copy.number) return;
    typename Counter::CopyMark& mark = marks_[open_ - 1].mark;
    if (copy.more == 0) {
      --open_;
    } else if (counter_.is_as(copy.thread, mark)) {
      counter_.again(copy.thread, mark, copy.more);
      --open_;
      cursor.pass_copies(copy.more);
    } else {
      counter_.mark(copy.thread, mark);
    }
  }

 private:
  struct Open {
    uint64_t number = 0;
    typename Counter::CopyMark mark = {};
  };
  Counter& counter_;
  std::vector<Open> marks_;  // the first `open_`; the others are kept for what they have allocated
  size_t open_ = 0;
};

}  // namespace cdr::analysis

#endif
