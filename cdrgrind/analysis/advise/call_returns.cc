// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/advise/call_returns.h"

namespace cdr::advise {

void CallReturns::prepare() {
  if (std::exchange(prepared_, true)) return;
  for (regions::ContextIndex c = 1; c < contexts_.size(); ++c)
    if (contexts_[c].parent) called_.insert({contexts_[c].site, contexts_[c].function});
}

}  // namespace cdr::advise
