// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/depend/part_results.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace cdr::depend {

uint64_t PartResults::KeyHash::operator()(const Key& k) const {
  uint64_t h = 0;
  const auto add = [&](uint64_t x) { h = mix64(h ^ x) + 0x9e3779b97f4a7c15u; };
  for (const CodeAddr& at : {k.ancestor, k.source.at, k.target.at}) {
    add(at.module.value);
    add(at.addr);
  }
  add(static_cast<uint64_t>(k.source.code) | static_cast<uint64_t>(k.target.code) << 8 |
      static_cast<uint64_t>(k.location) << 16 | static_cast<uint64_t>(k.kind) << 24 |
      static_cast<uint64_t>(k.ancestor_hidden) << 32);
  add(uint64_t{k.source_thread.value} << 32 | k.target_thread.value);
  return h;
}

uint32_t PartResults::number_of(const Key& key) {
  const auto [number, added] = numbers_.insert(key);
  if (added) {
    *number = static_cast<uint32_t>(rows_.size());
    rows_.push_back({{key, 0, {}}, {~uint64_t{0}}});
  }
  return *number;
}

std::vector<Key> PartResults::keys_from(uint32_t number) const {
  std::vector<Key> keys;
  for (size_t i = number; i < rows_.size(); ++i) keys.push_back(rows_[i].row.key);
  return keys;
}

void PartResults::count(std::span<const std::vector<CrossingHit>> parts) {
  std::vector<size_t> at(parts.size());
  std::vector<RowIndex> rows;
  for (;;) {
    uint64_t next = ~uint64_t{0};
    for (size_t p = 0; p < parts.size(); ++p)
      if (at[p] < parts[p].size()) next = std::min(next, parts[p][at[p]].access);
    if (next == ~uint64_t{0}) return;
    rows.clear();
    for (size_t p = 0; p < parts.size(); ++p)
      for (; at[p] < parts[p].size() && parts[p][at[p]].access == next; ++at[p]) rows.push_back(parts[p][at[p]].row);
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    for (const RowIndex r : rows) ++rows_[r].row.count;
  }
}

void PartResults::add(std::span<const PartRow> part) {
  const auto time = [](const PartRow& r) { return std::tuple(r.first, r.row.witness.addr); };
  for (const PartRow& r : part) {
    PartRow& all = rows_[number_of(r.row.key)];
    all.row.count += r.row.count;
    if (all.first.step != ~uint64_t{0} && time(all) <= time(r)) continue;
    all.row.witness = r.row.witness;
    all.first = r.first;
  }
}

ResultTable PartResults::table(uint32_t granularity, const Stats& stats) const {
  std::vector<Row> rows;
  for (const PartRow& r : rows_)
    if (r.row.count > 0) rows.push_back(r.row);
  for (Row& r : rows) r.witness.source = CodeAddr();
  return ResultTable(std::move(rows), granularity, {.accesses = stats.accesses, .imprecise = stats.imprecise});
}

}  // namespace cdr::depend
