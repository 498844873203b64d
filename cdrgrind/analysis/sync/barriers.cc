// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/sync/barriers.h"

#include <algorithm>
#include <optional>
#include <set>

namespace cdr::sync {
namespace {

// Of so many rounds it is looked where threads are counted.
constexpr size_t kCountedRounds = 16;

// A thread has the mutex, waits on the condition included.
struct Visit {
  uint32_t first = 0, last = 0;  // sections
  uint32_t waits = 0;            // on the condition
  uint32_t wait = kNone;         // the first and the last of them
  uint32_t last_wait = kNone;
  std::vector<uint32_t> signals;  // numbers

  bool plain() const { return waits == 0 && signals.empty(); }
};

class ConditionCheck {
 public:
  ConditionCheck(History& h, BarrierFacts& facts, const SyncKey& condition, const std::vector<uint32_t>& waits,
                 const std::vector<uint32_t>& signals)
      : h_(h), facts_(facts), condition_(condition), waits_(waits), signals_(signals) {}

  std::optional<BarrierUse> barrier(const std::vector<uint32_t>& sections) {
    use_.barrier = condition_;
    use_.mutex = h_.waits[waits_.front()].mutex;
    if (!waits_fit() || !make_visits(sections) || !find_rounds() || !same_code() || !counted()) return std::nullopt;
    tell_who_woke();
    return std::move(use_);
  }

 private:
  bool waits_fit() const {
    return std::all_of(waits_.begin(), waits_.end(),
                       [&](uint32_t w) { return h_.waits[w].mutex == use_.mutex && !h_.waits[w].failed; });
  }

  // False: something is done with the condition outside of the mutex.
  bool make_visits(const std::vector<uint32_t>& sections) {
    std::map<ThreadId, size_t> open;  // visits
    std::map<uint32_t, size_t> by_section;
    for (const uint32_t number : sections) {
      const Section& s = h_.sections[number];
      if (s.by_wait == kNone) {
        open[s.thread] = visits_.size();
        visits_.push_back({number, number, 0, kNone, kNone, {}});
      }
      const auto visit = open.find(s.thread);
      if (visit == open.end()) return false;
      Visit& v = visits_[visit->second];
      v.last = number;
      by_section[number] = visit->second;
      if (s.until_wait == kNone || h_.waits[s.until_wait].condition != condition_) continue;
      ++v.waits;
      v.last_wait = s.until_wait;
      if (v.wait == kNone) v.wait = s.until_wait;
    }
    for (const uint32_t number : signals_) {
      const auto visit = by_section.find(h_.signals[number].section);
      if (visit == by_section.end()) return false;
      visits_[visit->second].signals.push_back(number);
    }
    return true;
  }

  // Visits that come before the last one of a round are gathered.
  bool find_rounds() {
    std::vector<const Visit*> come;
    for (const Visit& v : visits_) {
      if (v.plain()) continue;
      if (v.waits && !v.signals.empty()) return false;
      come.push_back(&v);
      if (v.waits) continue;
      if (!end_round(come)) return false;
      come.clear();
    }
    return !use_.rounds.empty();
  }
  bool end_round(const std::vector<const Visit*>& come) {
    const Visit& last = *come.back();
    std::set<ThreadId> threads;
    for (const Visit* const v : come) {
      threads.insert(h_.sections[v->first].thread);
      if (v != &last && !woken_by(*v, last)) return false;
    }
    if (threads.size() != come.size() || come.size() < 2) return false;
    if (!use_.rounds.empty() && use_.rounds.front().threads != come.size()) return false;
    const Section& s = h_.sections[last.first];
    use_.rounds.push_back(
        {h_.sections[come.front()->first].begin, s.begin, s.thread, static_cast<uint32_t>(come.size()), s.enter});
    arrivals_.insert(arrivals_.end(), come.begin(), come.end());
    return true;
  }
  bool woken_by(const Visit& v, const Visit& last) const {
    const uint64_t leave = h_.waits[v.last_wait].leave;
    return leave == 0 || leave > h_.signals[last.signals.front()].enter;
  }

  uint64_t then(const Visit& v) const {
    if (v.waits) return h_.waits[v.wait].enter;
    if (!v.signals.empty()) return h_.signals[v.signals.front()].enter;
    return h_.sections[v.last].end;
  }
  uint32_t code(const Visit& v) { return facts_.code(h_.sections[v.first].enter, then(v)); }
  bool same_code() {
    std::set<uint32_t> codes;
    size_t at = 0;
    for (const BarrierRound& r : use_.rounds) {
      const uint32_t first = code(*arrivals_[at]);
      for (const size_t end = at + r.threads; at < end; ++at)
        if (code(*arrivals_[at]) != first) return false;
      codes.insert(first);
    }
    return std::none_of(visits_.begin(), visits_.end(),
                        [&](const Visit& v) { return v.plain() && then(v) != 0 && codes.contains(code(v)); });
  }

  bool counted() {
    std::vector<EventSpan> spans;
    const size_t most = use_.rounds.front().threads * std::min(use_.rounds.size(), kCountedRounds);
    for (size_t i = 0; i < most; ++i) {
      const Section& s = h_.sections[arrivals_[i]->first];
      // Who signals may have unlocked before.
      const uint64_t end = std::min(then(*arrivals_[i]), s.end ? s.end : then(*arrivals_[i]));
      spans.push_back({s.thread, s.begin, end});
    }
    return facts_.has_common_store(spans);
  }

  void tell_who_woke() {
    auto visit = arrivals_.begin();
    for (const BarrierRound& r : use_.rounds) {
      const auto last = visit + r.threads - 1;
      for (; visit != last; ++visit) woken_by((*visit)->last_wait, h_.signals[(*last)->signals.front()].gift);
      ++visit;
    }
  }
  void woken_by(uint32_t wait, uint32_t gift) {
    if (h_.waits[wait].getting == kNone) return;
    Getting& g = h_.gettings[h_.waits[wait].getting];
    g.first = static_cast<uint32_t>(h_.got.size());
    h_.got.push_back(gift);
    g.end = g.first + 1;
  }

  History& h_;
  BarrierFacts& facts_;
  SyncKey condition_;
  const std::vector<uint32_t>& waits_;
  const std::vector<uint32_t>& signals_;
  BarrierUse use_;
  std::vector<Visit> visits_;           // by the time at which they begin
  std::vector<const Visit*> arrivals_;  // of all rounds, one behind the other
};

// Any `threads` that come make a round.
void find_library_barriers(const History& h, std::vector<BarrierUse>& to) {
  std::map<std::pair<SyncKey, uint32_t>, std::vector<const Arrival*>> come;
  std::map<SyncKey, BarrierUse> uses;
  for (const Arrival& a : h.arrivals) {
    BarrierUse& use = uses[a.barrier];
    use.barrier = a.barrier;
    auto& round = come[{a.barrier, a.life}];
    round.push_back(&a);
    if (round.size() != a.threads) continue;
    use.rounds.push_back({round.front()->enter, a.enter, a.thread, static_cast<uint32_t>(a.threads), a.enter});
    round.clear();
  }
  for (auto& [key, use] : uses) to.push_back(std::move(use));
}

template <class T, class Key>
std::map<SyncKey, std::vector<uint32_t>> numbers_by(const std::vector<T>& all, Key key) {
  std::map<SyncKey, std::vector<uint32_t>> numbers;
  for (uint32_t i = 0; i < all.size(); ++i) numbers[key(all[i])].push_back(i);
  return numbers;
}

}  // namespace

std::vector<BarrierUse> find_barriers(History& history, BarrierFacts& facts) {
  std::vector<BarrierUse> found;
  find_library_barriers(history, found);
  const auto waits = numbers_by(history.waits, [](const ConditionWait& w) { return w.condition; });
  if (waits.empty()) return found;
  const auto signals = numbers_by(history.signals, [](const ConditionSignal& s) { return s.condition; });
  const auto sections = numbers_by(history.sections, [](const Section& s) { return s.lock; });
  for (const auto& [condition, numbers] : waits) {
    const auto given = signals.find(condition);
    const auto held = sections.find(history.waits[numbers.front()].mutex);
    if (given == signals.end() || held == sections.end()) continue;
    ConditionCheck check(history, facts, condition, numbers, given->second);
    if (auto use = check.barrier(held->second)) found.push_back(std::move(*use));
  }
  return found;
}

}  // namespace cdr::sync
