// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/depend/classifier.h"

#include <utility>

namespace cdr::depend {
namespace {

EndpointCode below(bool hidden) { return hidden ? EndpointCode::kHidden : EndpointCode::kCall; }

constexpr LocationClass class_at(AddressClass address_class, Ref source) {
  if (address_class == AddressClass::kGot) return LocationClass::kLinkage;
  if (heap_state(source) == HeapState::kRecycled) return LocationClass::kRecycled;
  if (address_class == AddressClass::kPlain) return LocationClass::kOther;
  switch (stack_state(source)) {
    case StackState::kFalse:
      return LocationClass::kFalse;
    case StackState::kIn:
    case StackState::kRed:
      return address_class == AddressClass::kStack ? LocationClass::kStack : LocationClass::kOther;
    default:
      return LocationClass::kOther;
  }
}

constexpr unsigned kAddressClassBits = 2;
constexpr unsigned kStatesBits = kAddressClassBits + 5;

// By the states of the reference and the class of the address, if the sites leave it open.
constexpr auto kClasses = [] {
  std::array<LocationClass, size_t{1} << kStatesBits> classes{};
  for (unsigned i = 0; i < classes.size(); ++i)
    classes[i] =
        class_at(static_cast<AddressClass>(i % (1u << kAddressClassBits)), Ref{i >> kAddressClassBits} << kHeapShift);
  return classes;
}();

// The states of the reference, and the class of the address.
unsigned states_of(Ref source, AddressClass address_class) {
  return (source & (kStackMask | kHeapMask)) >> kHeapShift << kAddressClassBits | static_cast<unsigned>(address_class);
}

LocationClass classify(Ref source, uint8_t s, uint8_t t, AddressClass address_class) {
  const bool linkage = ((s | t) & kSiteLazy) || (s & t & kSiteLinkage);
  if (linkage) return LocationClass::kLinkage;
  return kClasses[states_of(source, address_class)];
}

constexpr Kind kKinds[2][2] = {{Kind::kRaw, Kind::kRaw}, {Kind::kWar, Kind::kWaw}};

}  // namespace

// The ancestor's children on both ways down give the ends. On one stack the source's anchor is a frame of the
// target's own chain, so it is the ancestor.
inline Classifier::Relation Classifier::relate(const Run& source) {
  const NodeIndex anchor = tree_.anchor_of(source.node);
  const Node& a = tree_[anchor];
  if (!a.open() || a.root != stack_->root) [[unlikely]]
    return relate_across(source);
  Relation r;
  r.ancestor = anchor;
  r.hidden = (a.flags & (kNodeHidden | kNodeUnderHidden)) != 0 || stack_->under_hidden;
  if (anchor != source.node) {
    const Node& folded = tree_[source.node];
    r.source = {folded.site, below(folded.hidden())};
  }
  if (a.position + 1 < stack_->frames.size()) {
    const Node& child = tree_[stack_->frames[a.position + 1].node];
    r.target = {child.site, below(stack_->top().hidden > static_cast<int32_t>(a.position))};
  }
  return r;
}

// The first frame on the target's way up that is on the source's, too.
[[gnu::noinline]] Classifier::Relation Classifier::relate_across(const Run& source) {
  find_ways(source);
  for (const Way& t : target_way_) {
    Relation best;
    for (const Way& s : source_way_) {
      if (tree_[s.node].root != tree_[t.node].root) continue;
      const Relation r = meet(s, t);
      if (best.ancestor == 0 || tree_[r.ancestor].position > tree_[best.ancestor].position) best = r;
    }
    if (best.ancestor != 0) return best;
  }
  Relation none;  // a thread of which nothing is known
  none.source.code = none.target.code = EndpointCode::kCall;
  return none;
}

// Both ways, from stack to stack. From where they are in the same visit on they are the same: no need to look there,
// unless the target's way comes to a stack twice.
void Classifier::find_ways(const Run& source) {
  const Visits& visits = tree_.visits();
  Way s{source.node, source.visit}, t{stack_->top().node, stack_->visit};
  tree_.settle(s);
  source_way_.assign(1, s);
  target_way_.assign(1, t);
  const bool whole = visits[t.visit].twice;
  const auto met = [&] { return s.visit == t.visit && tree_[s.node].root == tree_[t.node].root; };
  while ((s.node != 0 || t.node != 0) && (whole || !met())) {
    const bool of_source = t.node == 0 || (s.node != 0 && visits[s.visit].depth >= visits[t.visit].depth);
    Way& w = of_source ? s : t;
    tree_.leave_stack(w);
    if (w.node != 0) (of_source ? source_way_ : target_way_).push_back(w);
  }
}

Classifier::Relation Classifier::meet(Way source, Way target) {
  while (source.node != target.node) {
    Way& w = tree_[source.node].position >= tree_[target.node].position ? source : target;
    Node& n = tree_[w.node];
    n.flags |= kNodeWatched;
    w = {n.parent, w.visit, n.site, false, w.hidden || n.hidden()};
  }
  Node& ancestor = tree_[source.node];
  ancestor.flags |= kNodeWatched | kNodeNameSeen;
  Relation r;
  r.ancestor = source.node;
  r.hidden = (ancestor.flags & (kNodeHidden | kNodeUnderHidden)) != 0 || tree_.visits()[target.visit].under_hidden;
  if (!source.begins) r.source = {source.site, below(source.hidden)};
  if (!target.begins) r.target = {target.site, below(target.hidden)};
  return r;
}

RowKey Classifier::ends_of(const Relation& r, const Run& source, const Run& target) const {
  const Visits& visits = tree_.visits();
  RowKey key;
  key.ancestor_and_source = uint64_t{tree_[r.ancestor].function} << 32 | r.source.at;
  key.target_and_rest = uint64_t{r.target.at} << 32 | RowKey::rest(r.hidden, r.source.code, r.target.code);
  key.threads = uint64_t{visits[source.visit].thread} << 32 | visits[target.visit].thread;
  return key;
}

[[gnu::noinline]] uint32_t Classifier::number_of(const RowKey& ends) {
  if (const uint32_t* known = ends_numbers_.find(ends)) return *known;
  const auto next = static_cast<uint32_t>(ends_numbers_.size() + 1);
  if (next >> kNumberBits != 0) return 0;
  return ends_numbers_[ends] = next;
}

// What keys have of a frame of the present stack that is the ancestor, and of the call above it.
[[gnu::noinline]] uint32_t Classifier::number_of_frame(const Node& ancestor, uint32_t thread) {
  const bool top = ancestor.position + 1 == stack_->frames.size();
  const CodeIndex call = top ? 0 : tree_[stack_->frames[ancestor.position + 1].node].site;
  RowKey key;
  key.ancestor_and_source = uint64_t{ancestor.function} << 32;
  key.target_and_rest =
      uint64_t{call} << 32 | RowKey::rest((ancestor.flags & (kNodeHidden | kNodeUnderHidden)) != 0, EndpointCode::kOwn,
                                          top ? EndpointCode::kOwn : EndpointCode::kCall);
  key.threads = uint64_t{~uint32_t{0}} << 32 | thread;  // of the source: none
  return number_of(key);
}

void Classifier::count_known_rows() {
  for (KnownRow& known : *known_rows_)
    if (known.times != 0) row_table_.count(known.row, std::exchange(known.times, 0));
}

// `f` has the states; `ends` may be null: they are to be found.
template <bool kCount>
[[gnu::always_inline]] inline RowIndex Classifier::row_by(Features f, const RowKey* ends, Ref source,
                                                          const Target& target, AddressClass address_class,
                                                          uint64_t addr) {
  const uint64_t mixed = (f.target ^ f.source * 0xc2b2ae3d27d4eb4fu) * 0x9e3779b97f4a7c15u;
  KnownRow& known = (*known_rows_)[mixed >> (64 - kKnownRowBits)];
  if (!(known.features == f) || known.times == UINT32_MAX) [[unlikely]] {
    if (known.times != 0) row_table_.count(known.row, known.times);
    known = {f, table_row(ends, source, target, address_class, addr), 0};
  }
  if (kCount) ++known.times;
  return known.row;
}

// The ancestor is a frame of the present stack as a rule: kAcross if it is not, kUnknown if numbers are too great.
[[gnu::noinline]] Classifier::Look Classifier::look_at(Source& e, const Run& source) {
  const NodeIndex anchor = tree_.anchor_of(source.node);
  const Node& n = tree_[source.node];
  Node& a = tree_[anchor];
  if (!a.open() || a.root != stack_->root) [[unlikely]]
    return Look::kAcross;
  const Visits& visits = tree_.visits();
  if (a.number == 0) a.number = number_of_frame(a, visits[stack_->visit].thread);
  const uint64_t thread = visits[source.visit].thread;
  if (a.number == 0 || thread >> kThreadBits != 0) [[unlikely]]
    return Look::kUnknown;
  const bool own = anchor == source.node;
  const bool top = a.position + 1 == stack_->frames.size();
  e = {period_, source.node, source.visit, 0, 0, own ? ~uint32_t{0} : 0, top ? ~uint32_t{0} : 0};
  e.source = (own ? 0 : uint64_t{n.site} | uint64_t{n.hidden() ? 3u : 1u} << 32) | thread << kSourceThread;
  e.target = uint64_t{stack_->under_hidden} << kUnderHidden |
             uint64_t{stack_->top().hidden > static_cast<int32_t>(a.position)} << kHiddenBelow |
             uint64_t{a.number} << kNumber;
  return Look::kKnown;
}

template <bool kCount>
[[gnu::noinline]] RowIndex Classifier::find_row(Ref source, const Target& target, AddressClass address_class,
                                                uint64_t addr) {
  const Run& from = contexts_.run(context_of(source));
  Source& e = sources_[from.node % kSources];
  if (e.node != from.node || e.period != period_ || e.visit != from.visit) [[unlikely]] {
    const Look look = look_at(e, from);
    if (look == Look::kAcross) return find_row_across<kCount>(source, target, address_class, addr);
    if (look == Look::kUnknown) return counted<kCount>(table_row(nullptr, source, target, address_class, addr));
  }
  const SiteIndex s = AccessContexts::site_of(from, context_of(source));
  const SiteIndex t = AccessContexts::site_of(contexts_.run(target.context), target.context);
  Features f;
  f.source = e.source | (s & e.source_sites) | uint64_t{contexts_.flags_of_site(s)} << kSourceFlags;
  f.target = e.target | (t & e.target_sites) | uint64_t{contexts_.flags_of_site(t)} << kTargetFlags |
             uint64_t{states_of(source, address_class)} << kStates;
  return row_by<kCount>(f, nullptr, source, target, address_class, addr);
}

template <bool kCount>
[[gnu::noinline]] RowIndex Classifier::find_row_across(Ref source, const Target& target, AddressClass address_class,
                                                       uint64_t addr) {
  const Run& from = contexts_.run(context_of(source));
  const Run& to = contexts_.run(target.context);
  Ends& e = ends_[from.node % kEnds];
  if (!known(e, from)) e = {ends_of(relate(from), from, to), period_, from.node, from.visit, 0};
  if (e.number == 0) e.number = number_of(e.key);
  if (e.number == 0) [[unlikely]]
    return counted<kCount>(table_row(&e.key, source, target, address_class, addr));
  const SiteIndex s = AccessContexts::site_of(from, context_of(source));
  const SiteIndex t = AccessContexts::site_of(to, target.context);
  const auto [source_code, target_code] = RowKey::codes(e.key);
  Features f;
  f.source = source_code == EndpointCode::kOwn ? s : 0;
  f.source |= uint64_t{contexts_.flags_of_site(s)} << kSourceFlags | uint64_t{1} << 63;
  f.target = target_code == EndpointCode::kOwn ? t : 0;
  f.target |= uint64_t{contexts_.flags_of_site(t)} << kTargetFlags |
              uint64_t{states_of(source, address_class)} << kStates | uint64_t{e.number} << kNumber;
  return row_by<kCount>(f, &e.key, source, target, address_class, addr);
}

template RowIndex Classifier::find_row<true>(Ref, const Target&, AddressClass, uint64_t);
template RowIndex Classifier::find_row<false>(Ref, const Target&, AddressClass, uint64_t);

[[gnu::noinline]] RowIndex Classifier::table_row(const RowKey* ends, Ref source, const Target& target,
                                                 AddressClass address_class, uint64_t addr) {
  const Run& from = contexts_.run(context_of(source));
  const Site& s = contexts_.site(context_of(source));
  const Site& t = contexts_.site(target.context);
  RowKey key = ends ? *ends : ends_of(relate(from), from, contexts_.run(target.context));
  const auto [source_code, target_code] = RowKey::codes(key);
  if (source_code == EndpointCode::kOwn) key.ancestor_and_source |= s.code;
  if (target_code == EndpointCode::kOwn) key.target_and_rest |= uint64_t{t.code} << 32;
  key.target_and_rest |= RowKey::rest(classify(source, s.flags, t.flags, address_class),
                                      kKinds[t.flags & kSiteStore][s.flags & kSiteStore]);
  return row_table_.row(key, [&] {
    return RowWitness{addr, s.code, t.code, target.width,
                      AccessContexts::site_of(contexts_.run(target.context), target.context)};
  });
}

}  // namespace cdr::depend
