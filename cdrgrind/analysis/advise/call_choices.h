// SPDX-License-Identifier: GPL-2.0-or-later
// Calls of functions that return one of their two arguments: `m = fmax(m, x)`, `m = std::max(m, x)`.
#ifndef CDRGRIND_ANALYSIS_ADVISE_CALL_CHOICES_H
#define CDRGRIND_ANALYSIS_ADVISE_CALL_CHOICES_H

#include <set>
#include <unordered_map>
#include <utility>

#include "cdrgrind/analysis/regions/contexts.h"
#include "cdrgrind/analysis/regions/library_names.h"

namespace cdr::advise {

class CallChoices {
 public:
  CallChoices(const regions::Contexts& contexts, regions::LibraryNames& names) : contexts_(contexts), names_(names) {}
  // Of all that was called at the instruction.
  regions::Choice at(uint64_t call);
  // Whether it is there that the context was called.
  bool is_choice(regions::ContextIndex called) { return called && at(contexts_[called].site).operation != kNone; }

 private:
  static constexpr regions::Operation kNone = regions::Operation::kOther;
  void prepare();

  const regions::Contexts& contexts_;
  regions::LibraryNames& names_;
  bool prepared_ = false;
  std::set<std::pair<uint64_t, CodeAddr>> called_;  // instruction and function
  std::unordered_map<uint64_t, regions::Choice> known_;
};

}  // namespace cdr::advise

#endif
