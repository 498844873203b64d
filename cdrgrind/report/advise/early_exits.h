// SPDX-License-Identifier: GPL-2.0-or-later
// Where the source text leaves a loop in the middle of its body.
#ifndef CDRGRIND_REPORT_ADVISE_EARLY_EXITS_H
#define CDRGRIND_REPORT_ADVISE_EARLY_EXITS_H

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cdrgrind/symbols/symbols.h"

namespace cdr::report {

// Whether an `if` of that line, from 1 on, may do so: break, return, goto. C's, without comments and literals.
bool leaves_loop(std::span<const std::string> lines, uint32_t line);

// The argument must outlive it. Not thread-safe.
class EarlyExits {
 public:
  explicit EarlyExits(symbols::Symbols& symbols) : symbols_(symbols) {}
  bool at(const symbols::SourcePos& pos);

 private:
  symbols::Symbols& symbols_;
  std::map<std::string, std::vector<std::string>, std::less<>> lines_;  // by file
};

}  // namespace cdr::report

#endif
