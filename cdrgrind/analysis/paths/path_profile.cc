// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/paths/path_profile.h"

#include <algorithm>

namespace cdr::paths {

bool LibraryWork::is_as(const Place& p, bool quiet) const {
  if (!quiet && (blocks_ - gone_ != p.blocks - p.gone || all_ - taken_ != p.all - p.taken)) return false;
  if (quiet || sums_.empty()) return true;
  const uint64_t waiting = std::min(blocks_ - gone_, kRemembered - 1);
  if (blocks_ - p.blocks + waiting >= kRemembered) return false;
  for (uint64_t i = 0; i < waiting && i < p.blocks; ++i)
    if (all_ - sums_[(blocks_ - i) % kRemembered] != p.all - sums_[(p.blocks - i) % kRemembered]) return false;
  return true;
}

void LibraryWork::again(const Place& p, uint64_t times) {
  const uint64_t blocks = blocks_ - p.blocks, charged = all_ - p.all;
  const uint64_t end = blocks_ + blocks * times;
  if (!sums_.empty() && blocks > 0) {
    std::vector<uint64_t> last(std::min(blocks, kRemembered));  // the sums at the last blocks, the last one first
    for (uint64_t i = 0; i < last.size(); ++i) last[i] = sums_[(blocks_ - i) % kRemembered];
    const uint64_t kept = std::min(blocks * times, kRemembered);
    for (uint64_t i = 0; i < kept; ++i)
      sums_[(end - i) % kRemembered] = last[i % blocks] + charged * (times - i / blocks);
  }
  blocks_ = end;
  all_ += charged * times;
  if (!sums_.empty()) sums_[end % kRemembered] = all_;  // of the last block, also if it was executed before
  gone_ += (gone_ - p.gone) * times;
  taken_ += (taken_ - p.taken) * times;
}

void PathProfile::mark(ThreadId thread, CopyMark& mark) {
  if (thread.value >= threads_.size()) threads_.resize(thread.value + 1);
  const ThreadPaths& t = threads_[thread.value];
  t.cutter.mark(mark.cut);
  mark.work = t.work.place();
  mark.taken = taken_before_ + taken_.size();
  mark.instructions = instructions_;
  mark.left_out = left_out_;
}

bool PathProfile::is_as(ThreadId thread, const CopyMark& mark) const {
  if (mark.taken < taken_before_) return false;
  const ThreadPaths& t = threads_[thread.value];
  const bool quiet = mark.taken == taken_before_ + taken_.size();
  return t.cutter.is_as(mark.cut, quiet) && t.work.is_as(mark.work, quiet);
}

void PathProfile::again(ThreadId thread, const CopyMark& mark, uint64_t times) {
  ThreadPaths& t = threads_[thread.value];
  t.cutter.again(mark.cut, times);
  t.work.again(mark.work, times);
  instructions_ += (instructions_ - mark.instructions) * times;
  left_out_ += (left_out_ - mark.left_out) * times;
  for (size_t i = mark.taken - taken_before_; i < taken_.size(); ++i) {
    Taken& one = taken_[i];
    count(t, {one.id, one.count * times, one.library * times});
    one.count *= times + 1;
    one.library *= times + 1;
  }
}

void PathProfile::block(ThreadId thread, uint32_t block) {
  if (thread.value >= threads_.size()) threads_.resize(thread.value + 1);
  ThreadPaths& t = threads_[thread.value];
  instructions_ += blocks_[block].insns;
  // Before the paths that it ends: they lie behind it.
  t.work.block();
  t.cutter.add({block, 1}, [&](std::span<const Element> cycle, uint64_t count) { take(t, cycle, count); });
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
  const Taken taken = {static_cast<uint32_t>(id), count, thread.work.take(cycle.size() * count)};
  this->count(thread, taken);
  if (taken_.size() == kMostTaken) {
    taken_before_ += taken_.size();
    taken_.clear();
  }
  taken_.push_back(taken);
}

void PathProfile::count(ThreadPaths& thread, const Taken& taken) {
  if (taken.id >= thread.trips.size()) thread.trips.resize(taken.id + 1);
  thread.trips[taken.id] += taken.count;
  executions_ += taken.count;
  if (taken.library == 0) return;
  if (taken.id >= thread.library.size()) thread.library.resize(taken.id + 1);
  thread.library[taken.id] += taken.library;
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
