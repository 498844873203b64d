// SPDX-License-Identifier: GPL-2.0-or-later
// Calls of functions that return the place next to their argument: `node = std::_Rb_tree_increment(node)`.
#ifndef CDRGRIND_ANALYSIS_ADVISE_CALL_WALKS_H
#define CDRGRIND_ANALYSIS_ADVISE_CALL_WALKS_H

#include <unordered_map>

#include "cdrgrind/analysis/regions/contexts.h"
#include "cdrgrind/analysis/regions/library_names.h"

namespace cdr::advise {

class CallWalks {
 public:
  CallWalks(const regions::Contexts& contexts, regions::LibraryNames& names) : contexts_(contexts), names_(names) {}
  // Of all that was called at the instruction; none, of a call that was not executed.
  regions::Walk at(uint64_t call);

 private:
  void prepare();

  const regions::Contexts& contexts_;
  regions::LibraryNames& names_;
  bool prepared_ = false;
  std::unordered_map<uint64_t, regions::Walk> by_call_;
};

}  // namespace cdr::advise

#endif
