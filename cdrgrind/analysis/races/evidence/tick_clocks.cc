// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/evidence/tick_clocks.h"

#include <algorithm>
#include <utility>

namespace cdr::races {

// With its own ticks in the clock.
void TickClocks::end_segment(ThreadId t, ThreadClock& thread) {
  if (!thread.segment) return;
  VectorClock end = thread.known;
  end.set(t, thread.now);
  if (!thread.ends.empty() && thread.ends.back().second.same(end)) return;
  thread.ends.emplace_back(thread.segment, std::move(end));
}

void TickClocks::enter(ThreadId t, SegmentNumber n) {
  ThreadClock& thread = threads_[t.value];
  if (thread.segment == n) return;
  end_segment(t, thread);
  const SegmentNumber before = std::exchange(thread.segment, n);
  const VectorClock& knew = segments_.clock(t, n, Order::kFull);
  const VectorClock& told = told_by(knew);
  // A strand with the number of another one comes behind all that that one did.
  if (knew[t] >= before)
    thread.known = told;
  else
    thread.known.join(told);
}

// That is final: segments that somebody knows have ended.
const VectorClock& TickClocks::told_by(const VectorClock& knew) {
  const auto known = std::find_if(told_.begin(), told_.end(), [&](const Told& one) { return one.knew.same(knew); });
  if (known != told_.end()) return known->known;
  VectorClock all;
  join_ends(knew.others().root(), VectorClock::kFew, all);
  for (uint32_t u = 1; u < VectorClock::kFew && u < threads_.size(); ++u) join_end(ThreadId(u), knew[ThreadId(u)], all);
  Told& here = told_[next_told_++ % told_.size()];
  here = {knew, std::move(all)};
  return here.known;
}

// What the thread knew, and had done, when its segment n had ended; a later one cannot have been entered by now.
void TickClocks::join_end(ThreadId of, SegmentNumber n, VectorClock& to) const {
  if (!n) return;
  const ThreadClock& from = threads_[of.value];
  if (n >= from.segment) {
    to.join(from.known);
    if (to[of] < from.now) to.set(of, from.now);
    return;
  }
  const auto after = std::upper_bound(from.ends.begin(), from.ends.end(), n,
                                      [](SegmentNumber s, const auto& end) { return s < end.first; });
  if (after != from.ends.begin()) to.join(std::prev(after)->second);
}

// Of the threads from `low` on that the node has.
void TickClocks::join_ends(const ClockTree::Node* n, uint64_t low, VectorClock& to) {
  if (!n) return;
  const bool shared = n->uses > 1;
  if (const auto known = shared ? parts_.find(n) : parts_.end(); known != parts_.end()) {
    to.join(known->second);
    return;
  }
  VectorClock all;
  if (n->height == 0)
    for (size_t i = 0; i < ClockTree::kLeaf; ++i) join_end(ThreadId(static_cast<uint32_t>(low + i)), n->number[i], all);
  else
    for (size_t i = 0; i < ClockTree::kFan; ++i)
      join_ends(n->child(i), low + i * ClockTree::Node::span(n->height - 1), all);
  to.join(all);
  if (shared) parts_.emplace(n, std::move(all));
}

void TickClocks::learn(ThreadId t, const Moment& what) {
  if (!what.thread || what.thread == t) return;
  VectorClock& known = threads_[t.value].known;
  known.join(what.knew);
  if (known[what.thread] < what.tick) known.set(what.thread, what.tick);
}

}  // namespace cdr::races
