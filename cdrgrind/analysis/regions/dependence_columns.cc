// SPDX-License-Identifier: GPL-2.0-or-later
// A column's accesses, one after the other: what was found of the last one's source mostly holds for the next one's, so
// that it is only counted how many these are.
#include "cdrgrind/analysis/regions/dependence_rows.h"

namespace cdr::regions {

// The sources of one kind that a column's accesses have: as long as they are of one site, lie in one reach, and are
// counted in one row at one distance.
class DependenceRows::Follower {
 public:
  Follower(DependenceRows& rows, Kind kind, uint64_t width) : rows_(rows), kind_(kind), width_(width) {}

  // Whether nothing is left to do for this one.
  bool take(SiteIndex source, uint64_t time, uint64_t addr, const Now& now) {
    if (source != source_ || time < begin_ || time >= *end_ || !known_.contains(addr)) return false;
    if (leaves_) {
      if (time < escape_begin_ || time >= escape_end_) return false;
      if (row_) {
        const LoopInstance& l = now.stack->loop(loop_);
        uint64_t distance = 1, from = l.before;
        if (time < l.before) {
          if (time < near_.start || time >= near_.end) return false;
          distance = l.number - near_.number;
          from = near_.start;
        }
        if (distance != distance_) return false;
        const auto later = static_cast<int64_t>(time - from) - static_cast<int64_t>(now.time - l.iteration);
        latest_ = std::max(latest_, later);
        last_access_ = now.access;
        last_time_ = time;
        last_addr_ = addr;
      }
      ++count_;
      lowest_ = std::min(lowest_, addr);
      highest_ = std::max(highest_, addr);
    }
    return true;
  }
  // As depend() of what was not taken.
  bool depend(const Dependence& d, const Now& now) {
    settle();
    const bool known = rows_.depend(d, now);
    follow(d, now);
    return known;
  }
  // Counts what was taken.
  void settle() {
    if (count_ == 0) return;
    if (escapes_) rows_.count_escapes(escapes_, escape_mask_, count_);
    if (entry_) {
      EntryRead& e = rows_.result_.entry_reads[entry_ - 1];
      extend(e, lowest_ - entry_base_, width_);
      extend(e, highest_ - entry_base_, width_);
    }
    if (row_) {
      CarriedRow& row = rows_.result_.rows[row_ - 1];
      extend(row, lowest_ - row_base_, width_);
      extend(row, highest_ - row_base_, width_);
      if (kind_ != Kind::kWaw && latest_ > 0)
        row.interval = std::max(row.interval, (static_cast<uint64_t>(latest_) + distance_ - 1) / distance_);
      Ends& e = rows_.ends_[row.ends];
      rows_.end_access(e);
      e.access = last_access_;
      e.addr = last_addr_;
      e.time = last_time_;
      e.distance = distance_;
      e.row = row_ - 1;
      e.source = source_;
      if (count_ > 1) rows_.end_access(e, count_ - 1);
    }
    count_ = 0;
    lowest_ = ~uint64_t{0};
    highest_ = 0;
    latest_ = 0;
  }

 private:
  void follow(const Dependence& d, const Now& now) {
    source_ = kNobody;
    const Memo& m = rows_.memos_[memo_index(d.source, now.site, static_cast<unsigned>(kind_))];
    if (m.source != d.source || m.target != now.site || m.kind != kind_ || m.state != now.state) return;
    if (m.leaves && (m.on_stack || m.many_escapes)) return;
    begin_ = m.begin;
    end_ = m.end;
    known_ = m.known;
    leaves_ = m.leaves;
    escapes_ = m.leaves ? m.escapes : 0;
    entry_ = m.leaves ? m.entry : 0;
    row_ = m.leaves ? m.row : 0;
    entry_base_ = m.entry_base;
    row_base_ = m.row_base;
    loop_ = m.loop;
    escape_begin_ = 0;
    escape_end_ = ~uint64_t{0};
    if (escapes_) {
      if (m.escape_state != now.state) return;
      escape_begin_ = m.escape_begin;
      escape_end_ = m.escape_end;
      escape_mask_ = m.escape_mask;
    }
    if (row_) {
      const Ends& e = rows_.ends_[rows_.result_.rows[row_ - 1].ends];
      if (e.access != now.access || e.row != row_ - 1 || e.source != d.source) return;
      distance_ = e.distance;
      near_ = m.near;
    }
    source_ = d.source;
  }

  static constexpr SiteIndex kNobody = ~SiteIndex{0};
  DependenceRows& rows_;
  const Kind kind_;
  const uint64_t width_;
  // What the memo says of those of the source.
  SiteIndex source_ = kNobody;
  bool leaves_ = false;
  uint32_t escapes_ = 0, entry_ = 0, row_ = 0, loop_ = 0;
  uint64_t begin_ = 0;
  const uint64_t* end_ = nullptr;
  AddrRange known_;
  uint64_t entry_base_ = 0, row_base_ = 0;
  uint64_t escape_begin_ = 0, escape_end_ = 0, escape_mask_ = 0;
  IterationLog::Place near_;
  uint64_t distance_ = 0;
  // Of those that were taken.
  uint64_t count_ = 0, lowest_ = ~uint64_t{0}, highest_ = 0;
  int64_t latest_ = 0;
  uint64_t last_access_ = 0, last_time_ = 0, last_addr_ = 0;
};

namespace {

// f(address) for each access, at its time.
template <class F>
void for_accesses(const Column& column, Now& now, F f) {
  now.time = column.time;
  for (size_t i = 0; i < column.addrs.size(); ++i) {
    if (!column.iterations.empty()) {
      now.stack->be_in_iteration(column.iterations[i], column.iterations[i + 1], column.number + i);
      now.inner_start = now.settled = now.stores_settled = column.iterations[i + 1];
    }
    f(column.addrs[i]);
    now.time += column.step;
    ++now.access;
  }
}

}  // namespace

void DependenceRows::load(Shadow& shadow, const Column& column, Now& now) {
  const uint64_t width = column.access.width;
  const bool in_loop = now.stack->loop_count() > 0;
  Follower follower(*this, Kind::kRaw, width);
  for_accesses(column, now, [&](uint64_t addr) {
    Cell* const c = shadow.cell(addr, width);
    if (!c) {
      follower.settle();
      return load(shadow, addr, width, now);
    }
    if (c->site == 0 ? in_loop : c->time < now.settled) {
      if (!follower.take(c->site, c->time, addr, now) &&
          !follower.depend({Kind::kRaw, c->site, c->time, addr, width, c}, now) && in_loop && c->site)
        note_source(*c, now);
    } else if (in_loop && c->site) {
      note_near_source(*c, now);
    }
    join(shadow, *c, now);
  });
  follower.settle();
}

void DependenceRows::store(Shadow& shadow, const Column& column, Now& now) {
  const uint64_t width = column.access.width;
  Follower follower(*this, Kind::kWaw, width);
  for_accesses(column, now, [&](uint64_t addr) {
    Cell* const c = shadow.cell(addr, width);
    if (!c) {
      follower.settle();
      return store(shadow, addr, width, now);
    }
    depend_on_readers(shadow, *c, addr, width, now);
    if (c->site && c->time < now.stores_settled && !follower.take(c->site, c->time, addr, now))
      follower.depend({Kind::kWaw, c->site, c->time, addr, width, c}, now);
    write(shadow, *c, now);
  });
  follower.settle();
}

}  // namespace cdr::regions
