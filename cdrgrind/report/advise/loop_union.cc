// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/loop_union.h"

#include <algorithm>
#include <set>

namespace cdr::report {
namespace {

using advise::Class;
using advise::Verdict;

void add_rows(AdviceItem& to, const AdviceItem& from, uint64_t moved) {
  for (const AdviceRow& r : from.rows) {
    const auto same = std::find_if(to.rows.begin(), to.rows.end(), [&](const AdviceRow& x) {
      return x.kind == r.kind && x.between == r.between && x.source.ip == r.source.ip + moved &&
             x.target.ip == r.target.ip + moved && x.source.call == r.source.call && x.target.call == r.target.call;
    });
    if (same == to.rows.end()) {
      to.rows.push_back(r);
      to.rows.back().source.ip += moved;
      to.rows.back().target.ip += moved;
      continue;
    }
    same->count += r.count;
    same->distances.add(r.distances);
  }
  std::stable_sort(to.rows.begin(), to.rows.end(),
                   [](const AdviceRow& x, const AdviceRow& y) { return x.count > y.count; });
}

// One variable with two classes has the worse one; what is updated here and written otherwise there can be neither.
void add_item(AdviceItem& to, const AdviceItem& from, uint64_t moved) {
  add_rows(to, from, moved);
  for (const auto& f : from.library)
    if (std::find(to.library.begin(), to.library.end(), f) == to.library.end()) to.library.push_back(f);
  const auto is_shared = [](const AdviceItem& i) {
    return i.carried_as == Class::kReduction ||
           (i.carried_as >= Class::kPrivate && i.carried_as <= Class::kFirstprivate);
  };
  if (is_shared(to) && is_shared(from) &&
      (to.carried_as == Class::kReduction || from.carried_as == Class::kReduction) &&
      (to.carried_as != from.carried_as || to.note != from.note)) {
    to.carried_as = Class::kRecurrence;
    to.note = to.clause = to.edit = {};
  } else if (from.carried_as > to.carried_as) {
    to.carried_as = from.carried_as;
    to.note = from.note;
    to.clause = from.clause;
    to.edit = from.edit;
  } else if (from.carried_as == to.carried_as && (!from.edit.empty() || (to.edit.empty() && !from.note.empty()))) {
    to.note = from.note;
    to.clause = from.clause;
    to.edit = from.edit;
  }
}

Verdict worse(Verdict x, Verdict y) {
  if (x == Verdict::kNone || y == Verdict::kNone) return Verdict::kNone;
  return std::max(x, y);
}

}  // namespace

void add_carried(AdviceLoop& to, const AdviceLoop& from, uint64_t moved) {
  for (const AdviceItem& i : from.items) {
    const auto same =
        std::find_if(to.items.begin(), to.items.end(), [&](const AdviceItem& x) { return x.name == i.name; });
    if (same == to.items.end()) {
      to.items.push_back(i);
      to.items.back().rows.clear();
      add_rows(to.items.back(), i, moved);
    } else {
      add_item(*same, i, moved);
    }
  }
  std::stable_sort(to.items.begin(), to.items.end(),
                   [](const AdviceItem& x, const AdviceItem& y) { return x.carried_as > y.carried_as; });
  to.verdict = worse(to.verdict, from.verdict);
  if (to.verdict == Verdict::kParallel && !to.items.empty() && to.items[0].carried_as > Class::kFirstprivate)
    to.verdict = Verdict::kSequential;
  to.longest = std::max(to.longest, from.longest);
  to.interval = std::max(to.interval, from.interval);
  to.last_line = std::max(to.last_line, from.last_line);
  to.irregular |= from.irregular;
  to.headers = std::max(to.headers, from.headers);
  to.weak |= from.weak;
  if (!to.simd) to.simd = from.simd;
  to.loaded_index = (to.loaded_index || from.loaded_index) && to.verdict == Verdict::kParallel;
  to.starts_threads |= from.starts_threads;
  to.keeps_locks |= from.keeps_locks;
  to.ends.insert(from.ends.begin(), from.ends.end());
  std::set<uint32_t> exits(to.exit_lines.begin(), to.exit_lines.end());
  exits.insert(from.exit_lines.begin(), from.exit_lines.end());
  to.exit_lines.assign(exits.begin(), exits.end());
  std::set<uint64_t> others(to.exits_without_line.begin(), to.exits_without_line.end());
  others.insert(from.exits_without_line.begin(), from.exits_without_line.end());
  to.exits_without_line.assign(others.begin(), others.end());
}

double left_of(const AdviceLoop& l, Verdict verdict) {
  const auto all = static_cast<double>(l.instructions);
  return l.verdict == verdict ? all / l.speed_up : all;
}

}  // namespace cdr::report
