// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/regions/parted_regions.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "cdrgrind/analysis/regions/replay.h"

namespace cdr::regions {
namespace {

auto key_of(const CarriedRow& r) { return std::tuple(r.loop, r.context, r.kind, r.source, r.target, r.object); }
auto key_of(const Escape& e) { return std::tuple(e.loop, e.store); }
auto key_of(const EntryRead& e) { return std::tuple(e.loop, e.load); }
auto key_of(const Flow& f) { return f; }
auto key_of(const Between& b) { return std::tuple(b.from, b.to, b.kind, b.source, b.target); }

// all[order[i]] comes to i.
template <class T>
void permute(std::vector<T>& all, std::vector<uint32_t> order) {
  for (uint32_t first = 0; first < order.size(); ++first) {
    if (order[first] == first) continue;
    T held = std::move(all[first]);
    uint32_t to = first;
    for (uint32_t from = order[to]; from != first; from = order[to]) {
      all[to] = std::move(all[from]);
      order[to] = to;
      to = from;
    }
    all[to] = std::move(held);
    order[to] = to;
  }
}

// By their keys; of the same as they were.
template <class T>
void sort_by_key(std::vector<T>& all) {
  std::vector<std::pair<decltype(key_of(all[0])), uint32_t>> keys;
  keys.reserve(all.size());
  for (const T& x : all) keys.emplace_back(key_of(x), static_cast<uint32_t>(keys.size()));
  std::sort(keys.begin(), keys.end());
  std::vector<uint32_t> order;
  order.reserve(all.size());
  for (const auto& [key, at] : keys) order.push_back(at);
  keys = {};
  permute(all, std::move(order));
}

// By their keys, each once: add(kept, another) of those that are the same.
template <class T, class F>
void unite(std::vector<T>& all, F add) {
  sort_by_key(all);
  size_t kept = 0;
  for (size_t i = 0; i < all.size(); ++i)
    if (kept > 0 && key_of(all[kept - 1]) == key_of(all[i]))
      add(all[kept - 1], all[i]);
    else if (kept++ != i)
      all[kept - 1] = std::move(all[i]);
  all.resize(kept);
}

void add_row(CarriedRow& to, const CarriedRow& r) {
  to.lowest = std::min(to.lowest, r.lowest);
  to.highest = std::max(to.highest, r.highest);
  to.widest = std::max(to.widest, r.widest);
  to.count += r.count;
  to.distances.add(r.distances);
  to.read_own += r.read_own;
  to.read_before += r.read_before;
  to.interval = std::max(to.interval, r.interval);
}

void add_entry(EntryRead& to, const EntryRead& e) {
  if (to.object != e.object) to.object = {};
  to.lowest = std::min(to.lowest, e.lowest);
  to.highest = std::max(to.highest, e.highest);
}

void add_between(Between& to, const Between& b) {
  if (std::tie(b.time, b.addr) < std::tie(to.time, to.addr)) to = b;
}

void renumber(Object& o, std::span<const uint32_t> variables) {
  if (o.kind == Object::Kind::kStatic) o.id = variables[o.id];
}

template <class T>
void append(std::vector<T>& to, std::vector<T> more) {
  if (to.empty())
    to = std::move(more);
  else
    to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

uint32_t PartedRegions::number_of(const CarriedRow& row, const RowEnds& ends) {
  const auto [known, is_new] = numbers_.try_emplace(key_of(row), static_cast<uint32_t>(rows_.size()));
  if (is_new) {
    ends_.push_back(ends_numbers_.try_emplace(ends, static_cast<uint32_t>(ends_numbers_.size())).first->second);
    CarriedRow empty;
    std::tie(empty.loop, empty.context, empty.kind, empty.source, empty.target, empty.object) = key_of(row);
    rows_.push_back(empty);
  }
  return known->second;
}

// Of the rows that have the same ends, the one of the access's first bytes counts, by the nearest source of all.
void PartedRegions::count(std::span<const std::vector<CrossingHit>> parts) {
  std::vector<CrossingHit> all;
  for (const auto& part : parts) append(all, part);
  const auto ends_of = [&](const CrossingHit& h) { return std::pair(h.access, ends_[h.row]); };
  std::sort(all.begin(), all.end(), [&](const CrossingHit& x, const CrossingHit& y) {
    return std::tuple(ends_of(x), x.addr) < std::tuple(ends_of(y), y.addr);
  });
  for (auto first = all.begin(); first != all.end();) {
    auto next = first;
    uint64_t distance = first->distance;
    for (; next != all.end() && ends_of(*next) == ends_of(*first); ++next)
      distance = std::min(distance, next->distance);
    CarriedRow& row = rows_[first->row];
    ++row.count;
    row.distances.add(distance);
    first = next;
  }
}

Regions PartedRegions::take(std::span<Replay* const> parts, StaticData& statics) {
  std::vector<std::vector<CallEnd>> ends;
  for (Replay* const p : parts) {
    append(rows_, std::move(p->result().rows));
    ends.push_back(p->calls().ends());
  }
  std::vector<Escape> escapes;
  for (Replay* const p : parts) append(escapes, p->rows().escapes(rows_));
  Regions all = std::move(parts[0]->result());
  all.escapes = std::move(escapes);
  for (Replay* const p : parts.subspan(1)) {
    append(all.entry_reads, std::move(p->result().entry_reads));
    append(all.flows, std::move(p->result().flows));
    append(all.between, std::move(p->result().between));
    for (SiteIndex s = 1; s < all.contexts.site_count(); ++s) {
      uint8_t& most = all.contexts.site(s).changing;
      most = std::max(most, p->result().contexts.site(s).changing);
    }
  }
  all.rows = std::move(rows_);
  const std::vector<uint32_t> variables = statics.number_by_address();
  for (CarriedRow& r : all.rows) renumber(r.object, variables);
  for (EntryRead& e : all.entry_reads) renumber(e.object, variables);
  for (Between& b : all.between) renumber(b.object, variables);
  unite(all.rows, add_row);
  unite(all.entry_reads, add_entry);
  unite(all.flows, [](Flow&, const Flow&) {});
  unite(all.between, add_between);
  unite(all.escapes, [](Escape& to, const Escape& e) {
    to.by_last |= e.by_last;
    to.by_others |= e.by_others;
  });
  all.callers = parts[0]->calls().tape().count(ends);
  return all;
}

}  // namespace cdr::regions
