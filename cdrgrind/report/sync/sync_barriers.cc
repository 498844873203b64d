// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/sync/sync_barriers.h"

#include <fmt/format.h>

#include <algorithm>

#include "cdrgrind/analysis/sync/common_store.h"
#include "cdrgrind/report/sync/sync_report.h"

namespace cdr::report {

using sync::BarrierUse;
using sync::SyncKey;

uint32_t BarrierCode::code(uint64_t lock, uint64_t then) {
  const std::pair stacks(names_.stack(lock), names_.stack(then));
  const auto [known, is_new] = by_stacks_.try_emplace(stacks, 0);
  if (is_new) {
    const Place p = place(names_.calls(stacks.first), names_.calls(stacks.second));
    known->second = numbers_.try_emplace(p, static_cast<uint32_t>(numbers_.size())).first->second;
  }
  return known->second;
}

// From the outermost call inwards to where the two part; there, through functions that are inlined, likewise.
BarrierCode::Place BarrierCode::place(const std::vector<CodeAddr>& lock, const std::vector<CodeAddr>& then) {
  const auto [mine, theirs] = std::mismatch(lock.rbegin(), lock.rend(), then.rbegin(), then.rend());
  if (mine == lock.rend() || theirs == then.rend()) return {};
  const auto a = symbols_.inline_chain(mine->module.value, mine->addr);
  const auto b = symbols_.inline_chain(theirs->module.value, theirs->addr);
  // Two functions from one: as of a thread's, whose caller is not known.
  if (a.empty() || b.empty() || a.back().function != b.back().function)
    return {fmt::format("{:x}", mine->module.value), fmt::format("{:x}", theirs->addr), mine->addr};
  size_t depth = 1;
  const auto same = [&](size_t i) {
    const auto &x = a[a.size() - i], &y = b[b.size() - i];
    return x.function == y.function && x.pos.file == y.pos.file && x.pos.line == y.pos.line;
  };
  while (depth < std::min(a.size(), b.size()) && same(depth) &&
         a[a.size() - depth - 1].function == b[b.size() - depth - 1].function)
    ++depth;
  const auto& f = a[a.size() - depth];
  return {std::string(f.function), std::string(f.pos.file), f.pos.known() ? f.pos.line : mine->addr};
}

bool BarrierCode::has_common_store(const std::vector<sync::EventSpan>& spans) {
  return !has_data_ || sync::has_common_store(file_, spans);
}

std::vector<BarrierTotals> count_barriers(const std::vector<BarrierUse>& uses, const sync::History& history,
                                          const sync::Rerun& rerun, const SyncNames& names,
                                          const std::function<bool(const sync::BarrierRound&)>& wanted, bool together) {
  std::map<SyncKey, uint64_t> waited;
  for (size_t i = 0; i < history.gettings.size(); ++i) waited[history.gettings[i].of] += rerun.idle[i];
  std::map<std::pair<sync::SyncKind, std::string>, size_t> by_name;
  std::vector<BarrierTotals> all;
  for (const BarrierUse& use : uses) {
    const std::string name = together ? names.pattern(use.barrier) : fmt::format("{:x}", use.barrier.object);
    const auto [at, is_new] = by_name.try_emplace({use.barrier.kind, name}, all.size());
    if (is_new) all.push_back({use.barrier, use.mutex, 0, 0, 0, 0, 0, {}, {}});
    BarrierTotals& t = all[at->second];
    ++t.objects;
    t.waited += waited[use.barrier];
    for (const sync::BarrierRound& r : use.rounds) {
      if (!wanted(r)) continue;
      t.threads_least = t.rounds == 0 ? r.threads : std::min(t.threads_least, r.threads);
      t.threads_most = std::max(t.threads_most, r.threads);
      ++t.rounds;
      ++t.last[r.last];
      ++t.at[names.place(r.entered)];
    }
  }
  std::erase_if(all, [](const BarrierTotals& t) { return t.rounds == 0; });
  std::stable_sort(all.begin(), all.end(), [](const BarrierTotals& a, const BarrierTotals& b) {
    return std::pair(a.waited, a.rounds) > std::pair(b.waited, b.rounds);
  });
  return all;
}

namespace {

std::string title_of(const BarrierTotals& t, const SyncNames& names) {
  const auto name = [&](const SyncKey& key) { return visible(t.objects > 1 ? names.pattern(key) : names.object(key)); };
  std::string title = name(t.barrier);
  title += t.mutex.object ? fmt::format(" with {}  (made of a mutex and a condition)", name(t.mutex)) : "  (barrier)";
  if (t.objects > 1) title += fmt::format(", {} objects", with_separators(t.objects));
  return title;
}

std::string places_text(const BarrierTotals& t) {
  std::string text;
  for (const auto& [at, rounds] : t.at) {
    const std::string place = visible(short_place(at));
    if (!place.empty()) text += (text.empty() ? " at " : ", ") + place;
  }
  return text;
}

std::string last_text(const BarrierTotals& t) {
  std::string text;
  for (const auto& [thread, rounds] : t.last)
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", thread.value, with_separators(rounds));
  return text;
}

void put_barrier(const BarrierTotals& t, bool known, const SyncNames& names, const Style& style, Output& out) {
  out.print("{}\n", painted(title_of(t, names), Paint::kTitle, style));
  const std::string threads = t.threads_least == t.threads_most
                                  ? std::to_string(t.threads_most)
                                  : fmt::format("{} to {}", t.threads_least, t.threads_most);
  out.print("    {} of {} threads{}\n", plural(t.rounds, "round"), threads, places_text(t));
  out.print("    last to come: thread {}", last_text(t));
  if (known) out.print("; the others would wait {} instructions", with_separators(t.waited));
  out.put('\n');
}

}  // namespace

void put_barriers(const SyncReport& report, const SyncNames& names, Output& out) {
  if (report.barriers.empty()) return;
  out.put(section("Barriers", report.style));
  for (const BarrierTotals& t : report.barriers) put_barrier(t, report.sections.known, names, report.style, out);
  out.put('\n');
}

void put_barriers_json(const SyncReport& report, const SyncNames& names, JsonWriter& to) {
  to.key("barriers").rows();
  for (const BarrierTotals& t : report.barriers) {
    to.object().members("kind", t.mutex.object ? "mutex and condition" : "barrier");
    to.members("name", names.object(t.barrier), "address", t.barrier.object);
    if (t.mutex.object) to.members("mutex", names.object(t.mutex), "mutex_address", t.mutex.object);
    to.members("rounds", t.rounds, "threads_least", t.threads_least, "threads_most", t.threads_most);
    to.members("insns_would_wait", t.waited).key("last").array();
    for (const auto& [thread, rounds] : t.last) to.object().members("thread", thread.value, "rounds", rounds).end();
    to.end().key("at").array();
    for (const auto& [at, rounds] : t.at)
      to.object().members("file", at.file, "line", at.line, "function", at.function, "rounds", rounds).end();
    to.end().end();
  }
  to.end();
}

}  // namespace cdr::report
