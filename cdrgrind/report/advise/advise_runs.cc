// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/advise_runs.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace cdr::report {
namespace {

using advise::Class;
using advise::Verdict;

// Of one run: instructions that are left of `total`.
double left_of(uint64_t total, double speed_up) { return static_cast<double>(total) / speed_up; }

void add_rows(AdviceItem& to, const AdviceItem& from, uint64_t moved) {
  for (const AdviceRow& r : from.rows) {
    const auto same = std::find_if(to.rows.begin(), to.rows.end(), [&](const AdviceRow& x) {
      return x.kind == r.kind && x.source.ip == r.source.ip + moved && x.target.ip == r.target.ip + moved &&
             x.source.call == r.source.call && x.target.call == r.target.call;
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

void add_loop(AdviceLoop& to, const AdviceLoop& from) {
  const Verdict before = to.verdict;
  for (const AdviceItem& i : from.items) {
    const auto same =
        std::find_if(to.items.begin(), to.items.end(), [&](const AdviceItem& x) { return x.name == i.name; });
    if (same == to.items.end()) {
      to.items.push_back(i);
      to.items.back().rows.clear();
      add_rows(to.items.back(), i, to.header.addr - from.header.addr);
    } else {
      add_item(*same, i, to.header.addr - from.header.addr);
    }
  }
  std::stable_sort(to.items.begin(), to.items.end(),
                   [](const AdviceItem& x, const AdviceItem& y) { return x.carried_as > y.carried_as; });
  to.verdict = worse(before, from.verdict);
  if (to.verdict == Verdict::kParallel && !to.items.empty() && to.items[0].carried_as > Class::kFirstprivate)
    to.verdict = Verdict::kSequential;
  if (before == Verdict::kUnseen)
    to.unseen = from.unseen;
  else if (from.verdict != Verdict::kUnseen)
    std::erase_if(to.unseen, [&](const std::string& n) {
      return std::find(from.unseen.begin(), from.unseen.end(), n) == from.unseen.end();
    });
  // What a run shows of another verdict holds no more.
  const auto left = [&](const AdviceLoop& l, Verdict v) {
    return v == to.verdict ? left_of(l.instructions, l.speed_up) : static_cast<double>(l.instructions);
  };
  const double all_left = left(to, before) + left(from, from.verdict);
  to.instances += from.instances;
  to.iterations += from.iterations;
  to.instructions += from.instructions;
  to.speed_up = all_left > 0 ? static_cast<double>(to.instructions) / all_left : 1;
  to.longest = std::max(to.longest, from.longest);
  to.interval = std::max(to.interval, from.interval);
  to.last_line = std::max(to.last_line, from.last_line);
  to.irregular |= from.irregular;
  to.weak |= from.weak;
  to.vectorised = std::max(to.vectorised, from.vectorised);
  if (!to.simd) to.simd = from.simd;
  to.loaded_index = (to.loaded_index || from.loaded_index) && to.verdict == Verdict::kParallel;
  to.starts_threads |= from.starts_threads;
  to.keeps_locks |= from.keeps_locks;
  to.small = to.instances > 0 && to.instructions / to.instances < advise::LoopAdvice::kSmallInstance;
  std::set<uint32_t> exits(to.exit_lines.begin(), to.exit_lines.end());
  exits.insert(from.exit_lines.begin(), from.exit_lines.end());
  to.exit_lines.assign(exits.begin(), exits.end());
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
  rank(to.loops, to.instructions);
  rank(to.callers, to.instructions);
}

}  // namespace cdr::report
