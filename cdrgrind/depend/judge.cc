// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/depend/judge.h"

namespace cdr::depend {
namespace {

EndpointCode below(bool hidden) { return hidden ? EndpointCode::kHidden : EndpointCode::kCall; }

constexpr LocationClass class_at(Place place, Ref source) {
  if (place == Place::kGot) return LocationClass::kLinkage;
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

constexpr unsigned kPlaceBits = 2;
constexpr unsigned kStatesBits = kPlaceBits + 5;

// By the states of the reference and the place, if the sites leave it open.
constexpr auto kClasses = [] {
  std::array<LocationClass, size_t{1} << kStatesBits> classes{};
  for (unsigned i = 0; i < classes.size(); ++i)
    classes[i] = class_at(static_cast<Place>(i % (1u << kPlaceBits)), Ref{i >> kPlaceBits} << kHeapShift);
  return classes;
}();

// The states of the reference, and the place.
unsigned states_of(Ref source, Place place) {
  return (source & (kStackMask | kHeapMask)) >> kHeapShift << kPlaceBits | static_cast<unsigned>(place);
}

LocationClass classify(Ref source, uint8_t s, uint8_t t, Place place) {
  const bool linkage = ((s | t) & kSiteLazy) || (s & t & kSiteLinkage);
  if (linkage) return LocationClass::kLinkage;
  return kClasses[states_of(source, place)];
}

constexpr Kind kKinds[2][2] = {{Kind::kRaw, Kind::kRaw}, {Kind::kWar, Kind::kWaw}};

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

[[gnu::noinline]] void Judge::find_ends(const Run& source, const Run& target, Ends& e) {
  const Relation r = relate(source.node);
  const Node& ancestor = tree_[r.ancestor];
  const bool hidden = (ancestor.flags & (kNodeHidden | kNodeUnderHidden)) != 0;
  e.period = period_;
  e.source = source.node;
  e.thread = source.thread;
  e.source_mask = r.source.code == EndpointCode::kOwn ? ~CodeIndex{0} : 0;
  e.target_mask = r.target.code == EndpointCode::kOwn ? ~CodeIndex{0} : 0;
  e.key.ancestor_and_source = uint64_t{ancestor.function} << 32 | r.source.at;
  e.key.target_and_rest = uint64_t{r.target.at} << 32 | TallyKey::rest(hidden, r.source.code, r.target.code);
  e.key.threads = uint64_t{source.thread} << 32 | target.thread;
  Numbered& known = some_numbers_[Tally::hash(e.key) % kSomeNumbers];
  if (!(known.key == e.key)) [[unlikely]]
    known = {e.key, number_of(e.key)};
  e.number = known.number;
}

[[gnu::noinline]] uint32_t Judge::number_of(const TallyKey& ends) {
  if (const uint32_t* known = ends_numbers_.find(ends)) return *known;
  const auto next = static_cast<uint32_t>(ends_numbers_.size() + 1);
  if (next >> kNumberBits != 0) return 0;
  return ends_numbers_[ends] = next;
}

[[gnu::noinline]] RowIndex Judge::find_row(Ref source, const Target& target, Place place, uint64_t addr) {
  const Run& from = actors_.run(actor_of(source));
  const Run& to = actors_.run(target.actor);
  const Ends& e = ends(from, to);
  const SiteIndex s = Actors::site_of(from, actor_of(source));
  const SiteIndex t = Actors::site_of(to, target.actor);
  if (e.number == 0 || s >> kSourceSiteBits != 0 || t >> kTargetSiteBits != 0) [[unlikely]]
    return tallied_row(source, target, place, addr, e);
  const uint64_t sites = (uint64_t{e.number} << kSourceSiteBits | s) << kTargetSiteBits | t;
  const uint64_t key = sites << kStatesBits | states_of(source, place);
  Slot& slot = (*known_rows_)[key * 0x9e3779b97f4a7c15u >> 53];
  if (slot.key != key) [[unlikely]]
    slot = {key, tallied_row(source, target, place, addr, e)};
  return slot.row;
}

[[gnu::noinline]] RowIndex Judge::tallied_row(Ref source, const Target& target, Place place, uint64_t addr,
                                              const Ends& e) {
  const Site& s = actors_.site(actor_of(source));
  const Site& t = actors_.site(target.actor);
  TallyKey key = e.key;
  key.ancestor_and_source |= s.code & e.source_mask;
  key.target_and_rest |=
      uint64_t{t.code & e.target_mask} << 32 |
      TallyKey::rest(classify(source, s.flags, t.flags, place), kKinds[t.flags & kSiteStore][s.flags & kSiteStore]);
  return tally_.row(key, [&] { return TallyWitness{addr, s.code, t.code, target.width}; });
}

}  // namespace cdr::depend
