// SPDX-License-Identifier: GPL-2.0-or-later
// How each instruction walks through memory (Goel, Roychoudhury and Mitra 2003, section 2.3): the steps between the
// addresses of successive executions, and what is touched. Taken from the address streams of a compact trace as they
// are: a rule of their grammar is looked at once for each stream and base, not once for each time that it was executed.
//
// A *step* is the difference between an access's addresses in two successive executions of its block (one superblock
// up to one exit) by one thread. Streams that are kept relative to the frame are the stack's: these accesses are
// counted, and that is all. docs/patterns.md defines the numbers.
#ifndef CDRGRIND_ANALYSIS_PATTERNS_PATTERNS_H
#define CDRGRIND_ANALYSIS_PATTERNS_PATTERNS_H

#include <cstdint>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/common/progress.h"
#include "cdrgrind/analysis/patterns/footprint.h"
#include "cdrgrind/base/range.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::patterns {

struct StrideCount {
  int64_t stride = 0;
  uint64_t count = 0;
};

struct AccessPattern {
  CodeAddr ip;
  bool store = false;
  uint32_t width = 0;             // bytes, the largest
  uint64_t accesses = 0;          // outside of the frame
  uint64_t stack = 0;             // relative to the frame
  uint64_t steps = 0;             // successive executions
  uint64_t strides = 0;           // different ones that are counted apart
  uint64_t uncounted = 0;         // steps by others: more than kMostStrides are not told apart
  std::vector<StrideCount> most;  // the most frequent, at most kStridesKept
  Footprint footprint;
  uint64_t near_bytes = 0;  // of the lines of the footprint, used near in time by whichever instruction; near_use.h

  static constexpr size_t kMostStrides = 1 << 16, kStridesKept = 8;
  static constexpr uint64_t kLineBytes = 64;
  // Fewer accesses are not worth a change; less than 32 KiB stay in the first cache.
  bool is_large() const { return accesses >= 1000 && footprint.lines() >= 512; }
  bool uses_its_lines() const { return 2 * footprint.bytes() >= kLineBytes * footprint.lines(); }
};

// By module, address, loads first. `file` must be compact. How far it is: block by block, in each epoch again; where
// the part is ended, later blocks are left out.
std::vector<AccessPattern> find_patterns(const trace::TraceFile& file, analysis::WatchedPart& part);

}  // namespace cdr::patterns

#endif
