// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/sync/history_maker.h"

#include <algorithm>

namespace cdr::sync {

void Gifts::join(const Gifts& other) {
  std::vector<One> all;
  auto mine = latest.begin();
  for (const One& theirs : other.latest) {
    for (; mine != latest.end() && mine->by < theirs.by; ++mine) all.push_back(*mine);
    all.push_back(theirs);
    if (mine == latest.end() || mine->by != theirs.by) continue;
    all.back().gift = std::max(mine->gift, theirs.gift);
    ++mine;
  }
  all.insert(all.end(), mine, latest.end());
  latest = std::move(all);
}

HistoryMaker::State& HistoryMaker::state(ThreadId t) {
  if (t.value >= threads_.size()) threads_.resize(t.value + 1);
  return threads_[t.value];
}

void HistoryMaker::act(ThreadId t, ActionKind kind, size_t what) {
  auto& all = history_.actions;
  if (t.value >= all.size()) all.resize(t.value + 1);
  all[t.value].push_back({state(t).insns, static_cast<uint32_t>(what), kind});
}

void HistoryMaker::step(const SyncStep& s) {
  now_ = &s;
  state(s.thread).insns = s.insns;
  if (s.kind == EventKind::kSyncEnter) return enter(s);
  if (s.kind == EventKind::kSyncLeave) return leave(s);
  machine_.event(s);
}

void HistoryMaker::enter(const SyncStep& s) {
  Open open{s.sync.op, s.index, machine_.wanted(s.thread, s.sync).waits, kNone};
  const SyncKey key = key_of(s.sync);
  if (is_condition_wait(s.sync.op)) {
    open.wait = static_cast<uint32_t>(history_.waits.size());
    history_.waits.push_back({key, mutex_of(s.sync), s.thread, s.index, 0, kNone, false});
  }
  if (is_init(s.sync.op)) ++lives_[key];
  if (s.sync.op == SyncOp::kBarrierInit) barrier_sizes_[key] = s.sync.value;
  if (s.sync.op == SyncOp::kBarrierWait)
    history_.arrivals.push_back({key, lives_[key], s.thread, s.index, barrier_sizes_[key]});
  state(s.thread).open.push_back(open);
  const uint32_t before = std::exchange(state(s.thread).let_go, kNone);
  machine_.event(s);
  if (s.sync.op != SyncOp::kCondSignal && s.sync.op != SyncOp::kCondBroadcast) return;
  state(s.thread).let_go = before;
  signal(s);
}

// The machine has just made its gift.
void HistoryMaker::signal(const SyncStep& s) {
  const State& t = state(s.thread);
  const uint32_t section = t.held.empty() ? t.let_go : t.held.back();
  const auto gift = static_cast<uint32_t>(history_.gifts.size() - 1);
  history_.signals.push_back({key_of(s.sync), s.thread, s.index, gift, section});
}

void HistoryMaker::leave(const SyncStep& s) {
  auto& open = state(s.thread).open;
  const auto last = std::find_if(open.rbegin(), open.rend(), [&](const Open& o) { return o.op == s.sync.op; });
  if (last == open.rend()) return;
  leaving_ = *last;
  open.erase(last.base() - 1, open.end());
  if (leaving_.wait != kNone) {
    history_.waits[leaving_.wait].leave = s.index;
    history_.waits[leaving_.wait].failed = failed(s.sync);
  }
  machine_.event(s);
}

Gifts HistoryMaker::release(ThreadId by) {
  const auto gift = static_cast<uint32_t>(history_.gifts.size());
  history_.gifts.push_back({by, now_->index});
  act(by, ActionKind::kGive, gift);
  return {{{by, gift}}};
}

void HistoryMaker::acquire(ThreadId by, const Acquired& what, const Gifts& from) {
  if (is_lock(what.of.kind)) {
    if (!what.again) begin_section(by, what.of, what.shared);
    return;
  }
  Getting getting{what.of, static_cast<uint32_t>(history_.got.size()), 0};
  for (const Gifts::One& one : from.latest)
    if (one.by != by) history_.got.push_back(one.gift);
  getting.end = static_cast<uint32_t>(history_.got.size());
  const auto number = static_cast<uint32_t>(history_.gettings.size());
  if (what.of.kind == SyncKind::kCondition && leaving_.wait != kNone) history_.waits[leaving_.wait].getting = number;
  act(by, ActionKind::kGet, number);
  history_.gettings.push_back(getting);
}

void HistoryMaker::begin_section(ThreadId t, const SyncKey& lock, bool shared) {
  // Who did not give it back, as the dead, has it no longer.
  if (!shared)
    for (const uint32_t left : std::exchange(holders_[lock], {})) end_section(history_.sections[left].thread, left);
  Section section;
  section.lock = lock;
  section.life = lives_[lock];
  section.thread = t;
  section.shared = shared;
  section.by_wait = leaving_.wait;
  section.contended = leaving_.waits && leaving_.wait == kNone;
  section.enter = leaving_.enter;
  section.begin = now_->index;
  section.insns_before = state(t).insns;
  const auto number = static_cast<uint32_t>(history_.sections.size());
  history_.sections.push_back(section);
  holders_[lock].push_back(number);
  state(t).held.push_back(number);
  act(t, ActionKind::kLock, number);
}

void HistoryMaker::let_go(ThreadId by, const SyncKey& lock) {
  auto& holders = holders_[lock];
  const auto mine = std::find_if(holders.begin(), holders.end(),
                                 [&](uint32_t section) { return history_.sections[section].thread == by; });
  if (mine == holders.end()) return;
  const uint32_t number = *mine;
  holders.erase(mine);
  Section& section = history_.sections[number];
  section.end = now_->index;
  section.insns = state(by).insns - section.insns_before;
  section.until_wait = state(by).open.back().wait;
  end_section(by, number);
  state(by).let_go = number;
}

void HistoryMaker::end_section(ThreadId t, uint32_t section) {
  std::erase(state(t).held, section);
  act(t, ActionKind::kUnlock, section);
}

}  // namespace cdr::sync
