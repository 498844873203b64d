// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/totals/trace_totals.h"

#include "cdrgrind/trace/read/cursor.h"
#include "cdrgrind/trace/read/replay.h"

namespace cdr::analysis {

namespace {

void count_accesses(std::span<const Access> accesses, std::span<const uint64_t> words, ThreadTotals& to) {
  for (const Access& a : accesses)
    if (happened(a, words)) ++(a.store() ? to.stores : to.loads);
}

void count(const Event& e, const BlockTable& blocks, ThreadTotals& to) {
  ++to.events;
  if (e.kind == EventKind::kBlock || e.kind == EventKind::kPartial) {
    const trace::Extent done = trace::extent_of(e, blocks);
    const bool wrapper = done.superblock->flags & kBlockShim;
    ++(wrapper ? to.wrapper_blocks : to.blocks);
    (wrapper ? to.wrapper_instructions : to.instructions) += done.insns;
    to.words += e.words.size();
    count_accesses(done.accesses, e.words, to);
  } else if (e.kind == EventKind::kSyncEnter || e.kind == EventKind::kSyncLeave) {
    ++to.syncs;
  }
  for (const MemorySpan& m : e.memory) ++(m.store ? to.stores : to.loads);
}

}  // namespace

ThreadTotals TraceTotals::all() const {
  ThreadTotals sum;
  for (const ThreadTotals& t : threads) {
    sum.events += t.events;
    sum.blocks += t.blocks;
    sum.instructions += t.instructions;
    sum.wrapper_blocks += t.wrapper_blocks;
    sum.wrapper_instructions += t.wrapper_instructions;
    sum.words += t.words;
    sum.loads += t.loads;
    sum.stores += t.stores;
    sum.syncs += t.syncs;
  }
  return sum;
}

TraceTotals count_trace(const trace::TraceFile& file) {
  TraceTotals totals;
  trace::Cursor cursor(file);
  for (Event e; cursor.next(e);) {
    ++totals.events;
    ++totals.kinds[static_cast<size_t>(e.kind)];
    if (e.thread.value >= totals.threads.size()) totals.threads.resize(e.thread.value + 1);
    count(e, file.blocks(), totals.threads[e.thread.value]);
  }
  return totals;
}

}  // namespace cdr::analysis
