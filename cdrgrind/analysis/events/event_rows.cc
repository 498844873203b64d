// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/events/event_rows.h"

#include "cdrgrind/trace/index/predicted_executions.h"
#include "cdrgrind/trace/read/event_terminals.h"

namespace cdr::analysis {

using trace::EpochIndex;
using trace::EpochWeights;

EventRows::EventRows(const trace::TraceFile& file) : file_(file), stretches_(file.stretches(), file.blocks()) {
  for (uint32_t id = 1; id <= file.blocks().block_count(); ++id)
    if (file.blocks().superblock_of(BlockId(id)).flags & kBlockShim)
      if (const uint32_t insns = file.blocks().exit_of(BlockId(id)).insns_executed())
        shims_.push_back({BlockId(id), insns});
}

void EventRows::read_epoch(bool (*wanted)(EventKind), const Visit& visit) {
  if (has(wanted) || !count_predicted()) {
    EpochIndex epoch(file_, stretches_, next_);
    const EpochWeights shims = epoch.weights(shims_);
    for (uint32_t s = 0; s < epoch.paths().threads().size(); ++s) read_string(epoch, shims, s, wanted, visit);
  }
  ++next_;
}

bool EventRows::has(bool (*wanted)(EventKind)) const {
  bool found = false;
  trace::for_each_event(trace::event_terminals(file_, next_), [&](const Event& e) { found |= wanted(e.kind); });
  return found;
}

// An epoch without events that are wanted. False if its paths were not predicted.
bool EventRows::count_predicted() {
  const auto executions = trace::PredictedExecutions::of_epoch(file_, stretches_, next_);
  if (!executions) return false;
  for (const auto& of_thread : executions->threads)
    for (const auto& [block, times] : of_thread.blocks)
      if (!(file_.blocks().superblock_of(block).flags & kBlockShim))
        insns(ThreadId(of_thread.serial)) += times * file_.blocks().exit_of(block).insns_executed();
  return true;
}

void EventRows::read_string(EpochIndex& epoch, const EpochWeights& shims, uint32_t string, bool (*wanted)(EventKind),
                            const Visit& visit) {
  const ThreadId thread(epoch.paths().threads()[string]);
  const uint64_t first = file_.first_event(file_.epochs()[next_]);
  trace::PathPosition place;
  for (const trace::EventRow& row : epoch.log().rows(string)) {
    if (!wanted(row.kind())) continue;
    epoch.paths().find(string, trace::Weight::kEvents, row.event, place);
    Event e;
    // Its members do not depend on an address before it.
    if (!epoch.log().read(row, 0, e)) epoch.fail("an event's members are damaged");
    e.thread = thread;
    visit(e, first + epoch.turns().index_of(thread, row.event),
          insns(thread) + place.before.insns - shims.before(place));
  }
  const ThreadCounts& total = epoch.paths().total(string);
  insns(thread) += total.insns - shims.total(string);
  // The end of a thread has no members, so no row; nothing of the thread comes behind it.
  if (!wanted(EventKind::kThreadEnd) || total.events == 0) return;
  epoch.paths().find(string, trace::Weight::kEvents, total.events - 1, place);
  if (epoch.paths().terminal_at(place) != static_cast<uint32_t>(EventKind::kThreadEnd)) return;
  Event e;
  e.kind = EventKind::kThreadEnd;
  e.thread = thread;
  visit(e, first + epoch.turns().index_of(thread, total.events - 1), insns(thread));
}

uint64_t& EventRows::insns(ThreadId t) {
  if (t.value >= insns_.size()) insns_.resize(t.value + 1);
  return insns_[t.value];
}

}  // namespace cdr::analysis
