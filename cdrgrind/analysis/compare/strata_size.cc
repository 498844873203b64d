// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/compare/strata_size.h"

#include <algorithm>

namespace cdr::compare {

MeasuredStrata::MeasuredStrata(const paths::StrataOptions& options, const paths::BasicBlocks& blocks)
    : blocks_(blocks),
      streams_(options.layers + 2, [this](unsigned stream, std::span<const uint8_t> b) { measure(stream, b); }),
      strata_(options, streams_) {}

void MeasuredStrata::measure(unsigned stream, std::span<const uint8_t> bytes) {
  while (meters_.size() <= stream) meters_.emplace_back(kGzip);
  used_.resize(meters_.size());
  if (bytes.empty()) return;
  used_[stream] = true;
  meters_[stream].add(bytes);
}

StrataSizes MeasuredStrata::finish() {
  strata_.finish();
  streams_.finish();
  StrataSizes sizes{.blocks = block_bytes(), .levels = {}, .top = 0};
  for (unsigned s = 0; s < meters_.size(); ++s) {
    const uint64_t bytes = used_[s] ? meters_[s].finish().gzip : 0;
    if (s < strata_.levels())
      sizes.levels.push_back(bytes);
    else
      sizes.top += bytes;
  }
  return sizes;
}

unsigned MeasuredStrata::threads() const {
  const auto first = used_.begin() + std::min<ptrdiff_t>(strata_.levels(), std::ssize(used_));
  return static_cast<unsigned>(std::count(first, used_.end(), true));
}

uint64_t MeasuredStrata::block_bytes() const {
  ByteWriter table;
  uint64_t before = 0;
  for (uint32_t i = 0; i < blocks_.size(); ++i) {
    const Superblock& sb = blocks_.superblock(i);
    table.delta(sb.addr, before);
    table.varint(sb.module.value);
    table.varint(blocks_[i].insns);
    for (uint32_t k = 0; k < blocks_[i].insns; ++k) table.u8(sb.insns[k].length);
    before = sb.addr;
  }
  return sizes_of(table.bytes(), kGzip).gzip;
}

}  // namespace cdr::compare
