// SPDX-License-Identifier: GPL-2.0-or-later
// A column's accesses, one after the other: what was found of a source mostly holds for the next access's source of the
// same site, so that it is only counted how many these are.
#include "cdrgrind/analysis/regions/dependence_rows.h"

namespace cdr::regions {

// The sources of one site and kind that a column's accesses have: as long as they lie in one reach, and are counted in
// one row at one distance.
class DependenceRows::Follower {
 public:
  static constexpr SiteIndex kNobody = ~SiteIndex{0};
  bool is_of(SiteIndex source) const { return source == source_; }
  // Whether nothing is left to do for this one.
  bool take(const Dependence& d, const Now& now) {
    if (d.time < begin_ || d.time >= *end_ || !known_.contains(d.addr)) return false;
    if (!leaves_ || (on_stack_ && now.stack->was_above(d.addr, d.time))) return true;
    if (d.time < escape_begin_ || d.time >= escape_end_) return false;
    if (row_ && !take_carried(d, now)) return false;
    ++count_;
    lowest_ = std::min(lowest_, d.addr);
    highest_ = std::max(highest_, d.addr + d.width);
    widest_ = std::max(widest_, d.width);
    return true;
  }
  // Counts what was taken.
  void settle(DependenceRows& rows) {
    if (count_ == 0) return;
    if (entry_) {
      EntryRead& e = rows.result_.entry_reads[entry_ - 1];
      extend(e, lowest_ - entry_base_, highest_ - lowest_);
    }
    if (row_) settle_carried(rows);
    count_ = accesses_ = read_own_ = read_before_ = 0;
    lowest_ = ~uint64_t{0};
    highest_ = widest_ = 0;
    latest_ = 0;
  }
  // The next ones of a source that was looked at just now, if that can be: `m` tells of it.
  void follow(const Memo& m, const Dependence& d, const DependenceRows& rows, const Now& now) {
    if (m.state != now.state) return;
    begin_ = m.begin;
    end_ = m.end;
    known_ = m.known;
    leaves_ = m.leaves;
    on_stack_ = m.on_stack;
    entry_ = m.leaves ? m.entry : 0;
    row_ = m.leaves ? m.row : 0;
    entry_base_ = m.entry_base;
    row_base_ = m.row_base;
    loop_ = m.loop;
    escape_begin_ = 0;
    escape_end_ = ~uint64_t{0};
    if (m.leaves && m.escapes) {
      if (m.escapes_when != rows.loops_closed_) return;
      escape_begin_ = m.escape_begin;
      escape_end_ = m.escape_end;
    }
    ends_ = 0;
    if (row_) {
      const Ends& e = rows.ends_[rows.result_.rows[row_ - 1].ends];
      if (e.access != now.access || e.row != row_ - 1 || e.source != d.source) return;
      ends_ = rows.result_.rows[row_ - 1].ends;
      distance_ = e.distance;
      near_ = m.near;
      last_access_ = now.access;
      last_addr_ = e.addr;
      last_time_ = e.time;
    }
    source_ = d.source;
    kind_ = d.kind;
  }
  void forget() { source_ = kNobody; }
  uint32_t ends() const { return source_ == kNobody ? 0 : ends_; }

 private:
  bool take_carried(const Dependence& d, const Now& now) {
    const LoopInstance& l = now.stack->loop(loop_);
    uint64_t distance = 1, from = l.before;
    if (d.time < l.before) {
      if (d.time < near_.start || d.time >= near_.end) return false;
      distance = l.number - near_.number;
      from = near_.start;
    }
    if (distance != distance_) return false;
    const auto later = static_cast<int64_t>(d.time - from) - static_cast<int64_t>(now.time - l.iteration);
    latest_ = std::max(latest_, later);
    if (kind_ == Kind::kWar) {
      const Cell& c = *d.cell;
      if (!c.site || c.time < l.start)
        ++read_before_;
      else
        read_own_ += c.time <= d.time && c.time >= from;
    }
    if (last_access_ != now.access) {
      ++accesses_;
      last_access_ = now.access;
      last_time_ = d.time;
      last_addr_ = d.addr;
    } else if (last_addr_ == d.addr) {
      last_time_ = std::max(last_time_, d.time);
    }
    return true;
  }
  void settle_carried(DependenceRows& rows) {
    CarriedRow& row = rows.result_.rows[row_ - 1];
    row.widest = std::max(row.widest, widest_);
    row.lowest = std::min(row.lowest, static_cast<int64_t>(lowest_ - row_base_));
    row.highest = std::max(row.highest, static_cast<int64_t>(highest_ - row_base_) - 1);
    row.read_own += read_own_;
    row.read_before += read_before_;
    if (kind_ != Kind::kWaw && latest_ > 0)
      row.interval = std::max(row.interval, (static_cast<uint64_t>(latest_) + distance_ - 1) / distance_);
    if (accesses_ == 0) return;
    Ends& e = rows.ends_[ends_];
    rows.end_access(e);
    e.access = last_access_;
    e.addr = last_addr_;
    e.time = last_time_;
    e.distance = distance_;
    e.row = row_ - 1;
    e.source = source_;
    if (accesses_ > 1) rows.end_access(e, accesses_ - 1);
  }

  // What the memo says of those of the source.
  SiteIndex source_ = kNobody;
  Kind kind_ = Kind::kRaw;
  bool leaves_ = false, on_stack_ = false;
  uint32_t entry_ = 0, row_ = 0, loop_ = 0, ends_ = 0;
  uint64_t begin_ = 0;
  const uint64_t* end_ = nullptr;
  AddrRange known_;
  uint64_t entry_base_ = 0, row_base_ = 0;
  uint64_t escape_begin_ = 0, escape_end_ = 0;
  IterationLog::Place near_;
  uint64_t distance_ = 0;
  // Of those that were taken.
  uint64_t count_ = 0, accesses_ = 0, read_own_ = 0, read_before_ = 0;
  uint64_t lowest_ = ~uint64_t{0}, highest_ = 0, widest_ = 0;
  int64_t latest_ = 0;
  // Of the last access that was counted.
  uint64_t last_access_ = 0, last_time_ = 0, last_addr_ = 0;
};

// Of a column.
class DependenceRows::Followers {
 public:
  explicit Followers(DependenceRows& rows) : rows_(rows) {}
  void begin() { count_ = 0; }
  // As DependenceRows::depend().
  bool depend(const Dependence& d, const Now& now) {
    size_t free = count_;
    for (size_t f = 0; f < count_; ++f) {
      if (followers_[f].is_of(d.source)) return followers_[f].take(d, now) || look(f, d, now);
      if (followers_[f].is_of(Follower::kNobody)) free = f;
    }
    if (free == followers_.size()) free = next_++ % followers_.size();
    if (free == count_) ++count_;
    return look(free, d, now);
  }
  void settle() {
    for (size_t f = 0; f < count_; ++f) followers_[f].settle(rows_);
  }
  // Knows nothing of what comes next.
  void restart() {
    settle();
    begin();
  }

 private:
  [[gnu::noinline]] bool look(size_t f, const Dependence& d, const Now& now) {
    settle();
    const bool known = rows_.depend(d, now);
    const Memo& m = *rows_.recent_memo(d.source, now.site, d.kind);
    const bool is_told = m.source == d.source && m.target == now.site && m.kind == d.kind;
    followers_[f].forget();
    // Where several sources count at the same ends, what one access has of them must be seen together.
    const uint32_t ends = is_told && m.row ? rows_.result_.rows[m.row - 1].ends : 0;
    bool alone = true;
    for (size_t other = 0; other < count_ && ends; ++other)
      if (followers_[other].ends() == ends) {
        followers_[other].forget();
        alone = false;
      }
    if (is_told && alone) followers_[f].follow(m, d, rows_, now);
    return known;
  }

  DependenceRows& rows_;
  std::array<Follower, 8> followers_;
  size_t count_ = 0, next_ = 0;
};

// Kept from column to column for their room only.
struct DependenceRows::BothFollowers {
  explicit BothFollowers(DependenceRows& rows) : writers(rows), readers(rows) {}
  Followers writers, readers;
};

DependenceRows::DependenceRows(CodeLoops& loops, StaticData& statics, CallLog& calls, Regions& result)
    : loops_(loops),
      statics_(statics),
      calls_(calls),
      result_(result),
      escapes_(result.contexts, loops),
      followers_(std::make_unique<BothFollowers>(*this)) {}

DependenceRows::~DependenceRows() = default;

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

[[gnu::flatten]] void DependenceRows::load(Shadow& shadow, const Column& column, Now& now) {
  const uint64_t width = column.access.width;
  Followers& followers = followers_->writers;
  followers.begin();
  const auto depend_on = [&](const Dependence& d) { return followers.depend(d, now); };
  for_accesses(column, now, [&](uint64_t addr) {
    if (shadow.are_shared(addr, width)) {
      followers.restart();
      return load(shadow, addr, width, now);
    }
    shadow.for_cells(addr, width,
                     [&](Cell& c, uint64_t at) { load_cell(shadow, c, at, addr + width - at, now, depend_on); });
  });
  followers.settle();
}

[[gnu::flatten]] void DependenceRows::store(Shadow& shadow, const Column& column, Now& now) {
  const uint64_t width = column.access.width;
  Followers &readers = followers_->readers, &writers = followers_->writers;
  readers.begin();
  writers.begin();
  const auto depend_on = [&](const Dependence& d) { (d.kind == Kind::kWar ? readers : writers).depend(d, now); };
  for_accesses(column, now, [&](uint64_t addr) {
    if (shadow.are_shared(addr, width)) {
      readers.restart();
      writers.restart();
      return store(shadow, addr, width, now);
    }
    shadow.for_written_cells(
        addr, width, [&](Cell& c, uint64_t at) { store_cell(shadow, c, at, addr + width - at, now, depend_on); });
  });
  readers.settle();
  writers.settle();
}

}  // namespace cdr::regions
