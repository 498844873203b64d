// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/paths/cycle_table.h"

namespace cdr::paths {

void write_cycle(std::span<const Element> cycle, ByteWriter& to) {
  uint64_t before = 0;
  for (const Element& e : cycle) {
    to.varint(zigzag(static_cast<int64_t>(e.id - before)) << 1 | (e.count != 1));
    if (e.count != 1) to.varint(e.count);
    before = e.id;
  }
}

bool read_cycle(ByteReader& from, std::vector<Element>& to) {
  to.clear();
  uint64_t before = 0;
  while (!from.at_end()) {
    const uint64_t word = from.varint();
    before += static_cast<uint64_t>(unzigzag(word >> 1));
    to.push_back({before, word & 1 ? from.varint() : 1});
  }
  return from.ok();
}

std::pair<uint64_t, bool> CycleTable::id_of(std::span<const Element> cycle) {
  scratch_.clear();
  write_cycle(cycle, scratch_);
  const uint64_t end = end_id();
  const auto bytes = scratch_.bytes();
  const uint32_t number = texts_.id_of({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  return {first_ + number, first_ + number == end};
}

std::vector<Element> CycleTable::cycle(uint64_t id) const {
  ByteReader from(text(id));
  std::vector<Element> elements;
  read_cycle(from, elements);
  return elements;
}

void CycleTable::begin_epoch() {
  first_ = end_id();
  texts_ = analysis::NameTable();
  ++epochs_;
}

}  // namespace cdr::paths
