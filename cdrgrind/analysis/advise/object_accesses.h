// SPDX-License-Identifier: GPL-2.0-or-later
// All accesses that a loop makes to what a carrier is, also those whose dependences stay within an iteration: found
// from the rows by who has read what whom stored, and what one superblock does in one place. Where one store serves
// several objects there may be too many.
#ifndef CDRGRIND_ANALYSIS_ADVISE_OBJECT_ACCESSES_H
#define CDRGRIND_ANALYSIS_ADVISE_OBJECT_ACCESSES_H

#include <map>
#include <set>
#include <vector>

#include "cdrgrind/analysis/advise/advice.h"
#include "cdrgrind/base/flat_map.h"

namespace cdr::advise {

struct ObjectAccesses {
  std::set<regions::SiteIndex> stores, loads;
};

class AccessFinder {
 public:
  explicit AccessFinder(const Advisor& with);
  ObjectAccesses of(LoopId loop, const Carrier& c) const;
  // Those of them that the rows name.
  ObjectAccesses of_rows(const Carrier& c) const;
  // Whether something in the loop reads within one instance what the store instruction left.
  bool is_read_in(LoopId loop, uint64_t store) const;
  // Whose stores a load has read in an outermost loop.
  std::vector<regions::SiteIndex> stores_read_by(regions::SiteIndex load) const;
  // Which loads have read there what a store left.
  std::vector<regions::SiteIndex> loads_of(regions::SiteIndex store) const;
  // Stores, by the instructions that have read there what they left.
  std::vector<uint64_t> stores_read_at(uint64_t load) const;
  // Whether the site is in the loop, or in what it calls there: of one activation of its function, or (0) of any.
  bool is_in(LoopId loop, regions::SiteIndex s, regions::ContextIndex activation) const;

  // Whether one iteration may come to the second instruction behind the first.
  bool is_reached(LoopId loop, uint64_t from, uint64_t to) const;

 private:
  void add_those_of(LoopId loop, const Carrier& c, regions::ContextIndex activation, ObjectAccesses& found) const;

  bool lies_elsewhere(LoopId loop, const Carrier& c, regions::SiteIndex store) const;
  bool is_at(LoopId loop, regions::ContextIndex c, uint64_t ip, regions::ContextIndex activation) const;
  bool is_called_in(regions::ContextIndex context) const;
  bool flows_in(LoopId loop, regions::SiteIndex store, regions::SiteIndex load) const;

  // Where the instructions of the loop that was asked about last lead within one iteration, by their places in its
  // body.
  class LoopWays {
   public:
    void be_of(LoopId loop, const regions::Loop& l);
    // By place; the instruction itself only if it can be come back to.
    const std::vector<bool>& reached_from(size_t from);

   private:
    LoopId loop_;
    std::vector<std::vector<size_t>> next_;
    std::map<size_t, std::vector<bool>> reached_;
  };

  const Advisor& with_;
  using Pair = std::pair<regions::SiteIndex, regions::SiteIndex>;
  // Whether contexts are called, at some remove, in the loop and activation that were asked about last.
  enum : uint8_t { kNotKnown, kYes, kNo };
  struct CallsIn {
    LoopId loop;
    regions::ContextIndex activation = 0;
    FlatMap<uint32_t, uint8_t> known;  // by context
  };
  std::map<Pair, std::vector<LoopId>> carried_by_;                // RAW
  std::vector<Pair> loads_of_, stores_of_;                        // ascending
  mutable std::vector<std::pair<uint64_t, uint64_t>> stored_at_;  // by instruction that loads, once it is asked for
  struct Bytes {
    int64_t lowest = 0, highest = 0;
  };
  FlatMap<regions::SiteIndex, Bytes> in_frame_;  // what rows say of where stores go to
  mutable CallsIn calls_in_;
  mutable LoopWays ways_;
};

}  // namespace cdr::advise

#endif
