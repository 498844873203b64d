// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/depend/row_table.h"

namespace cdr::depend {

[[gnu::noinline]] RowIndex RowTable::add(RowIndex& place, const RowKey& key, const RowWitness& witness) {
  const auto row = static_cast<RowIndex>(entries_.size());
  place = row + 1;
  keys_.push_back(key);
  entries_.push_back({0, witness});
  counts_.push_back(0);
  if (2 * entries_.size() > table_.size()) {
    table_.assign(2 * table_.size(), 0);
    mask_ = table_.size() - 1;
    for (size_t i = 0; i < keys_.size(); ++i) {
      uint64_t at = hash(keys_[i]);
      while (table_[at & mask_] != 0) ++at;
      table_[at & mask_] = static_cast<RowIndex>(i + 1);
    }
  }
  return row;
}

std::vector<Row> RowTable::rows(const CodeTable& codes) const {
  std::vector<Row> rows;
  rows.reserve(entries_.size());
  for (size_t i = 0; i < entries_.size(); ++i) {
    const RowKey& k = keys_[i];
    const RowWitness& w = entries_[i].witness;
    const auto rest = static_cast<uint32_t>(k.target_and_rest);
    Row r;
    r.key.ancestor = codes[static_cast<CodeIndex>(k.ancestor_and_source >> 32)];
    r.key.ancestor_hidden = rest & 1;
    r.key.source = {codes[static_cast<CodeIndex>(k.ancestor_and_source)], static_cast<EndpointCode>(rest >> 1 & 3)};
    r.key.target = {codes[static_cast<CodeIndex>(k.target_and_rest >> 32)], static_cast<EndpointCode>(rest >> 3 & 3)};
    r.key.location = static_cast<LocationClass>(rest >> 5 & 7);
    r.key.kind = static_cast<Kind>(rest >> 8);
    r.key.source_thread = ThreadId(static_cast<uint32_t>(k.threads >> 32));
    r.key.target_thread = ThreadId(static_cast<uint32_t>(k.threads));
    r.count = counts_[i];
    r.witness = {codes[w.source], codes[w.target], w.addr, w.width};
    rows.push_back(r);
  }
  return rows;
}

}  // namespace cdr::depend
