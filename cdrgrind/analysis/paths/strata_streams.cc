// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/paths/strata_streams.h"

#include <stdexcept>

namespace cdr::paths {

namespace {

using Cycles = std::vector<std::vector<Element>>;  // by id

Cycles cycles_of(std::span<const uint8_t> stream) {
  ByteReader from(stream);
  Cycles cycles;
  while (!from.at_end()) {
    ByteReader text(from.raw(from.varint()));
    if (!from.ok() || !read_cycle(text, cycles.emplace_back())) throw std::invalid_argument("not a stream of cycles");
  }
  return cycles;
}

const std::vector<Element>& cycle_at(const Cycles& cycles, uint64_t id) {
  if (id >= cycles.size()) throw std::invalid_argument("a cycle that is not there");
  return cycles[id];
}

// One level down.
std::vector<Element> unfolded(const std::vector<Element>& sequence, const Cycles& cycles) {
  std::vector<Element> below;
  for (const Element& e : sequence)
    for (uint64_t n = 0; n < e.count; ++n) {
      const auto& cycle = cycle_at(cycles, e.id);
      below.insert(below.end(), cycle.begin(), cycle.end());
    }
  return below;
}

std::vector<Element> top_of(std::span<const uint8_t> stream) {
  ByteReader from(stream);
  std::vector<Element> sequence;
  for (uint64_t id = 0; !from.at_end();) {
    id = from.delta(id);
    sequence.push_back({id, from.varint()});
  }
  if (!from.ok()) throw std::invalid_argument("not a sequence of repeated cycles");
  return sequence;
}

}  // namespace

void StrataStreams::cycle(unsigned level, std::span<const uint8_t> text) {
  streams_[level].varint(text.size());
  streams_[level].raw(text.data(), text.size());
  pass_on(level);
}

void StrataStreams::top(ThreadId thread, Element e) {
  if (thread.value > tops_.size()) {
    tops_.resize(thread.value);
    streams_.resize(levels_ + thread.value);
  }
  const unsigned stream = levels_ + thread.value - 1;
  streams_[stream].delta(e.id, tops_[thread.value - 1]);
  streams_[stream].varint(e.count);
  tops_[thread.value - 1] = e.id;
  pass_on(stream);
}

void StrataStreams::pass_on(unsigned stream) {
  constexpr size_t kPiece = 64 << 10;
  if (streams_[stream].size() < kPiece) return;
  write_(stream, streams_[stream].bytes());
  streams_[stream].clear();
}

void StrataStreams::finish() {
  for (unsigned s = 0; s < streams_.size(); ++s) write_(s, streams_[s].bytes());
}

std::vector<uint32_t> unfold_strata(std::span<const std::vector<uint8_t>> levels, std::span<const uint8_t> top) {
  std::vector<Element> sequence = top_of(top);
  for (size_t level = levels.size(); level-- > 0;) sequence = unfolded(sequence, cycles_of(levels[level]));
  std::vector<uint32_t> blocks;
  for (const Element& e : sequence) blocks.insert(blocks.end(), e.count, static_cast<uint32_t>(e.id));
  return blocks;
}

}  // namespace cdr::paths
