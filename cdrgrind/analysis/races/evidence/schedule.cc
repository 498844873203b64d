// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/evidence/schedule.h"

#include <algorithm>
#include <utility>

namespace cdr::races {

// f(number of the word, bytes of it), in the order of addresses.
template <class F>
void Schedule::for_each_word(uint64_t addr, uint64_t width, F f) {
  for (uint64_t a = addr; a < addr + width;) {
    const uint64_t first = a % kWord, count = std::min(addr + width - a, kWord - first);
    f(a / kWord, static_cast<Bytes>(((1u << count) - 1) << first));
    a += count;
  }
}

// So that each part has all its bytes among these, or none. What is cut is cut into bytes: it is seldom.
void Schedule::cut(Word& word, Bytes bytes) {
  for (size_t i = 0, n = word.size(); i < n; ++i) {
    const Bytes all = word[i].bytes;
    if ((all & bytes) == 0 || (all & bytes) == all) continue;
    word[i].bytes = lowest(all);
    for (Bytes left = all - lowest(all); left != 0; left -= lowest(left)) {
      word.push_back(word[i]);
      word.back().bytes = lowest(left);
    }
  }
  std::sort(word.begin(), word.end(), [](const Part& a, const Part& b) { return lowest(a.bytes) < lowest(b.bytes); });
}

void Schedule::access(const Collector::Kept& k) {
  const Site& site = sites_.site_of(k.stream);
  if (!is_racing(k.stream)) {
    // Whoever reads it is ordered after it.
    if (site.store && !site.of_event() && !words_.empty())
      for_each_word(k.addr, k.width, [&](uint64_t number, Bytes bytes) {
        const auto word = words_.find(number);
        if (word == words_.end()) return;
        cut(word->second, bytes);
        for (Part& p : word->second)
          if (p.bytes & bytes) p.written = {};
      });
    return;
  }
  met_.clear();
  const analysis::AccessPosition place{k.at.event, k.whole_event ? analysis::AccessPosition::kWholeEvent : k.at.access};
  const Touch now{k.thread, clocks_.tick(k.thread), clocks_.segment(k.thread), place};
  const GenerationId generation = sites_.stream(k.stream).generation;
  for_each_word(k.addr, k.width, [&](uint64_t number, Bytes bytes) {
    Word& word = words_[number];
    Bytes fresh = bytes;
    for (const Part& p : word) fresh &= ~p.bytes;
    if (fresh) word.push_back({fresh, generation, {}, {}});
    cut(word, bytes);
    for (Part& p : word) {
      if (!(p.bytes & bytes)) continue;
      if (p.generation != generation) p = {p.bytes, generation, {}, {}};
      touch(p, k.stream, now, site.store);
    }
  });
  if (site.store || site.of_event()) return;
  for_each_word(k.addr, k.width, [&](uint64_t number, Bytes bytes) {
    for (const Part& p : words_[number])
      if (p.bytes & bytes) clocks_.learn(k.thread, p.written);
  });
}

void Schedule::touch(Part& p, StreamId stream, const Touch& now, bool store) {
  Touches* mine = nullptr;
  for (Touches& t : p.streams) {
    if (t.stream == stream) mine = &t;
    if (sites_.may_race(t.stream, stream)) meet(t, stream, now);
  }
  if (!mine) {
    p.streams.push_back({stream, {}, {}, true, true});
    mine = &p.streams.back();
  }
  add(*mine, now);
  if (store) p.written = clocks_.now(now.thread);
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
    InstanceSample& instances = instances_[pair];
    instances.add({t->at, now.at});
    if (notes_) noted_.emplace_back(&instances, slice::RacePair{t->at, now.at});
    met = true;
  }
}

void Schedule::repeated(uint32_t times, uint64_t events) {
  notes_ = false;
  for (uint32_t i = 0; i < times; ++i)
    for (auto& [instances, pair] : noted_) {
      pair.second.event += events;
      instances->add(pair);
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
