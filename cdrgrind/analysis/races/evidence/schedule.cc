// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/evidence/schedule.h"

#include <algorithm>
#include <utility>

namespace cdr::races {

void Schedule::access(const Collector::Kept& k) {
  const Site& site = sites_.site_of(k.stream);
  if (!is_racing(k.stream)) {
    // Whoever reads it is ordered after it.
    if (site.store && !site.of_event() && !bytes_.empty())
      for (uint64_t a = k.addr; a < k.addr + k.width; ++a)
        if (const auto b = bytes_.find(a); b != bytes_.end()) b->second.written = {};
    return;
  }
  met_.clear();
  const analysis::AccessPosition place{k.at.event, k.whole_event ? analysis::AccessPosition::kWholeEvent : k.at.access};
  const Touch now{k.thread, clocks_.tick(k.thread), clocks_.segment(k.thread), place};
  const GenerationId generation = sites_.stream(k.stream).generation;
  for (uint64_t a = k.addr; a < k.addr + k.width; ++a) {
    Byte& b = bytes_[a];
    if (b.generation != generation) b = {generation, {}, {}};
    touch(b, k.stream, now, site.store);
  }
  if (site.store || site.of_event()) return;
  for (uint64_t a = k.addr; a < k.addr + k.width; ++a) clocks_.learn(k.thread, bytes_[a].written);
}

void Schedule::touch(Byte& b, StreamId stream, const Touch& now, bool store) {
  Touches* mine = nullptr;
  for (Touches& t : b.streams) {
    if (t.stream == stream) mine = &t;
    if (sites_.may_race(t.stream, stream)) meet(t, stream, now);
  }
  if (!mine) {
    b.streams.push_back({stream, {}, {}, true, true});
    mine = &b.streams.back();
  }
  add(*mine, now);
  if (store) b.written = clocks_.now(now.thread);
}

void Schedule::meet(const Touches& before, StreamId stream, const Touch& now) {
  const auto pair = std::minmax({before.stream, stream});
  bool schedulable = found_.contains(pair) || (before.chain && knows(now, before.all.back()));
  bool met = std::find(met_.begin(), met_.end(), before.stream) != met_.end() ||
             (before.chain_of_segments && is_behind(now, before.all.back()));
  for (auto t = before.all.rbegin(); t != before.all.rend() && !(met && schedulable); ++t) {
    if (!t->thread || t->thread == now.thread) continue;
    if (!schedulable && !knows(now, *t)) {
      found_.insert(pair);
      schedulable = true;
    }
    if (met || is_behind(now, *t)) continue;
    met_.push_back(before.stream);
    instances_[pair].add({t->at, now.at});
    met = true;
  }
}

void Schedule::add(Touches& to, const Touch& now) const {
  constexpr size_t kFew = 16;
  if (!to.all.empty()) {
    to.chain = to.chain && knows(now, to.all.back());
    to.chain_of_segments = to.chain_of_segments && is_behind(now, to.all.back());
  }
  if (to.all.size() <= kFew && to.of_thread.empty()) {
    std::erase_if(to.all, [&](const Touch& t) { return t.thread == now.thread; });
    to.all.push_back(now);
    return;
  }
  if (to.of_thread.empty() || to.all.size() > 2 * to.of_thread.size() + kFew) {
    std::erase_if(to.all, [](const Touch& t) { return !t.thread; });
    for (size_t i = 0; i < to.all.size(); ++i) to.of_thread[to.all[i].thread.value] = i;
  }
  const auto [last, added] = to.of_thread.try_emplace(now.thread.value, to.all.size());
  if (!added) to.all[std::exchange(last->second, to.all.size())].thread = ThreadId();
  to.all.push_back(now);
}

}  // namespace cdr::races
