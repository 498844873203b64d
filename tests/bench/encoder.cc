// SPDX-License-Identifier: GPL-2.0-or-later
// Nanoseconds that the encoder takes for a block, a symbol or a slot word, on streams like those of regular and
// irregular kernels. With BENCH_TRACE=FILE in the environment a recorded trace's first million blocks besides.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <vector>

#include "cdrgrind/encode/address_streams.h"
#include "cdrgrind/encode/epoch.h"
#include "cdrgrind/encode/recording.h"
#include "cdrgrind/encode/sequitur.h"
#include "cdrgrind/encode/stretches.h"
#include "cdrgrind/trace/read/cursor.h"

namespace {

using namespace cdr;

constexpr size_t kBlocks = 1 << 20;
constexpr uint32_t kSuperblocks = 24;
constexpr size_t kMuch = size_t{1} << 30;

// Superblocks one behind the other, each with two exits and one slot: block 2 s + 1 branches, block 2 s + 2 goes on.
const BlockTable& table() {
  static const BlockTable* const made = [] {
    auto* t = new BlockTable;
    for (uint32_t s = 0; s < kSuperblocks; ++s) {
      const Insn insns[] = {{0, 4}, {4, 4}};
      const Access access{0, 0, 1, 8, 0};
      Exit exits[2];
      for (Exit& e : exits) e.insns = 2, e.accesses = e.words = 1;
      exits[0].kind = ExitKind::kBranch;
      exits[0].guard = ExitGuard::kCondition;
      Superblock sb;
      sb.addr = 0x1000 + 64 * s;
      sb.length = 8;
      sb.insns = insns;
      sb.accesses = {&access, 1};
      sb.exits = exits;
      const SuperblockId id = t->add_superblock(sb);
      for (const uint16_t e : {0, 1}) t->add_block(id, e);
    }
    return t;
  }();
  return *made;
}

struct Stream {
  std::vector<BlockId> blocks;
  std::vector<uint64_t> words;  // one each
};

BlockId branching(uint32_t superblock) { return BlockId(2 * superblock + 1); }
BlockId going_on(uint32_t superblock) { return BlockId(2 * superblock + 2); }

// Three nested loops of 16 iterations over a matrix, two blocks innermost.
Stream regular() {
  Stream s;
  const auto put = [&](BlockId b, uint64_t word) {
    s.blocks.push_back(b);
    s.words.push_back(word);
  };
  for (uint64_t i = 0; s.blocks.size() < kBlocks; i = (i + 1) % 64) {
    put(going_on(0), 0x10000 + 8 * i);
    for (uint64_t j = 0; j < 16; ++j) {
      put(going_on(1), 0x20000 + 512 * i + 8 * j);
      for (uint64_t k = 0; k < 16; ++k) {
        put(going_on(2), 0x40000 + 512 * i + 8 * k);
        put(branching(3), 0x80000 + 512 * k + 8 * j);
      }
      put(branching(4), 0x20000 + 512 * i + 8 * j);
    }
    put(branching(5), 0x10000 + 8 * i);
  }
  return s;
}

// A partition and a hash table: an iteration has two branches that the data decide, two addresses that go on and two
// that do not.
Stream irregular() {
  Stream s;
  std::mt19937_64 gen(1);
  const auto put = [&](BlockId b, uint64_t word) {
    s.blocks.push_back(b);
    s.words.push_back(word);
  };
  for (uint64_t i = 0; s.blocks.size() < kBlocks; ++i) {
    put(going_on(0), 0x10000 + 8 * i);
    put(gen() % 2 ? branching(1) : going_on(1), 0x40000000 + 8 * (gen() % 100000));
    put(going_on(2), 0x20000000 - 8 * i);
    put(gen() % 8 ? branching(3) : going_on(3), 0x40000000 + 8 * (gen() % 100000));
    put(branching(4), 0x10000);
  }
  return s;
}

// The worst: every exit and every address is random.
Stream random_stream() {
  Stream s;
  std::mt19937_64 gen(1);
  while (s.blocks.size() < kBlocks)
    for (uint32_t b = 0; b < kSuperblocks; ++b) {
      s.blocks.push_back(gen() % 2 ? branching(b) : going_on(b));
      s.words.push_back(0x10000 + 8 * (gen() % 100000));
    }
  return s;
}

using Make = Stream (*)();

void per_item(benchmark::State& state, size_t items) {
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * items));
  state.counters["each"] = benchmark::Counter(
      static_cast<double>(items), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void stretches(benchmark::State& state, Make make) {
  const Stream s = make();
  for (auto _ : state) {
    Stretches trie(table());
    Stretches::Open open;
    uint32_t last = 0;
    for (const BlockId b : s.blocks)
      if (const uint32_t ended = trie.advance(open, b)) last = ended;
    benchmark::DoNotOptimize(last);
  }
  per_item(state, s.blocks.size());
}

// The stretches as runs: what SEQUITUR is given.
std::vector<Run> runs_of(const Stream& s) {
  std::vector<Run> runs;
  Stretches trie(table());
  Stretches::Open open;
  for (const BlockId b : s.blocks) {
    const uint32_t ended = trie.advance(open, b);
    if (ended == 0) continue;
    if (!runs.empty() && runs.back().symbol == ended)
      ++runs.back().count;
    else
      runs.push_back({ended, 1});
  }
  return runs;
}

void sequitur(benchmark::State& state, Make make) {
  const std::vector<Run> runs = runs_of(make());
  for (auto _ : state) {
    Sequitur q;
    q.open_string();
    for (const Run& r : runs) q.append(0, r.symbol, r.count);
    benchmark::DoNotOptimize(q.symbols());
  }
  per_item(state, runs.size());
}

void address_streams(benchmark::State& state, Make make) {
  const Stream s = make();
  for (auto _ : state) {
    AddressStreams streams(table());
    for (size_t i = 0; i < s.blocks.size(); ++i) streams.add(ThreadId(1), s.blocks[i], {&s.words[i], 1}, 0x7fff0000);
    benchmark::DoNotOptimize(streams.bytes());
  }
  per_item(state, s.words.size());
}

// All together, a word in each block, in runs as the recorder passes them on.
void epoch(benchmark::State& state, Make make) {
  constexpr size_t kRun = 256;
  const Stream s = make();
  std::vector<RunStep> blocks;
  for (size_t i = 0; i < s.blocks.size(); ++i) blocks.push_back({s.blocks[i], 1, {&s.words[i]}});
  for (auto _ : state) {
    EpochEncoder encoder(table(), {.bytes = kMuch});
    for (Steps left = blocks; !left.empty();) {
      const Steps run = left.first(std::min(kRun, left.size()));
      encoder.run(ThreadId(1), run);
      left = left.subspan(run.size());
    }
    benchmark::DoNotOptimize(encoder.bytes());
  }
  per_item(state, s.blocks.size());
}

// A trace's events up to its millionth block or so: runs, as the recorder passes them on, and what stands between.
struct RecordedEvents {
  struct Part {
    ThreadId thread;
    size_t first = 0, steps = 0;
    Event then;  // kNone if there is none
  };
  trace::TraceFile file;
  std::vector<Part> parts;
  std::vector<uint64_t> words;
  std::vector<RunStep> steps;

  explicit RecordedEvents(const char* path) : file(trace::TraceFile::open(path)) {
    trace::Cursor cursor(file);
    for (Event e; steps.size() < kBlocks && cursor.next(e);) {
      if (!e.memory.empty() || !e.text.empty() || e.kind == EventKind::kPartial) continue;  // spans would not stay
      if (e.kind == EventKind::kBlock || follows_block(e))
        add_step(e);
      else if (parts.empty() || parts.back().then.kind != EventKind::kNone)
        parts.push_back({e.thread, steps.size(), 0, e});
      else
        parts.back().then = e;
    }
    const uint64_t* at = words.data();
    for (RunStep& s : steps)
      if (s.block) at = (s.words = at) + s.count;
  }

 private:
  bool follows_block(const Event& e) const {
    const bool bracket = e.kind == EventKind::kCall || e.kind == EventKind::kReturn;
    return bracket && !parts.empty() && parts.back().then.kind == EventKind::kNone && parts.back().steps > 0 &&
           parts.back().thread == e.thread && steps.back().block;
  }
  void add_step(const Event& e) {
    if (parts.empty() || parts.back().then.kind != EventKind::kNone || parts.back().thread != e.thread)
      parts.push_back({e.thread, steps.size(), 0, {}});
    ++parts.back().steps;
    RunStep s{e.block, static_cast<uint32_t>(e.block ? e.words.size() : static_cast<size_t>(e.kind)), {nullptr}};
    if (!e.block) s.sp = e.sp;
    steps.push_back(s);
    words.insert(words.end(), e.words.begin(), e.words.end());
  }
};

void recorded(benchmark::State& state, const char* path) {
  const RecordedEvents r(path);
  for (auto _ : state) {
    EpochEncoder encoder(r.file.blocks(), {.bytes = kMuch});
    for (const RecordedEvents::Part& p : r.parts) {
      encoder.run(p.thread, Steps(r.steps).subspan(p.first, p.steps));
      if (p.then.kind != EventKind::kNone) encoder.event(p.then);
    }
    benchmark::DoNotOptimize(encoder.bytes());
  }
  per_item(state, r.steps.size());
  state.counters["words_a_block"] = static_cast<double>(r.words.size()) / static_cast<double>(r.steps.size());
  state.counters["events_a_block"] = static_cast<double>(r.parts.size()) / static_cast<double>(r.steps.size());
}

const bool added = [] {
  const std::pair<const char*, Make> streams[] = {
      {"regular", regular}, {"irregular", irregular}, {"random", random_stream}};
  const std::pair<const char*, void (*)(benchmark::State&, Make)> parts[] = {
      {"stretches", stretches}, {"sequitur", sequitur}, {"address_streams", address_streams}, {"epoch", epoch}};
  for (const auto& [part, function] : parts)
    for (const auto& [name, make] : streams)
      benchmark::RegisterBenchmark((std::string("encoder/") + part + "/" + name).c_str(), function, make)
          ->Unit(benchmark::kMillisecond);
  if (const char* path = std::getenv("BENCH_TRACE"))
    benchmark::RegisterBenchmark("encoder/epoch/recorded", recorded, path)->Unit(benchmark::kMillisecond);
  return true;
}();

}  // namespace
