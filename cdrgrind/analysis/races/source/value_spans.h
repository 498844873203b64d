// SPDX-License-Identifier: GPL-2.0-or-later
// Where the values of a stream lie, as few spans: what lies near by is one. So an instruction that uses a variable of
// the C library once and else its caller's frames is not taken to touch all that lies between.
#ifndef CDRGRIND_ANALYSIS_RACES_SOURCE_VALUE_SPANS_H
#define CDRGRIND_ANALYSIS_RACES_SOURCE_VALUE_SPANS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/analysis/walk/progression.h"

namespace cdr::races {

using analysis::Progression;

class ValueSpans {
 public:
  static constexpr size_t kMost = 16;
  // Both ends belong to it.
  struct Span {
    int64_t least = 0, most = 0;
    bool operator==(const Span&) const = default;
  };

  // Two values make a progression, however far apart.
  void add(const Progression& p) {
    if (p.stride <= kNear || p.count > kMost) return join({value(p.base), value(p.last())});
    for (uint64_t i = 0; i < p.count; ++i) join({value(p.at(i)), value(p.at(i))});
  }
  // Ascending, with room between them.
  std::span<const Span> spans() const { return spans_; }
  // There is one at least.
  Span all() const { return {spans_.front().least, spans_.back().most}; }

 private:
  static constexpr uint64_t kNear = 64;

  static int64_t value(uint64_t v) { return static_cast<int64_t>(v); }
  void join(const Span& s) {
    if (last_ < spans_.size() && spans_[last_].least <= s.least && s.most <= spans_[last_].most) return;
    const auto first =
        std::partition_point(spans_.begin(), spans_.end(), [&](const Span& one) { return is_apart(one, s); });
    auto end = first;
    Span all = s;
    for (; end != spans_.end() && !is_apart(s, *end); ++end)
      all = {std::min(all.least, end->least), std::max(all.most, end->most)};
    last_ = static_cast<size_t>(first - spans_.begin());
    if (first == end) {
      spans_.insert(first, all);
    } else {
      *first = all;
      spans_.erase(first + 1, end);
    }
    if (spans_.size() > kMost) join_nearest();
  }
  static uint64_t between(const Span& before, const Span& behind) {
    return static_cast<uint64_t>(behind.least) - static_cast<uint64_t>(before.most);
  }
  // `before` ends before the other begins, and not near it.
  static bool is_apart(const Span& before, const Span& behind) {
    return before.most < behind.least && between(before, behind) > kNear;
  }
  void join_nearest() {
    size_t nearest = 0;
    for (size_t i = 1; i + 1 < spans_.size(); ++i)
      if (between(spans_[i], spans_[i + 1]) < between(spans_[nearest], spans_[nearest + 1])) nearest = i;
    spans_[nearest].most = spans_[nearest + 1].most;
    spans_.erase(spans_.begin() + static_cast<ptrdiff_t>(nearest) + 1);
    last_ = nearest;
  }

  std::vector<Span> spans_;
  size_t last_ = 0;  // where something was added
};

}  // namespace cdr::races

#endif
