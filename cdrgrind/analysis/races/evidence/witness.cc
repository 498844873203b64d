// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/evidence/witness.h"

namespace cdr::races {

Witness::Witness(Collector& collector, const FirstPass& first_pass, const Sites& sites, Schedule& schedule,
                 const std::vector<Wanted>& wanted)
    : collector_(collector), first_pass_(first_pass), sites_(sites), schedule_(schedule) {
  for (const Wanted& w : wanted) {
    wanted_[{w.end.thread, w.end.segment}].push_back(w);
    describe(w.end.thread, w.stream, w.end.addr, *w.to);
    w.to->width = w.end.width;
    w.to->at = kNotSeen;
    w.to->stack = {w.to->ip};
  }
}

void Witness::segment_begins(ThreadId t, SegmentNumber n) {
  if (t.value >= open_.size()) open_.resize(t.value + 1);
  const auto found = wanted_.find({t, n});
  open_[t.value] = found == wanted_.end() ? nullptr : &found->second;
  schedule_.segment_begins(t, n);
}

void Witness::kept(const Collector::Kept& k) {
  schedule_.access(k);
  if (StrandClocks* const strands = collector_.strands(); strands && schedule_.is_racing(k.stream))
    turns_.note(*strands, k.on, k.thread, k.at);
  if (k.thread.value >= open_.size() || !open_[k.thread.value]) return;
  std::erase_if(*open_[k.thread.value], [&](const Wanted& w) {
    if (w.stream != k.stream || w.end.addr != k.addr) return false;
    fill(w, k);
    return true;
  });
}

void Witness::describe(ThreadId thread, StreamId stream, uint64_t addr, RaceAccess& to) const {
  const Site& site = sites_.site_of(stream);
  to.ip = site.ip;
  to.from = site.from;
  to.store = site.store;
  to.atomic = sites_.stream(stream).atomic;
  to.presumed = to.atomic && !site.locked && !site.atomic_code;
  to.free = site.free;
  to.leaves = site.leaves;
  to.operation = site.operation;
  to.spin = site.spin;
  to.thread = thread;
  to.addr = addr;
}

void Witness::fill(const Wanted& w, const Collector::Kept& k) {
  RaceAccess& to = *w.to;
  describe(k.on, k.stream, k.addr, to);
  to.width = k.width;
  to.at = k.at;
  to.stack = collector_.stacks().sites(k.on, sites_.site_of(k.stream).of_event() && !to.leaves ? CodeAddr() : to.ip);
  to.locks = collector_.order().held(k.on);
  if (fills_frames_) {
    const Generation g = collector_.generations()[sites_.stream(k.stream).generation];
    if (const auto owner = stack_owner(g.kind, g.thread))
      to.frame = frame_place(to, *owner, collector_.stacks().frames(*owner));
  }
  if (collector_.strands()) fill_strand(k.on, to);
}

void Witness::event(const Event& e) {
  if (e.kind == EventKind::kSyncEnter && e.sync.op == SyncOp::kTaskData)
    created_[e.sync.object] = collector_.stacks().top(e.thread).from;
  // Those of tasks that have not ended: they may be many.
  if (e.kind == EventKind::kSyncLeave && e.sync.op == SyncOp::kTask) created_.erase(e.sync.object);
}

void Witness::fill_strand(ThreadId t, RaceAccess& to) {
  if (const auto* const r = collector_.strands()->running(t)) {
    to.strand = r->strand;
    const auto found = first_pass_.regions.find(r->strand.team);
    const FirstPass::Region region = found == first_pass_.regions.end() ? FirstPass::Region() : found->second;
    if (r->strand.kind == strands::StrandKind::kTask) {
      to.region_data = r->strand.data.begin;
      to.team_data = region.data;
      to.team_function = region.function;
      if (const auto by = created_.find(r->strand.task); by != created_.end()) to.created = by->second;
      to.creation = collector_.creation(t);
      to.stood = collector_.stood(t, to.addr, to.created);
    } else {
      to.region_data = region.data;
    }
  }
  to.exclusive = collector_.strands()->held(t);
}

}  // namespace cdr::races
