// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/dependence/rows.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace cdr::analysis {

namespace {

using depend::EndpointCode;

enum class Fate : uint8_t { kListed, kClass, kHiddenEnd, kHiddenAncestor };

struct Judged {
  DependenceRow row;
  Fate fate = Fate::kListed;
};

auto order_of(const DependenceRow& r) {
  return std::tie(r.source, r.target, r.kind, r.location, r.ancestor, r.source_thread, r.target_thread);
}

RowEnd end_of(const depend::Endpoint& end, CodeNames& names) { return {names.line_of(end.at), end.code}; }

DependenceRow row_of(const depend::Row& from, CodeNames& names) {
  const depend::Key& key = from.key;
  DependenceRow row;
  row.source = end_of(key.source, names);
  row.target = end_of(key.target, names);
  row.kind = key.kind;
  row.location = letter(key.location);
  row.ancestor = names.function_of(key.ancestor);
  row.ancestor_at = key.ancestor;
  row.count = from.count;
  if (key.source_thread != key.target_thread) {
    row.source_thread = key.source_thread;
    row.target_thread = key.target_thread;
  }
  return row;
}

Fate fate_of(const depend::Key& key, const RowFilter& filter) {
  if (!filter.classes.contains(letter(key.location))) return Fate::kClass;
  if (filter.hidden) return Fate::kListed;
  if (key.source.code == EndpointCode::kHidden || key.target.code == EndpointCode::kHidden) return Fate::kHiddenEnd;
  return key.ancestor_hidden ? Fate::kHiddenAncestor : Fate::kListed;
}

void sort_and_sum(std::vector<Judged>& all) {
  std::stable_sort(all.begin(), all.end(), [](const Judged& a, const Judged& b) {
    return std::tuple_cat(order_of(a.row), std::tie(a.fate)) < std::tuple_cat(order_of(b.row), std::tie(b.fate));
  });
  size_t kept = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    if (kept > 0 && all[kept - 1].fate == all[i].fate && !before(all[kept - 1].row, all[i].row)) {
      DependenceRow& sum = all[kept - 1].row;
      sum.count += all[i].row.count;
      sum.keys.insert(sum.keys.end(), all[i].row.keys.begin(), all[i].row.keys.end());
    } else {
      all[kept++] = all[i];
    }
  }
  all.resize(kept);
}

void add(RowCount& to, const DependenceRow& row) {
  ++to.rows;
  to.dependences += row.count;
}

// The count that a row belongs to, or null if it is listed.
RowCount* place_of(const Judged& judged, const RowFilter& filter, LeftOut& left_out) {
  switch (judged.fate) {
    case Fate::kClass:
      return &left_out.by_class[judged.row.location];
    case Fate::kHiddenEnd:
      return &left_out.hidden_end;
    case Fate::kHiddenAncestor:
      return &left_out.hidden_ancestor;
    case Fate::kListed:
      break;
  }
  return judged.row.count < filter.threshold ? &left_out.below_threshold : nullptr;
}

}  // namespace

bool before(const DependenceRow& a, const DependenceRow& b) { return order_of(a) < order_of(b); }

std::string_view name_of(depend::Kind kind) {
  constexpr std::string_view names[depend::kKindCount] = {"RAW", "WAR", "WAW"};
  return names[static_cast<uint8_t>(kind)];
}

DependenceRows rows_by_line(std::span<const depend::Row> table, CodeNames& names, const RowFilter& filter) {
  std::vector<Judged> all;
  for (const depend::Row& key_row : table) {
    if (!filter.kinds.contains(key_row.key.kind)) continue;
    Judged judged = {row_of(key_row, names), fate_of(key_row.key, filter)};
    judged.row.keys = {static_cast<uint32_t>(&key_row - table.data())};
    if (!filter.accept || filter.accept(judged.row)) all.push_back(std::move(judged));
  }
  sort_and_sum(all);
  DependenceRows result;
  for (Judged& judged : all) {
    if (RowCount* place = place_of(judged, filter, result.left_out))
      add(*place, judged.row);
    else
      result.rows.push_back(std::move(judged.row));
  }
  for (DependenceRow& row : result.rows)
    std::stable_sort(row.keys.begin(), row.keys.end(),
                     [&](uint32_t a, uint32_t b) { return table[a].count > table[b].count; });
  return result;
}

void keep_most(DependenceRows& rows, uint64_t most) {
  if (rows.rows.size() <= most) return;
  std::vector<uint32_t> order(rows.rows.size());
  for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return rows.rows[a].count > rows.rows[b].count; });
  order.resize(most);
  std::sort(order.begin(), order.end());
  RowCount& left_out = rows.left_out.beyond_most;
  left_out.rows += rows.rows.size() - most;
  for (const DependenceRow& row : rows.rows) left_out.dependences += row.count;
  std::vector<DependenceRow> kept;
  for (const uint32_t i : order) {
    left_out.dependences -= rows.rows[i].count;
    kept.push_back(std::move(rows.rows[i]));
  }
  rows.rows = std::move(kept);
}

}  // namespace cdr::analysis
