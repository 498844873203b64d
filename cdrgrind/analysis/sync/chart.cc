// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/sync/chart.h"

#include "cdrgrind/analysis/sync/strand_lanes.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

namespace cdr::sync {
namespace {

// Rows as strands have them: who gave what is got, who holds what is waited for.
class StrandRows {
 public:
  StrandRows() : ledger_([this](ThreadId t) { return ThreadId(lanes_.strand(t)); }) {}
  StrandRows(const StrandRows&) = delete;
  StrandRows& operator=(const StrandRows&) = delete;

  StrandStep step(const SyncStep& s) {
    StrandStep of = lanes_.step(s);
    const SyncMeaning m = ledger_.step(s);
    for (const SyncGot& g : m.got) {
      for (const ThreadId strand : g.from) of.from.add(lanes_.lane_of(strand.value));
      holders_[{g.of, s.thread}] = of.lane;
    }
    for (const SyncKey& key : m.let_go) holders_.erase({key, s.thread});
    return of;
  }
  std::vector<uint32_t> holders(const ChartRow& r) const {
    std::vector<uint32_t> all;
    for (const ThreadId t : r.held_by)
      for (const SyncKey& key : {key_of(r.sync), mutex_of(r.sync)})
        if (const auto at = holders_.find({key, t}); at != holders_.end()) all.push_back(at->second);
    return all;
  }
  const std::vector<StrandLane>& lanes() const { return lanes_.lanes(); }

 private:
  StrandLanes lanes_;
  SyncLedger ledger_;
  std::map<std::pair<SyncKey, ThreadId>, uint32_t> holders_;
};

// Of a parallel runtime: gets something when it is left.
bool team_gets(SyncOp op) {
  switch (op) {
    case SyncOp::kParallel:
    case SyncOp::kTeamBarrier:
    case SyncOp::kExclusiveBegin:
    case SyncOp::kTaskwait:
    case SyncOp::kTaskgroupEnd:
    case SyncOp::kDoacrossWait:
    case SyncOp::kImplicitTask:  // where the strand ends
    case SyncOp::kTask:
      return true;
    default:
      return false;
  }
}

// Threads, then implicit tasks, outer ones first, then explicit tasks, at last the runtime's threads: new numbers, by
// number - 1.
std::vector<uint32_t> order_of(const std::vector<StrandLane>& lanes) {
  std::vector<uint32_t> depth(lanes.size()), order(lanes.size()), numbers(lanes.size());
  for (size_t i = 0; i < lanes.size(); ++i) depth[i] = lanes[i].parent ? depth[lanes[i].parent - 1] + 1 : 0;
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    const auto key = [&](uint32_t i) {
      const StrandLane& l = lanes[i];
      return std::tuple(l.of_runtime, l.kind, l.thread, depth[i], l.parent, l.member, l.first_event);
    };
    return key(a) < key(b);
  });
  for (uint32_t i = 0; i < order.size(); ++i) numbers[order[i]] = i + 1;
  return numbers;
}

class ChartMaker {
 public:
  ChartMaker(const ChartRange& range, bool strands) : range_(range) {
    if (strands) strands_.emplace();
  }

  void step(const SyncStep& s) {
    if (strands_) strand_ = strands_->step(s);
    chart_.events = s.number;
    tell(s, ledger_.step(s));
    if (strand_.begins) alive_lanes_.insert(strand_.lane);
    if (strand_.ends) alive_lanes_.erase(strand_.lane);
  }

  SyncChart take() {
    settle();
    std::set<ThreadId> threads;
    for (const ChartRow& r : chart_.rows) {
      threads.insert(r.thread);
      for (const SyncGot& g : r.got) threads.insert(g.from.begin(), g.from.end());
    }
    chart_.threads.assign(threads.begin(), threads.end());
    if (strands_) put_lanes();
    return std::move(chart_);
  }

 private:
  ChartRow row_of(const SyncStep& s, ChartWhat what, const SyncMeaning& m) const {
    ChartRow r;
    r.what = what;
    r.index = s.index;
    r.number = s.number;
    r.insns = s.insns;
    r.thread = s.thread;
    r.sync = s.sync;
    r.held_by = m.held_by;
    r.waits = m.waits;
    r.got = m.got;
    r.let_go = m.let_go;
    r.strand = strand_;
    if (strands_) r.held_lanes = strands_->holders(r);
    return r;
  }
  void put_lanes() {
    chart_.strands = true;
    const std::vector<StrandLane>& lanes = strands_->lanes();
    const std::vector<uint32_t> numbers = order_of(lanes);
    const auto number = [&](uint32_t& lane) { lane = lane ? numbers[lane - 1] : 0; };
    chart_.lanes.resize(lanes.size());
    for (size_t i = 0; i < lanes.size(); ++i) {
      StrandLane& lane = chart_.lanes[numbers[i] - 1] = lanes[i];
      number(lane.parent);
    }
    for (ChartRow& r : chart_.rows) {
      number(r.strand.lane);
      for (auto* set : {&r.strand.from.lanes, &r.held_lanes}) {
        for (uint32_t& lane : *set) number(lane);
        std::sort(set->begin(), set->end());
      }
    }
    chart_.show_lanes();
    for (const uint32_t lane : std::exchange(chart_.alive_lanes, {})) chart_.alive_lanes.insert(numbers[lane - 1]);
  }
  void tell(const SyncStep& s, const SyncMeaning& m) {
    switch (s.kind) {
      case EventKind::kThreadStart:
      case EventKind::kThreadEnd:
        settle();
        return life(s, m);
      case EventKind::kSyncEnter:
        settle();
        return enter(s, m);
      case EventKind::kSyncLeave:
        return leave(s, m);
      case EventKind::kThreadCreate:
        return name_child(s);
      default:
        return;
    }
  }

  bool wanted(const ChartRow& r) const {
    if (r.number < range_.first || r.number > range_.last || !range_.events.has(r.index)) return false;
    const bool life = r.what == ChartWhat::kStart || r.what == ChartWhat::kEnd;
    if (!life && range_.hidden.count({kind_of(r.sync.op), r.sync.object})) return false;
    if (range_.all_objects) return true;
    if (life) return false;
    const auto has = [&](const SyncKey& key) { return range_.objects.count(key) != 0; };
    return has({kind_of(r.sync.op), r.sync.object}) ||
           (is_condition_wait(r.sync.op) && has({SyncKind::kMutex, r.sync.object2}));
  }
  void put(ChartRow row) {
    if (!wanted(row) || (strands_ && !range_.details && row.is_detail())) return;
    if (chart_.rows.size() >= range_.most_rows) {
      if (chart_.left_out++ == 0) chart_.next = row.number;
      return;
    }
    if (chart_.rows.empty()) {
      chart_.alive = alive_;
      chart_.alive_lanes = alive_lanes_;
      if (row.strand.begins)
        chart_.alive_lanes.erase(row.strand.lane);
      else if (row.strand.ends)
        chart_.alive_lanes.insert(row.strand.lane);
    }
    chart_.rows.push_back(std::move(row));
  }

  void life(const SyncStep& s, const SyncMeaning& m) {
    const bool start = s.kind == EventKind::kThreadStart;
    put(row_of(s, start ? ChartWhat::kStart : ChartWhat::kEnd, m));
    if (start)
      alive_.insert(s.thread);
    else
      alive_.erase(s.thread);
  }
  void enter(const SyncStep& s, const SyncMeaning& m) { entered_ = row_of(s, ChartWhat::kEnter, m); }

  // The operation that is creating a thread says its number only when it is left.
  void name_child(const SyncStep& s) {
    if (entered_ && entered_->thread == s.thread) {
      if (is_team_op(entered_->sync.op)) return;
      entered_->sync.value = s.child.value;
      return;
    }
    for (auto r = chart_.rows.rbegin(); r != chart_.rows.rend(); ++r) {
      if (r->thread != s.thread || r->sync.op != SyncOp::kThreadCreate) continue;
      // One that has a number is an earlier one: this one's row is not in the range.
      if (r->sync.value == 0) r->sync.value = s.child.value;
      return;
    }
  }

  // Its leave comes right behind: nobody came between.
  void leave(const SyncStep& s, const SyncMeaning& m) {
    const bool at_once = entered_ && entered_->thread == s.thread && entered_->sync.op == s.sync.op;
    if (at_once) {
      ChartRow whole = std::move(*entered_);
      entered_.reset();
      whole.what = ChartWhat::kWhole;
      whole.sync = s.sync;
      whole.failed = failed(s.sync);
      whole.got = m.got;
      whole.strand.from.join(strand_.from);
      whole.strand.ends = strand_.ends;
      // An acquisition stands where it is done, with its number; what gives stands where it begins.
      if (is_acquire(s.sync.op)) whole.number = s.number;
      return put(std::move(whole));
    }
    settle();
    ChartRow row = row_of(s, ChartWhat::kLeave, m);
    row.failed = failed(s.sync);
    if (is_acquire(s.sync.op) || row.failed || (strands_ && (team_gets(s.sync.op) || !strand_.from.lanes.empty())))
      put(std::move(row));
  }
  void settle() {
    if (entered_) put(std::move(*entered_));
    entered_.reset();
  }

  const ChartRange& range_;
  std::optional<StrandRows> strands_;
  StrandStep strand_;  // of the step under way
  std::set<uint32_t> alive_lanes_;
  SyncLedger ledger_;
  SyncChart chart_;
  std::set<ThreadId> alive_;
  std::optional<ChartRow> entered_;  // whose leave may come next
};

}  // namespace

void SyncChart::show_lanes() {
  std::set<uint32_t> shown;
  for (const ChartRow& r : rows) {
    if (r.strand.lane) shown.insert(r.strand.lane);
    shown.insert(r.strand.from.lanes.begin(), r.strand.from.lanes.end());
    shown.insert(r.held_lanes.begin(), r.held_lanes.end());
  }
  shown_lanes.assign(shown.begin(), shown.end());
}

SyncChart chart_of(const trace::TraceFile& file, const ChartRange& range) {
  ChartMaker maker(range, range.strands && has_operation(file, is_team_op));
  for_each_sync_step(
      file, [&](const SyncStep& s) { maker.step(s); }, range.end);
  return maker.take();
}

}  // namespace cdr::sync
