// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/compare/control_forms.h"

#include <array>

#include "cdrgrind/analysis/compare/plain_grammars.h"
#include "cdrgrind/analysis/compare/plain_sequitur.h"
#include "cdrgrind/analysis/compare/size_meter.h"
#include "cdrgrind/analysis/loops/nest_walk.h"
#include "cdrgrind/analysis/loops/optimal.h"
#include "cdrgrind/analysis/paths/strata_streams.h"
#include "cdrgrind/encode/sequitur.h"
#include "cdrgrind/encode/stretches.h"
#include "cdrgrind/format/columns.h"
#include "cdrgrind/trace/read/cursor.h"

namespace cdr::compare {

namespace {

uint64_t packed(std::span<const ByteWriter> columns) {
  Compressor compressor(19);
  return stored_size(columns, compressor);
}

uint64_t packed(const Grammar& grammar) {
  Compressor compressor(19);
  return packed_size(grammar, compressor);
}

template <SizeProgram program>
uint64_t by_program(const ControlFlow& flow, const BlockTable&) {
  SizeMeter meter(program, flow.raw_bytes());
  for (const auto& blocks : flow.threads)
    meter.add({reinterpret_cast<const uint8_t*>(blocks.data()), blocks.size() * sizeof(uint32_t)});
  const CompressedSizes sizes = meter.finish();
  return sizes.gzip + sizes.xz + sizes.zstd;
}

// A grammar for each thread, as the paper has it.
uint64_t by_plain_sequitur(const ControlFlow& flow, const BlockTable&) {
  uint64_t bytes = 0;
  for (const auto& blocks : flow.threads) {
    PlainSequitur sequitur;
    const uint32_t string = sequitur.open_string();
    for (const uint32_t b : blocks) sequitur.append(string, b);
    bytes += packed(sequitur.grammar());
  }
  return bytes;
}

// One grammar for all threads, as the encoder makes it.
uint64_t by_sequitur(const ControlFlow& flow, const BlockTable&) {
  Sequitur sequitur;
  for (const auto& blocks : flow.threads) {
    const uint32_t string = sequitur.open_string();
    for (const uint32_t b : blocks) sequitur.append(string, b);
  }
  return packed(sequitur.grammar());
}

// Gives each thread's stretches to begin() and add(stretch).
template <class To>
void cut_into_stretches(const ControlFlow& flow, Stretches& stretches, To& to) {
  for (const auto& blocks : flow.threads) {
    to.begin();
    Stretches::Open open;
    for (const uint32_t b : blocks)
      if (const uint32_t ended = stretches.advance(open, BlockId(b))) to.add(ended);
    if (const uint32_t ended = stretches.finish(open)) to.add(ended);
  }
}

// As the trace's own dictionary: a bit where a block is the one that followed the last time.
uint64_t dictionary_bytes(const Stretches& stretches) {
  std::array<ByteWriter, 3> columns;  // lengths, bits, the other blocks
  FlatMap<uint32_t, uint32_t> last;
  std::vector<BlockId> blocks;
  unsigned bits = 0, used = 0;
  for (uint32_t id = 1; id <= stretches.count(); ++id) {
    stretches.blocks_of(id, blocks);
    columns[0].varint(blocks.size());
    uint32_t before = 0;
    for (const BlockId b : blocks) {
      uint32_t& expected = last[before];
      if (expected == b.value)
        bits |= 1u << used;
      else
        columns[2].varint(b.value);
      if (++used == 8) columns[1].u8(static_cast<uint8_t>(bits)), bits = used = 0;
      expected = before = b.value;
    }
  }
  columns[1].u8(static_cast<uint8_t>(bits));
  return packed(columns);
}

struct ToGrammar {
  Sequitur sequitur;
  uint32_t string = 0;
  void begin() { string = sequitur.open_string(); }
  void add(uint32_t stretch) { sequitur.append(string, stretch); }
};

uint64_t by_stretches(const ControlFlow& flow, const BlockTable& blocks) {
  Stretches stretches(blocks);
  ToGrammar to;
  cut_into_stretches(flow, stretches, to);
  return dictionary_bytes(stretches) + packed(to.sequitur.grammar());
}

struct ToRuns {
  std::array<ByteWriter, 2> columns;  // stretches, counts
  uint32_t last = 0;
  uint64_t count = 0;
  void begin() { end(); }
  void add(uint32_t stretch) {
    if (stretch != last) end();
    last = stretch;
    ++count;
  }
  void end() {
    if (count) columns[0].varint(last), columns[1].varint(count);
    last = 0, count = 0;
  }
};

uint64_t by_stretch_runs(const ControlFlow& flow, const BlockTable& blocks) {
  Stretches stretches(blocks);
  ToRuns to;
  cut_into_stretches(flow, stretches, to);
  to.end();
  return dictionary_bytes(stretches) + packed(to.columns);
}

template <unsigned layers>
uint64_t by_strata(const ControlFlow& flow, const BlockTable&) {
  std::vector<ByteWriter> kept;
  const paths::StrataOptions options{.layers = layers};
  paths::StrataStreams streams(layers + 2, [&](unsigned stream, std::span<const uint8_t> bytes) {
    if (kept.size() <= stream) kept.resize(stream + 1);
    kept[stream].raw(bytes.data(), bytes.size());
  });
  paths::Strata strata(options, streams);
  for (uint32_t t = 0; t < flow.threads.size(); ++t)
    for (const uint32_t b : flow.threads[t]) strata.block(ThreadId(t + 1), b);
  strata.finish();
  streams.finish();
  return packed(kept);
}

uint64_t by_nest(const ControlFlow& flow, const BlockTable&) {
  std::vector<ByteWriter> kept(flow.threads.size());
  for (size_t t = 0; t < kept.size(); ++t) write_nest(flow.threads[t], kept[t]);
  return packed(kept);
}

constexpr FlowForm kForms[] = {
    {"gzip -9", by_program<kGzip>},       {"xz -9", by_program<kXz>},
    {"zstd -19", by_program<kZstd>},      {"SEQUITUR", by_plain_sequitur},
    {"run-length SEQUITUR", by_sequitur}, {"stretches, grammar", by_stretches},
    {"stretches, runs", by_stretch_runs}, {"strata 0", by_strata<0>},
    {"strata 0 to 4", by_strata<4>},      {"loop nest", by_nest},
};

uint64_t items_in(const loops::LoopNest& nest, const loops::Loop& loop) {
  uint64_t items = loop.period;
  for (const loops::Loop& inner : nest.children(loop)) items -= inner.span() - 1;
  return items;
}

struct NestWriter {
  const loops::LoopNest& nest;
  std::span<const uint32_t> blocks;
  ByteWriter& to;

  void symbol(uint32_t at) { to.varint(uint64_t{blocks[at]} << 1); }
  void open(const loops::Loop& loop) {
    to.varint(uint64_t{loop.count} << 1 | 1);
    to.varint(items_in(nest, loop));
  }
  void close(const loops::Loop&) {}
};

}  // namespace

uint64_t ControlFlow::blocks() const {
  uint64_t sum = 0;
  for (const auto& t : threads) sum += t.size();
  return sum;
}

ControlFlow read_control_flow(const trace::TraceFile& file, const analysis::Progress& progress) {
  constexpr uint64_t kBetween = 1 << 16;
  ControlFlow flow;
  trace::Cursor cursor(file);
  for (Event e; cursor.next(e);) {
    if (progress && cursor.index() % kBetween == 0) progress("reading", cursor.index(), file.event_count());
    if (e.kind != EventKind::kBlock && e.kind != EventKind::kPartial) continue;
    if (e.thread.value > flow.threads.size()) flow.threads.resize(e.thread.value);
    flow.threads[e.thread.value - 1].push_back(e.block.value);
  }
  std::erase_if(flow.threads, [](const auto& blocks) { return blocks.empty(); });
  return flow;
}

std::span<const FlowForm> control_forms() { return kForms; }

void write_nest(std::span<const uint32_t> blocks, ByteWriter& to) {
  const loops::LoopNest nest = loops::optimal_nest(blocks);
  NestWriter writer{nest, blocks, to};
  walk(nest, writer);
}

bool read_nest(std::span<const uint8_t> from, std::vector<uint32_t>& blocks) {
  struct Open {
    size_t begin;
    uint64_t count, left;  // items of the body that have not come
  };
  ByteReader in(from);
  std::vector<Open> open;
  while (!in.at_end()) {
    const uint64_t item = in.varint();
    if (!open.empty()) --open.back().left;
    if (item & 1)
      open.push_back({blocks.size(), item >> 1, in.varint()});
    else
      blocks.push_back(static_cast<uint32_t>(item >> 1));
    for (; !open.empty() && open.back().left == 0; open.pop_back()) {
      const std::vector<uint32_t> body(blocks.begin() + static_cast<ptrdiff_t>(open.back().begin), blocks.end());
      for (uint64_t n = 1; n < open.back().count; ++n) blocks.insert(blocks.end(), body.begin(), body.end());
    }
  }
  return in.ok() && open.empty();
}

}  // namespace cdr::compare
