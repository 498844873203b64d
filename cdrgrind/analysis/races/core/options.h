// SPDX-License-Identifier: GPL-2.0-or-later
// Options of the race analysis, as `cdrgrind races` has them.
#ifndef CDRGRIND_ANALYSIS_RACES_CORE_OPTIONS_H
#define CDRGRIND_ANALYSIS_RACES_CORE_OPTIONS_H

#include <cstddef>
#include <cstdint>

namespace cdr::races {

enum class AtomicsMode : uint8_t {
  kSync,    // atomic accesses order, and do not race with each other
  kStrict,  // they do not race with each other, but order nothing
  kCxx,     // as kSync, but each only as its memory order says, where that is known
  kRace,    // they are accesses like others
};
inline bool atomics_order(AtomicsMode mode) { return mode == AtomicsMode::kSync || mode == AtomicsMode::kCxx; }

struct RaceOptions {
  AtomicsMode atomics = AtomicsMode::kSync;
  bool spin_loops_order = true;        // --adhoc=sync
  bool locks_order = false;            // of strands: as if whoever gets a lock came behind all who had it
  bool iterations = true;              // of strands: iterations of one chunk, too
  bool pairs_by_memory = false;        // of few strands, too: for tests
  size_t forget_at = size_t{1} << 20;  // entries from which on what is past is looked for, and forgotten; 0: never
  bool compact = true;                 // work on the compact form where it tells enough: for tests
};

}  // namespace cdr::races

#endif
