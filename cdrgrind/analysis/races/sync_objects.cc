// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/sync_objects.h"

#include <algorithm>

namespace cdr::analysis {

uint64_t Condition::begin_wait() {
  waiting_[++clock_] = true;
  return clock_;
}

std::optional<Knowledge> Condition::end_wait(uint64_t ticket) {
  std::optional<Knowledge> got;
  const auto s = std::find_if(signals_.begin(), signals_.end(),
                              [&](const Signal& one) { return one.left == 0 || one.left > ticket; });
  if (s != signals_.end()) {
    got = s->what;
    if (!s->all) signals_.erase(s);
  }
  give_up(ticket);
  return got;
}

void Condition::give_up(uint64_t ticket) {
  waiting_.erase(ticket);
  forget_dead();
}

uint64_t Condition::begin_signal(const Knowledge& what, bool all) {
  signals_.push_back({++clock_, 0, all, what});
  return clock_;
}

void Condition::end_signal(uint64_t ticket) {
  ++clock_;
  for (Signal& s : signals_)
    if (s.ticket == ticket) s.left = clock_;
  forget_dead();
}

// Signals that no present or future waiter can get.
void Condition::forget_dead() {
  const uint64_t oldest = waiting_.empty() ? clock_ + 1 : waiting_.begin()->first;
  signals_.remove_if([&](const Signal& s) { return s.left != 0 && s.left < oldest; });
}

uint64_t Semaphore::post(const Knowledge& what) {
  tokens_.emplace_back(++posted_, what);
  return posted_;
}

void Semaphore::take_back(uint64_t token) {
  std::erase_if(tokens_, [&](const auto& t) { return t.first == token; });
}

std::optional<Knowledge> Semaphore::wait() {
  if (initial_ > 0) {
    --initial_;
    return std::nullopt;
  }
  if (tokens_.empty()) return std::nullopt;
  Knowledge got = std::move(tokens_.front().second);
  tokens_.pop_front();
  return got;
}

uint64_t Barrier::arrive(const Knowledge& what) {
  const uint64_t phase = size_ ? arrived_ / size_ : 0;
  ++arrived_;
  phases_[phase].what.join(what);
  return phase;
}

Knowledge Barrier::leave(uint64_t phase) {
  Phase& p = phases_[phase];
  if (++p.left != size_) return p.what;
  Knowledge last = std::move(p.what);
  phases_.erase(phase);
  return last;
}

}  // namespace cdr::analysis
