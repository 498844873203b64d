// SPDX-License-Identifier: GPL-2.0-or-later
// What the trace says about the run itself: process, command line, options, limits of the recording.
#ifndef CDRGRIND_TOOL_RUN_INFO_H
#define CDRGRIND_TOOL_RUN_INFO_H

#include <span>
#include <string_view>
#include <vector>

#include "cdrgrind/base/arena.h"
#include "cdrgrind/format/info.h"

namespace cdr::tool {

class Meta {
 public:
  void add(std::string_view key, std::string_view value) { entries_.push_back({arena_.copy(key), arena_.copy(value)}); }
  std::span<const MetaEntry> entries() const { return entries_; }

 private:
  Arena arena_;
  std::vector<MetaEntry> entries_;
};

// Of this process, now.
RunInfo run_info();
// Keys: tool, valgrind, program, arg (each argument), option (each of the tool's and Valgrind's, without the
// output file), data, deps, granularity.
Meta collect_meta();

}  // namespace cdr::tool

#endif
