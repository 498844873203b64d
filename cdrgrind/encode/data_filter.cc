// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/encode/data_filter.h"

#include <utility>

namespace cdr {

void DataFilter::block(ThreadId thread, BlockId id, std::span<const uint64_t> words) {
  follow(id);
  words_.clear();
  keep_words(thread, plans_[to_.block(id).superblock.value - 1], kept_[id.value], words.data());
  sink_->block(thread, id, words_);
}

void DataFilter::run(ThreadId thread, Steps run) {
  steps_.assign(run.begin(), run.end());
  words_.clear();
  for (RunStep& s : steps_) {
    if (!s.block) continue;
    if (s.block.value >= kept_.size()) [[unlikely]]
      follow(s.block);
    s.count = kept_[s.block.value];
    if (s.count > 0) keep_words(thread, plans_[to_.block(s.block).superblock.value - 1], s.count, s.words);
  }
  if (!words_.empty()) {
    const uint64_t* at = words_.data();
    for (RunStep& s : steps_)
      if (s.block) at = (s.words = at) + s.count;
  }
  sink_->run(thread, steps_);
}

void DataFilter::event(const Event& e) {
  if (e.kind == EventKind::kThreadStart || e.kind == EventKind::kStackSwitch) stack_of(e.thread) = e.range;
  if (e.block) follow(e.block);
  if (e.kind == EventKind::kSyscall) return syscall(e);
  if (e.kind != EventKind::kPartial) return sink_->event(e);
  Event f = e;
  const Superblock& sb = to_.superblock_of(e.block);
  const Plan& plan = plans_[to_.block(e.block).superblock.value - 1];
  words_.clear();
  keep_words(e.thread, plan, executed_before(sb, e.ip).words, e.words.data());
  f.words = words_;
  sink_->event(f);
}

void DataFilter::syscall(const Event& e) {
  const AddrRange own = stack_of(e.thread);
  spans_.clear();
  for (const MemorySpan& m : e.memory)
    if (keep_ == Keep::kNonStack && !own.contains(m.addr)) spans_.push_back(m);
  Event f = e;
  f.memory = spans_;
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
    kept_.resize(to_.block_count() + 2);
    kept_.back() = to_.superblock(b.superblock).exits[b.exit].words;
    to_.add_block(b.superblock, b.exit);
  }
}

namespace {

// Builds the filtered superblock and its plan in the order in which an execution meets them.
class Rebuild {
 public:
  Rebuild(const Superblock& sb, bool accesses) : sb_(sb), want_accesses_(accesses) {
    for (const Exit& e : sb.exits) up_to(e);
  }

  Superblock superblock() const {
    Superblock out = sb_;
    out.accesses = accesses_;
    out.sp_changes = changes_;
    out.exits = exits_;
    return out;
  }
  std::vector<DataFilter::Word> take_words() { return std::move(words_); }

 private:
  void up_to(Exit e) {
    while (access_ < e.accesses || change_ < e.sp_changes) {
      const bool both = access_ < e.accesses && change_ < e.sp_changes;
      if (both ? sb_.accesses[access_].insn <= sb_.sp_changes[change_].insn : access_ < e.accesses)
        add(sb_.accesses[access_++]);
      else
        add(sb_.sp_changes[change_++]);
    }
    e.accesses = static_cast<uint16_t>(accesses_.size());
    e.words = static_cast<uint16_t>(words_.size());
    exits_.push_back(e);
  }
  void add(Access a) {
    if (!want_accesses_) return;
    if (a.slot) {
      a.slot = new_word({a.slot, true, a.constant});
      a.constant = 0;
      a.flags |= kAccessGuarded;
    }
    accesses_.push_back(a);
  }
  void add(SpChange c) {
    if (c.slot && c.slot != SpChange::kSpAtEntry) {
      if (sp_slots_.size() <= c.slot) sp_slots_.resize(c.slot + size_t{1});
      uint16_t& slot = sp_slots_[c.slot];
      if (!slot) slot = new_word({c.slot, false, 0});
      c.slot = slot;
    }
    changes_.push_back(c);
  }
  uint16_t new_word(DataFilter::Word w) {
    words_.push_back(w);
    return static_cast<uint16_t>(words_.size());
  }

  const Superblock& sb_;
  const bool want_accesses_;
  size_t access_ = 0, change_ = 0;
  std::vector<Access> accesses_;
  std::vector<SpChange> changes_;
  std::vector<Exit> exits_;
  std::vector<DataFilter::Word> words_;
  std::vector<uint16_t> sp_slots_;  // by slot of the full block; 0 = none
};

}  // namespace

void DataFilter::add_superblock(const Superblock& sb) {
  Rebuild rebuild(sb, keep_ == Keep::kNonStack);
  to_.add_superblock(rebuild.superblock());
  plans_.push_back(rebuild.take_words());
}

void DataFilter::keep_words(ThreadId thread, const Plan& plan, uint32_t count, const uint64_t* words) {
  const AddrRange own = stack_of(thread);
  for (uint32_t i = 0; i < count; ++i) {
    const Word& w = plan[i];
    const uint64_t word = words[w.from - 1] + static_cast<uint64_t>(w.constant);
    words_.push_back(w.access && own.contains(word) ? 0 : word);
  }
}

}  // namespace cdr
