// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/slice/event_control.h"

#include <algorithm>

#include "cdrgrind/analysis/slice/backward_slice.h"

namespace cdr::slice {

struct EventControl::Parts {
  Parts(const trace::TraceFile& file, const DataflowTable& table, CodeBytes& code, EventRange events,
        const EventControlOptions& o)
      : options(o),
        flows(table.size() == file.blocks().superblock_count()),
        log(file, table, flows ? events : EventRange()),
        graphs(file.blocks(), log, code) {}

  EventControlOptions options;
  bool flows;  // every superblock has a summary
  ExecutionLog log;
  FunctionGraphs graphs;
};

namespace {

// One end of the candidate, seen from one race.
struct Led {
  bool decides = false, leads = false;
  bool weak = false;  // what decides is weak
  std::vector<FlowStep> reason;
};

Led led_by(const RacePair& race, const AccessPosition& y, const BackwardSlice& slice, const ExecutionLog& log) {
  Led led;
  for (const AccessPosition& x : {race.first, race.second}) {
    const auto found = slice.find(x);
    if (!found || (led.decides && (!led.weak || found->weak))) continue;
    led = {true, true, found->weak, found->reason};
  }
  for (const AccessPosition& x : {race.first, race.second}) {
    if ((led.decides && !led.weak) || log.thread_of(x.event) != log.thread_of(y.event) || !(x < y)) continue;
    led.leads = true;
    if (!led.decides) led.reason = {{FlowStep::Kind::kBefore, log.thread_of(x.event), x, 0, {}}};
  }
  return led;
}

// Whether an end is led to surely: without its weak flow, by program order.
bool surely(const Led& l, const RacePair& race, const AccessPosition& y, const ExecutionLog& log) {
  if (l.decides && !l.weak) return true;
  const auto before = [&](const AccessPosition& x) {
    return log.thread_of(x.event) == log.thread_of(y.event) && x < y;
  };
  return before(race.first) || before(race.second);
}

bool of_same_accesses(const RacePair& a, const RacePair& b) { return a.first == b.first && a.second == b.second; }

AccessPosition end_of(const RacePair& r) { return std::max(r.first, r.second); }

}  // namespace

EventControl::EventControl(const trace::TraceFile& file, const DataflowTable& flows, CodeBytes& code, EventRange events,
                           const EventControlOptions& options)
    : parts_(std::make_unique<Parts>(file, flows, code, events, options)) {}
EventControl::~EventControl() = default;

// As the slices name it.
AccessPosition EventControl::place(const AccessPosition& p) const {
  const LogEntry& e = parts_->log[parts_->log.entry_of(p.event)];
  const bool block = e.kind == LogEntry::Kind::kBlock || e.kind == LogEntry::Kind::kPartial;
  if (e.event == p.event && block && p.access < e.accesses) return p;
  return {p.event, AccessPosition::kWholeEvent};
}

std::vector<Judgement> EventControl::judge(std::span<const RacePair> candidates, std::span<const RacePair> races) {
  std::vector<Judgement> judgements(candidates.size());
  std::vector<RacePair> all;
  for (const RacePair& r : races) all.push_back({place(r.first), place(r.second)});
  SliceBudget budget(parts_->options.steps);
  for (size_t i = 0; i < candidates.size(); ++i) {
    const uint64_t before = budget.taken();
    judgements[i].no_flow = !parts_->flows;
    judgements[i].undecided = !parts_->flows || budget.used_up();
    if (!judgements[i].undecided)
      judge({place(candidates[i].first), place(candidates[i].second)}, all, budget, judgements[i]);
    // Each race is one, too.
    judgements[i].steps = budget.taken() - before + races.size();
  }
  return judgements;
}

void EventControl::judge(const RacePair& candidate, std::span<const RacePair> races, SliceBudget& budget,
                         Judgement& j) {
  const ExecutionLog& log = parts_->log;
  uint64_t horizon = ~uint64_t{0};
  for (const RacePair& r : races)
    if (!of_same_accesses(r, candidate)) horizon = std::min({horizon, r.first.event, r.second.event});
  const BackwardSlice of_first(log, parts_->graphs, candidate.first, horizon, budget);
  const BackwardSlice of_second(log, parts_->graphs, candidate.second, horizon, budget);
  j.undecided = budget.used_up();
  for (size_t i = 0; i < races.size(); ++i) {
    const RacePair& r = races[i];
    if (of_same_accesses(r, candidate)) continue;
    Led c = led_by(r, candidate.first, of_first, log), d = led_by(r, candidate.second, of_second, log);
    if (!c.leads || !d.leads || !(c.decides || d.decides)) continue;
    const bool decided = (c.decides && !c.weak) || (d.decides && !d.weak);
    const bool sure = decided && surely(c, r, candidate.first, log) && surely(d, r, candidate.second, log);
    const bool second = d.decides && (!c.decides || !d.weak);
    j.of.push_back({i, !sure, second ? std::move(d.reason) : std::move(c.reason)});
  }
  std::stable_sort(j.of.begin(), j.of.end(), [&](const ArtifactOf& a, const ArtifactOf& b) {
    if (a.weak != b.weak) return !a.weak;
    return end_of(races[a.race]) > end_of(races[b.race]);
  });
}

}  // namespace cdr::slice
