// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/source/member_memory.h"

#include <algorithm>

#include "cdrgrind/analysis/events/first_stack.h"

namespace cdr::races {

void MemberMemory::thread_starts(const Event& e) {
  if (e.thread.value >= control_.size()) control_.resize(e.thread.value + 1);
  if (e.value) control_[e.thread.value] = e.value;
}

void MemberMemory::allocated_in_region(GenerationId id) {
  if (id >= region_blocks_.size()) region_blocks_.resize(id + 1);
  region_blocks_[id] = true;
}

void MemberMemory::note_own_copy(uint64_t team, uint64_t variable) {
  constexpr uint64_t kWord = 8;
  AddrRange range = facts_.variable_at(variable);
  if (range.empty()) range = {variable, variable + kWord};
  std::vector<AddrRange>& all = copies_[team];
  if (std::find(all.begin(), all.end(), range) == all.end()) all.push_back(range);
}

bool MemberMemory::is_of_thread(const strands::Strand& member, ThreadId t, uint64_t addr) {
  if (is_thread_local(t, addr)) return true;
  const auto copies = copies_.find(member.team);
  return copies != copies_.end() && std::any_of(copies->second.begin(), copies->second.end(),
                                                [addr](const AddrRange& range) { return range.contains(addr); });
}

bool MemberMemory::is_of_member(const strands::Strand& member, ThreadId t, uint64_t addr, uint64_t width,
                                GenerationId id) {
  const Generation g = generations_[id];
  const bool other_memory = g.kind == MemoryKind::kStack ? g.thread != t : g.kind == MemoryKind::kHeap;
  if (!other_memory && addr < member.frame && member.frame - addr < analysis::kFirstStackBytes) return true;
  if (member.data.contains(addr) || is_thread_local(t, addr)) return true;
  const bool own_block =
      g.kind == MemoryKind::kHeap && g.thread == t && id < region_blocks_.size() && region_blocks_[id];
  return (own_block || asked_.contains(member.team)) && !parts_.shared(addr, width, g.event);
}

bool MemberMemory::is_thread_local(ThreadId t, uint64_t addr) {
  const uint64_t control = t.value < control_.size() ? control_[t.value] : 0;
  if (addr >= control) return false;
  if (!thread_local_bytes_) thread_local_bytes_ = facts_.thread_local_bytes();
  return control - addr <= *thread_local_bytes_;
}

}  // namespace cdr::races
