// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/pairing.h"

#include <algorithm>
#include <map>

#include "cdrgrind/analysis/races/concurrency.h"

namespace cdr::analysis {

namespace {

// Entries in the order of the sweep.
struct Box {
  GenerationId generation = 0;
  AccessEntry entry;
  bool store = false, atomic = false;
  uint64_t end() const { return entry.at.end(); }
};

bool sweeps_before(const Box& a, const Box& b) {
  return std::pair(a.generation, a.entry.at.base) < std::pair(b.generation, b.entry.at.base);
}

class Sweep {
 public:
  Sweep(const Collected& c, Order order) : c_(c), order_(order) {}

  void pair_of_threads(ThreadId a, ThreadId b) {
    a_ = a;
    b_ = b;
    nodes_.clear();
    SegmentRange of_a;
    std::vector<Box> boxes;
    Concurrency(c_.segments, a, b, order_).for_each_rectangle([&](SegmentRange x, SegmentRange y) {
      if (c_.sets.of(b_, y.first, y.last).empty()) return;
      if (!(x == of_a)) {
        boxes = boxes_of(a_, x);
        of_a = x;
      }
      if (!boxes.empty()) sweep(boxes, node(y));
    });
  }
  std::vector<StreamPair> take() {
    std::vector<StreamPair> out;
    for (auto& [key, pair] : found_) out.push_back(pair);
    return out;
  }

 private:
  std::vector<Box> boxes_of(ThreadId t, SegmentRange r) const {
    const auto entries = c_.sets.of(t, r.first, r.last);
    std::vector<AccessEntry> merged(entries.begin(), entries.end());
    merge_equal(merged);
    std::vector<Box> boxes;
    boxes.reserve(merged.size());
    for (const AccessEntry& e : merged) {
      const Stream& s = c_.sites.stream(e.stream);
      boxes.push_back({s.generation, e, c_.sites[s.site].store, s.atomic});
    }
    std::stable_sort(boxes.begin(), boxes.end(), sweeps_before);
    return boxes;
  }
  const std::vector<Box>& node(SegmentRange r) {
    const auto [at, added] = nodes_.try_emplace({r.first, r.last});
    if (added) at->second = boxes_of(b_, r);
    return at->second;
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
    if (!(a.store || b.store) || (a.atomic && b.atomic)) return;
    const uint64_t n = meetings(a.entry.at, b.entry.at);
    if (n == 0) return;
    const auto [at, added] = found_.try_emplace({a.entry.stream, b.entry.stream});
    StreamPair& p = at->second;
    p.instances = saturating_add(p.instances, n);
    note_addresses(a, b, p, added);
  }
  void note_addresses(const Box& a, const Box& b, StreamPair& p, bool first) {
    // The narrower access tells best what was touched.
    const bool by_a = a.entry.at.width <= b.entry.at.width;
    const auto m = by_a ? meeting_of(a.entry.at, b.entry.at) : meeting_of(b.entry.at, a.entry.at);
    RaceEnd of_a{a_, a.entry.segment, m->of_a.base}, of_b{b_, b.entry.segment, m->first_b};
    if (!by_a) std::swap(of_a.addr, of_b.addr);
    p.a = a.entry.stream;
    p.b = b.entry.stream;
    p.addresses = first ? m->of_a : hull_of(p.addresses, m->of_a);
    if (first || begin_of(of_a, of_b) < begin_of(p.of_a, p.of_b)) {
      p.of_a = of_a;
      p.of_b = of_b;
    }
  }
  // When the later of the two segments begins.
  Place begin_of(const RaceEnd& a, const RaceEnd& b) const {
    return std::max(c_.segments.of(a.thread)[a.segment - 1].begin, c_.segments.of(b.thread)[b.segment - 1].begin);
  }

  const Collected& c_;
  Order order_;
  ThreadId a_, b_;
  std::map<std::pair<SegmentNumber, SegmentNumber>, std::vector<Box>> nodes_;  // of b
  std::map<std::pair<StreamId, StreamId>, StreamPair> found_;
  std::vector<const Box*> open_a_, open_b_;
};

}  // namespace

std::vector<StreamPair> racing_pairs(const Collected& c, Order order) {
  Sweep sweep(c, order);
  const uint32_t n = c.segments.thread_count();
  for (uint32_t a = 1; a <= n; ++a)
    for (uint32_t b = a + 1; b <= n; ++b) sweep.pair_of_threads(ThreadId(a), ThreadId(b));
  return sweep.take();
}

}  // namespace cdr::analysis
