// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/depend/access_contexts.h"

#include <algorithm>

namespace cdr::depend {

ContextIndex AccessContexts::with_sp(ContextIndex a, StackIndex stack, uint64_t sp) {
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

void AccessContexts::add_more(Run run, uint32_t count) {
  for (uint32_t done = kPerRun; done < count; done += kPerRun) {
    run.sites += kPerRun;
    runs_.push_back(run);
  }
}

ContextIndex AccessContexts::intern(const Run& run) {
  const size_t mask = interned_.size() - 1;
  size_t at = hash(run) & mask;
  for (; interned_[at] != 0; at = (at + 1) & mask)
    if (runs_[interned_[at]] == run) return interned_[at] * kPerRun;
  interned_[at] = static_cast<uint32_t>(runs_.size());
  const ContextIndex context = add_run(run, 1);
  if (2 * ++interned_count_ > interned_.size()) grow_interned();
  return context;
}

[[gnu::noinline]] void AccessContexts::grow_interned() {
  std::vector<uint32_t> old(2 * interned_.size());
  old.swap(interned_);
  const size_t mask = interned_.size() - 1;
  for (const uint32_t number : old) {
    if (number == 0) continue;
    size_t at = hash(runs_[number]) & mask;
    while (interned_[at] != 0) at = (at + 1) & mask;
    interned_[at] = number;
  }
}

NodeIndex AccessContexts::fold_node(const FoldKey& key, ActivationTree& tree) {
  const auto [known, added] = fold_nodes_.insert(key);
  if (added) *known = tree.add_folded(key.anchor, key.site, key.hidden);
  return *known;
}

// The run's node is none; it becomes a folded one as above.
void AccessContexts::fold(Run& run, ActivationTree& tree) {
  const NodeIndex anchor = tree.anchor_of(run.node);
  if (const Node& node = tree[run.node]; node.flags & kNodeKnown && anchor != 0) {
    run.node = node.position;
  } else if (anchor != 0) {
    const NodeIndex canonical = fold_node({anchor, node.site, node.hidden()}, tree);
    tree[run.node].flags |= kNodeKnown;
    tree[run.node].position = canonical;
    run.node = canonical;
  } else {  // its stack has ended
    Way w{run.node, run.visit};
    tree.settle(w);
    run.node = fold_node({w.node, w.site, w.hidden}, tree);
    run.visit = tree.visits().as_of_thread(w.visit, tree.visits()[run.visit].thread);
  }
}

// SP is kept only while the byte is below it. A canonical node remembers the run without SP: its `function` is the
// run's number, its `root` the visit.
Ref AccessContexts::folded(Ref r, ActivationTree& tree) {
  const ContextIndex a = context_of(r);
  const uint32_t number = a / kPerRun;
  Run run = runs_[number];
  if (tree[run.node].anchor()) return r;
  const bool keeps_sp = is_below_sp(r);
  if (!is_folded_well(run, tree))
    fold(run, tree);
  else if (keeps_sp || run.stack == 0)
    return r;
  const Site& site = sites_[site_of(run, a)];
  if (keeps_sp) {
    set_folded_sites(run, site, true);
    return state_of(r) | (intern(run) + site.flags);
  }
  Node& canonical = tree[run.node];
  if (canonical.function == 0 || canonical.root != run.visit) [[unlikely]] {
    canonical.root = run.visit;
    set_folded_sites(run, site, false);
    canonical.function = intern(run) / kPerRun;
  }
  return state_of(r) | (canonical.function * kPerRun + site.flags);
}

[[gnu::noinline]] ContextIndex AccessContexts::move_run(Ref r, const AccessContexts& from, ActivationTree& from_tree,
                                                        std::span<const NodeIndex> nodes, ActivationTree& tree) {
  const ContextIndex a = context_of(r);
  Run run = from.run(a);
  if (from_tree[run.node].anchor()) {
    run.node = nodes[run.node];
    run.visit = tree.visits().moved(run.visit, from_tree.visits(), from_tree, nodes);
    return moved_runs_[a / kPerRun] = intern(run);
  }
  Way w{run.node, run.visit};
  from_tree.settle(w);
  run.node = fold_node({nodes[w.node], w.site, w.hidden}, tree);
  const uint32_t thread = from_tree.visits()[run.visit].thread;
  run.visit = tree.visits().as_of_thread(tree.visits().moved(w.visit, from_tree.visits(), from_tree, nodes), thread);
  set_folded_sites(run, from.site(a), is_below_sp(r));
  const ContextIndex known = intern(run) + 1;
  return is_below_sp(r) ? known : moved_runs_[a / kPerRun] = known;
}

bool AccessContexts::same_anchors(Ref a, Ref b) const {
  const Run& x = run(context_of(a));
  const Run& y = run(context_of(b));
  if (x.node != y.node || x.visit != y.visit || state_of(a) != state_of(b)) return false;
  const Site& s = site(context_of(a));
  const Site& t = site(context_of(b));
  if (s.flags != t.flags || s.code != t.code) return false;
  return !is_below_sp(a) || sp(context_of(a), x.stack) == sp(context_of(b), x.stack);
}

void AccessContexts::finish_move(AccessContexts& from) {
  sites_.swap(from.sites_);  // ours are none
  site_flags_.swap(from.site_flags_);
  moved_runs_.clear();
  from.runs_.resize(1);
  from.fold_nodes_.clear();
  std::fill(from.interned_.begin(), from.interned_.end(), 0);
  from.interned_count_ = 0;
  from.with_sp_.clear();
}

size_t AccessContexts::bytes() const {
  return sites_.capacity() * (sizeof(Site) + sizeof(uint8_t)) + runs_.capacity() * sizeof(Run) +
         fold_nodes_.capacity_bytes() + interned_.size() * sizeof(uint32_t) + with_sp_.capacity_bytes() +
         moved_runs_.capacity() * sizeof(ContextIndex);
}

}  // namespace cdr::depend
