// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/core/pairing.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/races/core/address_ranges.h"
#include "cdrgrind/analysis/races/core/concurrency.h"
#include "cdrgrind/analysis/races/core/memory_pairing.h"

namespace cdr::races {

using analysis::saturating_multiply;

namespace {

// Entries in the order of the sweep.
struct Box {
  GenerationId generation = 0;
  AccessEntry entry;
  uint64_t end() const { return entry.at.end(); }
};

bool sweeps_before(const Box& a, const Box& b) {
  return std::pair(a.generation, a.entry.at.base) < std::pair(b.generation, b.entry.at.base);
}

// Of more threads than these (strands) pairs are looked for by memory.
constexpr uint32_t kFewThreads = 256;

// Where a thread's streams lie that are not past, by generation and kind.
class StreamHulls {
 public:
  StreamHulls(const Collected& c, ThreadId t) : c_(c) {
    std::unordered_map<StreamId, AddrRange> hulls;
    c.for_each_kind_of_access(t, c.past.of(t) + 1, [&](const AccessEntry& e) {
      const auto [hull, added] = hulls.try_emplace(e.stream, AddrRange{e.at.base, e.at.end()});
      if (!added) hull->second = {std::min(hull->second.begin, e.at.base), std::max(hull->second.end, e.at.end())};
    });
    hulls_.assign(hulls.begin(), hulls.end());
    std::map<std::pair<GenerationId, AccessKind>, std::vector<AddrRange>> all;
    for (const auto& [s, hull] : hulls_) all[{c.sites.stream(s).generation, c.sites.kind(s)}].push_back(hull);
    for (auto& [key, ranges] : all) ranges_.try_emplace(key, std::move(ranges));
  }
  // f(stream, kinds): of which kinds the other thread has some that it may race with, as far as these tell, a bit each;
  // of streams for which there is one.
  template <class F>
  void for_each_met(const StreamHulls& other, F f) const {
    for (const auto& [s, hull] : hulls_) {
      uint8_t kinds = 0;
      for (AccessKind kind = 0; kind < kAccessKinds; ++kind)
        if (conflict(c_.sites.kind(s), kind) && other.has(c_.sites.stream(s).generation, kind, hull))
          kinds |= static_cast<uint8_t>(1 << kind);
      if (kinds) f(s, kinds);
    }
  }

 private:
  bool has(GenerationId generation, AccessKind kind, const AddrRange& within) const {
    const auto found = ranges_.find({generation, kind});
    return found != ranges_.end() && found->second.overlaps(within);
  }

  const Collected& c_;
  std::vector<std::pair<StreamId, AddrRange>> hulls_;  // of those that it has
  std::map<std::pair<GenerationId, AccessKind>, AddressRanges> ranges_;
};

// Some entries of one thread, in order, so by segments; of classes those that were picked.
class EntryList {
 public:
  using Picks = std::vector<SegmentClasses::Entry>;

  explicit EntryList(const ThreadAccesses& all) : all_(&all) {}
  void add(size_t i) { chosen_.push_back(static_cast<uint32_t>(i)); }
  void pick(SegmentClasses::Id id, const SegmentClasses::Entry& e) {
    picks_[id].push_back(e);
    most_ = std::max(most_, id + 1);
  }
  bool empty() const { return chosen_.empty(); }
  bool any_in(SegmentRange r) const {
    const size_t first = first_of(r.first);
    return first < chosen_.size() && all_->segment(chosen_[first]) <= r.last;
  }
  // The class that all of it is of, if there is one.
  static constexpr SegmentClasses::Id kNoClass = ~SegmentClasses::Id{0};
  SegmentClasses::Id class_in(SegmentRange r) const {
    SegmentClasses::Id one = kNoClass;
    for (size_t i = first_of(r.first); i < chosen_.size() && all_->segment(chosen_[i]) <= r.last; ++i) {
      if (!all_->is_class(chosen_[i])) return kNoClass;
      const SegmentClasses::Id id = all_->class_of(chosen_[i]);
      if (one != kNoClass && one != id) return kNoClass;
      one = id;
    }
    return one;
  }
  // Of a class that comes several times the first, counted.
  std::vector<AccessEntry> in(SegmentRange r) {
    std::vector<AccessEntry> out;
    met_.clear();
    uses_.resize(most_);
    for (size_t i = first_of(r.first); i < chosen_.size() && all_->segment(chosen_[i]) <= r.last; ++i) {
      if (!all_->is_class(chosen_[i])) {
        out.push_back((*all_)[chosen_[i]]);
        continue;
      }
      const SegmentClasses::Id id = all_->class_of(chosen_[i]);
      if (uses_[id]++ == 0) met_.emplace_back(id, all_->segment(chosen_[i]));
    }
    for (const auto& [id, first] : met_) {
      for (const SegmentClasses::Entry& e : picks_.at(id)) {
        out.push_back({e.stream, first, e.at});
        out.back().at.times = saturating_multiply(e.at.times, uses_[id]);
      }
      uses_[id] = 0;
    }
    return out;
  }

 private:
  size_t first_of(SegmentNumber s) const {
    const auto at =
        std::partition_point(chosen_.begin(), chosen_.end(), [&](uint32_t i) { return all_->segment(i) < s; });
    return static_cast<size_t>(at - chosen_.begin());
  }
  const ThreadAccesses* all_;
  std::vector<uint32_t> chosen_;  // ascending
  std::unordered_map<SegmentClasses::Id, Picks> picks_;
  SegmentClasses::Id most_ = 0;                                    // above those
  std::vector<uint64_t> uses_;                                     // by class; 0 but in in()
  std::vector<std::pair<SegmentClasses::Id, SegmentNumber>> met_;  // in in()
};

SegmentNumber last_segment(const Segments& s, ThreadId t) { return static_cast<SegmentNumber>(s.count(t)); }

// Each kind of the one thread is swept with each of the other: atomic accesses may be many, and race with few plain
// ones.
class Sweep {
 public:
  // Of each thread's segments up to those of `until`.
  Sweep(const Collected& c, Order order, const std::vector<SegmentNumber>& until, FoundPairs& to)
      : c_(c), order_(order), until_(until), to_(to), kinds_met_(c.sites.streams()) {}

  void pair_of_threads(ThreadId a, ThreadId b, const StreamHulls& at_a, const StreamHulls& at_b) {
    a_ = a;
    b_ = b;
    Lists of_a = lists(a, at_a, at_b);
    if (of_a.empty()) return;
    Lists of_b = lists(b, at_b, at_a);
    if (of_b.empty()) return;
    for (size_t i = 0; i < kAccessKinds; ++i)
      for (size_t j = 0; j < kAccessKinds; ++j)
        if (!of_a[i * kAccessKinds + j].empty()) sweep_all(of_a[i * kAccessKinds + j], of_b[j * kAccessKinds + i]);
  }

 private:
  using Lists = std::vector<EntryList>;  // by kind, and kind of the other thread's that they may race with

  // None if they share nothing.
  Lists lists(ThreadId t, const StreamHulls& mine, const StreamHulls& other) {
    std::vector<StreamId> met;
    mine.for_each_met(other, [&](StreamId s, uint8_t kinds) {
      kinds_met_[s] = kinds;
      met.push_back(s);
    });
    if (met.empty()) return {};
    const ThreadAccesses& all = c_.sets[t.value];
    Lists out(kAccessKinds * kAccessKinds, EntryList(all));
    // f(number of each list that has accesses of the stream)
    const auto lists_of = [&](StreamId s, auto f) {
      for (AccessKind kind = 0; kind < kAccessKinds; ++kind)
        if (kinds_met_[s] >> kind & 1) f(c_.sites.kind(s) * kAccessKinds + kind);
    };
    static_assert(kAccessKinds * kAccessKinds <= 16);
    std::vector<std::optional<uint16_t>> of_class(c_.classes.size());  // lists, a bit each
    for (size_t i = all.first_in(c_.past.of(t) + 1); i < all.size(); ++i) {
      if (!all.is_class(i)) {
        lists_of(all.stream(i), [&](size_t l) { out[l].add(i); });
        continue;
      }
      std::optional<uint16_t>& in = of_class[all.class_of(i)];
      if (!in) {
        in = 0;
        for (const SegmentClasses::Entry& e : c_.classes.entries(all.class_of(i)))
          lists_of(e.stream, [&](size_t l) {
            out[l].pick(all.class_of(i), e);
            *in = static_cast<uint16_t>(*in | 1u << l);
          });
      }
      for (size_t l = 0; *in >> l; ++l)
        if (*in >> l & 1) out[l].add(i);
    }
    for (const StreamId s : met) kinds_met_[s] = 0;
    return out;
  }
  // What is swept of the one thread with all that is not past of the other.
  void sweep_all(EntryList& in_a, EntryList& in_b) {
    forget_nodes();
    apart_.clear();
    const SegmentRange of_a{c_.past.of(a_) + 1, until_[a_.value]}, of_b{c_.past.of(b_) + 1, until_[b_.value]};
    sweep_rectangles(of_a, {of_b.first, last_segment(c_.segments, b_)}, in_a, in_b);
    sweep_rectangles({of_a.last + 1, last_segment(c_.segments, a_)}, of_b, in_a, in_b);
  }
  void sweep_rectangles(SegmentRange in_x, SegmentRange in_y, EntryList& in_a, EntryList& in_b) {
    SegmentRange of_a;
    std::vector<Box> boxes;
    const auto worth = [&](SegmentRange x, SegmentRange y) { return in_a.any_in(x) && in_b.any_in(y); };
    const Concurrency concurrent(c_.segments, a_, b_, order_, in_y);
    concurrent.for_each_rectangle(in_x, worth, [&](SegmentRange x, SegmentRange y) {
      if (!in_b.any_in(y)) return;
      const SegmentClasses::Id one_a = in_a.class_in(x), one_b = in_b.class_in(y);
      const bool of_classes = one_a != EntryList::kNoClass && one_b != EntryList::kNoClass;
      if (of_classes && apart_.contains({one_a, one_b})) return;
      if (!(x == of_a)) {
        boxes = boxes_of(in_a.in(x));
        of_a = x;
      }
      if (boxes_in_nodes_ > kMostBoxes) forget_nodes();
      const auto [node, added] = nodes_.try_emplace({y.first, y.last});
      if (added) {
        node->second = boxes_of(in_b.in(y));
        boxes_in_nodes_ += node->second.size();
      }
      met_any_ = false;
      sweep(boxes, node->second);
      if (of_classes && !met_any_) apart_.insert({one_a, one_b});
    });
  }
  // They are made again where they are needed.
  void forget_nodes() {
    nodes_.clear();
    boxes_in_nodes_ = 0;
  }
  std::vector<Box> boxes_of(std::vector<AccessEntry> entries) const {
    merge_equal(entries);
    std::vector<Box> boxes;
    boxes.reserve(entries.size());
    for (const AccessEntry& e : entries) boxes.push_back({c_.sites.stream(e.stream).generation, e});
    std::stable_sort(boxes.begin(), boxes.end(), sweeps_before);
    return boxes;
  }

  // Every overlapping pair of boxes once: when the one that begins later comes.
  void sweep(const std::vector<Box>& of_a, const std::vector<Box>& of_b) {
    open_a_.clear();
    open_b_.clear();
    size_t i = 0, j = 0;
    while (i < of_a.size() || j < of_b.size()) {
      const bool take_a = j == of_b.size() || (i < of_a.size() && !sweeps_before(of_b[j], of_a[i]));
      if (take_a) {
        meet(of_a[i], open_b_, [&](const Box& mine, const Box& other) { compare(mine, other); });
        open_a_.push_back(&of_a[i++]);
      } else {
        meet(of_b[j], open_a_, [&](const Box& mine, const Box& other) { compare(other, mine); });
        open_b_.push_back(&of_b[j++]);
      }
      if ((i == of_a.size() && open_a_.empty()) || (j == of_b.size() && open_b_.empty())) return;
    }
  }
  template <class F>
  static void meet(const Box& mine, std::vector<const Box*>& open, F f) {
    size_t kept = 0;
    for (const Box* other : open) {
      if (other->generation != mine.generation || other->end() <= mine.entry.at.base) continue;
      open[kept++] = other;
      f(mine, *other);
    }
    open.resize(kept);
  }

  void compare(const Box& a, const Box& b) {
    const uint64_t n = meetings(a.entry.at, b.entry.at);
    if (n == 0 || c_.sites.exclude(a.entry.stream, b.entry.stream)) return;
    met_any_ = true;
    to_.add({a_, a.entry.segment, a.entry.stream, a.entry.at}, {b_, b.entry.segment, b.entry.stream, b.entry.at}, n,
            c_.generations[a.generation].kind == MemoryKind::kStack, c_.segments);
  }

  const Collected& c_;
  Order order_;
  const std::vector<SegmentNumber>& until_;
  FoundPairs& to_;
  ThreadId a_, b_;
  static constexpr size_t kMostBoxes = size_t{1} << 20;
  std::map<std::pair<SegmentNumber, SegmentNumber>, std::vector<Box>> nodes_;  // of b
  size_t boxes_in_nodes_ = 0;
  bool met_any_ = false;                                               // in the last sweep
  std::set<std::pair<SegmentClasses::Id, SegmentClasses::Id>> apart_;  // classes that do not meet
  std::vector<const Box*> open_a_, open_b_;
  std::vector<uint8_t> kinds_met_;  // by stream, of the pair of threads; else 0
};

// Whether one of the threads had done all that it did when the other one began.
bool one_after_the_other(const Segments& s, ThreadId a, ThreadId b, Order order) {
  const SegmentNumber of_a = last_segment(s, a), of_b = last_segment(s, b);
  return of_a == 0 || of_b == 0 || s.known(b, 1, a, order) >= of_a || s.known(a, 1, b, order) >= of_b;
}

// goes_on(): before each pair of threads.
template <class F>
void sweep_threads(const Collected& c, Order order, const std::vector<SegmentNumber>& until, FoundPairs& to,
                   F goes_on) {
  const uint32_t n = c.segments.thread_count();
  Sweep sweep(c, order, until, to);
  std::vector<std::optional<StreamHulls>> at(n + 1);
  const auto hulls = [&](uint32_t t) -> const StreamHulls& {
    if (!at[t]) at[t].emplace(c, ThreadId(t));
    return *at[t];
  };
  for (uint32_t a = 1; a <= n; ++a) {
    for (uint32_t b = a + 1; b <= n; ++b) {
      if (!goes_on()) return;
      const ThreadId first(a), second(b);
      if (one_after_the_other(c.segments, first, second, order)) continue;
      sweep.pair_of_threads(first, second, hulls(a), hulls(b));
    }
    at[a].reset();
  }
}

void forget(const std::vector<SegmentNumber>& until, Collected& c) {
  std::vector<bool> races(c.sites.streams());
  c.past.found[0]->for_each_stream([&](StreamId s) { races[s] = true; });
  for (const LateUse& l : c.late) races[l.use] = races[l.free] = true;  // which are shown like races
  std::vector<std::optional<bool>> class_races(c.classes.size());
  const auto races_in = [&](SegmentClasses::Id id) {
    std::optional<bool>& known = class_races[id];
    const auto entries = c.classes.entries(id);
    if (!known) known = std::any_of(entries.begin(), entries.end(), [&](const auto& e) { return races[e.stream]; });
    return *known;
  };
  for (uint32_t t = 1; t < c.sets.size(); ++t) {
    ThreadAccesses& all = c.sets[t];
    all.forget(until[t], [&](size_t i) { return all.is_class(i) ? races_in(all.class_of(i)) : races[all.stream(i)]; });
  }
}

}  // namespace

bool by_threads(uint32_t threads, bool by_memory) { return threads <= kFewThreads && !by_memory; }

uint64_t pairing_steps(const Collected& c, bool by_memory) {
  const uint64_t n = c.segments.thread_count();
  if (by_threads(static_cast<uint32_t>(n), by_memory)) return n * (n - 1) / 2;
  uint64_t entries = 0;
  for (const ThreadAccesses& one : c.sets)
    for (size_t i = 0; i < one.size(); ++i) entries += one.is_class(i) ? c.classes.entries(one.class_of(i)).size() : 1;
  return entries;
}

std::vector<StreamPair> racing_pairs(const Collected& c, Order order, bool by_memory, analysis::WatchedPart& part) {
  if (!by_threads(c.segments.thread_count(), by_memory)) return racing_pairs_by_memory(c, order, part);
  FoundPairs found = c.past.pairs(order);
  std::vector<SegmentNumber> all(c.segments.thread_count() + 1);
  for (uint32_t t = 1; t < all.size(); ++t) all[t] = last_segment(c.segments, ThreadId(t));
  uint64_t done = 0;
  sweep_threads(c, order, all, found, [&] { return part.goes_on(done++); });
  return found.pairs(c.segments);
}

void find_past_pairs(const std::vector<SegmentNumber>& until, Collected& c) {
  c.sets.resize(until.size());
  // Where no edge has told them apart yet, the orders have been the same.
  for (size_t o = 0; o < kOrderCount; ++o)
    if (o == 0 || c.segments.had(static_cast<EdgeKind>(o - 1)))
      if (!c.past.found[o]) c.past.found[o] = c.past.pairs(static_cast<Order>(o));
  for (size_t o = 0; o < kOrderCount; ++o)
    if (c.past.found[o]) sweep_threads(c, static_cast<Order>(o), until, *c.past.found[o], [] { return true; });
  forget(until, c);
  c.past.until = until;
}

}  // namespace cdr::races
