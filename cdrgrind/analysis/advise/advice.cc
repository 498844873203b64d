// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/advise/advice.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <set>

#include "cdrgrind/analysis/advise/classes.h"
#include "cdrgrind/analysis/regions/register_flow.h"

namespace cdr::advise {

using regions::CarriedRow;
using regions::Object;

namespace {

// Of a vector register all parts are one; of the flags, too.
Object whole_object(Object o) {
  if (o.kind != Object::Kind::kRegister) return o;
  const uint8_t reg = regions::register_of_chunk(static_cast<uint8_t>(o.id));
  if (reg != regions::kNoRegister)
    o.id = regions::chunk_of(reg);
  else if (o.id >= kStateCcOp / 8 && o.id <= kStateCcNdep / 8)
    o.id = kStateCcOp / 8;
  return o;
}

// In a frame it is only known which bytes were touched: those that rows share make one object.
bool is_cut_by_place(Object::Kind k) {
  return k == Object::Kind::kFrame || k == Object::Kind::kCaller || k == Object::Kind::kCallee ||
         k == Object::Kind::kOther;
}

class Adviser {
 public:
  explicit Adviser(const Advisor& with) : with_(with), classifier_(with) {
    for (uint32_t r = 0; r < with.regions.rows.size(); ++r) rows_[with.regions.rows[r].loop.value].push_back(r);
  }

  LoopAdvice of(LoopId loop) {
    LoopAdvice a;
    a.loop = loop;
    const regions::LoopRun& run = with_.regions.runs[loop.value];
    a.small = run.instances > 0 && run.instructions / run.instances < LoopAdvice::kSmallInstance;
    a.carriers = carriers_of(loop);
    add_system(run, a);
    for (Carrier& c : a.carriers)
      if (c.system == 0) classifier_.classify(loop, c);
    classifier_.join_kept(a.carriers);
    a.lanes = classifier_.lanes(loop);
    a.other_exits = classifier_.other_exits(loop, a.carriers, false);
    a.counted = a.other_exits.empty() && !with_.loops[loop].exits_at.empty();
    std::stable_sort(a.carriers.begin(), a.carriers.end(), [](const Carrier& x, const Carrier& y) {
      return x.carried_as != y.carried_as ? x.carried_as > y.carried_as : x.count > y.count;
    });
    a.interval = interval_of(a, {Class::kRecurrence, Class::kAnti});
    a.verdict = verdict_of(a, run);
    a.loaded_index = a.verdict == Verdict::kParallel && stores_by_loaded_index(loop);
    estimate(run, a);
    return a;
  }

 private:
  std::vector<Carrier> carriers_of(LoopId loop) {
    std::vector<Carrier> carriers;
    auto& rows = rows_[loop.value];
    const auto key = [&](uint32_t r) {
      const CarriedRow& d = with_.regions.rows[r];
      return std::pair(whole_object(d.object), d.lowest);
    };
    std::stable_sort(rows.begin(), rows.end(), [&](uint32_t x, uint32_t y) { return key(x) < key(y); });
    for (const uint32_t r : rows) {
      const CarriedRow& d = with_.regions.rows[r];
      const Object o = whole_object(d.object);
      const bool same = !carriers.empty() && carriers.back().object == o &&
                        (!is_cut_by_place(o.kind) || d.lowest <= carriers.back().highest);
      if (!same) {
        carriers.emplace_back();
        carriers.back().object = o;
        carriers.back().lowest = d.lowest;
        carriers.back().highest = d.highest;
      }
      Carrier& c = carriers.back();
      c.one_place &=
          d.lowest == c.lowest && d.highest == c.highest && d.highest - d.lowest < static_cast<int64_t>(d.widest);
      c.highest = std::max(c.highest, d.highest);
      c.count += d.count;
      c.rows.push_back(r);
    }
    for (Carrier& c : carriers) {
      c.one_place |= c.object.kind == Object::Kind::kRegister;
      std::stable_sort(c.rows.begin(), c.rows.end(), [&](uint32_t x, uint32_t y) {
        return with_.regions.rows[x].count > with_.regions.rows[y].count;
      });
    }
    return carriers;
  }

  // Whether it is known from data only that its stores do not meet.
  bool stores_by_loaded_index(LoopId loop) {
    if (stores_.empty()) find_stores();
    const regions::Loop& l = with_.loops[loop];
    const auto& stores = stores_[l.function];
    return std::any_of(stores.begin(), stores.end(), [&](const auto& s) {
      const Superblock& sb = with_.blocks.superblock(s.first);
      return l.has(sb.insn_addr(sb.accesses[s.second].insn)) && classifier_.has_loaded_index(loop, s.first, s.second);
    });
  }
  void find_stores() {
    const auto& contexts = with_.regions.contexts;
    stores_[0];
    for (regions::SiteIndex i = 1; i < contexts.site_count(); ++i) {
      const regions::Site& s = contexts.site(i);
      if (!s.is_access() || !with_.blocks.superblock(s.superblock).accesses[s.access].store()) continue;
      stores_[contexts[s.context].function.addr].insert({s.superblock, s.access});
    }
  }

  static void add_system(const regions::LoopRun& run, LoopAdvice& a) {
    for (const regions::SystemUse use : {regions::kUsesInput, regions::kUsesOutput, regions::kUsesProcess}) {
      if (!(run.carries_system & use)) continue;
      Carrier c;
      c.system = use;
      c.carried_as = use == regions::kUsesOutput ? Class::kOutput : Class::kRecurrence;
      a.carriers.push_back(c);
    }
  }

  // Of what is carried as one of these.
  uint64_t interval_of(const LoopAdvice& a, std::initializer_list<Class> classes) const {
    uint64_t interval = 0;
    for (const Carrier& c : a.carriers)
      if (std::find(classes.begin(), classes.end(), c.carried_as) != classes.end())
        for (const uint32_t r : c.rows) interval = std::max(interval, with_.regions.rows[r].interval);
    return interval;
  }

  static uint64_t average_iteration(const regions::LoopRun& run) {
    return run.iterations ? run.instructions / run.iterations : 0;
  }

  Verdict verdict_of(LoopAdvice& a, const regions::LoopRun& run) {
    if (run.with_iterations == 0) return Verdict::kUnseen;
    if (run.starts_threads || run.keeps_locks) return Verdict::kNone;
    const auto worst = a.carriers.empty() ? Class::kInduction : a.carriers.front().carried_as;
    if (worst <= Class::kFirstprivate && a.counted) return Verdict::kParallel;
    if (worst == Class::kOutput && a.counted) return Verdict::kOrdered;
    const bool system =
        std::any_of(a.carriers.begin(), a.carriers.end(), [](const Carrier& c) { return c.system != 0; });
    if (worst == Class::kTraversal && !system && classifier_.other_exits(a.loop, a.carriers, true).empty())
      return Verdict::kTasks;
    if (worst >= Class::kAnti && a.counted && !system && 2 * a.interval <= average_iteration(run))
      return Verdict::kPipeline;
    return Verdict::kSequential;
  }

  void estimate(const regions::LoopRun& run, LoopAdvice& a) const {
    // What runs beside others already gains nothing.
    const double all = static_cast<double>(run.instructions), total = all - static_cast<double>(run.beside);
    const double longest = static_cast<double>(run.longest_iteration);
    const double share = total / static_cast<double>(with_.threads);
    const double iterations = all > 0 ? static_cast<double>(run.iterations) * (total / all) : 0;
    double left = total;
    if (a.verdict == Verdict::kParallel || a.verdict == Verdict::kOrdered)
      left = static_cast<double>(run.parallel - run.beside);
    if (a.verdict == Verdict::kOrdered)  // one prints after the other
      left = std::max(left, iterations * static_cast<double>(interval_of(a, {Class::kOutput})));
    if (a.verdict == Verdict::kTasks)
      left = std::max(share, iterations * static_cast<double>(with_.loops[a.loop].head.size() + kStep) + longest);
    else if (a.verdict == Verdict::kPipeline)
      left = std::max(share, iterations * static_cast<double>(a.interval) + longest);
    left = std::min(left, total) + static_cast<double>(run.beside);
    a.speed_up = left > 0 ? all / left : 1;
    a.of_run = speed_up_of_run(static_cast<double>(with_.regions.instructions), all, left);
  }

  // Instructions that a walk takes from one element to the next, besides those of the loop's head.
  static constexpr size_t kStep = 4;

  const Advisor& with_;
  Classifier classifier_;
  std::map<uint32_t, std::vector<uint32_t>> rows_;                          // by loop
  std::map<uint64_t, std::set<std::pair<SuperblockId, uint16_t>>> stores_;  // by function: superblock and access
};

}  // namespace

std::vector<LoopAdvice> advise(const Advisor& with) {
  Adviser adviser(with);
  std::vector<LoopAdvice> all;
  for (uint32_t l = 1; l <= with.loops.size(); ++l)
    if (l < with.regions.runs.size() && with.regions.runs[l].instances) all.push_back(adviser.of(LoopId(l)));
  std::stable_sort(all.begin(), all.end(), [&](const LoopAdvice& x, const LoopAdvice& y) {
    if (x.of_run != y.of_run) return x.of_run > y.of_run;
    return with.regions.runs[x.loop.value].instructions > with.regions.runs[y.loop.value].instructions;
  });
  return all;
}

}  // namespace cdr::advise
