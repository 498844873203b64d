// SPDX-License-Identifier: GPL-2.0-or-later
// Calls that return the same in every iteration of a loop, if their arguments are the same: `i < v.size()`.
#ifndef CDRGRIND_ANALYSIS_ADVISE_STEADY_CALLS_H
#define CDRGRIND_ANALYSIS_ADVISE_STEADY_CALLS_H

#include <map>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/regions/carried.h"

namespace cdr::advise {

class SteadyCalls {
 public:
  explicit SteadyCalls(const regions::Regions& regions) : regions_(regions) {}

  // Of a call in a function's loop, whether nothing that is called reads what was stored in an outermost loop around
  // the call, but by itself; a library does not do it, and it was executed.
  bool is_steady(uint64_t function, uint64_t call);

 private:
  void prepare();
  bool reads_old(regions::ContextIndex called) const;
  bool is_within(regions::ContextIndex c, regions::ContextIndex outer) const;

  const regions::Regions& regions_;
  bool prepared_ = false;
  std::vector<regions::ContextIndex> first_child_, next_sibling_;  // by context
  // Of flows: contexts of the load and of the store; sorted.
  std::vector<std::pair<regions::ContextIndex, regions::ContextIndex>> flows_;
  std::map<std::pair<uint64_t, uint64_t>, std::vector<regions::ContextIndex>> called_;  // by caller's function and call
  std::map<std::pair<uint64_t, uint64_t>, bool> known_;
};

}  // namespace cdr::advise

#endif
