// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/compare/first_pass.h"

#include <bit>

#include "cdrgrind/analysis/compare/walk.h"

namespace cdr::compare {
namespace {

// Linux reads and writes no more in one call; a file that is not a recorder's may say anything.
constexpr uint64_t kLongestTransfer = uint64_t{1} << 31;

class FirstPassReader {
 public:
  FirstPassReader(const BlockTable& blocks, const ComparisonOptions& options)
      : blocks_(blocks), paths_(options.grammar_memory, true) {}

  void take(const Event& e) {
    if (is_block(e)) return block(e);
    if (e.kind == EventKind::kSyncEnter) enter(e);
    if (e.kind == EventKind::kSyncLeave && e.sync.op == SyncOp::kBarrierWait) s_.order.barriers += e.sync.value == 1;
    for (const MemorySpan& m : e.memory) s_.shared.touch(e.thread, m.addr, std::min(m.size, kLongestTransfer));
  }

  FirstPass finish() {
    paths_.close();
    for (uint32_t t = 0; t < s_.threads.size(); ++t) {
      s_.threads[t].cor = paths_.size(t);
      s_.threads[t].cor_counts = count_bytes(s_.threads[t].cor.symbols, s_.threads[t].syncs);
    }
    s_.restarts = paths_.restarts();
    s_.shared.seal();
    return std::move(s_);
  }

 private:
  ThreadComparison& thread(ThreadId id) {
    if (id.value >= s_.threads.size()) s_.threads.resize(id.value + 1);
    return s_.threads[id.value];
  }

  void block(const Event& e) {
    ThreadComparison& t = thread(e.thread);
    ++t.blocks;
    if (e.kind == EventKind::kBlock) count_execution(e.thread, e.block);
    paths_.append(e.thread.value, kFirstOtherTerminal + e.block.value);
    for_each_access(e, blocks_, [&](const Access& a, uint64_t addr, uint32_t) {
      ++t.accesses;
      s_.shared.touch(e.thread, addr, a.width);
    });
  }

  void count_execution(ThreadId t, BlockId b) {
    if (t.value >= s_.executions.size()) s_.executions.resize(t.value + 1);
    auto& counts = s_.executions[t.value];
    if (b.value >= counts.size()) counts.resize(b.value + 1);
    ++counts[b.value];
  }

  // The paper has one entry for a barrier, when all have reached it.
  void enter(const Event& e) {
    ++thread(e.thread).syncs;
    s_.order.others += e.sync.op != SyncOp::kBarrierWait;
    paths_.append(e.thread.value, static_cast<uint32_t>(e.sync.op));
  }

  const BlockTable& blocks_;
  PlainGrammars paths_;
  FirstPass s_;
};

}  // namespace

uint64_t count_bytes(uint64_t symbols, uint64_t syncs) {
  return symbols * std::max<uint64_t>(1, (static_cast<uint64_t>(std::bit_width(syncs)) + 7) / 8);
}

FirstPass first_pass(const trace::TraceFile& file, const analysis::Progress& progress,
                     const ComparisonOptions& options) {
  FirstPassReader s(file.blocks(), options);
  walk(file, progress, "paths", [&](const Event& e) { s.take(e); });
  return s.finish();
}

}  // namespace cdr::compare
