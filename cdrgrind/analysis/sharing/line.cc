// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/sharing/line.h"

#include <algorithm>

namespace cdr::sharing {

uint32_t Line::slot(ThreadId t) {
  for (uint32_t i = 0; i < threads_.size(); ++i)
    if (threads_[i].thread == t) return i;
  LineThread one;
  one.thread = t;
  one.seen = ~uint64_t{0};  // never
  threads_.push_back(one);
  return static_cast<uint32_t>(threads_.size() - 1);
}

// Cells become so small that the access covers whole ones.
void Line::refine(uint32_t offset, uint32_t width) {
  uint8_t shift = shift_;
  while ((offset | width) & ((1u << shift) - 1)) --shift;
  if (shift == shift_) return;
  const uint32_t times = 1u << (shift_ - shift);
  std::vector<Cell> cells;
  cells.reserve(cells_.size() * times);
  for (const Cell& c : cells_) {
    cells.insert(cells.end(), times, c);
    // What stands behind its beginning may be another variable.
    for (uint32_t i = 1; i < times; ++i) cells[cells.size() - i].group = 0;
  }
  std::set<std::pair<uint32_t, uint32_t>> far;
  for (const auto& [cell, slot] : far_)
    for (uint32_t i = 0; i < times; ++i) far.emplace(cell * times + i, slot);
  cells_ = std::move(cells);
  far_ = std::move(far);
  shift_ = shift;
}

void Line::touch_copy(uint32_t me, const LinePiece& p) {
  LineThread& t = threads_[me];
  const bool cold = t.loads + t.stores == 0;
  const bool good = !cold && t.seen == version_;
  if (!cold && !good) {
    ++t.misses;
    t.lost = t.seen;
    t.judged = false;
  }
  t.seen = version_;
  ++(p.store ? t.stores : t.loads);
  LineBytes& bytes = p.store ? t.stored : t.loaded;
  for (uint32_t i = p.offset; i < p.offset + p.width; ++i) bytes.set(i);
  if (!p.store) return;
  bool others_have = false, others_had = false;
  for (const LineThread& o : threads_) {
    others_had |= o.thread != t.thread;
    others_have |= o.thread != t.thread && o.seen == version_;
  }
  upgrades_ += good && others_have;
  updates_ += others_had;
  ++version_;
}

bool Line::touched_by_others(const Cell& c, uint32_t cell, uint32_t me) const {
  const uint64_t near = me < 64 ? c.touched & ~(uint64_t{1} << me) : c.touched;
  if (near) return true;
  if (!c.far) return false;
  for (auto f = far_.lower_bound({cell, 0}); f != far_.end() && f->first == cell; ++f)
    if (f->second != me) return true;
  return false;
}

void Line::set_touched(Cell& c, uint32_t cell, uint32_t me) {
  if (me < 64) {
    c.touched |= uint64_t{1} << me;
    return;
  }
  c.far = true;
  far_.emplace(cell, me);
}

void Line::clear_touched(Cell& c, uint32_t cell) {
  c.touched = 0;
  if (c.far) far_.erase(far_.lower_bound({cell, 0}), far_.lower_bound({cell + 1, 0}));
  c.far = false;
}

void Line::store(Cell& c, uint32_t cell, uint32_t me, const LinePiece& p, PieceEffect& effect) {
  const bool mine = c.writer == me + 1;
  const bool read = touched_by_others(c, cell, me);
  effect.begins_run |= !mine || read;
  if (cell == p.offset >> shift_) effect.repeats = mine;
  effect.read_between |= mine && read;
  clear_touched(c, cell);
  set_touched(c, cell, me);
  c.writer = static_cast<uint16_t>(me + 1);
  c.version = version_;
  c.site = p.site;
}

void Line::forget(uint32_t offset, uint32_t width) {
  refine(offset, width);
  for (uint32_t c = offset >> shift_; c < (offset + width) >> shift_; ++c) {
    clear_touched(cells_[c], c);
    cells_[c] = {};
  }
}

uint64_t Line::misses() const {
  uint64_t n = 0;
  for (const LineThread& t : threads_) n += t.misses;
  return n;
}

uint64_t Line::false_misses() const {
  uint64_t n = 0;
  for (const LineThread& t : threads_) n += t.misses - t.true_misses;
  return n;
}

}  // namespace cdr::sharing
