// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/encode/data_filter.h"

namespace cdr {

void DataFilter::block(ThreadId thread, BlockId id, std::span<const uint64_t> words) {
  follow(id);
  const Plan& plan = plans_[to_.block(id).superblock.value - 1];
  sink_->block(thread, id, filtered(thread, plan, to_.exit_of(id).words, words));
}

void DataFilter::event(const Event& e) {
  if (e.kind == EventKind::kThreadStart || e.kind == EventKind::kStackSwitch) stack_of(e.thread) = e.range;
  if (e.block) follow(e.block);
  if (e.kind != EventKind::kPartial) return sink_->event(e);
  Event f = e;
  const Superblock& sb = to_.superblock_of(e.block);
  const Plan& plan = plans_[to_.block(e.block).superblock.value - 1];
  f.words = filtered(e.thread, plan, executed_before(sb, e.ip).words, e.words);
  sink_->event(f);
}

AddrRange& DataFilter::stack_of(ThreadId t) {
  if (stacks_.size() <= t.value) stacks_.resize(t.value + 1);
  return stacks_[t.value];
}

// Ids are given in order, so the tables grow in step.
void DataFilter::follow(BlockId id) {
  while (to_.block_count() < id.value) {
    const Block& b = from_.block(BlockId(to_.block_count() + 1));
    while (to_.superblock_count() < b.superblock.value)
      add_superblock(from_.superblock(SuperblockId(to_.superblock_count() + 1)));
    to_.add_block(b.superblock, b.exit);
  }
}

void DataFilter::add_superblock(const Superblock& sb) {
  uint32_t slots = 0;
  for (const Exit& e : sb.exits) slots = e.words > slots ? e.words : slots;
  std::vector<uint16_t> sp_slot(slots + 1), access_slot(slots + 1);
  std::vector<uint16_t> words_upto(slots + 1);  // words of the filtered block when the full one has so many
  Plan plan;
  for (uint32_t s = 1; s <= slots; ++s) {
    for (const SpChange& c : sb.sp_changes)
      if (c.slot == s && !sp_slot[s]) plan.words.push_back({static_cast<uint16_t>(s)}), sp_slot[s] = static_cast<uint16_t>(plan.words.size());
    for (const Access& a : sb.accesses)
      if (a.slot == s && keep_ == Keep::kNonStack && !access_slot[s])
        plan.words.push_back({static_cast<uint16_t>(s), true, a.constant}), access_slot[s] = static_cast<uint16_t>(plan.words.size());
    words_upto[s] = static_cast<uint16_t>(plan.words.size());
  }
  std::vector<Access> accesses;
  std::vector<uint16_t> accesses_upto = {0};
  for (Access a : sb.accesses) {
    if (keep_ == Keep::kNonStack) {
      if (a.slot) a.slot = access_slot[a.slot], a.flags |= kAccessGuarded;
      accesses.push_back(a);
    }
    accesses_upto.push_back(static_cast<uint16_t>(accesses.size()));
  }
  std::vector<SpChange> changes(sb.sp_changes.begin(), sb.sp_changes.end());
  for (SpChange& c : changes)
    if (c.slot && c.slot != SpChange::kSpAtEntry) c.slot = sp_slot[c.slot];
  std::vector<Exit> exits(sb.exits.begin(), sb.exits.end());
  for (Exit& e : exits) e.words = words_upto[e.words], e.accesses = accesses_upto[e.accesses];
  Superblock out = sb;
  out.accesses = accesses;
  out.sp_changes = changes;
  out.exits = exits;
  to_.add_superblock(out);
  plans_.push_back(std::move(plan));
}

std::span<const uint64_t> DataFilter::filtered(ThreadId thread, const Plan& plan, uint32_t count,
                                               std::span<const uint64_t> words) {
  scratch_.clear();
  const AddrRange own = stack_of(thread);
  for (uint32_t i = 0; i < count; ++i) {
    const Word& w = plan.words[i];
    const uint64_t word = words[w.from - 1];
    const bool drop = w.access && own.contains(word + static_cast<uint64_t>(w.constant));
    scratch_.push_back(drop ? 0 : word);
  }
  return scratch_;
}

}  // namespace cdr
