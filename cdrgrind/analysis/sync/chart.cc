// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/sync/chart.h"

#include <algorithm>
#include <optional>

namespace cdr::sync {
namespace {

class ChartMaker {
 public:
  explicit ChartMaker(const ChartRange& range) : range_(range) {}

  void step(const SyncStep& s) {
    const SyncMeaning m = ledger_.step(s);
    chart_.events = s.number;
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

  SyncChart take() {
    settle();
    std::set<ThreadId> threads;
    for (const ChartRow& r : chart_.rows) {
      threads.insert(r.thread);
      for (const SyncGot& g : r.got) threads.insert(g.from.begin(), g.from.end());
    }
    chart_.threads.assign(threads.begin(), threads.end());
    return std::move(chart_);
  }

 private:
  static ChartRow row_of(const SyncStep& s, ChartWhat what, const SyncMeaning& m) {
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
    return r;
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
    if (!wanted(row)) return;
    if (chart_.rows.size() >= range_.most_rows) {
      if (chart_.left_out++ == 0) chart_.next = row.number;
      return;
    }
    if (chart_.rows.empty()) chart_.alive = alive_;
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
      // An acquisition stands where it is done, with its number; what gives stands where it begins.
      if (is_acquire(s.sync.op)) whole.number = s.number;
      return put(std::move(whole));
    }
    settle();
    ChartRow row = row_of(s, ChartWhat::kLeave, m);
    row.failed = failed(s.sync);
    if (is_acquire(s.sync.op) || row.failed) put(std::move(row));
  }
  void settle() {
    if (entered_) put(std::move(*entered_));
    entered_.reset();
  }

  const ChartRange& range_;
  SyncLedger ledger_;
  SyncChart chart_;
  std::set<ThreadId> alive_;
  std::optional<ChartRow> entered_;  // whose leave may come next
};

}  // namespace

SyncChart chart_of(const trace::TraceFile& file, const ChartRange& range) {
  ChartMaker maker(range);
  for_each_sync_step(
      file, [&](const SyncStep& s) { maker.step(s); }, range.end);
  return maker.take();
}

}  // namespace cdr::sync
