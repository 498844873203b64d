// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/evidence/schedule.h"

#include <algorithm>

namespace cdr::races {

Schedule::ThreadClock& Schedule::at(ThreadId t) {
  ThreadClock& thread = threads_[t.value];
  if (!thread.known) thread.known = std::make_shared<Ticks>(threads_.size());
  return thread;
}

// `from` up to `tick`, and what it knew then.
void Schedule::join(ThreadClock& to, ThreadId from, const std::shared_ptr<Ticks>& what, uint64_t tick) {
  bool more = (*to.known)[from.value] < tick;
  for (size_t i = 0; !more && i < what->size(); ++i) more = (*what)[i] > (*to.known)[i];
  if (!more) return;
  if (to.known.use_count() > 1) to.known = std::make_shared<Ticks>(*to.known);
  for (size_t i = 0; i < what->size(); ++i) (*to.known)[i] = std::max((*to.known)[i], (*what)[i]);
  (*to.known)[from.value] = std::max((*to.known)[from.value], tick);
}

// With its own ticks in the clock.
void Schedule::end_segment(ThreadId t, ThreadClock& thread) {
  if (!thread.segment) return;
  auto end = std::make_shared<Ticks>(*thread.known);
  (*end)[t.value] = thread.now;
  if (!thread.ends.empty() && *thread.ends.back().second == *end) return;
  thread.ends.emplace_back(thread.segment, std::move(end));
}

void Schedule::segment_begins(ThreadId t, SegmentNumber n) {
  ThreadClock& thread = at(t);
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

void Schedule::access(const Collector::Kept& k) {
  const Site& site = sites_.site_of(k.stream);
  const bool racing = k.stream < racing_.size() && racing_[k.stream];
  if (!racing) {
    // Whoever reads it is ordered after it.
    if (site.store && !site.free && !bytes_.empty())
      for (uint64_t a = k.addr; a < k.addr + k.width; ++a)
        if (const auto b = bytes_.find(a); b != bytes_.end()) b->second.writer = ThreadId();
    return;
  }
  ThreadClock& thread = at(k.thread);
  ++thread.now;
  met_.clear();
  const analysis::AccessPosition place{k.at.event, k.whole_event ? analysis::AccessPosition::kWholeEvent : k.at.access};
  const Touch now{k.thread, k.stream, thread.now, thread.segment, place};
  const GenerationId generation = sites_.stream(k.stream).generation;
  for (uint64_t a = k.addr; a < k.addr + k.width; ++a) {
    Byte& b = bytes_[a];
    if (b.generation != generation) b = {generation, {}, {}, 0, {}};
    touch(b, now, site.store);
  }
  if (site.store || site.free) return;
  for (uint64_t a = k.addr; a < k.addr + k.width; ++a) see(bytes_[a], thread);
}

void Schedule::touch(Byte& b, const Touch& now, bool store) {
  const bool atomic = sites_.stream(now.stream).atomic;
  Touch* mine = nullptr;
  for (Touch& t : b.touches) {
    if (t.thread == now.thread) {
      if (t.stream == now.stream) mine = &t;
      continue;
    }
    const bool conflict = (store || sites_.site_of(t.stream).store) && !(atomic && sites_.stream(t.stream).atomic);
    if (conflict) meet(t, now);
  }
  if (mine)
    *mine = now;
  else
    b.touches.push_back(now);
  if (!store) return;
  b.writer = now.thread;
  b.written = now.tick;
  b.knew = at(now.thread).known;
}

void Schedule::meet(const Touch& before, const Touch& now) {
  const auto pair = std::minmax({before.stream, now.stream});
  if (before.tick > (*at(now.thread).known)[before.thread.value]) found_.insert(pair);
  if (segments_.known(now.thread, now.segment, before.thread, Order::kFull) >= before.segment) return;
  if (std::find(met_.begin(), met_.end(), before.stream) != met_.end()) return;
  met_.push_back(before.stream);
  instances_[pair].add({before.at, now.at});
}

void Schedule::see(Byte& b, ThreadClock& thread) {
  if (b.writer && &at(b.writer) != &thread) join(thread, b.writer, b.knew, b.written);
}

}  // namespace cdr::races
