// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/slice/event_control.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "cdrgrind/analysis/slice/label_flow.h"
#include "cdrgrind/analysis/slice/run_jumps.h"
#include "cdrgrind/analysis/walk/event_walk.h"

namespace cdr::slice {
namespace {

using LabelsOfRace = std::map<uint32_t, std::vector<LabelId>>;

// One end of a candidate and the labels of one race that decide it.
struct End {
  const JudgedAccess* access = nullptr;
  const std::vector<Course>* courses = nullptr;
  const std::vector<LabelId>* decide = nullptr;
};

// As LabelFlow::judge wants them.
std::vector<AccessPosition> in_order(std::vector<AccessPosition> all) {
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

// Lets the labels flow.
template <class Table>
class FlowReader final : public analysis::EventReader {
 public:
  FlowReader(LabelFlow<Table>& flow, const LabelTable* limit, analysis::WatchedPart& part)
      : flow_(flow), limit_(limit), part_(part) {}

  void event(const Event& e, uint64_t index) override { flow_.event(e, index); }
  bool pass(analysis::EventWalk& walk, const analysis::Passage& p) override { return flow_.pass(walk, p); }
  bool goes_on(uint64_t index) override {
    return flow_.goes_on() && !(limit_ && limit_->full()) && part_.goes_on(index);
  }
  uint32_t may_stand_for(analysis::EventWalk&, const analysis::Passage& p) override { return flow_.may_stand_for(p); }

 private:
  LabelFlow<Table>& flow_;
  const LabelTable* limit_;  // null: none
  analysis::WatchedPart& part_;
};

std::vector<AccessPosition> ends_of(const std::vector<RacePair>& candidates) {
  std::vector<AccessPosition> all;
  for (const RacePair& p : candidates) all.push_back(p.first), all.push_back(p.second);
  return in_order(std::move(all));
}

}  // namespace

struct EventControl::Parts {
  Parts(const trace::TraceFile& file_, const DataflowTable& table, CodeBytes& code, RaceEnds& races,
        const EventControlOptions& o)
      : flows(table.size() == file_.blocks().superblock_count()),
        ends(races),
        library(o.library),
        labels(o.sets),
        seeker(o.seeker),
        none_watched(file_.blocks()),
        jumps(flows ? RunJumps(file_, seeker) : RunJumps()),
        graphs(file_.blocks(), jumps, code),
        file(file_),
        summaries(table),
        flow(file_.blocks(), table, graphs, races, labels, library),
        watch(o.watch ? *o.watch : nobody) {}

  void run(const std::vector<RacePair>& candidates) {
    flow.judge(ends_of(candidates));
    ended = !follow(flow, &labels, "what follows from what");
  }
  // False if that was ended.
  template <class Table>
  bool follow(LabelFlow<Table>& what, const LabelTable* limit, const char* name) {
    analysis::WatchedPart part(watch, name, file.event_count());
    FlowReader<Table> reader(what, limit, part);
    if (seeker)
      analysis::EventWalk(*seeker, none_watched).run(reader, file.event_count());
    else
      analysis::AllEvents(file).run(reader, file.event_count());
    return !part.ended();
  }

  const JudgedAccess* find(const AccessPosition& at) const { return find(at, flow.judged()); }
  static const JudgedAccess* find(const AccessPosition& at, const std::vector<JudgedAccess>& all) {
    const auto found =
        std::lower_bound(all.begin(), all.end(), at, [](const JudgedAccess& j, const auto& p) { return j.at < p; });
    return found == all.end() || found->at != at || !found->thread ? nullptr : &*found;
  }
  // By race. `weak`: also those that are known weakly.
  LabelsOfRace deciding(const JudgedAccess& y, bool weak) {
    LabelsOfRace all;
    const Labels both = labels.unite(y.address, y.branches);
    labels.sets().for_each(labels.known(both), [&](LabelId l) { all[ends[l].race].push_back(l); });
    if (weak && labels.weak(both))
      labels.sets().for_each(labels.weak(both), [&](LabelId l) {
        auto& known = all[ends[l].race];
        if (std::find(known.begin(), known.end(), l) == known.end()) known.push_back(l);
      });
    return all;
  }
  bool comes_before(LabelId x, const End& y) const {
    const auto is_before = [&](const Course& c) {
      return c.thread == ends[x].thread && c.begin <= ends[x].first.at.event && ends[x].first.at < y.access->at;
    };
    return std::any_of(y.courses->begin(), y.courses->end(), is_before);
  }
  AccessPosition begin(LabelId l) const { return ends[l].first.at; }
  std::vector<LabelId> latest_first(const std::vector<LabelId>* some) const {
    std::vector<LabelId> all;
    if (some) all = *some;
    std::sort(all.begin(), all.end(), [&](LabelId x, LabelId y) { return begin(y) < begin(x); });
    return all;
  }
  // x decides the one end: the later of it and of a partner that leads to the other end. The latest there is, if that
  // is `least` or later. `decide`: those of the other end, the latest first.
  std::optional<AccessPosition> leads_to(LabelId x, uint32_t race, const End& other, const std::vector<LabelId>& decide,
                                         const std::optional<AccessPosition>& least) {
    std::optional<AccessPosition> last;
    const auto would_do = [&](const AccessPosition& end) { return last ? *last < end : !least || !(end < *least); };
    // False if none that is earlier than y would do.
    const auto look_at = [&](LabelId y) {
      const AccessPosition end = std::max(begin(x), begin(y));
      if (!would_do(end)) return false;
      if (y == x || ends.are_partners(x, y)) last = end;
      return true;
    };
    if (comes_before(x, other) && would_do(begin(x))) last = begin(x);
    for (const LabelId y : decide)
      if (!look_at(y)) break;
    for (const Course& c : *other.courses) {
      const auto all = ends.of(race, c.thread);
      const auto first =
          std::partition_point(all.begin(), all.end(), [&](LabelId l) { return begin(l).event < c.begin; });
      const auto end = std::partition_point(first, all.end(), [&](LabelId l) { return begin(l) < other.access->at; });
      for (auto y = end; y != first;)
        if (!look_at(*--y)) break;
    }
    return last;
  }

  // Which label decides which end, so that the race leads to both.
  struct Led {
    AccessPosition end;
    LabelId by = 0;
    bool second = false;
  };
  // The latest end, and the first label that has it. There may be thousands at both ends: once the end is known, or one
  // that is late, few are looked at.
  std::optional<Led> led(uint32_t race, const End& c, const End& d) {
    const std::vector<LabelId> of_c = latest_first(c.decide), of_d = latest_first(d.decide);
    std::optional<AccessPosition> latest;
    for (const LabelId x : of_d)
      if (const auto end = leads_to(x, race, c, of_c, latest)) latest = end;
    for (const LabelId x : of_c)
      if (const auto end = leads_to(x, race, d, of_d, latest)) latest = end;
    if (!latest) return std::nullopt;
    for (const bool second : {true, false}) {
      const End &mine = second ? d : c, &other = second ? c : d;
      if (!mine.decide) continue;
      for (const LabelId x : *mine.decide)
        if (leads_to(x, race, other, second ? of_c : of_d, latest)) return Led{*latest, x, second};
    }
    return std::nullopt;
  }

  bool has(Labels l, LabelId label) const {
    return labels.sets().has(labels.known(l), label) || labels.sets().has(labels.weak(l), label);
  }
  // Its first step and its last.
  std::vector<FlowStep> short_reason(const JudgedAccess& y, LabelId by) const {
    std::vector<FlowStep> steps;
    if (has(y.address, by)) {
      steps.push_back(address_step(y));
    } else {
      for (const JudgedAccess::Branch& b : y.open) {
        if (!has(b.labels, by)) continue;
        steps.push_back({FlowStep::Kind::kCondition, y.thread, y.at, b.ip.addr, b.ip.module});
        break;
      }
    }
    const Touch& from = ends[by].first;
    const auto kind = from.store ? FlowStep::Kind::kStore : FlowStep::Kind::kLoad;
    steps.push_back({kind, from.thread, from.at, from.ip.addr, from.ip.module});
    return steps;
  }
  static FlowStep address_step(const JudgedAccess& y) {
    return {FlowStep::Kind::kAddress, y.thread, y.at, y.ip.addr, y.ip.module};
  }

  // Follows one label alone to the accesses that it decides: those of `of` with the numbers. False if that was ended.
  bool follow(LabelId label, const std::vector<ArtifactOf>& of, const std::vector<size_t>& numbers,
              std::vector<std::vector<FlowStep>>& reasons) {
    std::vector<AccessPosition> at;
    for (const size_t n : numbers) at.push_back(of[n].decided);
    LabelTrail trail(label);
    ends.restart();
    LabelFlow<LabelTrail> again(file.blocks(), summaries, graphs, ends, trail, library);
    again.judge(in_order(std::move(at)));
    if (!follow(again, nullptr, "reasons")) return ended = true, false;
    for (const size_t n : numbers) {
      const JudgedAccess* y = find(of[n].decided, again.judged());
      if (!y || !(y->address | y->branches)) continue;
      reasons[n].clear();
      if (y->address) reasons[n].push_back(address_step(*y));
      const auto steps = trail.steps(y->address ? y->address : y->branches);
      reasons[n].insert(reasons[n].end(), steps.begin(), steps.end());
    }
    return true;
  }

  bool flows;  // every superblock has a summary
  RaceEnds& ends;
  const CLibrary library;
  LabelTable labels;
  trace::Seeker* seeker;  // null: all events
  analysis::WalkedBlocks none_watched;
  RunJumps jumps;
  FunctionGraphs graphs;
  const trace::TraceFile& file;
  const DataflowTable& summaries;
  LabelFlow<LabelTable> flow;
  const analysis::Watch nobody;
  const analysis::Watch& watch;
  bool ended = false;
};

EventControl::EventControl(const trace::TraceFile& file, const DataflowTable& flows, CodeBytes& code, RaceEnds& ends,
                           const std::vector<RacePair>& candidates, const EventControlOptions& options)
    : parts_(std::make_unique<Parts>(file, flows, code, ends, options)) {
  if (parts_->flows) parts_->run(candidates);
}
EventControl::~EventControl() = default;

bool EventControl::ended() const { return parts_->ended; }

Judgement EventControl::judge(const RacePair& candidate, uint32_t race) {
  Judgement j;
  j.no_flow = !parts_->flows;
  const JudgedAccess *c = parts_->find(candidate.first), *d = parts_->find(candidate.second);
  j.undecided = j.no_flow || !c || !d;
  if (j.undecided) return j;
  const auto get = [](const LabelsOfRace& all, uint32_t r) {
    const auto found = all.find(r);
    return found == all.end() ? nullptr : &found->second;
  };
  const LabelsOfRace sure_c = parts_->deciding(*c, false), sure_d = parts_->deciding(*d, false);
  const LabelsOfRace all_c = parts_->deciding(*c, true), all_d = parts_->deciding(*d, true);
  const std::vector<Course> before_c = parts_->ends.courses(c->thread, c->at);
  const std::vector<Course> before_d = parts_->ends.courses(d->thread, d->at);
  std::vector<uint32_t> races;
  for (const auto& [r, unused] : all_c) races.push_back(r);
  for (const auto& [r, unused] : all_d)
    if (!all_c.count(r)) races.push_back(r);
  for (const uint32_t r : races) {
    if (r == race) continue;
    auto led = parts_->led(r, {c, &before_c, get(sure_c, r)}, {d, &before_d, get(sure_d, r)});
    const bool weak = !led;
    if (weak) led = parts_->led(r, {c, &before_c, get(all_c, r)}, {d, &before_d, get(all_d, r)});
    if (led) j.of.push_back({r, weak, led->end, (led->second ? d : c)->at, led->by});
  }
  std::stable_sort(j.of.begin(), j.of.end(),
                   [](const ArtifactOf& a, const ArtifactOf& b) { return a.weak != b.weak ? !a.weak : a.end > b.end; });
  return j;
}

std::vector<std::vector<FlowStep>> EventControl::reasons(const std::vector<ArtifactOf>& of) {
  constexpr size_t kMostFollowed = 16;
  std::vector<std::vector<FlowStep>> all;
  std::map<LabelId, std::vector<size_t>> by_label;
  for (const ArtifactOf& a : of) {
    by_label[a.by].push_back(all.size());
    all.push_back(parts_->short_reason(*parts_->find(a.decided), a.by));
  }
  size_t followed = 0;
  for (const auto& [label, numbers] : by_label)
    if (followed++ == kMostFollowed || !parts_->follow(label, of, numbers, all)) break;
  return all;
}

}  // namespace cdr::slice
