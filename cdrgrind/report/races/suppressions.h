// SPDX-License-Identifier: GPL-2.0-or-later
// Suppressions in Valgrind's own format:
//
//     {
//        the counter is only statistics
//        cdrgrind:Race
//        fun:count_*
//        ...
//        obj:*/libfoo.so*
//     }
//
// One takes a race away if it fits the stack of either side, from the innermost frame outwards; behind its last line
// anything may come. `...` stands for any number of frames. Those for Helgrind:Race and drd:ConflictingAccess are
// taken as well; others are for other tools, and skipped.
#ifndef CDRGRIND_REPORT_RACES_SUPPRESSIONS_H
#define CDRGRIND_REPORT_RACES_SUPPRESSIONS_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cdrgrind/report/common/output.h"
#include "cdrgrind/report/races/race_findings.h"

namespace cdr::report {

struct FramePattern {
  enum Kind : uint8_t { kFunction, kObject, kSource, kAny } kind = kAny;
  std::string text;
  uint32_t line = 0;  // src:FILE:LINE
};

struct Suppression {
  std::string name;
  std::string where;  // "FILE:LINE"
  std::vector<FramePattern> frames;
  uint64_t used = 0;
};

class Suppressions {
 public:
  // Adds those of a file's text. Returns what is wrong with it, empty if nothing is.
  std::string read(std::string_view text, const std::string& file);
  // Whether one of them takes it; counts.
  bool take(const RaceFinding& f);
  const std::vector<Suppression>& all() const { return all_; }

 private:
  std::vector<Suppression> all_;
};

// A suppression of each finding, to be put into a file.
void write_suppressions(const std::vector<RaceFinding>& findings, Output& out);

}  // namespace cdr::report

#endif
