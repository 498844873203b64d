// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/compare/comparison.h"

#include <map>
#include <numeric>
#include <set>

#include "cdrgrind/analysis/compare/raw_trace.h"
#include "cdrgrind/analysis/compare/shared_data.h"
#include "cdrgrind/trace/read/replay.h"
#include "tests/unit/catch.h"
#include "tests/unit/trace/small_program.h"

using namespace cdr;
using namespace cdr::compare;
using namespace cdr::test;

namespace {

constexpr size_t kMuch = 1 << 30;

GrammarSize encoded(StreamEncoder::Way way, const std::vector<uint64_t>& addresses) {
  StreamEncoder e(way, kMuch);
  for (const uint64_t a : addresses) e.add(0, a);
  e.close();
  return e.size(0);
}

RecordingOptions compact() {
  RecordingOptions o;
  o.form = RecordingForm::kCompact;
  return o;
}

// Two threads in turns: `rounds` times a block with a load and a store 64 bytes behind, over an array each; the last
// element of the first thread's is the first of the second's.
SmallProgram two_sweeps(uint32_t rounds) {
  SmallProgram p = small_program();
  p.events.resize(p.find(EventKind::kThreadStart, 0, 1) + 1);
  const auto add = [&](uint32_t thread, uint64_t word) {
    p.events.emplace_back(block_of(thread, kLoopAgain, {&word, 1}));
  };
  for (uint32_t thread : {1u, 2u}) {
    p.events.emplace_back(event_of(EventKind::kTurn, thread));
    for (uint32_t i = 0; i < rounds; ++i) add(thread, 0x10000 * thread + 8 * i);
    add(thread, 0x50000);
  }
  return p;
}

}  // namespace

TEST_CASE("a grammar of the paper's abcabc takes five symbols and two rules") {
  PlainGrammars g(kMuch, true);
  for (const char c : std::string("abcabc")) g.append(3, static_cast<uint32_t>(c));
  g.close();
  CHECK(g.size(3).symbols == 5);
  CHECK(g.size(3).rules == 2);
  CHECK(g.size(3).terminals == 3);
  CHECK(g.size(3).bytes() == 4 * 7);
  CHECK(g.size(3).bytes(true) == 4 * 10);
  CHECK(g.size(3).packed > 0);
  CHECK(g.size(0).bytes() == 0);
  CHECK(g.restarts() == 0);
}

TEST_CASE("grammars that take more than they may begin anew, and the sizes are summed") {
  PlainGrammars g(20000);
  for (uint32_t i = 0; i < 2000; ++i) g.append(i % 2, i);
  g.close();
  CHECK(g.restarts() > 0);
  CHECK(g.size(0).symbols == 1000);
  CHECK(g.size(1).symbols == 1000);
  CHECK(g.size(0).rules == g.restarts() + 1);
}

TEST_CASE("Diff, RLE and SEQ of the paper's sequence of addresses") {
  // 10, 14, 18, 22, 42 is 10, 4, 4, 4, 20, hence 10^1 4^3 20^1.
  const std::vector<uint64_t> addresses = {10, 14, 18, 22, 42};
  CHECK(encoded(StreamEncoder::kSeq, addresses).symbols == 5);
  CHECK(encoded(StreamEncoder::kRleSeq, addresses).symbols == 5);
  const GrammarSize all = encoded(StreamEncoder::kDiffRleSeq, addresses);
  CHECK(all.symbols == 3);
  CHECK(all.rules == 1);
  CHECK(all.bytes(true) == 4 * 4 + 4 * 3);
}

TEST_CASE("rows of a matrix are one run each, and equal rows one rule") {
  // 8 rows of 10 elements, 1000 bytes apart: the first address, 8^9, then 7 times 928^1 8^9.
  std::vector<uint64_t> addresses;
  for (uint64_t row = 0; row < 8; ++row)
    for (uint64_t i = 0; i < 10; ++i) addresses.push_back(0x5000 + 1000 * row + 8 * i);
  CHECK(encoded(StreamEncoder::kSeq, addresses).symbols == 80);
  const GrammarSize g = encoded(StreamEncoder::kDiffRleSeq, addresses);
  CHECK(g.symbols < 14);
  CHECK(g.rules > 1);
}

TEST_CASE("equal addresses are one run") {
  const std::vector<uint64_t> addresses(1000, 0x5000);
  CHECK(encoded(StreamEncoder::kRleSeq, addresses).symbols == 1);
  CHECK(encoded(StreamEncoder::kDiffRleSeq, addresses).symbols == 2);
}

TEST_CASE("a count takes as few whole bytes as the largest one needs") {
  CHECK(count_bytes(10, 0) == 10);
  CHECK(count_bytes(10, 255) == 10);
  CHECK(count_bytes(10, 256) == 20);
  CHECK(count_bytes(10, 65536) == 30);
}

TEST_CASE("what threads share is found and counted") {
  const auto file = open_bytes(two_sweeps(100).bytes(compact()));
  const Comparison c = comparison_of(file);
  std::map<uint64_t, std::set<uint32_t>> touched;
  std::vector<std::tuple<uint32_t, uint64_t, uint64_t>> accesses;
  trace::Cursor cursor(file);
  for (Event e; cursor.next(e);) {
    for (const MemorySpan& m : e.memory)
      for (uint64_t b = 0; b < m.size; ++b) touched[m.addr + b].insert(e.thread.value);
    if (e.kind != EventKind::kBlock && e.kind != EventKind::kPartial) continue;
    for (const Access& a : trace::extent_of(e, file.blocks()).accesses)
      if (happened(a, e.words)) accesses.push_back({e.thread.value, address_of(a, e.words), a.width});
  }
  for (const auto& [thread, addr, size] : accesses)
    for (uint64_t b = 0; b < size; ++b) touched[addr + b].insert(thread);
  std::map<uint32_t, uint64_t> shared;
  for (const auto& [thread, addr, size] : accesses) {
    bool any = false;
    for (uint64_t b = 0; b < size; ++b) any |= touched[addr + b].size() > 1;
    shared[thread] += any;
  }
  REQUIRE(c.threads.size() == 3);
  CHECK(c.all().accesses == accesses.size());
  CHECK(shared[2] >= 2);
  for (const uint32_t t : {1u, 2u}) CHECK(c.threads[t].shared_accesses == shared[t]);
  CHECK(c.threads[2].blocks == 101);
  // S -> A … with a rule for each power of two; far from one symbol a block.
  CHECK(c.threads[2].cor.symbols < 30);
}

TEST_CASE("the groups of frames add up to the file") {
  for (const RecordingForm form : {RecordingForm::kPlain, RecordingForm::kCompact}) {
    RecordingOptions options;
    options.form = form;
    const auto bytes = two_sweeps(1000).bytes(options);
    const Comparison c = comparison_of(open_bytes(bytes));
    CHECK(c.file.whole == bytes.size());
    CHECK(std::accumulate(c.file.groups.begin(), c.file.groups.end(), uint64_t{0}) == bytes.size());
    uint64_t framed = kFileHeaderBytes;
    for (const FrameSize& f : c.file.types) framed += f.bytes;
    CHECK(framed == bytes.size());
    CHECK(c.rewritten == (form == RecordingForm::kPlain));
    CHECK(c.file[FrameGroup::kTables] > 3 * kFrameHeaderBytes);
    CHECK(c.file.kernel() == bytes.size() - c.file[FrameGroup::kTables]);
    CHECK(c.compact[FrameGroup::kControl] > kFrameHeaderBytes);
    CHECK(c.compact[FrameGroup::kEvents] == 0);
    CHECK(c.compact.epochs == 1);
  }
}

TEST_CASE("what a plain file would take in the compact form is what the compact file takes") {
  const SmallProgram p = two_sweeps(1000);
  const Comparison plain = comparison_of(open_bytes(p.bytes())),
                   compacted = comparison_of(open_bytes(p.bytes(compact())));
  CHECK(plain.compact.whole == compacted.file.whole);
  CHECK(plain.compact.groups == compacted.file.groups);
  CHECK(plain.grammar_control == compacted.grammar_control);
  CHECK(plain.streams.zstd_together == compacted.streams.zstd_together);
}

TEST_CASE("paths as grammars are measured also when the file has lists of runs") {
  RecordingOptions runs = compact(), grammar = compact();
  runs.control = ControlForm::kRuns;
  grammar.control = ControlForm::kGrammar;
  const SmallProgram p = two_sweeps(1000);
  const Comparison as_runs = comparison_of(open_bytes(p.bytes(runs))),
                   as_grammar = comparison_of(open_bytes(p.bytes(grammar)));
  CHECK(as_runs.compact.run_epochs == 1);
  CHECK(as_runs.compact.grammar_symbols == 0);
  CHECK(as_grammar.compact.run_epochs == 0);
  CHECK(as_grammar.compact.grammar_symbols > 0);
  CHECK(as_runs.grammar_control == as_grammar.file[FrameGroup::kControl]);
}

TEST_CASE("the raw trace is each thread's blocks or addresses, whatever is kept at a time") {
  const auto file = open_bytes(two_sweeps(3000).bytes());
  const Comparison c = comparison_of(file);
  for (const RawPart part : {RawPart::kControl, RawPart::kAddresses}) {
    std::map<uint32_t, std::vector<uint32_t>> naive;
    trace::Cursor cursor(file);
    for (Event e; cursor.next(e);) {
      if (e.kind != EventKind::kBlock && e.kind != EventKind::kPartial) continue;
      auto& to = naive[e.thread.value];
      if (part == RawPart::kControl)
        to.push_back(e.block.value);
      else
        for (const Access& a : trace::extent_of(e, file.blocks()).accesses)
          if (happened(a, e.words)) to.push_back(static_cast<uint32_t>(address_of(a, e.words)));
    }
    std::vector<uint32_t> want;
    for (const auto& [thread, words] : naive) want.insert(want.end(), words.begin(), words.end());
    for (const size_t batch : {size_t{1}, kMuch}) {
      std::vector<uint8_t> got;
      read_raw(file, part, c.threads, batch, {},
               [&](auto piece) { got.insert(got.end(), piece.begin(), piece.end()); });
      REQUIRE(got.size() == 4 * want.size());
      CHECK(std::equal(got.begin(), got.end(), reinterpret_cast<const uint8_t*>(want.data())));
    }
  }
  CHECK(c.control.raw == c.all().raw_control());
  CHECK(c.addresses.raw == c.all().raw_addresses());
}

TEST_CASE("streams are compared alike whatever is kept at a time") {
  const auto file = open_bytes(two_sweeps(5000).bytes(compact()));
  ComparisonOptions little;
  little.batch_bytes = 1;
  const StreamComparison a = comparison_of(file).streams, b = comparison_of(file, {}, little).streams;
  uint64_t words = 0;
  trace::Cursor cursor(file);
  for (Event e; cursor.next(e);)
    if (e.kind == EventKind::kBlock) words += e.words.size();
  CHECK(a.words == words);
  CHECK(a.zstd_together == b.zstd_together);
  CHECK(a.zstd_apart == b.zstd_apart);
  CHECK(a.long_streams == 2);
  CHECK(b.long_streams == 2);
  CHECK(a.larger == 0);
  CHECK(a.largest_ratio == b.largest_ratio);
  CHECK(a.largest_ratio > 0);
}
