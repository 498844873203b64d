// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/evidence/tick_clocks.h"

#include <algorithm>

namespace cdr::races {

TickClocks::ThreadClock& TickClocks::at(ThreadId t) {
  ThreadClock& thread = threads_[t.value];
  if (!thread.known) thread.known = std::make_shared<Ticks>(threads_.size());
  return thread;
}

// `from` up to `tick`, and what it knew then.
void TickClocks::join(ThreadClock& to, ThreadId from, const std::shared_ptr<Ticks>& what, uint64_t tick) {
  bool more = (*to.known)[from.value] < tick;
  for (size_t i = 0; !more && i < what->size(); ++i) more = (*what)[i] > (*to.known)[i];
  if (!more) return;
  if (to.known.use_count() > 1) to.known = std::make_shared<Ticks>(*to.known);
  for (size_t i = 0; i < what->size(); ++i) (*to.known)[i] = std::max((*to.known)[i], (*what)[i]);
  (*to.known)[from.value] = std::max((*to.known)[from.value], tick);
}

// With its own ticks in the clock.
void TickClocks::end_segment(ThreadId t, ThreadClock& thread) {
  if (!thread.segment) return;
  auto end = std::make_shared<Ticks>(*thread.known);
  (*end)[t.value] = thread.now;
  if (!thread.ends.empty() && *thread.ends.back().second == *end) return;
  thread.ends.emplace_back(thread.segment, std::move(end));
}

void TickClocks::enter(ThreadId t, SegmentNumber n) {
  ThreadClock& thread = at(t);
  if (thread.segment == n) return;
  end_segment(t, thread);
  thread.segment = n;
  for (uint32_t u = 1; u < threads_.size(); ++u) {
    const ThreadId other(u);
    const SegmentNumber k = other == t ? 0 : segments_.known(t, n, other, Order::kFull);
    if (!k) continue;
    ThreadClock& from = at(other);
    if (k >= from.segment) {
      join(thread, other, from.known, from.now);
      continue;
    }
    const auto after = std::upper_bound(from.ends.begin(), from.ends.end(), k,
                                        [](SegmentNumber s, const auto& end) { return s < end.first; });
    if (after != from.ends.begin()) join(thread, other, std::prev(after)->second, 0);
  }
}

void TickClocks::learn(ThreadId t, const Moment& what) {
  if (what.thread && what.thread != t) join(at(t), what.thread, what.knew, what.tick);
}

}  // namespace cdr::races
