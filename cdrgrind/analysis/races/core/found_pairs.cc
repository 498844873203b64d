// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/core/found_pairs.h"

#include <utility>

namespace cdr::races {

using analysis::saturating_add;

void FoundPairs::add(const StreamAccesses& a, const StreamAccesses& b, uint64_t n, bool on_stack,
                     const Segments& segments) {
  Key key{a.stream, b.stream, {}, {}};
  if (on_stack) key.of_a = a.thread, key.of_b = b.thread;
  const auto [at, added] = pairs_.try_emplace(key);
  StreamPair& p = at->second;
  p.instances = saturating_add(p.instances, n);
  note_meeting(a, b, segments, added, p);
}

std::vector<StreamPair> FoundPairs::pairs(const Segments& segments) const {
  std::vector<StreamPair> all;
  const auto merge = [&](const StreamPair& p, StreamPair& to) {
    to.instances = saturating_add(to.instances, p.instances);
    to.addresses = hull_of(to.addresses, p.addresses);
    if (is_earlier(p.of_a, p.of_b, to, segments)) to.of_a = p.of_a, to.of_b = p.of_b;
  };
  for (auto i = pairs_.begin(); i != pairs_.end();) {
    const size_t first = all.size();
    const auto same_streams = [&, a = i->first.a, b = i->first.b] {
      return i != pairs_.end() && i->first.a == a && i->first.b == b;
    };
    for (uint32_t n = 0; n < kMostMeetings && same_streams(); ++i) {
      all.push_back(i->second);
      if (i->first.on_stack()) all.back().meeting = ++n;
    }
    if (!same_streams()) continue;
    StreamPair rest = (i++)->second;
    for (; same_streams(); ++i) merge(i->second, rest);
    all.insert(all.begin() + static_cast<ptrdiff_t>(first), rest);
  }
  return all;
}

void FoundPairs::renumber(const std::vector<StreamId>& numbers) {
  std::map<Key, StreamPair> old = std::exchange(pairs_, {});
  for (auto& [key, pair] : old) {
    pair.a = numbers[pair.a];
    pair.b = numbers[pair.b];
    pairs_.emplace(Key{pair.a, pair.b, key.of_a, key.of_b}, pair);
  }
}

}  // namespace cdr::races
