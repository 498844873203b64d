// SPDX-License-Identifier: GPL-2.0-or-later
// Which sibling tasks a task depends on, by the addresses of its depend clauses (OpenMP 5.0, 2.17.11): neighbours of
// one kind (in, mutexinoutset, inoutset) wait for the same earlier ones and not for each other; an out waits for all.
#ifndef CDRGRIND_ANALYSIS_STRANDS_DEPEND_MAP_H
#define CDRGRIND_ANALYSIS_STRANDS_DEPEND_MAP_H

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cdrgrind/base/event.h"

namespace cdr::strands {

struct Depend {
  uint64_t addr = 0;
  DependKind kind = DependKind::kOut;
};

template <class Done>
class DependMap {
 public:
  // What such a task waits for.
  const std::vector<Done>& before(const Depend& d) {
    const Present& p = at_[d.addr];
    return joins(p, d.kind) ? p.before : p.members;
  }
  void add(const Depend& d, const Done& task) {
    Present& p = at_[d.addr];
    if (!joins(p, d.kind)) {
      p.before = std::move(p.members);
      p.members.clear();
      p.kind = d.kind;
    }
    p.members.push_back(task);
  }

 private:
  struct Present {
    DependKind kind = DependKind::kOut;
    std::vector<Done> before, members;
  };
  static bool joins(const Present& p, DependKind kind) {
    return kind != DependKind::kOut && p.kind == kind && !p.members.empty();
  }
  std::unordered_map<uint64_t, Present> at_;
};

}  // namespace cdr::strands

#endif
