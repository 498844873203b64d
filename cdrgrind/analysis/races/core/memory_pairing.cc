// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/core/memory_pairing.h"

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "cdrgrind/base/checksum.h"

namespace cdr::races {

using analysis::saturating_add;
using analysis::saturating_multiply;

namespace {

// One entry of a strand, as it is sorted.
struct Item {
  uint64_t base = 0;
  GenerationId generation = 0;
  StreamId stream = 0;
  uint32_t shape = 0;  // of the progression: equal if equal
  uint32_t strand = 0;
  uint32_t index = 0;
  uint32_t in_class = 0;  // its place there, if that index is a class's
};

struct Member {
  ThreadId strand;
  SegmentNumber segment = 0;
  uint64_t times = 0;
};

struct Group {
  GenerationId generation = 0;
  StreamId stream = 0;
  Progression at;               // times 1
  std::vector<Member> members;  // in the order in which their segments began
  uint64_t end() const { return at.end(); }
};

// The members of a group by strand and segment, to be counted by clocks.
class MemberIndex {
 public:
  explicit MemberIndex(const Group& g) {
    std::vector<Member> all = g.members;
    std::sort(all.begin(), all.end(), [](const Member& a, const Member& b) {
      return std::pair(a.strand, a.segment) < std::pair(b.strand, b.segment);
    });
    for (const Member& m : all) {
      if (strands_.empty() || strands_.back() != m.strand.value) {
        strands_.push_back(m.strand.value);
        first_.push_back(static_cast<uint32_t>(segments_.size()));
      }
      segments_.push_back(m.segment);
      sum_ += m.times;
      sums_.push_back(sum_);
    }
    first_.push_back(static_cast<uint32_t>(segments_.size()));
  }

  // What the clock knows of, by times.
  uint64_t known(const VectorClock& clock) {
    size_t few = 0;
    uint64_t all = 0;
    for (; few < strands_.size() && strands_[few] < VectorClock::kFew; ++few)
      all += up_to(few, clock[ThreadId(strands_[few])]);
    return all + below(clock.others().root(), 0, few, strands_.size());
  }
  // Of one strand, those up to that segment.
  uint64_t of_strand(ThreadId strand, SegmentNumber last) const {
    const auto at = std::lower_bound(strands_.begin(), strands_.end(), strand.value);
    if (at == strands_.end() || *at != strand.value) return 0;
    return up_to(static_cast<size_t>(at - strands_.begin()), last);
  }

 private:
  static constexpr size_t kRemembered = 4;  // strands, from which on counts are kept

  // Of a strand by its place here.
  uint64_t up_to(size_t i, SegmentNumber last) const {
    if (last == 0) return 0;
    const auto begin = segments_.begin() + first_[i], end = segments_.begin() + first_[i + 1];
    const auto behind = std::upper_bound(begin, end, last);
    return sum_before(static_cast<size_t>(behind - segments_.begin())) - sum_before(first_[i]);
  }
  uint64_t sum_before(size_t i) const { return i ? sums_[i - 1] : 0; }

  // Of strands_[first, end), which are all that the node has numbers of; `low` is the first of these.
  uint64_t below(const ClockTree::Node* n, uint64_t low, size_t first, size_t end) {
    if (!n || first == end) return 0;
    const uint64_t high = low + ClockTree::Node::span(n->height);
    if (strands_[end - 1] - VectorClock::kFew >= high)
      end = static_cast<size_t>(std::lower_bound(strands_.begin(), strands_.end(), high + VectorClock::kFew) -
                                strands_.begin());
    if (first >= end) return 0;
    if (end - first < kRemembered) return count(*n, low, first, end);
    if (const auto known = counts_.find(n); known != counts_.end()) return known->second;
    const uint64_t all = count(*n, low, first, end);
    counts_.emplace(n, all);
    return all;
  }
  uint64_t count(const ClockTree::Node& n, uint64_t low, size_t first, size_t end) {
    uint64_t all = 0;
    if (n.height == 0) {
      for (; first < end; ++first) all += up_to(first, n.number[strands_[first] - VectorClock::kFew - low]);
      return all;
    }
    const uint64_t span = ClockTree::Node::span(n.height - 1);
    while (first < end) {
      const uint64_t child = (strands_[first] - VectorClock::kFew - low) / span, begin = low + child * span;
      const auto behind =
          std::lower_bound(strands_.begin() + static_cast<ptrdiff_t>(first),
                           strands_.begin() + static_cast<ptrdiff_t>(end), begin + span + VectorClock::kFew);
      const auto next = static_cast<size_t>(behind - strands_.begin());
      all += below(n.child(child), begin, first, next);
      first = next;
    }
    return all;
  }

  std::vector<uint32_t> strands_;  // ascending
  std::vector<uint32_t> first_;    // by strand's place: its first in segments_; and the end
  std::vector<SegmentNumber> segments_;
  std::vector<uint64_t> sums_;  // of times, up to and with that segment
  uint64_t sum_ = 0;
  std::unordered_map<const ClockTree::Node*, uint64_t> counts_;
};

class MemoryPairing {
 public:
  MemoryPairing(const Collected& c, Order order, analysis::WatchedPart& part) : c_(c), order_(order), part_(part) {}

  std::vector<StreamPair> run() {
    std::vector<Item> items = meeting_items();
    std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
      return std::tie(a.generation, a.base, a.stream, a.shape, a.strand, a.index, a.in_class) <
             std::tie(b.generation, b.base, b.stream, b.shape, b.strand, b.index, b.in_class);
    });
    for (size_t i = 0; i < items.size() && part_.goes_on(i);) {
      size_t end = i + 1;
      while (end < items.size() && alike(items[i], items[end])) ++end;
      meet(group_of(items, i, end));
      i = end;
    }
    std::vector<StreamPair> out;
    for (const auto& [key, pair] : found_) out.push_back(pair);
    return out;
  }

 private:
  struct Open {
    Group group;
    std::unique_ptr<MemberIndex> index;  // made when it is needed
  };
  // --- what may race at all ---

  // Where a stream lies, and whose it is.
  struct Extent {
    uint64_t begin = ~uint64_t{0}, end = 0;
    uint32_t strand = 0;
    bool several = false;
  };
  std::vector<Extent> extents() const {
    std::vector<Extent> all(c_.sites.streams());
    for_each_entry([&](uint32_t strand, uint32_t, uint32_t, const AccessEntry& e) {
      Extent& x = all[e.stream];
      x.begin = std::min(x.begin, e.at.base);
      x.end = std::max(x.end, e.at.end());
      x.several |= x.strand != 0 && x.strand != strand;
      x.strand = strand;
    });
    return all;
  }
  template <class F>
  void for_each_entry(F f) const {
    for (uint32_t t = 1; t < c_.sets.size(); ++t)
      for (size_t i = 0; i < c_.sets[t].size(); ++i) {
        uint32_t in_class = 0;
        c_.for_each_access_of(c_.sets[t], i,
                              [&](const AccessEntry& e) { f(t, static_cast<uint32_t>(i), in_class++, e); });
      }
  }
  // By stream: whether some other strand has what may race with some of it, by where these lie.
  std::vector<bool> meeting_streams() const {
    const std::vector<Extent> at = extents();
    std::vector<StreamId> order;
    for (StreamId s = 0; s < at.size(); ++s)
      if (at[s].end) order.push_back(s);
    const auto place = [&](StreamId s) { return std::tuple(c_.sites.stream(s).generation, at[s].begin, s); };
    std::sort(order.begin(), order.end(), [&](StreamId a, StreamId b) { return place(a) < place(b); });
    std::vector<bool> meets(at.size());
    std::vector<StreamId> open;
    GenerationId generation = 0;
    for (const StreamId s : order) {
      if (c_.sites.stream(s).generation != generation) open.clear();
      generation = c_.sites.stream(s).generation;
      std::erase_if(open, [&](StreamId o) { return at[o].end <= at[s].begin; });
      if (at[s].several && c_.sites.may_race(s, s)) meets[s] = true;
      for (const StreamId o : open) {
        if (meets[s] && meets[o]) continue;
        if (at[s].several || at[o].several || at[s].strand != at[o].strand)
          if (c_.sites.may_race(s, o)) meets[s] = meets[o] = true;
      }
      open.push_back(s);
    }
    return meets;
  }
  std::vector<Item> meeting_items() const {
    const std::vector<bool> meets = meeting_streams();
    std::vector<Item> items;
    for_each_entry([&](uint32_t strand, uint32_t i, uint32_t in_class, const AccessEntry& e) {
      if (!meets[e.stream]) return;
      const auto shape = static_cast<uint32_t>(mix64(e.at.stride ^ mix64(e.at.count ^ mix64(e.at.width))));
      items.push_back({e.at.base, c_.sites.stream(e.stream).generation, e.stream, shape, strand, i, in_class});
    });
    return items;
  }

  // --- groups ---

  AccessEntry entry(const Item& i) const {
    const ThreadAccesses& all = c_.sets[i.strand];
    if (!all.is_class(i.index)) return all[i.index];
    const SegmentClasses::Entry& e = c_.classes.entries(all.class_of(i.index))[i.in_class];
    return {e.stream, all.segment(i.index), e.at};
  }
  Progression progression(const Item& i) const {
    Progression p = entry(i).at;
    p.times = 1;
    return p;
  }
  bool alike(const Item& a, const Item& b) const {
    return a.base == b.base && a.stream == b.stream && a.shape == b.shape && progression(a) == progression(b);
  }
  Open group_of(const std::vector<Item>& items, size_t begin, size_t end) const {
    Open o;
    o.group = {items[begin].generation, items[begin].stream, progression(items[begin]), {}};
    for (size_t i = begin; i < end; ++i) {
      const AccessEntry e = entry(items[i]);
      o.group.members.push_back({ThreadId(items[i].strand), e.segment, e.at.times});
    }
    std::sort(o.group.members.begin(), o.group.members.end(),
              [&](const Member& a, const Member& b) { return begin_of(a) < begin_of(b); });
    return o;
  }
  const AccessPosition& begin_of(const Member& m) const { return c_.segments.of(m.strand)[m.segment - 1].begin; }

  // With all that came before and reaches so far.
  void meet(Open now) {
    if (now.group.generation != generation_)
      for (auto& some : open_) some.clear();
    generation_ = now.group.generation;
    const AccessKind kind = c_.sites.kind(now.group.stream);
    for (AccessKind other = 0; other < kAccessKinds; ++other) {
      std::erase_if(open_[other], [&](const Open& o) { return o.group.end() <= now.group.at.base; });
      if (!conflict(kind, other)) continue;
      for (Open& o : open_[other])
        if (!c_.sites.exclude(now.group.stream, o.group.stream)) compare(o, now);
    }
    if (now.group.members.size() > 1 && c_.sites.may_race(now.group.stream, now.group.stream)) compare(now, now);
    open_[kind].push_back(std::move(now));
  }

  // --- two groups ---

  struct Count {
    uint64_t pairs = 0;  // by times
    const Member *early = nullptr, *late = nullptr;
    bool late_is_a = false;
  };

  void compare(Open& a, Open& b) {
    if (a.group.stream > b.group.stream) return compare(b, a);
    const uint64_t n = meetings(a.group.at, b.group.at);
    if (n == 0) return;
    const Count count = a.group.members.size() * b.group.members.size() <= kSmall ? by_pairs(a, b) : by_clocks(a, b);
    if (count.pairs == 0) return;
    const auto [at, added] = found_.try_emplace({a.group.stream, b.group.stream});
    at->second.instances = saturating_add(at->second.instances, saturating_multiply(n, count.pairs));
    note(a.group, b.group, count, at->second, added);
  }
  static constexpr size_t kSmall = 16;

  SegmentNumber known(const Member& by, ThreadId strand) const {
    return c_.segments.known(by.strand, by.segment, strand, order_);
  }
  // Of which `early` began before `late`.
  bool concurrent(const Member& early, const Member& late) const {
    return early.strand != late.strand && known(late, early.strand) < early.segment;
  }
  // f(member, whether it is of a): in the order in which they began, those of one group once.
  template <class F>
  void in_order(const Open& a, const Open& b, F f) const {
    const auto &of_a = a.group.members, &of_b = b.group.members;
    size_t i = 0, j = &a == &b ? of_b.size() : 0;
    while (i < of_a.size() || j < of_b.size())
      if (j == of_b.size() || (i < of_a.size() && begin_of(of_a[i]) < begin_of(of_b[j])))
        f(of_a[i++], true);
      else
        f(of_b[j++], false);
  }

  Count by_pairs(const Open& a, const Open& b) const {
    Count count;
    in_order(a, b, [&](const Member& late, bool is_a) {
      for (const Member& early : (is_a ? b : a).group.members) {
        if (!(begin_of(early) < begin_of(late))) break;
        if (concurrent(early, late)) add(early, late, is_a, saturating_multiply(early.times, late.times), count);
      }
    });
    return count;
  }
  static void add(const Member& early, const Member& late, bool late_is_a, uint64_t pairs, Count& to) {
    if (!to.late) to = {to.pairs, &early, &late, late_is_a};
    to.pairs = saturating_add(to.pairs, pairs);
  }

  Count by_clocks(Open& a, Open& b) {
    MemberIndex &of_a = index(a), &of_b = index(b);
    uint64_t before_a = 0, before_b = 0;  // times of those that have begun
    Count count;
    in_order(a, b, [&](const Member& late, bool is_a) {
      MemberIndex& others = is_a ? of_b : of_a;
      const uint64_t before = is_a && &a != &b ? before_b : before_a;
      // Of the strand itself all that have begun; in the segment of `late` those of b come first.
      const uint64_t own = others.of_strand(late.strand, late.segment - (is_a && &a != &b ? 0 : 1));
      const uint64_t own_known = others.of_strand(late.strand, known(late, late.strand));
      const uint64_t ordered = others.known(c_.segments.clock(late.strand, late.segment, order_)) - own_known + own;
      if (before > ordered) {
        const Member& early = count.late ? *count.early : first_concurrent((is_a ? b : a).group, late);
        add(early, late, is_a, saturating_multiply(before - ordered, late.times), count);
      }
      (is_a ? before_a : before_b) += late.times;
    });
    return count;
  }
  const Member& first_concurrent(const Group& among, const Member& late) const {
    return *std::find_if(among.members.begin(), among.members.end(),
                         [&](const Member& early) { return concurrent(early, late); });
  }
  static MemberIndex& index(Open& o) {
    if (!o.index) o.index = std::make_unique<MemberIndex>(o.group);
    return *o.index;
  }

  // --- what is told of them ---

  void note(const Group& a, const Group& b, const Count& count, StreamPair& p, bool first) const {
    const Member &of_a = count.late_is_a ? *count.late : *count.early,
                 &of_b = count.late_is_a ? *count.early : *count.late;
    note_meeting({of_a.strand, of_a.segment, a.stream, a.at}, {of_b.strand, of_b.segment, b.stream, b.at}, c_.segments,
                 first, p);
    if (a.stream == b.stream) p.addresses = hull_of(p.addresses, meeting_of(b.at, a.at)->of_a);
  }

  const Collected& c_;
  Order order_;
  analysis::WatchedPart& part_;
  GenerationId generation_ = 0;
  std::vector<Open> open_[kAccessKinds];  // groups that reach further
  std::map<StreamIds, StreamPair> found_;
};

}  // namespace

std::vector<StreamPair> racing_pairs_by_memory(const Collected& c, Order order, analysis::WatchedPart& part) {
  return MemoryPairing(c, order, part).run();
}

}  // namespace cdr::races
