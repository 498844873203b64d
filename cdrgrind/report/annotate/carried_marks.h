// SPDX-License-Identifier: GPL-2.0-or-later
// Which dependences come from an earlier iteration of a loop, and of which loop (docs/advice.md).
#ifndef CDRGRIND_REPORT_ANNOTATE_CARRIED_MARKS_H
#define CDRGRIND_REPORT_ANNOTATE_CARRIED_MARKS_H

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cdrgrind/analysis/dependence/rows.h"

namespace cdr::report {

struct CarriedBy {
  std::string_view file;             // where the loop begins
  uint32_t line = 0;                 // 0: not known
  uint64_t least = 0, greatest = 0;  // distance, in iterations
};

// Of keys of the result table by their numbers. A key without an entry is not carried.
class CarriedMarks {
 public:
  void add(uint32_t key, const CarriedBy& by) { by_key_[key].push_back(by); }
  // By file and line; a loop once.
  std::vector<CarriedBy> of(const analysis::DependenceRow& row) const;

 private:
  std::map<uint32_t, std::vector<CarriedBy>> by_key_;
};

}  // namespace cdr::report

#endif
