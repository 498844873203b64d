// SPDX-License-Identifier: GPL-2.0-or-later
// Ends that an optimising compiler has moved out of a loop: they have the line where the loop begins, which does not
// speak of their data. A variable that a loop keeps in a register is loaded before it and stored behind it; both have
// that line.
#ifndef CDRGRIND_REPORT_ANNOTATE_MOVED_ENDS_H
#define CDRGRIND_REPORT_ANNOTATE_MOVED_ENDS_H

#include <span>
#include <string_view>

#include "cdrgrind/report/annotate/carried_marks.h"
#include "cdrgrind/report/common/object_names.h"

namespace cdr::report {

class MovedEnds {
 public:
  // Nothing is known to be moved where one of the first two is not there.
  MovedEnds(const CarriedMarks* loops, ObjectNames* objects, symbols::Symbols& symbols)
      : loops_(loops), objects_(objects), symbols_(symbols) {}

  bool has(const analysis::DependenceRow& row, Side side) const;

 private:
  const CarriedMarks* loops_;
  ObjectNames* objects_;
  symbols::Symbols& symbols_;
};

// Whether the line can have nothing to do with the variables: it calls nothing, goes through no pointer, and has no
// word of their names. False of data that are not variables.
bool cannot_touch(std::string_view line, std::span<const ObjectName> objects);

}  // namespace cdr::report

#endif
