// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/totals/trace_totals.h"

#include <algorithm>

#include "cdrgrind/trace/read/cursor.h"
#include "cdrgrind/trace/read/replay.h"

namespace cdr::analysis {

namespace {

// What an execution of a block adds.
ThreadTotals totals_of(const Event& e, const BlockTable& blocks, const std::vector<bool>& libraries) {
  ThreadTotals t;
  const trace::Extent done = trace::extent_of(e, blocks);
  const Superblock& sb = *done.superblock;
  const bool wrapper = sb.flags & kBlockShim;
  t.events = 1;
  (wrapper ? t.wrapper_blocks : t.blocks) = 1;
  (wrapper ? t.wrapper_instructions : t.instructions) = done.insns;
  if (!wrapper && !(sb.flags & kBlockDynamicLinker))
    (sb.module && libraries[sb.module.value] ? t.library_instructions : t.program_instructions) = done.insns;
  t.words = e.words.size();
  for (const Access& a : done.accesses)
    if (happened(a, e.words)) ++(a.store() ? t.stores : t.loads);
  return t;
}

class Counter {
 public:
  Counter(const BlockTable& blocks, const std::vector<bool>& libraries, TraceTotals& to)
      : blocks_(blocks), libraries_(libraries), to_(to) {}

  void event(const Event& e) {
    add_kind(e.kind, 1);
    ThreadTotals& to = thread(e.thread);
    if (e.kind == EventKind::kBlock || e.kind == EventKind::kPartial) {
      to += totals_of(e, blocks_, libraries_);
    } else {
      ++to.events;
      to.syncs += e.kind == EventKind::kSyncEnter || e.kind == EventKind::kSyncLeave;
    }
    for (const MemorySpan& m : e.memory) ++(m.store ? to.stores : to.loads);
  }

  void steps(const trace::DecodedSteps& steps) {
    ThreadTotals& to = thread(steps.thread);
    uint64_t blocks = 0;
    by_block_.resize(blocks_.block_count() + 1);
    for (const RunStep& s : steps.steps()) {
      if (!s.block) {
        ++to.events;
        add_kind(s.kind(), 1);
        continue;
      }
      ++blocks;
      const OfBlock& one = of_block(s);
      to += one.guarded ? totals_of(event_of(s), blocks_, libraries_) : one.totals;
    }
    add_kind(EventKind::kBlock, blocks);
  }

 private:
  struct OfBlock {
    bool known = false, guarded = false;  // guarded: what it accesses depends on its words
    ThreadTotals totals;
  };

  static Event event_of(const RunStep& s) {
    Event e;
    e.kind = EventKind::kBlock;
    e.block = s.block;
    e.words = {s.words, s.count};
    return e;
  }
  const OfBlock& of_block(const RunStep& s) {
    OfBlock& one = by_block_[s.block.value];
    if (!one.known) {
      const auto accesses = trace::extent_of(event_of(s), blocks_).accesses;
      one.known = true;
      one.guarded = std::any_of(accesses.begin(), accesses.end(), [](const Access& a) { return a.guarded(); });
      if (!one.guarded) one.totals = totals_of(event_of(s), blocks_, libraries_);
    }
    return one;
  }
  void add_kind(EventKind kind, uint64_t times) {
    to_.events += times;
    to_.kinds[static_cast<size_t>(kind)] += times;
  }
  ThreadTotals& thread(ThreadId t) {
    if (t.value >= to_.threads.size()) to_.threads.resize(t.value + 1);
    return to_.threads[t.value];
  }

  const BlockTable& blocks_;
  const std::vector<bool>& libraries_;
  TraceTotals& to_;
  std::vector<OfBlock> by_block_;
};

}  // namespace

ThreadTotals& ThreadTotals::operator+=(const ThreadTotals& t) {
  events += t.events;
  blocks += t.blocks;
  instructions += t.instructions;
  wrapper_blocks += t.wrapper_blocks;
  wrapper_instructions += t.wrapper_instructions;
  words += t.words;
  loads += t.loads;
  stores += t.stores;
  syncs += t.syncs;
  program_instructions += t.program_instructions;
  library_instructions += t.library_instructions;
  return *this;
}

ThreadTotals TraceTotals::all() const {
  ThreadTotals sum;
  for (const ThreadTotals& t : threads) sum += t;
  return sum;
}

TraceTotals count_trace(const trace::TraceFile& file, const std::vector<bool>& libraries) {
  TraceTotals totals;
  Counter counter(file.blocks(), libraries, totals);
  trace::Cursor cursor(file);
  trace::DecodedSteps steps;
  for (Event e; cursor.next_steps(steps, e);) {
    if (steps.empty())
      counter.event(e);
    else
      counter.steps(steps);
  }
  return totals;
}

}  // namespace cdr::analysis
