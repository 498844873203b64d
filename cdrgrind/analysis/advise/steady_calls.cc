// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/advise/steady_calls.h"

#include <algorithm>
#include <utility>

namespace cdr::advise {

using regions::ContextIndex;

bool SteadyCalls::is_steady(uint64_t function, uint64_t call) {
  const auto [known, is_new] = known_.try_emplace({function, call});
  if (!is_new) return known->second;
  prepare();
  const auto called = called_.find({function, call});
  if (called == called_.end()) return false;
  const auto& contexts = called->second;
  return known->second = std::all_of(contexts.begin(), contexts.end(), [&](ContextIndex c) { return reads_old(c); });
}

void SteadyCalls::prepare() {
  if (std::exchange(prepared_, true)) return;
  const auto& contexts = regions_.contexts;
  first_child_.resize(contexts.size());
  next_sibling_.resize(contexts.size());
  for (ContextIndex c = 1; c < contexts.size(); ++c) {
    const ContextIndex parent = contexts[c].parent;
    next_sibling_[c] = first_child_[parent];
    first_child_[parent] = c;
    if (parent) called_[{contexts[parent].function.addr, contexts[c].site}].push_back(c);
  }
  // Where calls return to, they put there.
  for (const regions::Flow& f : regions_.flows)
    if (!contexts.site(f.load).linkage || !contexts.site(f.store).linkage)
      flows_.emplace_back(contexts.site(f.load).context, contexts.site(f.store).context);
  std::sort(flows_.begin(), flows_.end());
  flows_.erase(std::unique(flows_.begin(), flows_.end()), flows_.end());
}

bool SteadyCalls::reads_old(ContextIndex called) const {
  std::vector<ContextIndex> left = {called};
  while (!left.empty()) {
    const ContextIndex c = left.back();
    left.pop_back();
    if (regions_.contexts[c].library) return false;
    for (auto f = std::lower_bound(flows_.begin(), flows_.end(), std::pair(c, ContextIndex{0}));
         f != flows_.end() && f->first == c; ++f)
      if (!is_within(f->second, called)) return false;
    for (ContextIndex child = first_child_[c]; child; child = next_sibling_[child]) left.push_back(child);
  }
  return true;
}

bool SteadyCalls::is_within(ContextIndex c, ContextIndex outer) const {
  while (c > outer) c = regions_.contexts[c].parent;
  return c == outer;
}

}  // namespace cdr::advise
