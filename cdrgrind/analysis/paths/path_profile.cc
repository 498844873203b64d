// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/paths/path_profile.h"

#include <algorithm>

namespace cdr::paths {

void PathProfile::block(ThreadId thread, uint32_t block, uint64_t times) {
  if (thread.value >= threads_.size()) threads_.resize(thread.value + 1);
  ThreadPaths& t = threads_[thread.value];
  instructions_ += blocks_[block].insns * times;
  const Element e{block, 1};
  const auto out = [&](std::span<const Element> cycle, uint64_t count) { take(t, cycle, count); };
  for (; times > 0; --times) {
    if (t.cutter.only_repeats(e)) {
      t.work.blocks(times);
      return t.cutter.add_times(e, times, out);
    }
    // Before the paths that it ends: they lie behind it.
    t.work.block();
    t.cutter.add(e, out);
  }
}

void PathProfile::charged(ThreadId thread, uint64_t insns) {
  if (thread.value >= threads_.size()) threads_.resize(thread.value + 1);
  instructions_ += insns;
  threads_[thread.value].work.charged(insns);
}

void PathProfile::cut(ThreadId thread) {
  for (uint32_t i = 0; i < threads_.size(); ++i)
    if (!thread || thread.value == i)
      threads_[i].cutter.finish(
          [&](std::span<const Element> cycle, uint64_t count) { take(threads_[i], cycle, count); });
}

void PathProfile::take(ThreadPaths& thread, std::span<const Element> cycle, uint64_t count) {
  const auto [id, added] = table_.id_of(cycle);
  if (added) {
    uint64_t insns = 0;
    for (const Element& e : cycle) insns += blocks_[static_cast<uint32_t>(e.id)].insns;
    insns_.push_back(insns);
  }
  if (id >= thread.trips.size()) thread.trips.resize(id + 1);
  thread.trips[id] += count;
  executions_ += count;
  if (const uint64_t library = thread.work.take(cycle.size() * count)) {
    if (id >= thread.library.size()) thread.library.resize(id + 1);
    thread.library[id] += library;
  }
}

uint64_t PathProfile::trips(uint32_t id, ThreadId thread) const {
  uint64_t sum = 0;
  for (uint32_t t = 0; t < threads_.size(); ++t)
    if ((!thread || thread.value == t) && id < threads_[t].trips.size()) sum += threads_[t].trips[id];
  return sum;
}

uint64_t PathProfile::library(uint32_t id, ThreadId thread) const {
  uint64_t sum = 0;
  for (uint32_t t = 0; t < threads_.size(); ++t)
    if ((!thread || thread.value == t) && id < threads_[t].library.size()) sum += threads_[t].library[id];
  return sum;
}

HotPath PathProfile::path(uint32_t id, ThreadId thread, uint64_t trips) const {
  HotPath p{
      .blocks = {}, .id = id, .thread = thread, .trips = trips, .insns = insns_[id], .library = library(id, thread)};
  for (const Element& e : table_.cycle(id)) p.blocks.push_back(static_cast<uint32_t>(e.id));
  return p;
}

std::vector<HotPath> PathProfile::hottest(size_t most, bool by_thread) const {
  struct Candidate {
    uint64_t instructions, trips;
    uint32_t id;
    ThreadId thread;
  };
  std::vector<Candidate> all;
  const auto add = [&](uint32_t id, ThreadId thread) {
    if (const uint64_t n = trips(id, thread)) all.push_back({n * insns_[id] + library(id, thread), n, id, thread});
  };
  for (uint32_t id = 0; id < insns_.size(); ++id) {
    if (!by_thread) add(id, ThreadId());
    for (uint32_t t = 1; by_thread && t < threads_.size(); ++t) add(id, ThreadId(t));
  }
  most = std::min(most, all.size());
  std::partial_sort(all.begin(), all.begin() + static_cast<ptrdiff_t>(most), all.end(),
                    [](const Candidate& a, const Candidate& b) {
                      if (a.instructions != b.instructions) return a.instructions > b.instructions;
                      return a.id != b.id ? a.id < b.id : a.thread < b.thread;
                    });
  std::vector<HotPath> paths;
  for (size_t i = 0; i < most; ++i) paths.push_back(path(all[i].id, all[i].thread, all[i].trips));
  return paths;
}

}  // namespace cdr::paths
