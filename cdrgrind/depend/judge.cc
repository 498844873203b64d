// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/depend/judge.h"

namespace cdr::depend {
namespace {

EndpointCode below(bool hidden) { return hidden ? EndpointCode::kHidden : EndpointCode::kCall; }

Kind kind_of(const Site& s, const Site& t) {
  if (!(t.flags & kSiteStore)) return Kind::kRaw;
  return s.flags & kSiteStore ? Kind::kWaw : Kind::kWar;
}

}  // namespace

// The ancestor's children on both ways down give the ends. On one stack the source's anchor is a frame of the
// target's own chain, so it is the ancestor.
inline Judge::Relation Judge::relate(NodeIndex source) {
  Relation r;
  const NodeIndex anchor = tree_.anchor_of(source);
  const Node& a = tree_[anchor];
  r.ancestor = anchor;
  if (anchor != source) {
    const Node& folded = tree_[source];
    r.source = {folded.site, below(folded.hidden())};
  }
  if (!a.open() || a.stack != stack_->index) [[unlikely]] {
    relate_across(anchor, r);
  } else if (a.position + 1 < stack_->frames.size()) {
    const Node& child = tree_[stack_->frames[a.position + 1].node];
    r.target = {child.site, below(stack_->top().hidden > static_cast<int32_t>(a.position))};
  }
  return r;
}

void Judge::relate_across(NodeIndex from, Relation& r) {
  NodeIndex to = stack_->top().node;
  while (from != to) {
    const bool source_side = tree_[from].depth >= tree_[to].depth;
    NodeIndex& at = source_side ? from : to;
    End& end = source_side ? r.source : r.target;
    Node& n = tree_[at];
    n.flags |= kNodeWatched;
    end = {n.site, below(end.code == EndpointCode::kHidden || n.hidden())};
    at = n.parent;
  }
  tree_[from].flags |= kNodeWatched;
  r.ancestor = from;
}

inline LocationClass Judge::classify(Ref source, const Site& s, const Site& t, Place place) {
  const uint8_t either = s.flags | t.flags;
  if (place == Place::kGot || (either & kSiteLazy) || (s.flags & t.flags & kSiteLinkage))
    return LocationClass::kLinkage;
  if (heap_state(source) == HeapState::kRecycled) return LocationClass::kRecycled;
  if (place == Place::kPlain) return LocationClass::kOther;
  switch (stack_state(source)) {
    case StackState::kFalse:
      return LocationClass::kFalse;
    case StackState::kIn:
    case StackState::kRed:
      return place == Place::kStack ? LocationClass::kStack : LocationClass::kOther;
    default:
      return LocationClass::kOther;
  }
}

[[gnu::noinline]] RowIndex Judge::find_row(Ref source, const Target& target, Place place, uint64_t addr) {
  const Run& from = actors_.run(actor_of(source));
  const Site& s = actors_.site(actor_of(source));
  const Site& t = actors_.site(target.actor);
  const Relation r = relate(from.node);
  const Node& ancestor = tree_[r.ancestor];
  const bool hidden = (ancestor.flags & (kNodeHidden | kNodeUnderHidden)) != 0;
  const CodeIndex source_at = r.source.code == EndpointCode::kOwn ? s.code : r.source.at;
  const CodeIndex target_at = r.target.code == EndpointCode::kOwn ? t.code : r.target.at;
  TallyKey key;
  key.ancestor_and_source = uint64_t{ancestor.function} << 32 | source_at;
  key.target_and_rest = uint64_t{target_at} << 32 | TallyKey::rest(hidden, r.source.code, r.target.code,
                                                                   classify(source, s, t, place), kind_of(s, t));
  key.threads = uint64_t{from.thread} << 32 | actors_.run(target.actor).thread;
  return tally_.row(key, {addr, s.code, t.code, target.width});
}

}  // namespace cdr::depend
