// SPDX-License-Identifier: GPL-2.0-or-later
// What functions that are called in loops read of what others stored: `i < v.size()`, `it != end`.
#ifndef CDRGRIND_ANALYSIS_ADVISE_CALLED_READS_H
#define CDRGRIND_ANALYSIS_ADVISE_CALLED_READS_H

#include <map>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/advise/advice.h"

namespace cdr::advise {

class CalledReads {
 public:
  explicit CalledReads(const Advisor& with) : with_(with) {}

  struct Reads {
    bool known = false;     // it was executed, and no library does anything of it
    bool one_place = true;  // each load that reads what was there before a loop does so in one place
    // In an outermost loop around the call, but not by what is called; ascending.
    std::vector<regions::SiteIndex> stores;
  };
  // Of a call in a function's loop. Stays where it is.
  const Reads& of(uint64_t function, uint64_t call);

 private:
  struct Flow {
    regions::ContextIndex by = 0;  // that loads
    regions::SiteIndex store = 0;
    auto operator<=>(const Flow&) const = default;
  };

  void prepare();
  void add(regions::ContextIndex called, Reads& to) const;
  bool is_one_place(const regions::EntryRead& e) const;
  bool is_within(regions::ContextIndex c, regions::ContextIndex outer) const;

  const Advisor& with_;
  bool prepared_ = false;
  std::vector<regions::ContextIndex> first_child_, next_sibling_;  // by context
  std::vector<Flow> flows_;                                        // sorted
  std::vector<regions::ContextIndex> roaming_;                     // contexts of loads from several places; sorted
  std::map<std::pair<uint64_t, uint64_t>, std::vector<regions::ContextIndex>> called_;  // by caller's function and call
  std::map<std::pair<uint64_t, uint64_t>, Reads> known_;
};

}  // namespace cdr::advise

#endif
