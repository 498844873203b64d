// SPDX-License-Identifier: GPL-2.0-or-later
// What an access does to the cells of its bytes, and which carried dependences that makes.
//
// Of the readers of a cell those are kept that a later store can tell apart: of one site, the last in each region that
// is open. So a load that a loop repeats leaves one reader for the present iteration and one for those before.
#ifndef CDRGRIND_ANALYSIS_REGIONS_DEPENDENCE_ROWS_H
#define CDRGRIND_ANALYSIS_REGIONS_DEPENDENCE_ROWS_H

#include <map>
#include <tuple>
#include <vector>

#include "cdrgrind/analysis/regions/call_log.h"
#include "cdrgrind/analysis/regions/carried.h"
#include "cdrgrind/analysis/regions/memories.h"
#include "cdrgrind/analysis/regions/region_stack.h"
#include "cdrgrind/analysis/regions/shadow.h"

namespace cdr::regions {

class DependenceRows {
 public:
  DependenceRows(CodeLoops& loops, StaticData& statics, CallLog& calls, Regions& result)
      : loops_(loops), statics_(statics), calls_(calls), result_(result) {}

  void load(Shadow& shadow, uint64_t addr, uint64_t width, const Now& now);
  void store(Shadow& shadow, uint64_t addr, uint64_t width, const Now& now);
  void register_read(uint8_t chunk, const RegisterStamp& written, const Now& now);
  // What the last accesses made.
  void finish();
  HeapBlocks heap;

 private:
  struct Key {
    uint64_t loop_and_kind, sites;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    uint64_t operator()(const Key& k) const { return mix64(k.sites ^ mix64(k.loop_and_kind)); }
  };
  // Of a loop, in whatever activation.
  static Key key_of(const LoopInstance& l, ContextIndex context, Kind kind, SiteIndex source, SiteIndex target) {
    return {uint64_t{context} << 32 | l.loop.value << 2 | static_cast<uint32_t>(kind), uint64_t{source} << 32 | target};
  }
  // Two ends in the loop's function, of which there may be many rows; and what the last access made of them.
  struct Ends {
    uint64_t access = 0, distance = 0, time = 0;
    uint32_t row = 0;
  };
  using EndsKey = std::tuple<uint64_t, uint64_t, bool, uint64_t, bool>;
  struct Located {
    Object object;
    uint64_t base = 0;  // places are relative to it
    AddrRange known;
  };

  // What was asked of a site last: loops ask the same again and again.
  struct Recent {
    SiteIndex escape_site = 0, escape_source = 0;
    uint64_t escape_place = 0;
    uint32_t escapes = 0;  // index into escape_lists_
    SiteIndex entry_site = 0;
    LoopId entry_loop;
    uint32_t entry = 0;  // index into result_.entry_reads + 1
  };
  struct RecentRegister {
    Key key{};
    uint8_t chunk = 0;
    uint32_t row = 0;  // + 1
  };
  static constexpr size_t kRecent = 4096;

  void join(Shadow& shadow, Cell& c, uint64_t addr, const Now& now);
  void note_source(const Cell& c, const Now& now);
  void note_flow(SiteIndex source, Site& load, const Now& now);
  void depend(Kind kind, SiteIndex source, uint64_t time, uint64_t addr, uint64_t width, const Cell& c, const Now& now);
  void count_access(CarriedRow& row, const LoopInstance& l, uint64_t time, const Now& now);
  uint64_t distance_of(CarriedRow& row, const LoopInstance& l, uint64_t time, const Now& now) const;
  void commit(Ends& e);
  uint32_t ends_of(const CarriedRow& row);
  void note_read(CarriedRow& row, const LoopInstance& l, uint64_t time, const Cell& c) const;
  void note_entry(uint64_t time, uint64_t addr, uint64_t width, SiteIndex source, const Now& now);
  void escape(SiteIndex source, uint64_t time, const RegionStack::Place& place, const Now& now);
  std::vector<uint32_t> escapes_of(SiteIndex source, const RegionStack::Place& place, const RegionStack& stack);
  CarriedRow& row_for(const Key& key, Object object);
  CarriedRow& memory_row(const Key& key, SiteIndex source, uint64_t addr, const RegionStack::Place& place,
                         const Now& now);
  Located locate(uint64_t addr, SiteIndex source, const RegionStack::Place& place, const Now& now);
  Located locate_on_stack(uint64_t addr, const RegionStack::Place& place, const RegionStack& stack) const;

  CodeLoops& loops_;
  StaticData& statics_;
  CallLog& calls_;
  Regions& result_;
  FlatMap<Key, uint32_t, KeyHash> index_;  // first row + 1
  std::vector<uint64_t> known_keys_;       // by row: for what its `known` holds
  std::vector<Ends> ends_ = std::vector<Ends>(1);
  std::map<EndsKey, uint32_t> ends_index_;
  FlatMap<Key, uint32_t, KeyHash> escape_index_;
  std::vector<std::vector<uint32_t>> escape_lists_;
  std::vector<Recent> recent_ = std::vector<Recent>(kRecent);                            // by site
  std::vector<RecentRegister> recent_registers_ = std::vector<RecentRegister>(kRecent);  // by site and chunk
  FlatMap<uint64_t, bool> flows_;            // that are in result_.flows, by store and load
  FlatMap<uint64_t, uint32_t> entry_index_;  // by loop and site: index into result_.entry_reads + 1
  FlatMap<uint64_t, uint32_t> escape_of_;    // by loop and site: index into result_.escapes
};

}  // namespace cdr::regions

#endif
