// SPDX-License-Identifier: GPL-2.0-or-later
// Long calls that have returned and of which nothing was needed yet: what runs until then in their region could run
// beside them. A region is an activation, or an iteration of a loop in it, as in Embla (Faxen and Albertsson 2006).
//
//     38  left(a);         a long call
//     39  right(b);        runs beside it
//     42  use(a);          depends on what left() did: the wait
#ifndef CDRGRIND_ANALYSIS_REGIONS_LONG_CALLS_H
#define CDRGRIND_ANALYSIS_REGIONS_LONG_CALLS_H

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "cdrgrind/base/range.h"

namespace cdr::regions {

constexpr uint64_t kLongCall = 50'000;  // instructions

// Of a call instruction of a function.
struct CallRun {
  CodeAddr callee;  // the last one
  uint64_t calls = 0, instructions = 0;
  uint64_t beside = 0;  // instructions of calls that others could run beside
  struct Wait {
    uint64_t count = 0, nearest = ~uint64_t{0};  // instructions behind the call
  };
  std::map<uint64_t, Wait> waits;  // by instruction of the function before which it stands; 0: where the region ends
  bool output = false;             // it and what ran beside it both wrote output
};

// Of a function that makes long calls.
struct CallerRun {
  uint64_t instructions = 0;  // of activations that made some
  uint64_t left = 0;          // if the calls ran beside what does not need them, with as many threads as it takes
  std::map<uint64_t, CallRun> calls;  // by the call's instruction
};

using CallerRuns = std::map<CodeAddr, CallerRun>;  // by the function's entry

// One that nothing waits for yet.
struct OpenCall {
  uint32_t number = 0;           // CallTape
  uint32_t frame = 0;            // the caller's index on its stack
  size_t loops = 0;              // that were open when it returned
  uint64_t start = 0, end = 0;   // times
  uint8_t system = 0;            // SystemUse
  std::vector<uint64_t> copies;  // times at which the caller put its result elsewhere

  bool made(uint64_t time) const {
    return (time >= start && time <= end) || std::find(copies.begin(), copies.end(), time) != copies.end();
  }
};

}  // namespace cdr::regions

#endif
