// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/policy/futex_waits.h"

#include <algorithm>
#include <deque>
#include <set>

#include "cdrgrind/base/system_calls.h"

namespace cdr::races {

namespace {

constexpr size_t kMostInsnsBack = 512;  // of the ways from the test back to the call
constexpr size_t kMostBetween = 24;     // from a load to the branch that tests it

}  // namespace

bool FutexWaits::is_harmless_call(uint64_t number) {
  constexpr uint64_t kHarmless[] = {kCallSchedYield, kCallNanosleep, kCallGettimeofday, kCallGettid,
                                    kCallTime,       kCallFutex,     kCallClockGettime, kCallClockNanosleep};
  return std::find(std::begin(kHarmless), std::end(kHarmless), number) != std::end(kHarmless);
}

void FutexWaits::waited(ThreadId t, uint64_t addr, std::vector<CodeAddr> stack) {
  if (t.value >= threads_.size()) threads_.resize(t.value + 1);
  threads_[t.value] = {addr, std::move(stack)};
}

bool FutexWaits::looks_again(ThreadId t, const std::vector<CodeAddr>& stack) {
  Wait& wait = threads_[t.value];
  wait.addr = 0;
  if (stack.empty() || !is_tested(stack.front())) return false;
  const auto [there, here] = std::mismatch(wait.stack.rbegin(), wait.stack.rend(), stack.rbegin(), stack.rend());
  if (there == wait.stack.rend() || here == stack.rend()) return false;
  const auto [known, is_new] = leads_.try_emplace({*here, *there});
  if (is_new) known->second = leads(*here, *there);
  return known->second;
}

const InsnEffects* FutexWaits::effects(CodeAddr at) {
  if (!reader_) reader_.emplace(facts_);
  const auto [known, is_new] = effects_.try_emplace(at);
  if (is_new) known->second = reader_->read(at);
  return known->second ? &*known->second : nullptr;
}

// By a branch, or by who called for it.
bool FutexWaits::is_tested(CodeAddr load) {
  for (size_t i = 0; i < kMostBetween; ++i) {
    const InsnEffects* e = effects(load);
    if (!e || e->calls) return false;
    if (e->conditional || e->returns) return true;
    load.addr = e->falls_through ? load.addr + e->length : e->target;
  }
  return false;
}

bool FutexWaits::leads(CodeAddr from, CodeAddr to) {
  if (from.module != to.module) return false;
  std::deque<uint64_t> open = {from.addr};
  std::set<uint64_t> done;
  while (!open.empty() && done.size() < kMostInsnsBack) {
    const uint64_t addr = open.front();
    open.pop_front();
    if (addr == to.addr && !done.empty()) return true;
    if (!done.insert(addr).second) continue;
    const InsnEffects* e = effects({from.module, addr});
    if (!e || e->returns) continue;
    if (e->falls_through) open.push_back(addr + e->length);
    if (e->target) open.push_back(e->target);
  }
  return false;
}

}  // namespace cdr::races
