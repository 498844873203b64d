// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/advise_runs.h"

#include <algorithm>
#include <map>

#include "cdrgrind/report/advise/loop_union.h"

namespace cdr::report {
namespace {

using advise::Verdict;

// Of one run: instructions that are left of `total`.
double left_of(uint64_t total, double speed_up) { return static_cast<double>(total) / speed_up; }

void add_loop(AdviceLoop& to, const AdviceLoop& from) {
  const AdviceLoop before = to;
  add_carried(to, from, to.header.addr - from.header.addr);
  if (before.verdict == Verdict::kUnseen)
    to.unseen = from.unseen;
  else if (from.verdict != Verdict::kUnseen)
    std::erase_if(to.unseen, [&](const std::string& n) {
      return std::find(from.unseen.begin(), from.unseen.end(), n) == from.unseen.end();
    });
  for (const CallingPlace& p : from.called_at)
    if (std::find(to.called_at.begin(), to.called_at.end(), p) == to.called_at.end()) to.called_at.push_back(p);
  if (to.other_copy.empty()) to.other_copy = from.other_copy;
  to.own_names.insert(from.own_names.begin(), from.own_names.end());
  to.assigned.insert(from.assigned.begin(), from.assigned.end());
  const double left = left_of(before, to.verdict) + left_of(from, to.verdict);
  to.instances += from.instances;
  to.iterations += from.iterations;
  to.instructions += from.instructions;
  to.speed_up = left > 0 ? static_cast<double>(to.instructions) / left : 1;
  to.vectorised = std::max(to.vectorised, from.vectorised);
  to.small = to.instances > 0 && to.instructions / to.instances < advise::LoopAdvice::kSmallInstance;
  to.beside += from.beside;
  if (to.team && from.team)
    add_team(*to.team, *from.team);
  else if (from.team)
    to.team = from.team;
  to.pragma = openmp_line(to);
}

void add_caller(AdviceCaller& to, const AdviceCaller& from) {
  const uint64_t moved = to.function.addr - from.function.addr;
  for (AdviceCall c : from.calls) {
    c.ip += moved;
    if (c.wait_ip) c.wait_ip += moved;
    const auto same = std::find_if(to.calls.begin(), to.calls.end(), [&](const AdviceCall& x) { return x.ip == c.ip; });
    if (same == to.calls.end()) {
      to.calls.push_back(c);
      continue;
    }
    same->calls += c.calls;
    same->instructions += c.instructions;
    same->beside += c.beside;
    same->output |= c.output;
    if (c.wait_ip && (!same->wait_ip || c.wait_ip < same->wait_ip)) {
      same->wait_ip = c.wait_ip;
      same->wait_line = c.wait_line;
    }
  }
  std::sort(to.calls.begin(), to.calls.end(), [](const AdviceCall& x, const AdviceCall& y) { return x.ip < y.ip; });
  const double left = left_of(to.instructions, to.speed_up) + left_of(from.instructions, from.speed_up);
  to.instructions += from.instructions;
  to.speed_up = left > 0 ? static_cast<double>(to.instructions) / left : 1;
}

// Those of the other run that are here, too, are added, and the rest comes behind.
template <class T, class F>
void add_all(std::vector<T>& to, const std::vector<T>& from, F add) {
  std::map<std::pair<std::string, uint64_t>, size_t> known;
  for (size_t i = 0; i < to.size(); ++i) known.try_emplace({to[i].module, to[i].offset}, i);
  for (const T& t : from) {
    const auto [k, is_new] = known.try_emplace({t.module, t.offset}, to.size());
    if (is_new)
      to.push_back(t);
    else
      add(to[k->second], t);
  }
}

template <class T>
void rank(std::vector<T>& all, uint64_t instructions) {
  for (T& t : all)
    t.of_run = advise::speed_up_of_run(static_cast<double>(instructions), static_cast<double>(t.instructions),
                                       left_of(t.instructions, t.speed_up));
  std::stable_sort(all.begin(), all.end(), [](const T& x, const T& y) {
    return x.of_run != y.of_run ? x.of_run > y.of_run : x.instructions > y.instructions;
  });
}

}  // namespace

void rank_loops(AdviseReport& report) { rank(report.loops, report.instructions); }

void add_run(AdviseReport& to, const AdviseReport& from) {
  const size_t before = to.loops.size();
  uint32_t most = 0;
  for (const AdviceLoop& l : to.loops) most = std::max(most, l.number);
  add_all(to.loops, from.loops, add_loop);
  // Numbers are a run's.
  for (size_t i = before; i < to.loops.size(); ++i) {
    to.loops[i].number = ++most;
    to.loops[i].parent = 0;
  }
  add_all(to.callers, from.callers, add_caller);
  to.instructions += from.instructions;
  to.runs += from.runs;
  rank_loops(to);
  rank(to.callers, to.instructions);
}

}  // namespace cdr::report
