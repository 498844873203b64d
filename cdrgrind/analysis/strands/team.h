// SPDX-License-Identifier: GPL-2.0-or-later
// A team of a parallel runtime: what begins it, its barriers, its end.
#ifndef CDRGRIND_ANALYSIS_STRANDS_TEAM_H
#define CDRGRIND_ANALYSIS_STRANDS_TEAM_H

#include <cstdint>
#include <map>
#include <utility>

namespace cdr::strands {

// Barriers are numbered by how many a member has passed. All arrive before any leaves.
template <class Release>
struct Team {
  uint64_t number = 0;
  uint64_t begin = 0;  // its event
  Release fork, join;
  uint64_t contention = 0;  // of who has begun it (Task)
  bool is_league = false;   // each of its implicit tasks has a contention group of its own
  bool alone = false;       // the program asks for one thread: nothing runs beside it
  bool apart = false;       // others that may run beside it may use the same threads
  std::map<std::pair<uint64_t, uint64_t>, Release> posted;  // by worksharing construct, iteration of a doacross loop

  void arrive(uint64_t phase, const Release& given) {
    Barrier& b = barriers[phase];
    b.given.join(given);
    ++b.inside;
  }
  // A task of the phase has ended, or who executed a single has more to give.
  void add(uint64_t phase, const Release& given) { barriers[phase].given.join(given); }
  Release leave(uint64_t phase) {
    Barrier& b = barriers[phase];
    if (--b.inside > 0) return b.given;
    const Release all = b.given;
    barriers.erase(phase);
    return all;
  }
  // What nobody has got yet.
  void end() {
    for (const auto& [phase, b] : barriers) join.join(b.given);
  }

 private:
  struct Barrier {
    Release given;
    uint64_t inside = 0;
  };
  std::map<uint64_t, Barrier> barriers;  // by phase, those that somebody is in or will come to
};

}  // namespace cdr::strands

#endif
