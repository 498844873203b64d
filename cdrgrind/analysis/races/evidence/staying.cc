// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/evidence/staying.h"

#include <algorithm>

namespace cdr::races {

Staying::Staying(const Segments& segments, const std::vector<LockedRaces>& all)
    : segment_(segments.thread_count() + 1), found_(all.size()) {
  for (size_t i = 0; i < all.size(); ++i) {
    Lock& lock = locks_.emplace_back(Lock{TickClocks(segments), {}, {}, {}, {}});
    for (const auto& [a, b] : all[i].locked) lock.streams[a] = lock.streams[b] = true;
    for (size_t n = 0; n < all[i].others.size(); ++n)
      for (const auto& [a, b] : all[i].others[n]) {
        lock.streams.try_emplace(a, false);
        lock.streams.try_emplace(b, false);
        lock.pairs[std::minmax(a, b)].push_back(n);
      }
    for (const auto& [stream, locked] : lock.streams) locks_of_[stream].push_back(i);
    found_[i].resize(all[i].others.size());
  }
}

void Staying::segment_begins(ThreadId t, SegmentNumber n) { segment_[t.value] = n; }

void Staying::kept(const Collector::Kept& k) {
  const auto where = locks_of_.find(k.stream);
  if (where == locks_of_.end()) return;
  for (const size_t lock : where->second) access(lock, k, locks_[lock].streams[k.stream]);
}

void Staying::access(size_t number, const Collector::Kept& k, bool locked) {
  Lock& lock = locks_[number];
  lock.clocks.enter(k.thread, segment_[k.thread.value]);
  if (locked) lock.clocks.learn(k.thread, lock.given);
  const Touch now{k.thread, k.stream, lock.clocks.tick(k.thread)};
  if (locked) lock.given = lock.clocks.now(k.thread);
  for (uint64_t a = k.addr; a < k.addr + k.width; ++a) touch(number, lock.bytes[a], now);
}

void Staying::touch(size_t number, std::vector<Touch>& before, const Touch& now) {
  Lock& lock = locks_[number];
  Touch* mine = nullptr;
  for (Touch& t : before) {
    if (t.thread == now.thread) {
      if (t.stream == now.stream) mine = &t;
      continue;
    }
    const auto pair = lock.pairs.find(std::minmax(t.stream, now.stream));
    if (pair == lock.pairs.end() || lock.clocks.knows(now.thread, t.thread, t.tick)) continue;
    for (const size_t n : pair->second) found_[number][n] = true;
  }
  if (mine)
    *mine = now;
  else
    before.push_back(now);
}

}  // namespace cdr::races
