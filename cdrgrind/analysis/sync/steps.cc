// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/sync/steps.h"

#include <algorithm>
#include <map>

#include "cdrgrind/analysis/events/counted_events.h"
#include "cdrgrind/trace/read/cursor.h"
#include "cdrgrind/trace/read/event_terminals.h"

namespace cdr::sync {
namespace {

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

// Whether it goes on.
using StepVisit = std::function<bool(const SyncStep&)>;

void each_step(const TraceFile& file, const StepVisit& visit) {
  uint64_t number = 0;
  const auto count = [&](SyncStep s) {
    s.number = number += is_sync(s.kind);
    return visit(s);
  };
  std::vector<SyncStep> steps;
  for (analysis::CountedEvents events(file); !events.at_end();) {
    steps.clear();
    events.read_part(
        is_step, [&](const Event& e, uint64_t index, uint64_t insns) { steps.push_back(step_of(e, index, insns)); });
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
    trace::for_each_event(trace::event_terminals(file, i, file.control(i)), [&](const Event& e) { note(e); });
}

std::vector<BlockFound> heap_blocks_of(const TraceFile& file, std::span<const BlockRequest> requests) {
  Allocations allocations(requests);
  if (requests.empty()) return allocations.take();
  for (analysis::CountedEvents events(file); !events.at_end();)
    events.read_part(is_allocation, [&](const Event& e, uint64_t index, uint64_t) { allocations.event(e, index); });
  return allocations.take();
}

}  // namespace cdr::sync
