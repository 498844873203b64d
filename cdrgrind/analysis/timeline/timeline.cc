// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/timeline/timeline.h"

#include <optional>
#include <utility>

#include "cdrgrind/trace/read/cursor.h"

namespace cdr::timeline {
namespace {

using sync::ChartRow;
using sync::ChartWhat;
using sync::SyncKey;

bool takes_lock(SyncOp op) {
  switch (op) {
    case SyncOp::kMutexLock:
    case SyncOp::kMutexTryLock:
    case SyncOp::kMutexTimedLock:
    case SyncOp::kRwReadLock:
    case SyncOp::kRwTryReadLock:
    case SyncOp::kRwTimedReadLock:
    case SyncOp::kRwWriteLock:
    case SyncOp::kRwTryWriteLock:
    case SyncOp::kRwTimedWriteLock:
    case SyncOp::kSpinLock:
    case SyncOp::kSpinTryLock:
    case SyncOp::kExclusiveBegin:
      return true;
    default:
      return false;
  }
}

// What is no wait, though others came between: the program's own code runs inside.
std::optional<BoxKind> region_of(SyncOp op) {
  if (op == SyncOp::kParallel) return BoxKind::kRegion;
  if (op == SyncOp::kImplicitTask || op == SyncOp::kTask) return BoxKind::kTask;
  return std::nullopt;
}
bool waits_for_condition(SyncOp op) { return op == SyncOp::kCondWait || op == SyncOp::kCondTimedWait; }
bool has_code_inside(SyncOp op) {
  return region_of(op) || op == SyncOp::kOnce || op == SyncOp::kOnceRun || op == SyncOp::kTaskData ||
         op == SyncOp::kTaskCreate;
}

// Rows of the chart, in order, with their places on the axis.
class RowReader {
 public:
  explicit RowReader(Timeline& to, size_t bins) : to_(to), bins_(bins) {}

  // The thread has executed instructions.
  void run(ThreadId t, uint64_t insns) { lane_of(t).clock += insns; }
  void row(const ChartRow& r, uint64_t at) {
    Lane& lane = lane_of(r.thread);
    get(r, at, lane);
    for (const SyncKey& key : r.let_go) let_go(r, key, at);
    switch (r.what) {
      case ChartWhat::kStart:
        lane.begin = at;
        break;
      case ChartWhat::kEnd:
        lane.end = at;
        break;
      case ChartWhat::kEnter:
        open_[r.thread].push_back({at, r.index});
        give(r, at);
        break;
      default:
        operation(r, at, lane);
    }
    last_[r.thread] = {at, lane.clock};
  }
  void finish(uint64_t at) {
    for (const auto& [whose, held] : held_)
      put({BoxKind::kHold, whose.first, held.at, at, whose.second, SyncOp::kNone, held.event});
  }
  Lane& lane_of(ThreadId t) { return to_.lanes.try_emplace(t, bins_).first->second; }

 private:
  struct Place {
    uint64_t at = 0, event = 0;
  };
  struct Given {
    uint64_t at = 0, clock = 0;
  };

  // The thread goes on when whatever it gets has been given.
  void get(const ChartRow& r, uint64_t at, Lane& lane) {
    for (const sync::SyncGot& got : r.got)
      for (const ThreadId from : got.from) {
        const Given given = given_by(from, got.of);
        to_.hand_overs.push_back({from, r.thread, given.at, at, got.of});
        if (given.clock <= lane.clock) continue;
        // Before its start a thread is not there to be idle.
        if (r.what != ChartWhat::kStart) {
          lane.idle += given.clock - lane.clock;
          to_.idle[got.of] += given.clock - lane.clock;
        }
        lane.clock = given.clock;
      }
  }

  void operation(const ChartRow& r, uint64_t at, Lane& lane) {
    ++lane.operations;
    lane.does.add_point(at);
    auto& open = open_[r.thread];
    const bool entered = r.what == ChartWhat::kLeave && !open.empty();
    const Place begin = entered ? open.back() : Place{at, r.index};
    if (entered) open.pop_back();
    const SyncKey key = sync::key_of(r.sync);
    if (entered && !has_code_inside(r.sync.op))
      put({BoxKind::kWait, r.thread, begin.at, at, key, r.sync.op, begin.event});
    else if (const auto kind = region_of(r.sync.op); entered && kind)
      put({*kind, r.thread, begin.at, at, key, r.sync.op, begin.event});
    if (waits_for_condition(r.sync.op))  // it has its mutex again
      held_.try_emplace({r.thread, sync::mutex_of(r.sync)}, Place{at, r.index});
    if (takes_lock(r.sync.op) && !r.failed) held_.try_emplace({r.thread, key}, Place{at, r.index});
    if (r.sync.op == SyncOp::kExclusiveEnd) release(r.thread, key, at);
    if (r.what == ChartWhat::kWhole) give(r, at);
  }
  // Locks are given where they are let go.
  void give(const ChartRow& r, uint64_t at) {
    if (!takes_lock(r.sync.op)) given_[{r.thread, sync::key_of(r.sync)}] = {at, lane_of(r.thread).clock};
  }
  void let_go(const ChartRow& r, const SyncKey& key, uint64_t at) {
    given_[{r.thread, key}] = {at, lane_of(r.thread).clock};
    release(r.thread, key, at);
  }
  void release(ThreadId thread, const SyncKey& key, uint64_t at) {
    const auto held = held_.find({thread, key});
    if (held == held_.end()) return;
    put({BoxKind::kHold, thread, held->second.at, at, key, SyncOp::kNone, held->second.event});
    held_.erase(held);
  }
  // What threads give each other when they start and end, they give with what they did last.
  Given given_by(ThreadId from, const SyncKey& of) {
    const auto given = given_.find({from, of});
    return given == given_.end() ? last_[from] : given->second;
  }
  void put(const Box& b) {
    Lane& lane = lane_of(b.thread);
    lane.boxes[static_cast<size_t>(b.kind)] += b.end - b.begin;
    if (b.kind == BoxKind::kWait) lane.waits.add(b.begin, b.end);
    if (b.kind == BoxKind::kHold) lane.holds.add(b.begin, b.end);
    to_.boxes.push_back(b);
  }

  Timeline& to_;
  size_t bins_;
  std::map<ThreadId, std::vector<Place>> open_;  // operations entered
  std::map<std::pair<ThreadId, SyncKey>, Place> held_;
  std::map<std::pair<ThreadId, SyncKey>, Given> given_;  // where each thread last gave each object
  std::map<ThreadId, Given> last_;                       // each thread's last row
};

// Turns, as they come.
class TurnWriter {
 public:
  TurnWriter(Timeline& to, RowReader& rows, size_t most) : to_(to), rows_(rows), most_(most) {}

  void turn(ThreadId to, uint64_t at) {
    finish(at);
    thread_ = to;
  }
  void finish(uint64_t at) {
    if (at == begin_ || !thread_) return;
    Lane& lane = rows_.lane_of(thread_);
    lane.runs.add(begin_, at);
    lane.instructions += at - begin_;
    if (to_.turns.size() < most_)
      to_.turns.push_back({thread_, at});
    else
      ++to_.turns_left_out;
    begin_ = at;
  }

 private:
  Timeline& to_;
  RowReader& rows_;
  size_t most_;
  ThreadId thread_;
  uint64_t begin_ = 0;
};

uint32_t insns_of(const BlockTable& blocks, const Event& e) {
  if (e.kind == EventKind::kBlock) return blocks.exit_of(e.block).insns_executed();
  return executed_before(blocks.superblock_of(e.block), e.ip).insns;
}

}  // namespace

Timeline timeline_of(const trace::TraceFile& file, const sync::SyncChart& chart, const TimelineOptions& options,
                     const analysis::Progress& progress) {
  Timeline timeline(options);
  RowReader rows(timeline, options.bins);
  TurnWriter turns(timeline, rows, options.most);
  timeline.rows_at.reserve(chart.rows.size());
  trace::Cursor cursor(file);
  uint64_t at = 0;
  size_t row = 0;
  ThreadId running;
  uint64_t told = 0;  // of `at` to the running thread's clock
  const auto tell = [&] {
    if (running) rows.run(running, at - told);
    told = at;
  };
  for (Event e; cursor.next(e);) {
    const uint64_t index = cursor.index();
    if (e.thread != running && e.kind != EventKind::kThreadStart && e.kind != EventKind::kThreadEnd) {
      tell();
      turns.turn(e.thread, at);
      running = e.thread;
    }
    for (; row < chart.rows.size() && chart.rows[row].index <= index; ++row) {
      tell();
      rows.row(chart.rows[row], at);
      timeline.rows_at.push_back(at);
    }
    if (e.kind == EventKind::kBlock || e.kind == EventKind::kPartial) {
      timeline.blocks.add(at, e.block.value, 1);
      at += insns_of(file.blocks(), e);
    }
    if (progress && index % (1 << 16) == 0) progress("timeline", index, file.event_count());
  }
  tell();
  turns.finish(at);
  rows.finish(at);
  timeline.blocks.finish();
  timeline.instructions = at;
  for (; row < chart.rows.size(); ++row) timeline.rows_at.push_back(at);
  for (auto& [thread, lane] : timeline.lanes)
    if (lane.end == 0) lane.end = at;
  return timeline;
}

}  // namespace cdr::timeline
