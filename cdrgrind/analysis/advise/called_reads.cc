// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/advise/called_reads.h"

#include <algorithm>
#include <utility>

namespace cdr::advise {

using regions::ContextIndex;
using regions::Site;

namespace {

template <class T>
void sort_each_once(std::vector<T>& v) {
  std::sort(v.begin(), v.end());
  v.erase(std::unique(v.begin(), v.end()), v.end());
}

}  // namespace

const CalledReads::Reads& CalledReads::of(uint64_t function, uint64_t call) {
  const auto [known, is_new] = known_.try_emplace({function, call});
  Reads& reads = known->second;
  if (!is_new) return reads;
  prepare();
  const auto called = called_.find({function, call});
  if (called == called_.end()) return reads;
  reads.known = true;
  for (const ContextIndex c : called->second) add(c, reads);
  sort_each_once(reads.stores);
  return reads;
}

void CalledReads::prepare() {
  if (std::exchange(prepared_, true)) return;
  const auto& contexts = with_.regions.contexts;
  first_child_.resize(contexts.size());
  next_sibling_.resize(contexts.size());
  for (ContextIndex c = 1; c < contexts.size(); ++c) {
    const ContextIndex parent = contexts[c].parent;
    next_sibling_[c] = first_child_[parent];
    first_child_[parent] = c;
    if (parent) called_[{contexts[parent].function.addr, contexts[c].site}].push_back(c);
  }
  // Where calls return to, they put there.
  for (const regions::Flow& f : with_.regions.flows)
    if (!contexts.site(f.load).linkage || !contexts.site(f.store).linkage)
      flows_.push_back({contexts.site(f.load).context, f.store});
  sort_each_once(flows_);
  for (const regions::EntryRead& e : with_.regions.entry_reads)
    if (!is_one_place(e)) roaming_.push_back(contexts.site(e.load).context);
  sort_each_once(roaming_);
}

bool CalledReads::is_one_place(const regions::EntryRead& e) const {
  const Site& s = with_.regions.contexts.site(e.load);
  if (!s.is_access()) return false;
  return e.highest - e.lowest < static_cast<int64_t>(with_.blocks.superblock(s.superblock).accesses[s.access].width);
}

void CalledReads::add(ContextIndex called, Reads& to) const {
  const auto& contexts = with_.regions.contexts;
  std::vector<ContextIndex> left = {called};
  while (!left.empty()) {
    const ContextIndex c = left.back();
    left.pop_back();
    to.known &= !contexts[c].library;
    to.one_place &= !std::binary_search(roaming_.begin(), roaming_.end(), c);
    for (auto f = std::lower_bound(flows_.begin(), flows_.end(), Flow{c, 0}); f != flows_.end() && f->by == c; ++f)
      if (!is_within(contexts.site(f->store).context, called)) to.stores.push_back(f->store);
    for (ContextIndex child = first_child_[c]; child; child = next_sibling_[child]) left.push_back(child);
  }
}

bool CalledReads::is_within(ContextIndex c, ContextIndex outer) const {
  while (c > outer) c = with_.regions.contexts[c].parent;
  return c == outer;
}

}  // namespace cdr::advise
