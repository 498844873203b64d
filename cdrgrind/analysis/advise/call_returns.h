// SPDX-License-Identifier: GPL-2.0-or-later
// Calls of functions of which the name tells what they return of their arguments: one of two (`m = fmax(m, x)`,
// `m = std::max(m, x)`), or the place next to it (`node = std::_Rb_tree_increment(node)`); or that they move the
// iterator that they are given.
#ifndef CDRGRIND_ANALYSIS_ADVISE_CALL_RETURNS_H
#define CDRGRIND_ANALYSIS_ADVISE_CALL_RETURNS_H

#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "cdrgrind/analysis/regions/contexts.h"
#include "cdrgrind/analysis/regions/library_names.h"

namespace cdr::advise {

class CallReturns {
 public:
  CallReturns(const regions::Contexts& contexts, regions::LibraryNames& names) : contexts_(contexts), names_(names) {}
  // Of all that was called at the instruction; neither, of a call that was not executed.
  regions::Choice choice(uint64_t call) { return of_all(choices_, call, &regions::LibraryNames::choice_of); }
  regions::Walk walk(uint64_t call) { return of_all(walks_, call, &regions::LibraryNames::walk_of); }
  bool moves_iterator(CodeAddr function);
  // Whether it is there that the context was called.
  bool is_choice(regions::ContextIndex called) { return called && choice(contexts_[called].site).operation != kNone; }

 private:
  static constexpr regions::Operation kNone = regions::Operation::kOther;
  template <class T>
  using ByCall = std::unordered_map<uint64_t, T>;
  template <class T>
  T of_all(ByCall<T>& known, uint64_t call, std::optional<T> (regions::LibraryNames::*of)(CodeAddr));
  void prepare();

  const regions::Contexts& contexts_;
  regions::LibraryNames& names_;
  bool prepared_ = false;
  std::set<std::pair<uint64_t, CodeAddr>> called_;  // instruction and function
  ByCall<regions::Choice> choices_;
  ByCall<regions::Walk> walks_;
  std::map<CodeAddr, bool> moves_;  // by function
};

template <class T>
T CallReturns::of_all(ByCall<T>& known, uint64_t call, std::optional<T> (regions::LibraryNames::*of)(CodeAddr)) {
  const auto [at, is_new] = known.try_emplace(call);
  if (!is_new) return at->second;
  prepare();
  std::optional<T> all;
  for (auto c = called_.lower_bound({call, {}}); c != called_.end() && c->first == call; ++c) {
    const std::optional<T> one = (names_.*of)(c->second);
    if (all && one && *all != *one) return {};
    if (one) all = one;
  }
  return at->second = all.value_or(T());
}

}  // namespace cdr::advise

#endif
