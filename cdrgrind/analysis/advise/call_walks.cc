// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/advise/call_walks.h"

#include <map>
#include <optional>
#include <utility>

namespace cdr::advise {

using regions::Walk;

Walk CallWalks::at(uint64_t call) {
  prepare();
  const auto known = by_call_.find(call);
  return known == by_call_.end() ? Walk::kNone : known->second;
}

void CallWalks::prepare() {
  if (std::exchange(prepared_, true)) return;
  std::map<CodeAddr, std::optional<Walk>> of_functions;
  for (regions::ContextIndex c = 1; c < contexts_.size(); ++c) {
    if (!contexts_[c].parent) continue;
    const auto [of, is_new_function] = of_functions.try_emplace(contexts_[c].function);
    if (is_new_function) of->second = names_.walk_of(contexts_[c].function);
    if (!of->second) continue;
    const auto [known, is_new] = by_call_.try_emplace(contexts_[c].site, *of->second);
    if (!is_new && known->second != *of->second) known->second = Walk::kNone;
  }
}

}  // namespace cdr::advise
