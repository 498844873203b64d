// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/sharing/may_share.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "cdrgrind/analysis/races/core/concurrency.h"

namespace cdr::sharing {
namespace {

using races::Concurrency;
using races::SegmentRange;

struct Touched {
  LineBytes all, stored;
  void add(const Touched& other) {
    all |= other.all;
    stored |= other.stored;
  }
};

LineBytes bytes_of(const MayPiece& p) {
  LineBytes b;
  for (uint32_t i = p.offset; i < uint32_t{p.offset} + p.width; ++i) b.set(i);
  return b;
}

// The union over any range of pieces: a tree of unions.
class Unions {
 public:
  explicit Unions(const std::vector<const MayPiece*>& pieces) : pieces_(pieces), nodes_(2 * pieces.size()) {
    const size_t n = pieces.size();
    for (size_t i = 0; i < n; ++i) {
      Touched& leaf = nodes_[n + i];
      leaf.all = bytes_of(*pieces[i]);
      if (pieces[i]->store) leaf.stored = leaf.all;
    }
    for (size_t i = n; i-- > 1;) {
      nodes_[i] = nodes_[2 * i];
      nodes_[i].add(nodes_[2 * i + 1]);
    }
  }
  Touched in(SegmentRange r) const {
    Touched sum;
    if (r.empty()) return sum;
    const size_t n = pieces_.size();
    size_t low = n + behind(r.first - 1), high = n + behind(r.last);
    for (; low < high; low /= 2, high /= 2) {
      if (low & 1) sum.add(nodes_[low++]);
      if (high & 1) sum.add(nodes_[--high]);
    }
    return sum;
  }

 private:
  // The number of pieces in segments up to that one.
  size_t behind(races::SegmentNumber s) const {
    return static_cast<size_t>(
        std::partition_point(pieces_.begin(), pieces_.end(), [&](const MayPiece* p) { return p->segment <= s; }) -
        pieces_.begin());
  }
  const std::vector<const MayPiece*>& pieces_;
  std::vector<Touched> nodes_;
};

// What a thread does there: as a whole, and by lives.
class Side {
 public:
  explicit Side(const MayThread& t) {
    for (const MayPiece& p : t.pieces) {
      pieces_.push_back(&p);
      by_life_[p.life].push_back(&p);
    }
    all_.emplace(pieces_);
    for (const auto& [life, pieces] : by_life_) lives_.emplace(life, pieces);
  }
  Side(const Side&) = delete;
  Side& operator=(const Side&) = delete;

  Touched in(SegmentRange r) const { return all_->in(r); }
  Touched in(SegmentRange r, uint32_t life) const {
    const auto found = lives_.find(life);
    return found == lives_.end() ? Touched() : found->second.in(r);
  }

 private:
  std::vector<const MayPiece*> pieces_;
  std::map<uint32_t, std::vector<const MayPiece*>> by_life_;
  std::optional<Unions> all_;
  std::map<uint32_t, Unions> lives_;
};

struct Counts {
  uint64_t in_false = 0, in_true = 0;
  std::map<uint32_t, uint64_t> by_group;
  races::SegmentNumber example = 0;  // the first one; 0: none
};

// All that `mine` touches in segments with a concurrent one in which the other thread touches the line.
LineBytes touched_beside(const Concurrency& order, const MayThread& mine, const Side& other) {
  LineBytes all;
  for (const MayPiece& p : mine.pieces)
    if (other.in(order.with(p.segment)).all.any()) all |= bytes_of(p);
  return all;
}

Counts disturbed(const Concurrency& order, MayThread& mine, const LineBytes& touched, const Side& other,
                 const LineBytes& other_touched) {
  Counts counts;
  for (MayPiece& p : mine.pieces) {
    const SegmentRange beside = order.with(p.segment);
    const Touched theirs = other.in(beside);
    if (theirs.all.none()) continue;
    const LineBytes bytes = bytes_of(p);
    const Touched same = other.in(beside, p.life);
    const uint64_t before = counts.in_true + counts.in_false;
    if ((bytes & (p.store ? same.all : same.stored)).any()) {
      p.in_true = true;
      counts.in_true += p.count;
      counts.by_group[p.group] += p.count;
    }
    if ((p.store && (bytes & other_touched).none()) || (theirs.stored & ~touched).any()) {
      p.in_false = true;
      counts.in_false += p.count;
    }
    if (counts.example == 0 && counts.in_true + counts.in_false > before) counts.example = p.segment;
  }
  return counts;
}

// The first segment of these in which the thread touches the line; 0: there is none.
races::SegmentNumber first_in(const MayThread& t, SegmentRange range) {
  const auto piece = std::partition_point(t.pieces.begin(), t.pieces.end(),
                                          [&](const MayPiece& p) { return p.segment < range.first; });
  return piece != t.pieces.end() && piece->segment <= range.last ? piece->segment : 0;
}

}  // namespace

void MayThread::add(const MayPiece& p) {
  if (pieces.empty() || pieces.back().segment != p.segment) present_ = pieces.size();
  for (size_t i = present_; i < pieces.size(); ++i) {
    MayPiece& q = pieces[i];
    if (q.offset != p.offset || q.width != p.width || q.store != p.store || q.life != p.life || q.group != p.group)
      continue;
    q.count += p.count;
    // What comes again is found at once.
    if (i != present_) std::swap(pieces[i], pieces[i - 1]);
    return;
  }
  pieces.push_back(p);
}

std::vector<MayPair> may_share(const races::Segments& segments, std::vector<MayThread>& line) {
  std::vector<MayPair> pairs;
  std::vector<std::unique_ptr<Side>> sides;
  for (const MayThread& t : line) sides.push_back(std::make_unique<Side>(t));
  for (size_t i = 0; i < line.size(); ++i) {
    for (size_t j = i + 1; j < line.size(); ++j) {
      MayThread &a = line[i], &b = line[j];
      const Concurrency from_a(segments, a.thread, b.thread, races::Order::kSync);
      const Concurrency from_b(segments, b.thread, a.thread, races::Order::kSync);
      const LineBytes of_a = touched_beside(from_a, a, *sides[j]);
      if (of_a.none()) continue;
      const LineBytes of_b = touched_beside(from_b, b, *sides[i]);
      const Counts in_a = disturbed(from_a, a, of_a, *sides[j], of_b);
      const Counts in_b = disturbed(from_b, b, of_b, *sides[i], of_a);
      MayPair pair{a.thread, b.thread, std::min(in_a.in_false, in_b.in_false), std::min(in_a.in_true, in_b.in_true), {},
                   0,        0};
      for (const auto& [group, count] : in_a.by_group)
        if (const auto other = in_b.by_group.find(group); other != in_b.by_group.end())
          pair.by_group[group] = std::min(count, other->second);
      pair.first_in = in_a.example;
      if (in_a.example) pair.second_in = first_in(b, from_a.with(in_a.example));
      if (pair.second < pair.first) {
        std::swap(pair.first, pair.second);
        std::swap(pair.first_in, pair.second_in);
      }
      if (pair.false_sharing || pair.true_sharing) pairs.push_back(std::move(pair));
    }
  }
  std::sort(pairs.begin(), pairs.end(), [](const MayPair& x, const MayPair& y) {
    return std::pair(x.first, x.second) < std::pair(y.first, y.second);
  });
  return pairs;
}

}  // namespace cdr::sharing
