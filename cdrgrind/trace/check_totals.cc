// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/check_totals.h"

#include <string>
#include <utility>

namespace cdr::trace {

void CheckTotals::see(const Sight& s) {
  threads_ += s.e.kind == EventKind::kThreadStart;
  if (s.e.kind != EventKind::kBlock && s.e.kind != EventKind::kPartial) return;
  const Extent done = extent_of(s.e, blocks_);
  executed_ += s.e.kind == EventKind::kBlock;
  instructions_ += done.insns;
  // A block without all its words breaks an invariant of its own.
  const auto absent = [&](const Access& a) { return a.slot <= s.e.words.size() && !happened(a, s.e.words); };
  for (const Access& a : done.accesses) accesses_ += !a.guarded() || !absent(a);
}

void CheckTotals::compare(const End& end, CheckReport& report) const {
  const std::pair<std::string_view, uint64_t> counted[] = {
      {"blocks", executed_}, {"instructions", instructions_}, {"accesses", accesses_}, {"threads", threads_}};
  for (const auto& [key, count] : counted)
    if (const auto told = end.counter(key); told && *told != count)
      report.add("totals-as-counted", Violation::kInTables,
                 std::string(key) + " " + std::to_string(*told) + ", counted " + std::to_string(count));
}

}  // namespace cdr::trace
