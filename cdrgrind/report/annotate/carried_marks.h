// SPDX-License-Identifier: GPL-2.0-or-later
// Which dependences come from an earlier iteration of a loop, and of which loop (docs/advice.md); and which ends have
// the line where a loop begins without being in it.
#ifndef CDRGRIND_REPORT_ANNOTATE_CARRIED_MARKS_H
#define CDRGRIND_REPORT_ANNOTATE_CARRIED_MARKS_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/dependence/rows.h"

namespace cdr::report {

struct CarriedBy {
  std::string_view file;             // where the loop begins
  uint32_t line = 0;                 // 0: not known
  uint64_t least = 0, greatest = 0;  // distance, in iterations
  bool shared = false;               // the loop is shared out among threads
};

// Lines that teams of a parallel runtime have executed, and those where loops begin that are shared out among their
// threads.
class ParallelLines {
 public:
  enum class Mark : uint8_t { kNone, kExecuted, kSharedLoop };
  void add(analysis::LineRef line, Mark mark) {
    Mark& known = marks_[{line.file, line.line}];
    known = std::max(known, mark);
  }
  Mark of(std::string_view file, uint32_t line) const {
    const auto known = marks_.find({file, line});
    return known == marks_.end() ? Mark::kNone : known->second;
  }
  bool empty() const { return marks_.empty(); }
  // By file and line.
  const std::map<std::pair<std::string_view, uint32_t>, Mark>& all() const { return marks_; }

 private:
  std::map<std::pair<std::string_view, uint32_t>, Mark> marks_;
};

enum class Side : uint8_t { kSource, kTarget };

// Of keys of the result table by their numbers. A key without an entry is not carried.
class CarriedMarks {
 public:
  void add(uint32_t key, const CarriedBy& by) { by_key_[key].push_back(by); }
  // An instruction with the line where a loop begins, and in no loop that begins there: of what comes before the loop,
  // or moved.
  void add_beside(uint32_t key, Side side) { beside_[static_cast<size_t>(side)].insert(key); }

  ParallelLines parallel;

  // By file and line; a loop once.
  std::vector<CarriedBy> of(const analysis::DependenceRow& row) const;
  // Whether that is so of all the row's keys.
  bool beside(const analysis::DependenceRow& row, Side side) const;

 private:
  std::map<uint32_t, std::vector<CarriedBy>> by_key_;
  std::array<std::set<uint32_t>, 2> beside_;
};

}  // namespace cdr::report

#endif
