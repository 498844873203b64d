// SPDX-License-Identifier: GPL-2.0-or-later
// What an access does to the cells of its bytes, and which carried dependences that makes.
//
// An access is inlined as a whole ([[gnu::flatten]]), but for what is rare ([[gnu::noinline]]).
//
// Of the readers of a cell those are kept that a later store can tell apart: of one site, the last in each region that
// is open. So a load that a loop repeats leaves one reader for the present iteration and one for those before.
#ifndef CDRGRIND_ANALYSIS_REGIONS_DEPENDENCE_ROWS_H
#define CDRGRIND_ANALYSIS_REGIONS_DEPENDENCE_ROWS_H

#include <memory>
#include <tuple>
#include <vector>

#include "cdrgrind/analysis/common/big_array.h"
#include "cdrgrind/analysis/regions/call_log.h"
#include "cdrgrind/analysis/regions/carried.h"
#include "cdrgrind/analysis/regions/column.h"
#include "cdrgrind/analysis/regions/escape_log.h"
#include "cdrgrind/analysis/regions/memories.h"
#include "cdrgrind/analysis/regions/parted_regions.h"
#include "cdrgrind/analysis/regions/region_stack.h"
#include "cdrgrind/analysis/regions/shadow.h"

namespace cdr::regions {

class DependenceRows {
 public:
  DependenceRows(CodeLoops& loops, StaticData& statics, CallLog& calls, Regions& result);
  ~DependenceRows();

  [[gnu::noinline]] void load(Shadow& shadow, uint64_t addr, uint64_t width, const Now& now);
  [[gnu::noinline]] void store(Shadow& shadow, uint64_t addr, uint64_t width, const Now& now);
  // All of a column's, the first of which has the number Now::access; behind it that is the number of the next one.
  void load(Shadow& shadow, const Column& column, Now& now);
  void store(Shadow& shadow, const Column& column, Now& now);
  // Whether reading a register made nothing new but counts, which are counted then. `frame`: when the activation on top
  // began.
  bool repeat_register_read(uint8_t chunk, const RegisterStamp& written, uint64_t frame, const Now& now) {
    RegisterMemo& m = register_memos_[memo_index(written.site, now.site, chunk)];
    if (m.is_again(chunk, written, now) && !recording_) {
      m.again += m.row != 0;
      return true;
    }
    const bool foreign = written.time < frame;
    if (!holds(m, chunk, written, now) || (foreign && (m.state != now.state || written.time < now.stack->watched)))
      return false;
    if (m.row) count_register(m, written.time, now);
    m.time = written.time;
    m.seen = now.state;
    return true;
  }
  void register_read(uint8_t chunk, const RegisterStamp& written, const Now& now);
  // What reading registers counts from now on is kept, until it is counted so many times more: where the reads of a
  // block that repeats itself are always the same. Sources before `start` move away by `iterations` of the innermost
  // loop each time.
  void record(uint64_t start, uint64_t iterations) {
    record_start_ = start;
    record_iterations_ = iterations;
    recording_ = true;
    recorded_.clear();
  }
  void repeat_record(uint64_t times);
  // What Now::state is: the same as long as no regions are opened or closed.
  uint64_t state_of(const RegionStack& s) {
    if (&s != known_stack_ || s.version() != known_version_) [[unlikely]] {
      known_stack_ = &s;
      known_version_ = s.version();
      ++state_;
    }
    return state_;
  }
  // What the last accesses made; there are no more.
  void finish();
  // Accesses to lines of several parts that were made since this was called last: ascending.
  std::vector<CrossingHit> take_crossings(PartedRegions& all);
  RowEnds ends_of(const CarriedRow& row) const;
  // Of loops and sites of these rows.
  std::vector<Escape> escapes(std::span<const CarriedRow> rows) const { return escapes_.of_rows(rows); }
  // A stack lies elsewhere than before.
  void stack_moved();
  // An instance has ended; times: when its last iteration began, and of its last instruction.
  void loop_closed(LoopId loop, uint64_t last_iteration, uint64_t end) {
    if (loop.value >= ended_.size()) ended_.resize(loop.value + 1);
    ended_[loop.value] = {last_iteration, end};
    ++loops_closed_;
  }
  HeapBlocks heap;

 private:
  // Context, loop and kind; sites.
  using Key = WordPair;
  // Of a loop, in whatever activation.
  static Key key_of(const LoopInstance& l, ContextIndex context, Kind kind, SiteIndex source, SiteIndex target) {
    return {uint64_t{context} << 32 | l.loop.value << 2 | static_cast<uint32_t>(kind), uint64_t{source} << 32 | target};
  }
  // Two ends in the loop's function, of which there may be many rows; and what the last access made of them. Accesses
  // before it that were counted in the same row, at the same distance, are only counted here until others come.
  struct Ends {
    uint64_t access = 0, distance = 0, addr = 0, time = 0;  // addr, time, source: of the source whose row it is
    uint32_t row = 0;
    SiteIndex source = 0;
    uint32_t counted_row = 0;
    uint64_t counted = 0, counted_distance = 0;
  };
  // Where an address lies, and as long as the key is one of the present ones, all that are `known`.
  using LocatedKeys = std::array<uint64_t, 2>;
  struct Located {
    Object object;
    uint64_t base = 0;  // places are relative to it
    AddrRange known;
    uint64_t key = ~uint64_t{0};
    bool holds(uint64_t addr, const LocatedKeys& keys) const {
      return known.contains(addr) && (key == keys[0] || key == keys[1]);
    }
  };

  struct Dependence {
    Kind kind = Kind::kRaw;
    SiteIndex source = 0;  // 0: of what was there before anything was seen
    uint64_t time = 0;
    uint64_t addr = 0, width = 0;
    const Cell* cell = nullptr;
  };
  // While Now::state is that, sources are in a reach if their time is in [begin, *end).
  struct Fresh {
    uint64_t state = 0, begin = 0;
    const uint64_t* end = nullptr;
    bool is_fresh(uint64_t time, const Now& now) const { return state == now.state && time >= begin && time < *end; }
    // The last reach's start moves on.
    void freshen(size_t reach, uint64_t from, const Now& now) {
      const auto& reaches = now.stack->reaches();
      if (reach + 1 == reaches.size()) return;
      state = now.state;
      begin = std::max(reach == 0 ? 0 : reaches[reach].start, from);
      end = &reaches[reach + 1].start;
    }
  };
  // What a dependence between two sites was found to be holds for others between them whose sources lie in the same
  // region, and which are of the same object: loops ask the same again and again.
  struct Memo : Fresh {
    SiteIndex source = 0, target = 0;
    Kind kind = Kind::kRaw;
    bool on_stack = false, counts = false, leaves = false;  // leaves: there is something to count
    uint32_t depth = 0;                                     // frames
    const RegionStack* stack = nullptr;
    uint64_t stamp = 0;  // of the reach that the source is in
    uint32_t reach = 0;
    // The place that is, its loop, its activation's context and loops below; and what activations there were then.
    uint32_t loops = 0;
    ContextIndex context = 0;
    RegionStack::Place place;
    LoopId loop_around;
    uint64_t frames = 0;
    // The first loop that began later; what is read there was there before it.
    uint32_t next_loop = 0;
    LoopId loop_next;
    AddrRange known{0, ~uint64_t{0}};
    uint64_t heap_version = kAnyVersion;  // when all that is known lay in the object
    Object object;
    uint64_t top = 0;  // start of the activation on top; 0: of any
    uint32_t loop = 0, row = 0, entry = 0,
             escapes = 0;  // index of the instance; of rows and entry reads + 1; of a record
    uint64_t row_base = 0, entry_base = 0;
    IterationLog::Place near;  // the iteration of the last source that was not in one of the last two
    // What sources between these times have left is noted, as long as so many loops have ended.
    uint64_t escapes_when = ~uint64_t{0}, escape_begin = 0, escape_end = 0;
  };
  // The same of what a load has read in the present iteration.
  struct Near {
    SiteIndex target = 0, source = 0;
    const RegionStack* stack = nullptr;
    uint64_t stamp = 0;
  };
  // The same of a register.
  struct RegisterMemo {
    SiteIndex source = 0, target = 0;
    const RegionStack* stack = nullptr;
    uint64_t stamp = 0;  // of the reach that the source is in
    uint64_t state = 0;  // when it was read last by other means
    uint32_t reach = 0;
    uint32_t chunk = 0;
    // The loop that carries it, in an activation of this context; index of its instance; of the row, + 1. 0: nothing is
    // carried.
    LoopId loop_around;
    ContextIndex context = 0;
    uint32_t loop = 0, row = 0;
    IterationLog::Place near;
    // Of the last read: the source's time, Now::state, when the loop's iteration began; its distance, and how often it
    // is still to be counted.
    uint64_t time = 0, seen = 0, iteration = 0, distance = 0, again = 0;

    // The same value, in the same iteration of the loop that carries it.
    bool is_again(uint8_t number, const RegisterStamp& written, const Now& now) const {
      return time == written.time && seen == now.state && source == written.site && target == now.site &&
             chunk == number && (row == 0 || iteration == now.stack->loop(loop).iteration);
    }
  };
  // What a read was counted as.
  struct Recorded {
    uint32_t row = 0;
    uint64_t distance = 0, step = 0;
  };
  // Where the reach of a site's last reader begins.
  struct Join : Fresh {
    SiteIndex target = 0;
  };
  static constexpr uint64_t kAnyVersion = ~uint64_t{0};
  static constexpr unsigned kMemoBits = 13;
  static constexpr size_t kNears = 4096, kJoins = 4096;
  // `what`: Kind, or the chunk.
  static size_t memo_index(SiteIndex source, SiteIndex target, unsigned what) {
    const uint64_t pair = (uint64_t{source} << 32 | target) + what;
    return static_cast<size_t>(pair * 0x9e3779b97f4a7c15 >> (64 - kMemoBits));
  }

  class Follower;
  Memo*& recent_memo(SiteIndex source, SiteIndex target, Kind kind) {
    return recent_memos_[memo_index(source, target, static_cast<unsigned>(kind))];
  }
  class Followers;
  struct BothFollowers;
  // depend_on(dependence): depend(), or as that.
  template <class F>
  void load_cell(Shadow& shadow, Cell& c, uint64_t at, uint64_t width, const Now& now, const F& depend_on) {
    const bool in_loop = now.stack->loop_count() > 0;
    if (c.site == 0) {
      if (in_loop) depend_on(Dependence{Kind::kRaw, c.site, c.time, at, width, &c});
    } else if (c.time < now.settled) {
      if (!depend_on(Dependence{Kind::kRaw, c.site, c.time, at, width, &c}) && in_loop) note_source(c, now);
    } else if (in_loop) {
      note_near_source(c, now);
    }
    shadow.readers.add(c, now.site, now.time, now.inner_start, [&](uint64_t last) { return reach_start(last, now); });
  }
  template <class F>
  static void store_cell(Shadow& shadow, Cell& c, uint64_t at, uint64_t width, const Now& now, const F& depend_on) {
    if (c.site || c.reader) {
      const uint64_t gone = now.stack->released_until(at);
      const auto counts = [&](uint64_t time) { return time > gone && time < now.stores_settled; };
      shadow.readers.for_all(c, [&](SiteIndex site, uint64_t time) {
        if (counts(time)) depend_on(Dependence{Kind::kWar, site, time, at, width, &c});
      });
      if (c.site && counts(c.time)) depend_on(Dependence{Kind::kWaw, c.site, c.time, at, width, &c});
    }
    shadow.readers.written(c);
    c.time = now.time;
    c.site = now.site;
  }
  [[gnu::noinline]] uint64_t reach_start(uint64_t time, const Now& now);
  void note_near_source(const Cell& c, const Now& now);
  [[gnu::noinline]] void note_source(const Cell& c, const Now& now);
  void note_flow(SiteIndex source, Site& load, const Now& now);
  // Whether it was known what it is.
  bool depend(const Dependence& d, const Now& now);
  [[gnu::noinline]] bool depend_on_other(Memo*& recent, const Dependence& d, const Now& now);
  bool holds(Memo& m, const Dependence& d, size_t reach, const Now& now) const;
  bool is_of_heap_now(const Memo& m) const { return m.heap_version == kAnyVersion || m.heap_version == heap.version(); }
  bool holds_at(Memo& m, const Dependence& d, const Now& now) const;
  static bool is_alike(const Memo& m, const RegionStack::Place& place, const RegionStack& s);
  void repeat(Memo& m, const Dependence& d, const Now& now);
  void find(Memo& m, const Dependence& d, size_t reach, const Now& now);
  bool counts(const Dependence& d, const Now& now) const;
  void note(Memo& m, const Dependence& d, const RegionStack::Place& place, const Now& now);
  LoopId loop_below(LoopId around, const FunctionLoops& function, uint64_t ip) const;
  void note_between(const Dependence& d, const RegionStack::Place& place, const Now& now);
  static AddrRange outside(const RegionStack& s, uint64_t addr, AddrRange range);
  void note_call(const Dependence& d, uint32_t frame, const Now& now);
  void narrow(Memo& m, const Located& at, const Now& now) const;
  void count_carried(Memo& m, const Dependence& d, const Now& now);
  static void extend(EntryRead& e, uint64_t at, uint64_t width) {
    const auto first = static_cast<int64_t>(at);
    e.lowest = std::min(e.lowest, first);
    e.highest = std::max(e.highest, first + static_cast<int64_t>(width) - 1);
  }
  static void extend(CarriedRow& row, uint64_t at, uint64_t width) {
    const auto first = static_cast<int64_t>(at);
    row.widest = std::max(row.widest, width);
    row.lowest = std::min(row.lowest, first);
    row.highest = std::max(row.highest, first + static_cast<int64_t>(width) - 1);
  }
  void count_access(CarriedRow& row, const LoopInstance& l, const Dependence& d, IterationLog::Place& near,
                    const Now& now);
  static uint64_t distance_of(CarriedRow& row, const LoopInstance& l, uint64_t time, IterationLog::Place& near,
                              const Now& now);
  void count_register(RegisterMemo& m, uint64_t time, const Now& now) {
    CarriedRow& row = result_.rows[m.row - 1];
    const LoopInstance& l = now.stack->loop(m.loop);
    const uint64_t distance = distance_of(row, l, time, m.near, now);
    if (distance != m.distance) {
      settle(m);
      m.distance = distance;
    }
    ++m.again;
    m.iteration = l.iteration;
    if (recording_) [[unlikely]]
      recorded_.push_back({m.row - 1, distance, moves_away(m, time, now) ? record_iterations_ : 0});
  }
  void settle(RegisterMemo& m) {
    if (m.again == 0) return;
    CarriedRow& row = result_.rows[m.row - 1];
    row.count += m.again;
    row.distances.add(m.distance, m.again);
    m.again = 0;
  }
  bool moves_away(const RegisterMemo& m, uint64_t time, const Now& now) const {
    return time < record_start_ && m.loop + 1 == now.stack->loop_count();
  }
  void end_access(Ends& e, uint64_t times = 1);
  [[gnu::noinline]] void end_crossing(const Now& now);
  [[gnu::noinline]] void commit(Ends& e);
  uint32_t number_of_ends(const CarriedRow& row);
  static void note_read(CarriedRow& row, const LoopInstance& l, uint64_t time, const Cell& c,
                        IterationLog::Place& near);
  void note_entry(Memo& m, const Dependence& d, const Now& now);
  static bool holds(const RegisterMemo& m, uint8_t chunk, const RegisterStamp& written, const Now& now) {
    return m.source == written.site && m.target == now.site && m.chunk == chunk && m.stack == now.stack &&
           now.stack->is_in_reach(written.time, m.reach, m.stamp);
  }
  void find(RegisterMemo& m, uint8_t chunk, const RegisterStamp& written, const Now& now);
  uint32_t escape_record(SiteIndex source, const RegionStack::Place& place, const Now& now);
  void note_escapes(Memo& m, uint64_t time) {
    if (m.escapes_when != loops_closed_ || time < m.escape_begin || time >= m.escape_end) [[unlikely]]
      note_new_escapes(m, time);
  }
  [[gnu::noinline]] void note_new_escapes(Memo& m, uint64_t time);
  // `first`: of the key's entry in the index.
  CarriedRow& row_for(const Key& key, uint32_t& first, Object object);
  CarriedRow& memory_row(const Key& key, const Dependence& d, const RegionStack::Place& place, const Now& now);
  LocatedKeys keys_of(uint64_t addr, SiteIndex source, const RegionStack::Place& place, const Now& now) const;
  bool are_inside(SiteIndex source, SiteIndex target) const;
  Located locate(uint64_t addr, SiteIndex source, const RegionStack::Place& place, const Now& now) const;
  Located locate_elsewhere(uint64_t addr, SiteIndex source, const Now& now) const;
  Located locate_on_stack(uint64_t addr, const RegionStack::Place& place, const RegionStack& stack) const;

  CodeLoops& loops_;
  mutable RecentPieces statics_;
  CallLog& calls_;
  Regions& result_;
  FlatMap<Key, uint32_t, WordPairHash> index_;     // first row + 1
  analysis::BigArray<Located> located_, entries_;  // by row, and by entry read: what of it is known
  std::vector<Ends> ends_ = std::vector<Ends>(1);
  FlatMap<RowEnds, uint32_t, RowEndsHash> ends_index_;
  // Of an access to lines of several parts: what has counted so far; what all such ones have counted, and the numbers
  // of rows that have, + 1.
  bool is_crossing_ = false;
  std::vector<uint32_t> crossing_ends_;
  std::vector<CrossingHit> crossings_;
  std::vector<uint32_t> row_numbers_;
  EscapeLog escapes_;
  struct EndedLoop {
    uint64_t last_iteration = 0, end = 0;
  };
  std::vector<EndedLoop> ended_;  // the last instance of each loop
  uint64_t loops_closed_ = 0;
  std::vector<Memo> memos_ = std::vector<Memo>(size_t{1} << kMemoBits);  // with the reach in the index
  std::vector<Memo*> recent_memos_ = std::vector<Memo*>(size_t{1} << kMemoBits, memos_.data());  // without
  std::vector<Near> near_ = std::vector<Near>(kNears);
  std::vector<RegisterMemo> register_memos_ = std::vector<RegisterMemo>(size_t{1} << kMemoBits);
  std::unique_ptr<BothFollowers> followers_;
  std::vector<Join> joins_ = std::vector<Join>(kJoins);
  bool recording_ = false;
  uint64_t record_start_ = 0, record_iterations_ = 0;
  std::vector<Recorded> recorded_;
  uint64_t state_ = 0, known_version_ = 0;
  const RegionStack* known_stack_ = nullptr;
  FlatMap<uint64_t, bool> flows_;  // that are in result_.flows, by store and load
  static constexpr unsigned kFlowBits = 14;
  std::vector<uint64_t> recent_flows_ = std::vector<uint64_t>(size_t{1} << kFlowBits);  // of these some
  FlatMap<Key, bool, WordPairHash> between_;  // looked at: by context, loop around, kind; sites
  FlatMap<uint64_t, uint32_t> entry_index_;   // by loop and site: index into result_.entry_reads + 1
};

inline bool DependenceRows::depend(const Dependence& d, const Now& now) {
  Memo*& recent = recent_memo(d.source, now.site, d.kind);
  Memo& m = *recent;
  if (m.source == d.source && m.target == now.site && m.kind == d.kind && m.is_fresh(d.time, now) &&
      m.known.contains(d.addr) && is_of_heap_now(m)) [[likely]] {
    if (m.leaves) repeat(m, d, now);
    return true;
  }
  return depend_on_other(recent, d, now);
}

// The last access has no more sources.
inline void DependenceRows::end_access(Ends& e, uint64_t times) {
  if (e.access == 0) return;
  if (e.row != e.counted_row || e.distance != e.counted_distance) [[unlikely]] {
    commit(e);
    e.counted_row = e.row;
    e.counted_distance = e.distance;
  }
  e.counted += times;
}

inline uint64_t DependenceRows::distance_of(CarriedRow& row, const LoopInstance& l, uint64_t time,
                                            IterationLog::Place& near, const Now& now) {
  const uint64_t target = now.time - l.iteration;
  if (time >= l.before) {
    const uint64_t source = time - l.before;
    if (row.kind != Kind::kWaw && source > target) row.interval = std::max(row.interval, source - target);
    return 1;
  }
  if (time < near.start || time >= near.end) near = l.iterations.at(time);
  const uint64_t distance = l.number - near.number;
  const uint64_t source = time - near.start;
  if (row.kind != Kind::kWaw && source > target)
    row.interval = std::max(row.interval, (source - target + distance - 1) / distance);
  return distance;
}

}  // namespace cdr::regions

#endif
