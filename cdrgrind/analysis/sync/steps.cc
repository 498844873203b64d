// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/sync/steps.h"

#include <algorithm>
#include <map>

#include "cdrgrind/trace/index/epoch_index.h"
#include "cdrgrind/trace/index/predicted_executions.h"
#include "cdrgrind/trace/read/cursor.h"
#include "cdrgrind/trace/read/event_terminals.h"
#include "cdrgrind/trace/read/replay.h"

namespace cdr::sync {
namespace {

using trace::EpochIndex;
using trace::EventRow;
using trace::TraceFile;

bool is_sync(EventKind k) { return k == EventKind::kSyncEnter || k == EventKind::kSyncLeave; }

bool is_step(EventKind k) {
  return is_sync(k) || k == EventKind::kThreadCreate || k == EventKind::kThreadStart || k == EventKind::kThreadEnd;
}

SyncStep step_of(const Event& e, uint64_t index, uint64_t insns) {
  SyncStep s;
  s.index = index;
  s.insns = insns;
  s.thread = e.thread;
  s.kind = e.kind;
  s.child = e.child;
  s.sync = e.sync;
  return s;
}

bool has_event(const TraceFile& file, size_t epoch, bool (*which)(EventKind)) {
  bool found = false;
  trace::for_each_event(trace::event_terminals(file, epoch), [&](const Event& e) { found |= which(e.kind); });
  return found;
}

// Calls f(thread, string, row, index) for the rows of an epoch that pass.
template <class Pass, class F>
void for_each_row(EpochIndex& epoch, uint64_t first, Pass pass, F f) {
  const auto& threads = epoch.paths().threads();
  for (uint32_t s = 0; s < threads.size(); ++s)
    for (const EventRow& row : epoch.log().rows(s))
      if (pass(row.kind()))
        f(ThreadId(threads[s]), s, row, first + epoch.turns().index_of(ThreadId(threads[s]), row.event));
}

Event read_row(EpochIndex& epoch, ThreadId thread, const EventRow& row) {
  Event e;
  // Its members do not depend on an address before it.
  if (!epoch.log().read(row, 0, e)) epoch.fail("an event's members are damaged");
  e.thread = thread;
  return e;
}

// Steps of compact traces, epoch by epoch.
class CompactSteps {
 public:
  explicit CompactSteps(const TraceFile& file) : file_(file), stretches_(file.stretches(), file.blocks()) {
    for (uint32_t id = 1; id <= file.blocks().block_count(); ++id)
      if (file.blocks().superblock_of(BlockId(id)).flags & kBlockShim)
        if (const uint32_t insns = file.blocks().exit_of(BlockId(id)).insns_executed())
          shims_.push_back({BlockId(id), insns});
  }

  void read(size_t number, std::vector<SyncStep>& to) {
    if (!has_event(file_, number, is_step) && count_predicted(number)) return;
    EpochIndex epoch(file_, stretches_, number);
    const trace::EpochWeights shims = epoch.weights(shims_);
    for_each_row(epoch, file_.first_event(file_.epochs()[number]), is_step,
                 [&](ThreadId thread, uint32_t string, const EventRow& row, uint64_t index) {
                   trace::PathPosition place;
                   epoch.paths().find(string, trace::Weight::kEvents, row.event, place);
                   const uint64_t own = place.before.insns - shims.before(place);
                   to.push_back(step_of(read_row(epoch, thread, row), index, insns(thread) + own));
                 });
    const auto& threads = epoch.paths().threads();
    for (uint32_t s = 0; s < threads.size(); ++s) {
      insns(ThreadId(threads[s])) += epoch.paths().total(s).insns - shims.total(s);
      read_end(epoch, s, file_.first_event(file_.epochs()[number]), to);
    }
  }

 private:
  // The end of a thread has no members, so no row; nothing of the thread comes behind it.
  void read_end(EpochIndex& epoch, uint32_t string, uint64_t first, std::vector<SyncStep>& to) {
    const uint64_t events = epoch.paths().total(string).events;
    trace::PathPosition place;
    if (events == 0 || !epoch.paths().find(string, trace::Weight::kEvents, events - 1, place)) return;
    if (epoch.paths().terminal_at(place) != static_cast<uint32_t>(EventKind::kThreadEnd)) return;
    Event e;
    e.kind = EventKind::kThreadEnd;
    e.thread = ThreadId(epoch.paths().threads()[string]);
    to.push_back(step_of(e, first + epoch.turns().index_of(e.thread, events - 1), insns(e.thread)));
  }

  // An epoch that has no step. False if its paths were not predicted.
  bool count_predicted(size_t number) {
    const auto executions = trace::PredictedExecutions::of_epoch(file_, stretches_, number);
    if (!executions) return false;
    for (const auto& of_thread : executions->threads)
      for (const auto& [block, times] : of_thread.blocks)
        if (!(file_.blocks().superblock_of(block).flags & kBlockShim))
          insns(ThreadId(of_thread.serial)) += times * file_.blocks().exit_of(block).insns_executed();
    return true;
  }

  uint64_t& insns(ThreadId t) {
    if (t.value >= insns_.size()) insns_.resize(t.value + 1);
    return insns_[t.value];
  }

  const TraceFile& file_;
  trace::StretchIndex stretches_;
  std::vector<trace::BlockWeight> shims_;
  std::vector<uint64_t> insns_;  // by thread, in earlier epochs
};

// Whether it goes on.
using StepVisit = std::function<bool(const SyncStep&)>;

void for_each_plain_step(const TraceFile& file, const StepVisit& visit) {
  std::vector<uint64_t> insns;
  trace::Cursor cursor(file);
  for (Event e; cursor.next(e);) {
    if (e.thread.value >= insns.size()) insns.resize(e.thread.value + 1);
    // As the prefix sums of a compact trace, which know no instructions of a Partial.
    if (e.kind == EventKind::kBlock) {
      if (!(file.blocks().superblock_of(e.block).flags & kBlockShim))
        insns[e.thread.value] += file.blocks().exit_of(e.block).insns_executed();
    } else if (is_step(e.kind) && !visit(step_of(e, cursor.index(), insns[e.thread.value]))) {
      return;
    }
  }
}

void each_step(const TraceFile& file, const StepVisit& visit) {
  uint64_t number = 0;
  const auto count = [&](SyncStep s) {
    s.number = number += is_sync(s.kind);
    return visit(s);
  };
  if (file.epochs().empty()) return for_each_plain_step(file, count);
  CompactSteps compact(file);
  std::vector<SyncStep> steps;
  for (size_t i = 0; i < file.epochs().size(); ++i) {
    steps.clear();
    compact.read(i, steps);
    std::sort(steps.begin(), steps.end(), [](const SyncStep& a, const SyncStep& b) { return a.index < b.index; });
    for (const SyncStep& s : steps)
      if (!count(s)) return;
  }
}

class Allocations {
 public:
  explicit Allocations(std::span<const BlockRequest> requests) : found_(requests.size()) {
    for (size_t i = 0; i < requests.size(); ++i) by_addr_.emplace(requests[i].addr, std::pair(requests[i].before, i));
  }
  void event(const Event& e, uint64_t index) {
    const AddrRange range{e.addr, e.addr + (e.kind == EventKind::kResize ? e.value : e.size)};
    for (auto r = by_addr_.lower_bound(range.begin); r != by_addr_.end() && r->first < range.end; ++r) {
      BlockFound& f = found_[r->second.second];
      if (index < r->second.first && (f.range.empty() || f.event < index)) f = {range, index, e.thread};
    }
  }
  std::vector<BlockFound> take() { return std::move(found_); }

 private:
  std::multimap<uint64_t, std::pair<uint64_t, size_t>> by_addr_;  // to (before, number)
  std::vector<BlockFound> found_;
};

bool is_allocation(EventKind k) { return k == EventKind::kAlloc || k == EventKind::kResize; }

}  // namespace

void for_each_sync_step(const TraceFile& file, const std::function<void(const SyncStep&)>& visit, uint64_t end) {
  each_step(file, [&](const SyncStep& s) {
    if (s.index >= end) return false;
    visit(s);
    return true;
  });
}

void for_each_sync_step(const TraceFile& file, const std::function<void(const SyncStep&)>& visit,
                        analysis::WatchedPart& part) {
  each_step(file, [&](const SyncStep& s) {
    if (!part.goes_on(s.index)) return false;
    visit(s);
    return true;
  });
}

EventsPresent::EventsPresent(const TraceFile& file) {
  if (file.epochs().empty()) {
    trace::Cursor cursor(file);
    for (Event e; cursor.next(e);) note(e);
    return;
  }
  for (size_t i = 0; i < file.epochs().size(); ++i)
    trace::for_each_event(trace::event_terminals(file, i), [&](const Event& e) { note(e); });
}

std::vector<BlockFound> heap_blocks_of(const TraceFile& file, std::span<const BlockRequest> requests) {
  Allocations allocations(requests);
  if (requests.empty()) return allocations.take();
  if (file.epochs().empty()) {
    trace::Cursor cursor(file);
    for (Event e; cursor.next(e);)
      if (is_allocation(e.kind)) allocations.event(e, cursor.index());
    return allocations.take();
  }
  const trace::StretchIndex stretches(file.stretches(), file.blocks());
  for (size_t i = 0; i < file.epochs().size(); ++i) {
    if (!has_event(file, i, is_allocation)) continue;
    EpochIndex epoch(file, stretches, i);
    for_each_row(epoch, file.first_event(file.epochs()[i]), is_allocation,
                 [&](ThreadId thread, uint32_t, const EventRow& row, uint64_t index) {
                   allocations.event(read_row(epoch, thread, row), index);
                 });
  }
  return allocations.take();
}

}  // namespace cdr::sync
