// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/walk/stream_runs.h"

namespace cdr::analysis {

const std::vector<Progression>& StreamRuns::of(const trace::AddressStream& s, uint64_t begin, uint64_t end) {
  runs_.clear();
  index_.pieces(s, begin, end, true, [this](const trace::AddressPiece& p) { take(p, 1); });
  open_all();
  return runs_;
}

const std::vector<Progression>& StreamRuns::of(std::span<const trace::AddressPiece> pieces) {
  runs_.clear();
  for (const trace::AddressPiece& p : pieces) take(p, 1);
  open_all();
  return runs_;
}

void StreamRuns::open_all() {
  while (!open_.empty()) open_last();
}

void StreamRuns::open_last() {
  const Open o = open_.back();
  open_.pop_back();
  index_.open_rule(o.rule, o.base, [this, &o](const trace::AddressPiece& p) { take(p, o.times); });
}

uint64_t StreamRuns::first_value(const trace::AddressPiece& piece) const {
  trace::AddressPiece first = piece;
  while (first.rule != 0) {
    bool done = false;
    const trace::AddressPiece open = first;
    index_.open_rule(open.rule, open.base, [&](const trace::AddressPiece& p) {
      if (!done) first = p;
      done = true;
    });
  }
  return first.base;
}

void StreamRuns::take(const trace::AddressPiece& p, uint64_t times) {
  if (p.rule == 0) return add(p, times);
  const uint64_t diff = index_.sum(p.rule).diff;
  if (diff == 0) {
    open_.push_back({p.rule, p.base, saturating_multiply(times, p.copies)});
    return;
  }
  for (uint32_t i = 0; i < p.copies; ++i) open_.push_back({p.rule, p.base + i * diff, times});
}

// Downwards is upwards from the other end.
void StreamRuns::add(const trace::AddressPiece& p, uint64_t times) {
  if (p.count == 0) return;
  Progression run{p.base, 0, 1, 1, times};
  if (p.stride == 0) {
    run.times = saturating_multiply(times, p.count);
  } else if (p.count > 1) {
    const auto step = static_cast<uint64_t>(p.stride);
    run.count = p.count;
    run.stride = p.stride > 0 ? step : 0 - step;
    if (p.stride < 0) run.base = p.base + step * (p.count - 1);
  }
  runs_.push_back(run);
}

std::optional<uint64_t> StreamRuns::only_value(const trace::AddressStream& s, uint64_t begin, uint64_t end) {
  trace::AddressIndex::Steps steps;
  if (!index_.steps(s, begin, steps)) return std::nullopt;
  if (end - begin == 1 || (steps.stride == 0 && steps.more >= end - begin - 1)) return steps.value;
  bool one = true;
  for_each_part(s, begin, end, [&](std::span<const Progression> part) {
    for (const Progression& p : part) one = one && p.count == 1 && p.base == steps.value;
  });
  return one ? std::optional(steps.value) : std::nullopt;
}

}  // namespace cdr::analysis
