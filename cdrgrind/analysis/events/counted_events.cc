// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/events/counted_events.h"

#include "cdrgrind/trace/index/predicted_executions.h"
#include "cdrgrind/trace/read/event_terminals.h"

namespace cdr::analysis {

using trace::EpochIndex;
using trace::EpochWeights;

CountedEvents::CountedEvents(const trace::TraceFile& file) : file_(file), stretches_(file.stretches(), file.blocks()) {
  if (file.epochs().empty()) plain_.emplace(file);
  for (uint32_t id = 1; id <= file.blocks().block_count(); ++id)
    if (file.blocks().superblock_of(BlockId(id)).flags & kBlockShim)
      if (const uint32_t insns = file.blocks().exit_of(BlockId(id)).insns_executed())
        shims_.push_back({BlockId(id), insns});
}

void CountedEvents::read_part(bool (*wanted)(EventKind), const Visit& visit) {
  if (plain_)
    read_frame(wanted, visit);
  else if (!count_predicted(wanted))
    read_epoch(wanted, visit);
  ++next_;
}

void CountedEvents::read_frame(bool (*wanted)(EventKind), const Visit& visit) {
  for (Event e; plain_->next(e);) {
    uint64_t& before = insns(e.thread);
    if (e.kind == EventKind::kBlock)
      before += own_insns(e.block);
    else if (wanted(e.kind))
      visit(e, plain_->index(), before);
    if (plain_->at_frame_end()) return;
  }
}

void CountedEvents::read_epoch(bool (*wanted)(EventKind), const Visit& visit) {
  EpochIndex epoch(file_, stretches_, next_);
  const EpochWeights shims = epoch.weights(shims_);
  for (uint32_t s = 0; s < epoch.paths().threads().size(); ++s) read_string(epoch, shims, s, wanted, visit);
}

// False if the epoch's paths were not predicted, or it has an event that is wanted.
bool CountedEvents::count_predicted(bool (*wanted)(EventKind)) {
  const trace::Columns control = file_.control(next_);
  if (!trace::is_predicted(control)) return false;
  bool found = false;
  trace::for_each_event(trace::event_terminals(file_, next_, control),
                        [&](const Event& e) { found |= wanted(e.kind); });
  if (found) return false;
  const auto executions = trace::PredictedExecutions::of_epoch(file_, stretches_, next_, control);
  if (!executions) return false;
  for (const auto& of_thread : executions->threads)
    for (const auto& [block, times] : of_thread.blocks) insns(ThreadId(of_thread.serial)) += times * own_insns(block);
  return true;
}

void CountedEvents::read_string(EpochIndex& epoch, const EpochWeights& shims, uint32_t string,
                                bool (*wanted)(EventKind), const Visit& visit) {
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

uint64_t CountedEvents::own_insns(BlockId id) const {
  if (file_.blocks().superblock_of(id).flags & kBlockShim) return 0;
  return file_.blocks().exit_of(id).insns_executed();
}

uint64_t& CountedEvents::insns(ThreadId t) {
  if (t.value >= insns_.size()) insns_.resize(t.value + 1);
  return insns_[t.value];
}

}  // namespace cdr::analysis
