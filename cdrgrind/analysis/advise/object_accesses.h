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
  // Whether the site is in the loop, or in what it calls there: of one activation of its function, or (0) of any.
  bool is_in(LoopId loop, regions::SiteIndex s, regions::ContextIndex activation) const;

 private:
  void add_those_of(LoopId loop, const Carrier& c, regions::ContextIndex activation, ObjectAccesses& found) const;

  bool flows_in(LoopId loop, regions::SiteIndex store, regions::SiteIndex load) const;
  bool is_reached(LoopId loop, uint64_t from, uint64_t to) const;

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
  std::map<std::pair<regions::SiteIndex, regions::SiteIndex>, std::vector<LoopId>> carried_by_;  // RAW
  std::multimap<regions::SiteIndex, regions::SiteIndex> loads_of_, stores_of_;
  mutable LoopWays ways_;
};

}  // namespace cdr::advise

#endif
