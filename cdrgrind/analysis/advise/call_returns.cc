// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/advise/call_returns.h"

namespace cdr::advise {

void CallReturns::prepare() {
  if (std::exchange(prepared_, true)) return;
  for (regions::ContextIndex c = 1; c < contexts_.size(); ++c)
    if (contexts_[c].parent) called_.insert({contexts_[c].site, contexts_[c].function});
}

bool CallReturns::moves_iterator(CodeAddr function) {
  const auto [known, is_new] = moves_.try_emplace(function, false);
  if (is_new) known->second = names_.moves_iterator(function);
  return known->second;
}

}  // namespace cdr::advise
