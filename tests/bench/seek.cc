// SPDX-License-Identifier: GPL-2.0-or-later
// What a place of a compact trace costs: a descent in a file that is loaded, the first touch of an epoch, words and
// the full stack at a place. The trace is CDR_BENCH_TRACE of the environment, or a nest of loops made here.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <optional>
#include <random>

#include "cdrgrind/encode/recording.h"
#include "cdrgrind/trace/index/seeker.h"

namespace {

using namespace cdr;
using namespace cdr::trace;

struct Bytes final : Output {
  std::vector<uint8_t> bytes;
  bool write(std::span<const uint8_t> more) override {
    bytes.insert(bytes.end(), more.begin(), more.end());
    return true;
  }
};

// A row of an array per iteration, with breaks in the rhythm.
std::vector<uint8_t> nest_of_loops() {
  ModuleTable modules;
  BlockTable blocks;
  for (uint64_t i = 0; i < 4; ++i) {
    const Insn insns[] = {{0, 4}, {4, 4}};
    const Access accesses[] = {{0, 0, 1, 8, 0}};
    Exit exit;
    exit.insns = 2;
    exit.accesses = exit.words = 1;
    exit.kind = ExitKind::kBranch;
    Superblock sb;
    sb.addr = 0x400000 + 0x100 * i;
    sb.length = 8;
    sb.insns = insns;
    sb.accesses = accesses;
    sb.exits = {&exit, 1};
    blocks.add_block(blocks.add_superblock(sb), 0);
  }
  Bytes out;
  RecordingOptions options;
  options.form = RecordingForm::kCompact;
  options.control = ControlForm::kGrammar;
  Recording to(out, modules, blocks, {.pid = 1}, {}, options);
  std::mt19937 random(1);
  const ThreadId thread(1);
  for (uint64_t i = 0, n = 0; n < (1 << 22); ++i) {
    const uint64_t length = 20 + random() % 40;
    for (uint64_t j = 0; j < length; ++j, ++n) {
      const uint64_t word = 0x10000000 + 4096 * i + 8 * j;
      to.block(thread, BlockId(static_cast<uint32_t>(1 + j % 3)), {&word, 1});
    }
    Event sync;
    sync.thread = thread;
    sync.kind = i % 2 ? EventKind::kSyncLeave : EventKind::kSyncEnter;
    sync.sync.op = SyncOp::kMutexLock;
    to.event(sync);
  }
  to.close({.exit = "exit 0"});
  return out.bytes;
}

const TraceFile& file() {
  static const TraceFile trace = [] {
    if (const char* path = std::getenv("CDR_BENCH_TRACE")) return TraceFile::open(path);
    return TraceFile::from_bytes(nest_of_loops(), "nest of loops");
  }();
  return trace;
}

// Pseudo-random places of thread 1 by one weight.
class Places {
 public:
  Places(Seeker& seeker, Weight w) : seeker_(seeker), weight_(w), total_(weight_of(seeker.total(ThreadId(1)), w)) {}
  bool none() const { return total_ == 0; }
  const TracePosition& next() {
    seeker_.find(ThreadId(1), weight_, random_() % total_, place_);
    return place_;
  }

 private:
  Seeker& seeker_;
  Weight weight_;
  uint64_t total_;
  std::mt19937_64 random_{7};
  TracePosition place_;
};

void descent(benchmark::State& state, Weight w) {
  Seeker seeker(file());
  Places places(seeker, w);
  if (places.none()) return state.SkipWithError("nothing of it in the trace");
  for (auto _ : state) benchmark::DoNotOptimize(places.next().before.events);
  state.counters["blocks"] = static_cast<double>(seeker.total(ThreadId(1)).blocks);
}

void true_order(benchmark::State& state) {
  Seeker seeker(file());
  Places places(seeker, Weight::kEvents);
  for (auto _ : state) benchmark::DoNotOptimize(seeker.index_of(places.next()));
}

// File, tables and dictionary are open.
void first_touch(benchmark::State& state) {
  const StretchIndex stretches(file().stretches(), file().blocks());
  for (auto _ : state) {
    EpochIndex index(file(), stretches, 0);
    benchmark::DoNotOptimize(index.paths().grammar().symbols());
    state.counters["symbols"] = static_cast<double>(index.paths().grammar().symbols());
  }
}

// Blocks with words, chosen by execution: streams and counts of most are there after the first round.
void words(benchmark::State& state) {
  Seeker seeker(file());
  Places places(seeker, Weight::kBlocks);
  std::vector<uint64_t> words;
  const auto look = [&] {
    const TracePosition& place = places.next();
    if (const auto block = seeker.block_at(place)) seeker.words_at(place, *block, words);
  };
  for (int i = 0; i < 20000; ++i) look();
  for (auto _ : state) {
    look();
    benchmark::DoNotOptimize(words.data());
  }
}

void stack(benchmark::State& state) {
  Seeker seeker(file());
  Places places(seeker, Weight::kEvents);
  uint64_t frames = 0, stacks = 0;
  seeker.stack_at(places.next());
  for (auto _ : state) {
    frames += seeker.stack_at(places.next()).size();
    ++stacks;
  }
  state.counters["frames"] = static_cast<double>(frames) / static_cast<double>(stacks);
}

const bool added = [] {
  using benchmark::RegisterBenchmark;
  RegisterBenchmark("seek/event", descent, Weight::kEvents);
  RegisterBenchmark("seek/block", descent, Weight::kBlocks);
  RegisterBenchmark("seek/instruction", descent, Weight::kInsns);
  RegisterBenchmark("seek/synchronisation", descent, Weight::kSyncs);
  RegisterBenchmark("seek/true_order", true_order);
  RegisterBenchmark("seek/first_touch", first_touch)->Unit(benchmark::kMillisecond);
  RegisterBenchmark("seek/words", words);
  RegisterBenchmark("seek/stack", stack);
  return true;
}();

}  // namespace
