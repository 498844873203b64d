// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/depend/row_table.h"

namespace cdr::depend {

[[gnu::noinline]] RowIndex RowTable::add(RowIndex& place, const RowKey& key, const RowWitness& witness) {
  const auto row = static_cast<RowIndex>(entries_.size());
  place = row + 1;
  keys_.push_back(key);
  entries_.push_back({witness, step_, member_});
  tallies_.push_back({});
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

Key RowTable::key(RowIndex row, const CodeTable& codes) const {
  const RowKey& k = keys_[row];
  const auto rest = static_cast<uint32_t>(k.target_and_rest);
  Key key;
  key.ancestor = codes[static_cast<CodeIndex>(k.ancestor_and_source >> 32)];
  key.ancestor_hidden = rest & 1;
  key.source = {codes[static_cast<CodeIndex>(k.ancestor_and_source)], static_cast<EndpointCode>(rest >> 1 & 3)};
  key.target = {codes[static_cast<CodeIndex>(k.target_and_rest >> 32)], static_cast<EndpointCode>(rest >> 3 & 3)};
  key.location = static_cast<LocationClass>(rest >> 5 & 7);
  key.kind = static_cast<Kind>(rest >> 8);
  key.source_thread = ThreadId(static_cast<uint32_t>(k.threads >> 32));
  key.target_thread = ThreadId(static_cast<uint32_t>(k.threads));
  return key;
}

std::vector<PartRow> RowTable::rows(const CodeTable& codes) const {
  std::vector<PartRow> rows;
  rows.reserve(entries_.size());
  for (RowIndex i = 0; i < entries_.size(); ++i) {
    const RowDetail& e = entries_[i];
    const RowWitness& w = e.witness;
    const Witness witness{codes[w.source], codes[w.target], w.addr, w.width, e.step};
    rows.push_back({{key(i, codes), tallies_[i].count, witness}, {e.step, w.site, e.member}});
  }
  return rows;
}

}  // namespace cdr::depend
