// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/sharing/strand_accesses.h"

#include <algorithm>

namespace cdr::sharing {

using races::MemoryKind;
using races::StrandClocks;
using strands::StrandKind;

void StrandAccesses::before(const Event& e, uint64_t index) {
  index_ = index;
  if (e.kind == EventKind::kThreadStart && e.value) {
    if (e.thread.value >= control_.size()) control_.resize(e.thread.value + 1);
    control_[e.thread.value] = e.value;
  }
  if (e.kind != EventKind::kSyncEnter) return;
  if (e.sync.op == SyncOp::kTaskCreate) creating_[e.thread.value] = own_.caller(e.thread);
  if (e.sync.op == SyncOp::kTaskData) created_[e.sync.object] = creating_[e.thread.value];
}

void StrandAccesses::after(const Event& e) {
  if (e.kind != EventKind::kAlloc && e.kind != EventKind::kResize) return;
  if (in_runtime(e.thread) || !order_.strands()->running(e.thread)) return;
  const races::GenerationId id = own_.memory_at(e.addr).id;
  if (id >= region_blocks_.size()) region_blocks_.resize(id + 1);
  region_blocks_[id] = true;
}

ThreadId StrandAccesses::of(ThreadId t, uint64_t addr, uint64_t width, races::GenerationId life) {
  StrandClocks& strands = *order_.strands();
  const StrandClocks::Running* const r = strands.running(t);
  if (!r) return t;
  if (r->strand.kind == StrandKind::kTask && is_thread_local(t, addr)) return strands.member(t).number;
  if (r->strand.kind != StrandKind::kPart) return r->number;
  const StrandClocks::Running& lowest = strands.lowest(t);
  return is_of_member(lowest.strand, t, addr, width, life) ? lowest.number : r->number;
}

// Its frames and its thread's variables; what its thread has allocated in a region, and what is told apart by the
// thread's number: both if no other thread touches it in worksharing before the next barrier.
bool StrandAccesses::is_of_member(const strands::Strand& member, ThreadId t, uint64_t addr, uint64_t width,
                                  races::GenerationId id) {
  constexpr uint64_t kLargestStack = 8 << 20;
  const races::Generation g = own_.generations()[id];
  const bool other_memory = g.kind == MemoryKind::kStack ? g.thread != t : g.kind == MemoryKind::kHeap;
  if (!other_memory && addr < member.frame && member.frame - addr < kLargestStack) return true;
  if (member.data.contains(addr) || is_thread_local(t, addr)) return true;
  const bool own_block =
      g.kind == MemoryKind::kHeap && g.thread == t && id < region_blocks_.size() && region_blocks_[id];
  return (own_block || asked_.contains(member.team)) && !parts_.shared(addr, width);
}

// They lie right below the thread's control block.
bool StrandAccesses::is_thread_local(ThreadId t, uint64_t addr) {
  const uint64_t control = t.value < control_.size() ? control_[t.value] : 0;
  if (addr >= control) return false;
  if (!thread_local_bytes_) thread_local_bytes_ = facts_.thread_local_bytes();
  return control - addr <= *thread_local_bytes_;
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

// Static loops and master ask, too.
void StrandAccesses::asked(ThreadId by, uint64_t team, bool for_copies) {
  if (for_copies || !facts_.is_for_construct(own_.caller(by))) asked_.insert(team);
}

}  // namespace cdr::sharing
