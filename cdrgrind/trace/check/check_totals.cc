// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/check/check_totals.h"

#include <string>
#include <utility>

namespace cdr::trace {

void CheckTotals::see(const Sight& s) {
  threads_ += s.e.kind == EventKind::kThreadStart;
  if (s.e.kind != EventKind::kBlock && s.e.kind != EventKind::kPartial) return;
  const Extent done = extent_of(s.e, blocks_);
  const bool block = s.e.kind == EventKind::kBlock;
  executed_ += block;
  instructions_ += done.insns;
  // What happened of a block with another number of words is not known: it breaks an invariant of its own.
  const uint64_t words = block ? blocks_.exit_of(s.e.block).words : executed_before(*done.superblock, s.e.ip).words;
  if (block ? words != s.e.words.size() : words > s.e.words.size()) {
    accesses_ += block ? done.accesses.size() : 0;
    return;
  }
  for (const Access& a : done.accesses) accesses_ += happened(a, s.e.words);
}

void CheckTotals::again(const Sight& s, uint64_t times) {
  const Extent done = extent_of(s.e, blocks_);
  executed_ += times;
  instructions_ += times * done.insns;
  accesses_ += times * done.accesses.size();
}

void CheckTotals::compare(const End& end, CheckReport& report) const {
  size_t at = 0;
  for (const std::string_view key : {"events", "blocks", "instructions", "accesses", "threads"}) {
    if (at >= end.counters.size() || end.counters[at].first != key)
      report.add("totals-as-counted", Violation::kInTables, "no " + std::string(key));
    ++at;
  }
  const auto& texts = end.texts.entries();
  if (texts.empty() || texts.front().first != "exit")
    report.add("totals-as-counted", Violation::kInTables, "not how the program ended");
  const std::pair<std::string_view, uint64_t> counted[] = {
      {"blocks", executed_}, {"instructions", instructions_}, {"accesses", accesses_}, {"threads", threads_}};
  for (const auto& [key, count] : counted)
    if (const auto told = end.counter(key); told && *told != count)
      report.add("totals-as-counted", Violation::kInTables,
                 std::string(key) + " " + std::to_string(*told) + ", counted " + std::to_string(count));
}

}  // namespace cdr::trace
