// SPDX-License-Identifier: GPL-2.0-or-later
// Pairs of streams that race, as they are found, a meeting at a time, in any order.
#ifndef CDRGRIND_ANALYSIS_RACES_CORE_FOUND_PAIRS_H
#define CDRGRIND_ANALYSIS_RACES_CORE_FOUND_PAIRS_H

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

#include "cdrgrind/analysis/races/core/stream_pair.h"

namespace cdr::races {

// Of two streams so many are told apart; the others have number 0.
constexpr uint32_t kMostMeetings = 64;

class FoundPairs {
 public:
  // These two meet n times, n > 0. `on_stack`: where pairs of threads are told apart.
  void add(const StreamAccesses& a, const StreamAccesses& b, uint64_t n, bool on_stack, const Segments& segments);
  // In the order of the streams' numbers.
  std::vector<StreamPair> pairs(const Segments& segments) const;
  // Stream i gets numbers[i].
  void renumber(const std::vector<StreamId>& numbers);
  // f(stream): of both sides of each.
  template <class F>
  void for_each_stream(F f) const {
    for (const auto& [key, pair] : pairs_) f(key.a), f(key.b);
  }

 private:
  struct Key {
    StreamId a = 0, b = 0;
    ThreadId of_a, of_b;  // none but on a stack
    bool on_stack() const { return static_cast<bool>(of_a); }
    auto operator<=>(const Key&) const = default;
  };
  std::map<Key, StreamPair> pairs_;
};

}  // namespace cdr::races

#endif
