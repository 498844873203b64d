// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/depend/actors.h"

namespace cdr::depend {

ActorIndex Actors::with_sp(ActorIndex a, StackIndex stack, uint64_t sp) {
  const auto [known, added] = with_sp_.insert({sp, a, stack});
  if (added) {
    Run r = run(a);
    r.sites = site_index(a);
    r.stack = stack;
    r.sp = sp - static_cast<uint64_t>(static_cast<int64_t>(site(a).sp_delta));
    *known = add_run(r, 1);
  }
  return *known;
}

// What of a folded actor can still be seen: see the head of the file. The SP only while the byte is below it.
Actors::FoldKey Actors::fold_key(Ref r, ActivationTree& tree) const {
  const ActorIndex a = actor_of(r);
  const Run& from = run(a);
  FoldKey key{};
  key.anchor = tree.anchor_of(from.node);
  const Node& node = tree[from.node];
  key.site = node.site;
  key.thread = from.thread;
  if (is_below_sp(r) && from.stack != 0) {
    key.sp = sp(a, from.stack);
    key.stack_and_hidden = from.stack << 1;
  }
  key.stack_and_hidden |= node.hidden() ? 1 : 0;
  return key;
}

Ref Actors::folded_as(const FoldKey& key, Ref r, const Site& site, ActivationTree& tree) {
  const auto [known, added] = folds_.insert(key);
  if (added) {
    Run run;
    run.node = tree.add_folded(key.anchor, key.site, key.stack_and_hidden & 1);
    run.sites = kFoldedSites | static_cast<SiteIndex>(folded_sites_.size());
    run.thread = key.thread;
    run.stack = key.stack_and_hidden >> 1;
    run.sp = key.sp;
    *known = add_run(run, 1);
    for (uint8_t flags = 0; flags < kPerRun; ++flags) folded_sites_.push_back({0, 0, flags});
  }
  const ActorIndex a = *known + site.flags;
  Site& witness = folded_sites_[site_index(a) & ~kFoldedSites];
  if (witness.code == 0) witness.code = site.code;
  return state_of(r) | a;
}

Ref Actors::folded(Ref r, ActivationTree& tree) {
  const ActorIndex a = actor_of(r);
  if (tree[node(a)].anchor()) return r;
  const Site was = site(a);
  return folded_as(fold_key(r, tree), r, was, tree);
}

Ref Actors::moved(Ref r, const Actors& from, ActivationTree& from_tree, std::span<const NodeIndex> nodes,
                  ActivationTree& tree) {
  const ActorIndex a = actor_of(r);
  Run run = from.run(a);
  if (!from_tree[run.node].anchor()) {
    FoldKey key = from.fold_key(r, from_tree);
    key.anchor = nodes[key.anchor];
    return folded_as(key, r, from.site(a), tree);
  }
  run.node = nodes[run.node];
  const auto [known, added] = moved_.insert(run);
  if (added) *known = add_run(run, 1);
  return state_of(r) | (*known + a % kPerRun);
}

void Actors::finish_move(Actors& from) {
  sites_.swap(from.sites_);  // ours are none
  moved_.clear();
  from.runs_.resize(1);
  from.folded_sites_.clear();
  from.folds_.clear();
  from.with_sp_.clear();
}

size_t Actors::bytes() const {
  return (sites_.capacity() + folded_sites_.capacity()) * sizeof(Site) + runs_.capacity() * sizeof(Run) +
         folds_.capacity_bytes() + with_sp_.capacity_bytes() + moved_.capacity_bytes();
}

}  // namespace cdr::depend
