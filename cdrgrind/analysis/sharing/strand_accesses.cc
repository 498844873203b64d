// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/sharing/strand_accesses.h"

#include <algorithm>

namespace cdr::sharing {

using races::StrandClocks;
using strands::StrandKind;

void StrandAccesses::before(const Event& e, uint64_t index) {
  index_ = index;
  if (e.kind == EventKind::kThreadStart) members_.thread_starts(e);
  if (e.kind != EventKind::kSyncEnter) return;
  if (e.sync.op == SyncOp::kTaskCreate) creating_[e.thread.value] = own_.caller(e.thread);
  if (e.sync.op == SyncOp::kTaskData) created_[e.sync.object] = creating_[e.thread.value];
}

void StrandAccesses::after(const Event& e) {
  if (e.kind != EventKind::kAlloc && e.kind != EventKind::kResize) return;
  if (in_runtime(e.thread) || !order_.strands()->running(e.thread)) return;
  members_.allocated_in_region(own_.memory_at(e.addr).id);
}

ThreadId StrandAccesses::of(ThreadId t, uint64_t addr, uint64_t width, races::GenerationId life) {
  StrandClocks& strands = *order_.strands();
  const StrandClocks::Running* const r = strands.running(t);
  if (!r) return t;
  if (r->strand.kind == StrandKind::kTask && members_.is_of_thread(strands.member(t).strand, t, addr))
    return strands.member(t).number;
  if (r->strand.kind != StrandKind::kPart) return r->number;
  const StrandClocks::Running& lowest = strands.lowest(t);
  return members_.is_of_member(lowest.strand, t, addr, width, life) ? lowest.number : r->number;
}

void StrandAccesses::note(ThreadId t, ThreadId number, races::SegmentNumber segment) {
  if (number == t) return;
  if (number.value >= numbers_.size()) numbers_.resize(number.value + 1);
  Numbered& n = numbers_[number.value];
  if (n.noted) return;
  n.noted = true;
  KnownStrand known;
  known.strand = order_.strands()->find(t, number).strand;
  known.thread = t;
  if (const auto created = begun_.find(number.value); created != begun_.end()) known.created = created->second;
  all_.push_back(known);
  n.ids.push_back({segment, ThreadId(last_thread_ + static_cast<uint32_t>(all_.size()))});
}

ThreadId StrandAccesses::id(ThreadId number, races::SegmentNumber segment) const {
  if (number.value >= numbers_.size()) return number;
  const std::vector<First>& all = numbers_[number.value].ids;
  const auto after = std::upper_bound(all.begin(), all.end(), segment,
                                      [](races::SegmentNumber s, const First& f) { return s < f.segment; });
  return after == all.begin() ? number : std::prev(after)->id;
}

void StrandAccesses::strand_begins(ThreadId on, const strands::Strand& s) {
  memory_.begins(on, s, index_);
  if (s.kind != StrandKind::kTask) return;
  const auto created = created_.find(s.task);
  if (created == created_.end()) return;
  begun_[order_.strands()->running(on)->number.value] = created->second;
  created_.erase(created);
}

void StrandAccesses::strand_ends(ThreadId on, const strands::Strand& s, ThreadId strand) {
  memory_.ends(on, s, index_);
  if (strand.value < numbers_.size()) numbers_[strand.value].noted = false;
  begun_.erase(strand.value);
}

void StrandAccesses::copy_is_itself(ThreadId /*by*/, uint64_t team, uint64_t variable) {
  members_.note_own_copy(team, variable);
}

void StrandAccesses::asked(ThreadId by, uint64_t team, bool for_copies) {
  members_.asked(team, for_copies, own_.caller(by));
}

}  // namespace cdr::sharing
