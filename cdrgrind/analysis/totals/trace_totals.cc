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

void count_instructions(const Superblock& sb, uint32_t insns, const std::vector<bool>& libraries, ThreadTotals& to) {
  if (sb.flags & kBlockShim) return void(to.wrapper_instructions += insns);
  to.instructions += insns;
  if (sb.flags & kBlockDynamicLinker) return;
  (sb.module && libraries[sb.module.value] ? to.library_instructions : to.program_instructions) += insns;
}

void count(const Event& e, const BlockTable& blocks, const std::vector<bool>& libraries, ThreadTotals& to) {
  ++to.events;
  if (e.kind == EventKind::kBlock || e.kind == EventKind::kPartial) {
    const trace::Extent done = trace::extent_of(e, blocks);
    const bool wrapper = done.superblock->flags & kBlockShim;
    ++(wrapper ? to.wrapper_blocks : to.blocks);
    count_instructions(*done.superblock, done.insns, libraries, to);
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
    sum.program_instructions += t.program_instructions;
    sum.library_instructions += t.library_instructions;
  }
  return sum;
}

TraceTotals count_trace(const trace::TraceFile& file, const std::vector<bool>& libraries) {
  TraceTotals totals;
  trace::Cursor cursor(file);
  for (Event e; cursor.next(e);) {
    ++totals.events;
    ++totals.kinds[static_cast<size_t>(e.kind)];
    if (e.thread.value >= totals.threads.size()) totals.threads.resize(e.thread.value + 1);
    count(e, file.blocks(), libraries, totals.threads[e.thread.value]);
  }
  return totals;
}

}  // namespace cdr::analysis
