// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/regions/contexts.h"

namespace cdr::regions {

ContextIndex Contexts::child_of(ContextIndex parent, uint64_t site, CodeAddr function, bool library, StackId stack) {
  const Key key{uint64_t{parent} << 32 | function.module.value, site, function.addr};
  const auto [c, is_new] = children_.insert(key);
  if (is_new && (*c = recursion(parent, site, function)) == 0) {
    *c = static_cast<ContextIndex>(contexts_.size());
    contexts_.push_back({parent, site, function, parent ? contexts_[parent].depth + 1 : 0, stack, library});
  }
  return *c;
}

ContextIndex Contexts::known_child(ContextIndex parent, uint64_t site, CodeAddr function) const {
  const ContextIndex* const c = children_.find({uint64_t{parent} << 32 | function.module.value, site, function.addr});
  return c ? *c : 0;
}

// The nearest context above that is the same call of the same function, if there are many of that function.
ContextIndex Contexts::recursion(ContextIndex parent, uint64_t site, CodeAddr function) const {
  ContextIndex same = 0;
  unsigned depth = 0;
  for (ContextIndex c = parent; c; c = contexts_[c].parent) {
    if (contexts_[c].function != function) continue;
    ++depth;
    if (!same && contexts_[c].site == site) same = c;
  }
  return depth >= kDeepestRecursion ? same : 0;
}

SiteIndex Contexts::sites_of(ContextIndex context, SuperblockId superblock) {
  const auto [first, is_new] = of_blocks_.insert(uint64_t{context} << 32 | superblock.value);
  if (!is_new) return *first;
  *first = static_cast<SiteIndex>(sites_.size());
  const auto accesses = blocks_.superblock(superblock).accesses;
  sites_.resize(sites_.size() + accesses.size() + 1, Site{context, superblock, Site::kRegisters});
  Site* const to = &sites_[*first];
  for (uint16_t a = 0; a < accesses.size(); ++a) {
    to[a].access = a;
    to[a].linkage = (accesses[a].flags & kAccessLinkage) != 0;
  }
  return *first;
}

SiteIndex Contexts::known_sites_of(ContextIndex context, SuperblockId superblock) const {
  const SiteIndex* const first = of_blocks_.find(uint64_t{context} << 32 | superblock.value);
  return first ? *first : 0;
}

SiteIndex Contexts::whole(ContextIndex context, uint64_t ip) {
  const auto [s, is_new] = wholes_.insert({context, ip, 0});
  if (is_new) {
    *s = static_cast<SiteIndex>(sites_.size());
    Site site;
    site.context = context;
    site.ip = ip;
    sites_.push_back(site);
  }
  return *s;
}

uint64_t Contexts::ip_of(SiteIndex s) const {
  const Site& site = sites_[s];
  if (site.access == Site::kWhole) return site.ip;
  const Superblock& sb = blocks_.superblock(site.superblock);
  return site.access == Site::kRegisters ? sb.addr : sb.insn_addr(sb.accesses[site.access].insn);
}

bool Contexts::repeats_insn(SiteIndex s) const {
  const Site& site = sites_[s];
  return site.is_access() && regions::repeats_insn(blocks_.superblock(site.superblock), ip_of(s));
}

}  // namespace cdr::regions
