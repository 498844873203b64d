// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/regions/call_tape.h"

#include <algorithm>

namespace cdr::regions {
namespace {

constexpr CallMoment kNever;

// By call, the earliest of all parts.
std::vector<CallEnd> earliest(std::span<const std::vector<CallEnd>> parts, size_t calls) {
  std::vector<CallEnd> ends(calls);
  for (const auto& part : parts)
    for (size_t c = 0; c < part.size(); ++c) {
      const CallMoment output = std::min(ends[c].output, part[c].output);
      if (part[c].waited < ends[c].waited) ends[c] = part[c];
      ends[c].output = output;
    }
  return ends;
}

// Calls that somebody waits for, ascending by when.
std::vector<uint32_t> waited_for(std::span<const CallEnd> ends) {
  std::vector<uint32_t> calls;
  for (uint32_t c = 0; c < ends.size(); ++c)
    if (ends[c].waited != kNever) calls.push_back(c);
  std::stable_sort(calls.begin(), calls.end(), [&](uint32_t x, uint32_t y) { return ends[x].waited < ends[y].waited; });
  return calls;
}

}  // namespace

uint32_t CallTape::returned(const CallMoment& at, const Call& call) {
  entries_.push_back({at, Entry::Kind::kReturned, static_cast<uint32_t>(calls_.size()), 0});
  calls_.push_back(call);
  return static_cast<uint32_t>(calls_.size() - 1);
}

void CallTape::ended(const CallMoment& at, const Activation& activation) {
  entries_.push_back({at, Entry::Kind::kEnded, static_cast<uint32_t>(activations_.size()), 0});
  activations_.push_back(activation);
}

void CallTape::passed_on(const CallMoment& at, AccountIndex from, AccountIndex to) {
  entries_.push_back({at, Entry::Kind::kPassedOn, from, to});
}

// Instructions that an activation has won so far are kept by account; `finished`, by call: as `returned`, of an
// execution in which calls ran beside the rest.
CallerRuns CallTape::count(std::span<const std::vector<CallEnd>> parts) const {
  CallerRuns callers;
  const std::vector<CallEnd> ends = earliest(parts, calls_.size());
  const std::vector<uint32_t> waits = waited_for(ends);
  std::vector<uint64_t> won(accounts_ + 1), finished(calls_.size());
  const auto run_of = [&](const Call& c) -> CallRun& { return callers[c.caller].calls[c.site]; };
  const auto wait = [&](uint32_t number) {
    const Call& c = calls_[number];
    const CallEnd& end = ends[number];
    CallRun& run = run_of(c);
    const uint64_t gap = end.executed - c.returned;
    run.beside += std::min(c.length, gap);
    run.output |= end.output < end.waited;
    CallRun::Wait& w = run.waits[end.ip];
    ++w.count;
    w.nearest = std::min(w.nearest, gap);
    const uint64_t now = end.executed - won[c.caller_account];
    if (now < finished[number]) won[c.caller_account] -= finished[number] - now;
  };
  const auto returned = [&](uint32_t number) {
    const Call& c = calls_[number];
    finished[number] = c.returned - won[c.caller_account] - won[c.account];
    won[c.caller_account] += c.length;
    CallRun& run = run_of(c);
    run.callee = c.callee;
    ++run.calls;
    run.instructions += c.length;
  };
  const auto ended = [&](const Activation& a) {
    CallerRun& run = callers[a.function];
    run.instructions += a.length;
    run.left += a.length - std::min(a.length, won[a.account]);
  };
  auto next = waits.begin();
  for (const Entry& e : entries_) {
    while (next != waits.end() && ends[*next].waited < e.at) wait(*next++);
    if (e.kind == Entry::Kind::kReturned)
      returned(e.first);
    else if (e.kind == Entry::Kind::kEnded)
      ended(activations_[e.first]);
    else
      won[e.second] += won[e.first];
  }
  while (next != waits.end()) wait(*next++);
  return callers;
}

}  // namespace cdr::regions
