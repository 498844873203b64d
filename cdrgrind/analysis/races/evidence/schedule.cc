// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/evidence/schedule.h"

#include <algorithm>

namespace cdr::races {

void Schedule::access(const Collector::Kept& k) {
  const Site& site = sites_.site_of(k.stream);
  const bool racing = k.stream < racing_.size() && racing_[k.stream];
  if (!racing) {
    // Whoever reads it is ordered after it.
    if (site.store && !site.of_event() && !bytes_.empty())
      for (uint64_t a = k.addr; a < k.addr + k.width; ++a)
        if (const auto b = bytes_.find(a); b != bytes_.end()) b->second.written = {};
    return;
  }
  met_.clear();
  const analysis::AccessPosition place{k.at.event, k.whole_event ? analysis::AccessPosition::kWholeEvent : k.at.access};
  const Touch now{k.thread, k.stream, clocks_.tick(k.thread), clocks_.segment(k.thread), place};
  const GenerationId generation = sites_.stream(k.stream).generation;
  for (uint64_t a = k.addr; a < k.addr + k.width; ++a) {
    Byte& b = bytes_[a];
    if (b.generation != generation) b = {generation, {}, {}};
    touch(b, now, site.store);
  }
  if (site.store || site.of_event()) return;
  for (uint64_t a = k.addr; a < k.addr + k.width; ++a) clocks_.learn(k.thread, bytes_[a].written);
}

void Schedule::touch(Byte& b, const Touch& now, bool store) {
  const bool atomic = sites_.stream(now.stream).atomic;
  Touch* mine = nullptr;
  for (Touch& t : b.touches) {
    if (t.thread == now.thread) {
      if (t.stream == now.stream) mine = &t;
      continue;
    }
    const bool conflict = (store || sites_.site_of(t.stream).store) && !(atomic && sites_.stream(t.stream).atomic) &&
                          !sites_.exclude(t.stream, now.stream);
    if (conflict) meet(t, now);
  }
  if (mine)
    *mine = now;
  else
    b.touches.push_back(now);
  if (store) b.written = clocks_.now(now.thread);
}

void Schedule::meet(const Touch& before, const Touch& now) {
  const auto pair = std::minmax({before.stream, now.stream});
  if (!clocks_.knows(now.thread, before.thread, before.tick)) found_.insert(pair);
  if (segments_.known(now.thread, now.segment, before.thread, Order::kFull) >= before.segment) return;
  if (std::find(met_.begin(), met_.end(), before.stream) != met_.end()) return;
  met_.push_back(before.stream);
  instances_[pair].add({before.at, now.at});
}

}  // namespace cdr::races
