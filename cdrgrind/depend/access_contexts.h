// SPDX-License-Identifier: GPL-2.0-or-later
// Who made an access. A *site* is an access in the code: instruction, load or store, flags. A *context* is a site
// executed in one activation and one visit (visits.h), so by one thread. Contexts are not interned: the first execution
// of a block in an activation takes a run of consecutive numbers for all its accesses (8 to a `Run`), so that getting
// one costs an addition. Two contexts can mean the same; that costs memory, never a wrong count.
//
// Of an access whose activation is folded (activation_tree.h) nothing of the site can be seen but its flags. So all
// such accesses with the same folded node, visit and flags are one context: one of the eight of a run whose sites are
// the eight combinations of flags. Only below SP there is a run for each SP.
#ifndef CDRGRIND_DEPEND_ACCESS_CONTEXTS_H
#define CDRGRIND_DEPEND_ACCESS_CONTEXTS_H

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/base/flat_map.h"
#include "cdrgrind/base/large_pages.h"
#include "cdrgrind/depend/activation_tree.h"
#include "cdrgrind/depend/ref.h"

namespace cdr::depend {

using SiteIndex = uint32_t;

enum SiteFlags : uint8_t { kSiteStore = 1, kSiteLinkage = 2, kSiteLazy = 4 };

struct Site {
  CodeIndex code = 0;
  int32_t sp_delta = 0;  // lower of SP before and after the instruction, minus SP at the block's entry
  uint8_t flags = 0;
};

struct Run {
  uint64_t sp = 0;  // at the block's entry
  NodeIndex node = 0;
  SiteIndex sites = 0;
  VisitIndex visit = 0;
  StackIndex stack = 0;  // that the SP belongs to; 0: of no meaning
  bool operator==(const Run&) const = default;
};

class AccessContexts {
 public:
  static constexpr unsigned kPerRun = 8;
  static constexpr uint32_t kMaxRuns = (kContextMask + 1) / kPerRun;

  AccessContexts() : sites_(kFoldedSites), site_flags_(kFoldedSites), runs_(1) {
    for (uint8_t flags = 0; flags < kPerRun; ++flags) {
      sites_.push_back({0, 0, flags});
      site_flags_.push_back(flags);
    }
  }

  SiteIndex add_sites(std::span<const Site> sites) {
    const auto first = static_cast<SiteIndex>(sites_.size());
    sites_.insert(sites_.end(), sites.begin(), sites.end());
    for (const Site& s : sites) site_flags_.push_back(s.flags);
    return first;
  }
  const Site& program_site(SiteIndex i) const { return sites_[i]; }
  uint8_t flags_of_site(SiteIndex i) const { return site_flags_[i]; }
  // Numbers for `count` accesses at consecutive sites.
  ContextIndex add_run(const Run& run, uint32_t count) {
    const auto first = static_cast<ContextIndex>(runs_.size()) * kPerRun;
    runs_.push_back(run);
    if (count > kPerRun) add_more(run, count);
    return first;
  }
  // The same context with another stack's SP, for accesses below it.
  ContextIndex with_sp(ContextIndex a, StackIndex stack, uint64_t sp);
  // The reference to the context that stands for a folded one; `r` itself if its activation is an anchor.
  Ref folded(Ref r, ActivationTree& tree);
  // Whether future keys and classes see the same of two references that have been folded.
  bool same(Ref a, Ref b, const ActivationTree& tree) const {
    return a == b || (tree[node(context_of(b))].anchor() && same_anchors(a, b));
  }
  // A sweep makes this table out of the references to another: moved() of each, between start_move() and
  // finish_move(). `nodes` maps the anchors of `from_tree` to those of `tree`.
  void start_move(const AccessContexts& from) { moved_runs_.assign(from.runs_.size(), 0); }
  Ref moved(Ref r, const AccessContexts& from, ActivationTree& from_tree, std::span<const NodeIndex> nodes,
            ActivationTree& tree) {
    const ContextIndex a = context_of(r);
    ContextIndex known = moved_runs_[a / kPerRun];
    if (known == 0 || is_below_sp(r)) [[unlikely]]
      known = move_run(r, from, from_tree, nodes, tree);
    return state_of(r) | (known & 1 ? known - 1 + from.site(a).flags : known + a % kPerRun);
  }
  // `from` is left empty, with its memory.
  void finish_move(AccessContexts& from);

  const Run& run(ContextIndex a) const { return runs_[a / kPerRun]; }
  // Into the cache.
  void fetch(ContextIndex a) const { __builtin_prefetch(&runs_[a / kPerRun]); }
  NodeIndex node(ContextIndex a) const { return run(a).node; }
  const Site& site(ContextIndex a) const { return sites_[site_index(a)]; }
  // The same if its run is known.
  const Site& site(const Run& r, ContextIndex a) const { return sites_[site_of(r, a)]; }
  static SiteIndex site_of(const Run& r, ContextIndex a) { return r.sites + a % kPerRun; }
  // sp(access) as a pointer into `stack`; 0 if it was not below SP of that stack.
  uint64_t sp(ContextIndex a, StackIndex stack) const {
    const Run& r = run(a);
    return r.stack == stack ? r.sp + static_cast<uint64_t>(static_cast<int64_t>(site(a).sp_delta)) : 0;
  }
  uint32_t run_count() const { return static_cast<uint32_t>(runs_.size()); }
  bool full() const { return runs_.size() >= kMaxRuns - kReserve; }
  size_t bytes() const;

 private:
  static constexpr uint32_t kReserve = 1 << 20;  // for one block and the folding after it
  static constexpr SiteIndex kFoldedSites = 8;   // of folded contexts: {no code, flags 0}, {no code, flags 1}, ...
  static_assert((kSiteStore | kSiteLinkage | kSiteLazy) == kPerRun - 1);

  struct FoldKey {
    NodeIndex anchor;
    CodeIndex site;
    uint32_t hidden;
    bool operator==(const FoldKey&) const = default;
  };
  struct FoldHash {
    uint64_t operator()(const FoldKey& k) const { return mix64((uint64_t{k.anchor} << 32 | k.site) ^ k.hidden << 31); }
  };
  struct SpKey {
    uint64_t sp;
    ContextIndex context;
    StackIndex stack;
    bool operator==(const SpKey&) const = default;
  };
  struct SpHash {
    uint64_t operator()(const SpKey& k) const { return mix64(k.sp + mix64(uint64_t{k.context} << 32 | k.stack)); }
  };

  static uint64_t hash(const Run& r) {
    const uint64_t a = (uint64_t{r.node} << 32 | r.sites) * 0x9e3779b97f4a7c15u;
    const uint64_t b = (r.sp + (uint64_t{r.visit} << 32 | r.stack)) * 0xc2b2ae3d27d4eb4fu;
    const uint64_t h = a ^ b ^ a >> 32;
    return h * 0x9e3779b97f4a7c15u >> 32;
  }
  SiteIndex site_index(ContextIndex a) const { return run(a).sites + a % kPerRun; }
  ContextIndex move_run(Ref r, const AccessContexts& from, ActivationTree& from_tree, std::span<const NodeIndex> nodes,
                        ActivationTree& tree);
  void fold(Run& run, ActivationTree& tree);
  // The folded node of the key; `tree` is the table that it lies in.
  NodeIndex fold_node(const FoldKey& key, ActivationTree& tree);
  bool is_folded_well(const Run& run, const ActivationTree& tree) const {
    return (tree[run.node].flags & kNodeCanonical) && tree[tree[run.node].parent].anchor();
  }
  bool same_anchors(Ref a, Ref b) const;
  // The run is folded now; `keeps_sp`: of this access's own SP.
  void set_folded_sites(Run& run, const Site& site, bool keeps_sp) const {
    run.sites = kFoldedSites;
    if (keeps_sp && run.stack != 0)
      run.sp += static_cast<uint64_t>(static_cast<int64_t>(site.sp_delta));
    else
      run.sp = run.stack = 0;
  }
  // The runs behind the first one.
  void add_more(Run run, uint32_t count);
  ContextIndex intern(const Run& run);
  void grow_interned();

  std::vector<Site> sites_;
  std::vector<uint8_t> site_flags_;  // the same once more, where many fit into the cache
  LargeVector<Run> runs_;
  FlatMap<FoldKey, NodeIndex, FoldHash> fold_nodes_;
  // Folded and moved runs, by number: open addressing, at most half full; 0: none. It keeps its memory.
  static constexpr size_t kLeastInterned = 1024;
  std::vector<uint32_t> interned_ = std::vector<uint32_t>(kLeastInterned);
  size_t interned_count_ = 0;
  FlatMap<SpKey, ContextIndex, SpHash> with_sp_;
  // By run of the other table, while this one is filled; 0: not yet. + 1: a folded run.
  LargeVector<ContextIndex> moved_runs_;
};

}  // namespace cdr::depend

#endif
