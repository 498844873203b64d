// SPDX-License-Identifier: GPL-2.0-or-later
// One line of memory that several threads touch, as each of them would have it in a cache of its own that never
// forgets.
//
// Two things are followed. The *copy* that a thread has is good until another thread stores anywhere in the line: that
// gives the messages of an invalidating protocol and of an updating one. The *bytes* know who stored them last and who
// has touched them since: that gives what was really passed on. A thread whose copy went bad and that, until it goes
// bad again, touches nothing that others stored in the meantime has missed for nothing: false sharing.
//
// Bytes stand in cells of 8, cut smaller when an access asks for it. docs/sharing.md defines all that is counted.
#ifndef CDRGRIND_ANALYSIS_SHARING_LINE_H
#define CDRGRIND_ANALYSIS_SHARING_LINE_H

#include <bitset>
#include <cstdint>
#include <set>
#include <vector>

#include "cdrgrind/base/id.h"

namespace cdr::sharing {

constexpr uint32_t kLargestLine = 256;
using LineBytes = std::bitset<kLargestLine>;

// An access, or the part of it that lies in the line.
struct LinePiece {
  ThreadId thread;
  uint32_t offset = 0, width = 0;  // in the line
  bool store = false;
  uint32_t site = 0;   // of the instruction
  uint32_t group = 0;  // of the memory
};

// What an access gets and does, by bytes.
struct PieceEffect {
  ThreadId from;              // who stored what it touches for the first time since; none: nobody else
  uint32_t news = 0;          // bytes that it loads of these
  bool begins_run = false;    // a store: others stored or loaded since this thread's last store, or there was none
  bool repeats = false;       // a store: this thread stored its first byte last
  bool read_between = false;  // and another thread loaded some of the bytes since
  bool shared = false;        // another thread has touched one of the bytes
};

struct LineThread {
  ThreadId thread;
  uint64_t loads = 0, stores = 0;
  uint64_t misses = 0;       // touched with a bad copy
  uint64_t true_misses = 0;  // of these: and what others had stored was touched
  LineBytes loaded, stored;

  uint64_t seen = 0;   // stores to the line when it last touched it
  uint64_t lost = 0;   // the same before the last miss
  bool judged = true;  // the last miss is known to be a true one, or there was none
};

class Line {
 public:
  Line(uint32_t size) : size_(size) { cells_.resize(size >> shift_); }

  // Calls news(site, bytes) for each store of others that a load gets bytes of.
  template <class News>
  PieceEffect access(const LinePiece& p, News news) {
    refine(p.offset, p.width);
    const uint32_t me = slot(p.thread);
    touch_copy(me, p);
    PieceEffect effect;
    for (uint32_t c = p.offset >> shift_; c < (p.offset + p.width + (1u << shift_) - 1) >> shift_; ++c)
      touch_cell(c, me, p, effect, news);
    if (p.store) threads_[me].seen = version_;
    return effect;
  }
  // New memory: what was there before does not count.
  void forget(uint32_t offset, uint32_t width);

  uint32_t group(uint32_t offset) const { return cells_[offset >> shift_].group; }

  const std::vector<LineThread>& threads() const { return threads_; }
  uint64_t upgrades() const { return upgrades_; }
  uint64_t updates() const { return updates_; }
  uint64_t misses() const;
  uint64_t false_misses() const;
  uint64_t stores() const { return version_; }

 private:
  struct Cell {
    uint64_t version = 0;  // of the line after the last store; 0: none
    uint64_t touched = 0;  // a bit for each slot up to 63 that touched it since
    uint32_t site = 0;     // of the last store
    uint32_t group = 0;
    uint16_t writer = 0;  // slot + 1
    bool far = false;     // far_ has some
    bool others = false;  // touched by two threads or more since it is new
    uint16_t first = 0;   // slot + 1 that touched it first
  };

  uint32_t slot(ThreadId t);
  void refine(uint32_t offset, uint32_t width);
  void touch_copy(uint32_t me, const LinePiece& p);
  bool has_touched(const Cell& c, uint32_t cell, uint32_t me) const {
    return me < 64 ? c.touched >> me & 1 : c.far && far_.count({cell, me}) != 0;
  }
  bool touched_by_others(const Cell& c, uint32_t cell, uint32_t me) const;
  void set_touched(Cell& c, uint32_t cell, uint32_t me);
  void clear_touched(Cell& c, uint32_t cell);

  template <class News>
  void touch_cell(uint32_t cell, uint32_t me, const LinePiece& p, PieceEffect& effect, News news) {
    Cell& c = cells_[cell];
    LineThread& t = threads_[me];
    const bool of_another = c.writer != 0 && c.writer != me + 1;
    if (of_another && !t.judged && c.version > t.lost) {
      t.judged = true;
      ++t.true_misses;
    }
    if (cell == p.offset >> shift_) c.group = p.group;
    if (c.first == 0) c.first = static_cast<uint16_t>(me + 1);
    c.others |= c.first != me + 1;
    effect.shared |= c.others;
    if (of_another && !has_touched(c, cell, me)) {
      if (!effect.from) effect.from = threads_[c.writer - 1].thread;
      if (!p.store) {
        effect.news += 1u << shift_;
        news(c.site, 1u << shift_);
      }
    }
    if (p.store)
      store(c, cell, me, p, effect);
    else
      set_touched(c, cell, me);
  }
  void store(Cell& c, uint32_t cell, uint32_t me, const LinePiece& p, PieceEffect& effect);

  uint32_t size_;
  uint8_t shift_ = 3;
  uint64_t version_ = 0;  // stores
  uint64_t upgrades_ = 0, updates_ = 0;
  std::vector<LineThread> threads_;
  std::vector<Cell> cells_;
  std::set<std::pair<uint32_t, uint32_t>> far_;  // cell and slot, from 64 on
};

}  // namespace cdr::sharing

#endif
