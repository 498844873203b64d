// SPDX-License-Identifier: GPL-2.0-or-later
// Fences that the source says: calls of atomic_thread_fence, of C++, C and the compilers' own. C's leave nothing in the
// debug information, and neither do those of C++ where clang (19, not 14) makes no instruction of them.
#ifndef CDRGRIND_REPORT_RACES_SOURCE_FENCES_H
#define CDRGRIND_REPORT_RACES_SOURCE_FENCES_H

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cdrgrind/base/module_table.h"
#include "cdrgrind/symbols/symbols.h"

namespace cdr::report {

struct FenceCall {
  uint32_t line = 0;  // from 1
  bool acquires = false, releases = false;
  bool operator==(const FenceCall&) const = default;
};

// Of code_lines() (atomic_words.h), by line. One whose order is not written there does both.
std::vector<FenceCall> fence_calls(const std::vector<std::string>& lines);

// The argument must outlive it. Not thread-safe.
class SourceFences {
 public:
  explicit SourceFences(symbols::Symbols& symbols) : symbols_(symbols) {}

  // Between the first and the last line that a function has among the instructions, what is inlined there too.
  std::vector<FenceCall> around(ModuleId module, std::span<const uint64_t> insns);

 private:
  const std::vector<FenceCall>& calls_in(std::string_view file);

  symbols::Symbols& symbols_;
  std::map<std::string, std::vector<FenceCall>, std::less<>> files_;
};

}  // namespace cdr::report

#endif
