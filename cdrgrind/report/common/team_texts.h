// SPDX-License-Identifier: GPL-2.0-or-later
// Worksharing and exclusion in teams, in words and figures.
#ifndef CDRGRIND_REPORT_COMMON_TEAM_TEXTS_H
#define CDRGRIND_REPORT_COMMON_TEAM_TEXTS_H

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "cdrgrind/base/event.h"

namespace cdr::report {

std::string_view name_of(WorkKind k);       // "loop"
std::string_view name_of(WorkSchedule s);   // "dynamic"
std::string_view name_of(ExclusiveKind k);  // "critical"

std::string schedule_text(const Work& work);  // "dynamic, 4, ordered"

// The most of one thread's instructions over what each would have if all had as much; 1: even. By member; `threads`:
// of the team, if some may have none.
template <class T>
double imbalance(const std::map<uint64_t, T>& members, uint64_t threads = 0) {
  uint64_t most = 0, sum = 0;
  for (const auto& [number, m] : members) {
    most = std::max(most, m.insns);
    sum += m.insns;
  }
  const double all = static_cast<double>(std::max<uint64_t>(threads, members.size()));
  return sum ? static_cast<double>(most) * all / static_cast<double>(sum) : 1;
}

}  // namespace cdr::report

#endif
