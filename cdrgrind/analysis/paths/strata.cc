// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/paths/strata.h"

#include <algorithm>

namespace cdr::paths {

namespace {

// 123456 as 123000.
uint64_t to_three_digits(uint64_t n) {
  uint64_t unit = 1;
  while (n / unit >= 1000) unit *= 10;
  return n / unit * unit;
}

}  // namespace

void Strata::open_thread(ThreadId thread) {
  while (threads_.size() <= thread.value) threads_.push_back(std::make_unique<Cutters>(levels_.size()));
}

void Strata::take(ThreadId thread, unsigned level, std::span<const Element> cycle, uint64_t count) {
  const Element e = {learn(level, cycle, count), count};
  if (level + 1 == levels_.size())
    sink_.top(thread, e);
  else
    (*threads_[thread.value])[level + 1].add(e, Up{*this, thread, level + 1});
}

uint64_t Strata::learn(unsigned level, std::span<const Element> cycle, uint64_t count) {
  Level& l = levels_[level];
  l.totals.executions += count;
  l.totals.repeated += 1;
  l.totals.elements += count * cycle.size();
  const auto [id, added] = l.table.id_of(cycle);
  if (added) {
    l.executions.push_back(count);
    l.lengths.push_back(static_cast<uint32_t>(cycle.size()));
    ++l.totals.unique;
    sink_.cycle(level, l.table.text(id));
    limit_tables();
  } else {
    l.executions[id - l.table.first_id()] += count;
  }
  return id;
}

void Strata::limit_tables() {
  size_t bytes = 0;
  for (const Level& l : levels_) bytes += l.bytes();
  most_bytes_ = std::max(most_bytes_, bytes);
  if (bytes <= options_.table_bytes) return;
  end_epoch(*std::max_element(levels_.begin(), levels_.end(),
                              [](const Level& a, const Level& b) { return a.bytes() < b.bytes(); }));
}

void Strata::end_epoch(Level& level) {
  for (size_t i = 0; i < level.executions.size(); ++i)
    ++level.points[{level.lengths[i], to_three_digits(level.executions[i])}];
  level.executions = {};
  level.lengths = {};
  level.table.begin_epoch();
}

void Strata::cut(ThreadId thread) {
  for (uint32_t t = 1; t < threads_.size(); ++t)
    if (!thread || thread.value == t) threads_[t]->front().finish(Up{*this, ThreadId(t), 0});
}

void Strata::finish() {
  for (uint32_t t = 1; t < threads_.size(); ++t)
    for (unsigned level = 0; level < levels_.size(); ++level)
      (*threads_[t])[level].finish(Up{*this, ThreadId(t), level});
  for (Level& l : levels_) end_epoch(l);
}

LayerTotals Strata::totals(unsigned level) const {
  LayerTotals totals = levels_[level].totals;
  totals.epochs = std::max<uint64_t>(1, levels_[level].table.epochs() - 1);
  return totals;
}

}  // namespace cdr::paths
