// SPDX-License-Identifier: GPL-2.0-or-later
// What makes the report short: objects that are alike, and rows that repeat.
#include <algorithm>

#include "cdrgrind/report/sync/sync_report.h"

namespace cdr::report {

using sync::SyncObject;

namespace {

void add(const SyncObject& o, SyncObject& to) {
  to.acquisitions += o.acquisitions;
  to.shared += o.shared;
  to.releases += o.releases;
  to.contended += o.contended;
  to.failed += o.failed;
  to.hand_overs += o.hand_overs;
  for (const auto& [pair, count] : o.pairs) to.pairs[pair] += count;
  to.threads.insert(o.threads.begin(), o.threads.end());
  to.insns_held += o.insns_held;
  if (o.longest.end && (to.longest.end == 0 || o.longest.insns > to.longest.insns)) to.longest = o.longest;
}

// How often the `period` rows from `first` on stand there, one after the other.
uint64_t times_of(const std::vector<std::string>& rows, size_t first, size_t period) {
  size_t end = first + period;
  while (end < rows.size() && rows[end] == rows[end - period]) ++end;
  return (end - first) / period;
}

}  // namespace

std::vector<SyncGroup> grouped(const sync::SyncTotals& totals, const SyncNames& names) {
  std::map<std::pair<sync::SyncKind, std::string>, SyncGroup> by_name;
  for (const SyncObject& o : totals.objects) {
    SyncGroup& g = by_name[{o.key.kind, names.pattern(o.key)}];
    if (g.objects++ == 0) {
      g.name = names.object(o.key);
      g.sum = o;
      continue;
    }
    g.name = names.pattern(o.key);
    add(o, g.sum);
  }
  std::vector<SyncGroup> groups;
  for (auto& [key, g] : by_name) groups.push_back(std::move(g));
  std::stable_sort(groups.begin(), groups.end(), [](const SyncGroup& a, const SyncGroup& b) {
    const auto weight = [](const SyncObject& o) { return std::tuple(o.contended, o.hand_overs, o.acquisitions); };
    return weight(a.sum) > weight(b.sum);
  });
  return groups;
}

// Of what repeats at a place, what covers most; of equal ones the shortest.
std::vector<RepeatedRows> repeated(const std::vector<std::string>& rows) {
  std::vector<RepeatedRows> all;
  for (size_t at = 0; at < rows.size(); at += all.back().rows * all.back().times) {
    RepeatedRows best{at, 1, 1};
    for (size_t period = 1; period <= kLongestRepeat && at + 2 * period <= rows.size(); ++period) {
      const uint64_t times = times_of(rows, at, period);
      if (times > 1 && times * period > best.times * best.rows) best = {at, period, times};
    }
    all.push_back(best);
  }
  return all;
}

}  // namespace cdr::report
