// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/evidence/instance_ends.h"

#include <algorithm>

namespace cdr::races {

using slice::LabelId;
using slice::RaceLabel;
using slice::Touch;

namespace {

// More pieces of a progression are not made ranges.
constexpr uint64_t kMostPieces = 64;

bool has_access(const Progression& p, uint64_t addr, uint64_t width) {
  if (p.width != width || addr < p.base || addr > p.last()) return false;
  return p.count == 1 ? addr == p.base : (addr - p.base) % p.stride == 0;
}

}  // namespace

// --- footprints ---

size_t StreamFootprint::first_of(SegmentNumber s) const {
  const auto at =
      std::partition_point(entries_.begin(), entries_.end(), [&](const AccessEntry& e) { return e.segment < s; });
  return static_cast<size_t>(at - entries_.begin());
}

const StreamFootprint::Node& StreamFootprint::node(unsigned bits, size_t k) {
  if (bits >= nodes_.size()) nodes_.resize(bits + 1);
  if (k >= nodes_[bits].size()) nodes_[bits].resize((entries_.size() >> bits) + 1);
  Node& n = nodes_[bits][k];
  if (n.made) return n;
  n.made = true;
  std::vector<AddrRange> near;
  const size_t end = std::min(entries_.size(), (k + 1) << bits);
  for (size_t i = k << bits; i < end; ++i) {
    const Progression& p = entries_[i].at;
    if (p.stride <= p.width)
      near.push_back({p.base, p.end()});
    else if (p.count <= kMostPieces)
      for (uint64_t j = 0; j < p.count; ++j) near.push_back({p.at(j), p.at(j) + p.width});
    else
      n.wide.push_back(p);
  }
  n.near = AddressRanges(std::move(near));
  std::sort(n.wide.begin(), n.wide.end());
  n.wide.erase(std::unique(n.wide.begin(), n.wide.end()), n.wide.end());
  return n;
}

template <class F, class G>
bool StreamFootprint::any_of(SegmentRange segments, F f, G g) {
  if (segments.empty()) return false;
  size_t i = first_of(segments.first);
  const size_t end = first_of(segments.last + 1);
  while (i < end) {
    unsigned bits = 0;
    while (i % (size_t{2} << bits) == 0 && i + (size_t{2} << bits) <= end) ++bits;
    if (bits >= kLeafBits) {
      if (f(node(bits, i >> bits))) return true;
      i += size_t{1} << bits;
    } else if (g(entries_[i++].at)) {
      return true;
    }
  }
  return false;
}

bool StreamFootprint::touched(SegmentRange segments, AddrRange bytes) {
  const Progression mine{bytes.begin, 0, 1, bytes.size(), 1};
  return meets(segments, mine);
}

bool StreamFootprint::meets(SegmentRange segments, const Progression& p) {
  const auto meets_one = [&](const Progression& q) { return meetings(p, q) != 0; };
  return any_of(
      segments, [&](const Node& n) { return n.near.meets(p) || std::any_of(n.wide.begin(), n.wide.end(), meets_one); },
      meets_one);
}

// --- ends ---

InstanceEnds::InstanceEnds(const Collected& c, const std::vector<std::vector<StreamIds>>& races,
                           const StrandTurns* turns)
    : collected_(c),
      races_(races),
      turns_(turns),
      streams_(c.sets.size()),
      racing_(c.sets.size()),
      present_(c.sets.size()) {
  for (uint32_t r = 0; r < races.size(); ++r)
    for (const auto& [a, b] : races[r]) {
      partners_[a].push_back({b, r});
      if (a != b) partners_[b].push_back({a, r});
    }
  for (auto& [stream, all] : partners_) {
    ips_.insert(ip_of(stream));
    const auto key = [](const Partner& p) { return std::pair(p.race, p.stream); };
    std::sort(all.begin(), all.end(), [&](const Partner& x, const Partner& y) { return key(x) < key(y); });
    all.erase(std::unique(all.begin(), all.end(), [&](const Partner& x, const Partner& y) { return key(x) == key(y); }),
              all.end());
  }
  for (uint32_t t = 1; t < c.sets.size(); ++t) add_thread(ThreadId(t));
}

void InstanceEnds::add_thread(ThreadId t) {
  const ThreadAccesses& all = collected_.sets[t.value];
  std::vector<bool> idle(collected_.classes.size());  // classes without racing streams
  for (size_t i = 0; i < all.size(); ++i) {
    if (all.is_class(i) && idle[all.class_of(i)]) continue;
    bool racing = false;
    collected_.for_each_access_of(all, i, [&](const AccessEntry& e) {
      if (!partners_.contains(e.stream)) return;
      racing = true;
      footprint(t, e.stream).add(e);
      auto& threads = threads_[e.stream];
      if (!threads.empty() && threads.back() == t) return;
      threads.push_back(t);
      streams_[t.value].push_back(e.stream);
    });
    if (racing)
      racing_[t.value].push_back(static_cast<uint32_t>(i));
    else if (all.is_class(i))
      idle[all.class_of(i)] = true;
  }
}

uint64_t InstanceEnds::ip_of(StreamId s) const {
  const Site& site = collected_.sites.site_of(s);
  return site.of_event() ? 0 : site.ip.addr;
}

ThreadId InstanceEnds::by(const Touch& t) const {
  if (!turns_) return t.thread;
  return turns_->strand(t.thread, t.of_block ? t.at : AccessPosition{t.at.event, AccessPosition::kWholeEvent});
}

bool InstanceEnds::are_alike(ThreadId t, uint64_t begin, uint64_t end) const {
  const AccessPosition first{begin, 0}, last{end - 1, AccessPosition::kWholeEvent};
  if (turns_ && !turns_->are_of_one(t, first, last)) return false;
  const ThreadId thread = turns_ ? turns_->strand(t, first) : t;
  if (!thread || thread.value >= present_.size()) return true;
  const auto& segments = collected_.segments.of(thread);
  const auto begun = [&](const AccessPosition& at) {
    return std::partition_point(segments.begin(), segments.end(), [&](const Segment& s) { return !(at < s.begin); });
  };
  return begun(first) == begun(last);
}

InstanceEnds::Present& InstanceEnds::present(ThreadId by, AccessPosition at) {
  Present& p = present_[by.value];
  const auto& segments = collected_.segments.of(by);
  const SegmentNumber before = p.segment;
  while (p.segment < segments.size() && !(at < segments[p.segment].begin)) ++p.segment;
  if (p.segment != before) enter_segment(by, p);
  return p;
}

void InstanceEnds::enter_segment(ThreadId t, Present& p) {
  p.here.clear();
  p.concurrent.clear();
  p.labels.clear();
  const ThreadAccesses& all = collected_.sets[t.value];
  const auto& racing = racing_[t.value];
  while (p.next < racing.size() && all.segment(racing[p.next]) < p.segment) ++p.next;
  for (; p.next < racing.size() && all.segment(racing[p.next]) == p.segment; ++p.next) {
    collected_.for_each_access_of(all, racing[p.next], [&](const AccessEntry& e) {
      if (partners_.contains(e.stream))
        p.here[ip_of(e.stream)].push_back({e.stream, e.at, collected_.sites.site_of(e.stream).store, 0});
    });
  }
  for (auto& [ip, here] : p.here) {
    std::sort(here.begin(), here.end(), [](const Here& a, const Here& b) { return a.at < b.at; });
    uint64_t reach = 0;
    for (Here& h : here) h.reach = reach = std::max(reach, h.at.last());
  }
}

void InstanceEnds::labels_of(const Touch& t, std::vector<LabelId>& to) {
  const ThreadId thread = by(t);
  if (!thread || thread.value >= present_.size()) return;
  Present& p = present(thread, t.at);
  const auto found = p.here.find(t.ip.addr);
  if (found == p.here.end()) return;
  const std::vector<Here>& here = found->second;
  auto h = std::partition_point(here.begin(), here.end(), [&](const Here& x) { return x.at.base <= t.addr; });
  while (h != here.begin() && (--h)->reach >= t.addr)
    if (h->store == t.store && has_access(h->at, t.addr, t.width)) give(t, thread, p, h->stream, to);
}

void InstanceEnds::give(const Touch& t, ThreadId by, Present& p, StreamId stream, std::vector<LabelId>& to) {
  uint32_t given = ~uint32_t{0};
  for (const Partner& partner : partners_.at(stream)) {
    if (partner.race == given || !has_partner(by, p, partner.stream, {t.addr, t.addr + t.width})) continue;
    given = partner.race;
    const auto [label, added] = p.labels.try_emplace(given);
    if (added) {
      const auto [known, first] = labels_.try_emplace({given, by, p.segment});
      if (first) known->second = new_label(given, by, p.segment, t);
      label->second = known->second;
    }
    to.push_back(label->second);
  }
}

bool InstanceEnds::has_partner(ThreadId t, Present& p, StreamId stream, AddrRange bytes) {
  for (const ThreadId other : threads_[stream]) {
    if (other == t) continue;
    const auto [range, added] = p.concurrent.try_emplace(other.value);
    if (added) range->second = Concurrency(collected_.segments, t, other, Order::kFull).with(p.segment);
    if (footprint(other, stream).touched(range->second, bytes)) return true;
  }
  return false;
}

// --- partners ---

bool InstanceEnds::are_concurrent(const RaceLabel& a, const RaceLabel& b) const {
  return collected_.segments.known(a.thread, a.segment, b.thread, Order::kFull) < b.segment &&
         collected_.segments.known(b.thread, b.segment, a.thread, Order::kFull) < a.segment;
}

bool InstanceEnds::are_partners(LabelId a, LabelId b) {
  if (a > b) std::swap(a, b);
  const RaceLabel &x = (*this)[a], &y = (*this)[b];
  if (x.race != y.race || x.thread == y.thread || !are_concurrent(x, y)) return false;
  const auto [known, added] = partner_labels_.try_emplace(uint64_t{a} << 32 | b);
  if (added) known->second = find_common(x, y);
  return known->second;
}

// A race may have very many streams, and a strand few of them.
bool InstanceEnds::find_common(const RaceLabel& a, const RaceLabel& b) {
  const bool fewer = streams_[b.thread.value].size() < streams_[a.thread.value].size();
  const RaceLabel &few = fewer ? b : a, &many = fewer ? a : b;
  return std::any_of(streams_[few.thread.value].begin(), streams_[few.thread.value].end(), [&](StreamId s) {
    const auto& partners = partners_.at(s);
    const auto begin =
        std::partition_point(partners.begin(), partners.end(), [&](const Partner& p) { return p.race < few.race; });
    const auto end = std::find_if(begin, partners.end(), [&](const Partner& p) { return p.race != few.race; });
    return std::any_of(begin, end, [&](const Partner& p) { return meet(few, s, many, p.stream); });
  });
}

bool InstanceEnds::meet(const RaceLabel& of, StreamId stream, const RaceLabel& with, StreamId other) {
  const auto found = footprints_.find(key_of(with.thread, other));
  if (found == footprints_.end()) return false;
  bool met = false;
  footprint(of.thread, stream).in_segment(of.segment, [&](const Progression& p) {
    met = met || found->second.meets({with.segment, with.segment}, p);
  });
  return met;
}

}  // namespace cdr::races
