// SPDX-License-Identifier: GPL-2.0-or-later
// A stack as people read it: frames of libraries and of system headers that stand together are one line, named after
// what the program called, or, below its outermost frame, after what called the program:
//
//   at Counter::add (count.cc:9)
//   by main::{lambda()#1}::operator() (count.cc:21)
//   … 8 frames of std::thread
//
// The innermost frame is shown whosever it is: there the access happened.
#ifndef CDRGRIND_REPORT_RACES_FOLDED_STACK_H
#define CDRGRIND_REPORT_RACES_FOLDED_STACK_H

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cdrgrind/report/races/race_findings.h"

namespace cdr::report {

struct StackPart {
  size_t first = 0, frames = 1;
  std::string of;  // of several frames: what they are frames of
};

// In order, all frames.
std::vector<StackPart> folded_stack(std::span<const RaceFrame> stack);

// Without template arguments, parameters and result: "void std::vector<int>::_M_grow(int)" as {"std", "vector",
// "_M_grow"}.
std::vector<std::string_view> name_parts(std::string_view function);

}  // namespace cdr::report

#endif
