// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/index/stretch_index.h"

#include <algorithm>

namespace cdr::trace {

void StackEffect::add(const StackEffect& then, uint64_t count) {
  if (count == 0) return;
  const auto before = static_cast<int64_t>(count - 1) * then.net;
  const int64_t its_lowest = net + then.lowest + std::min<int64_t>(before, 0);
  named = (its_lowest <= lowest && then.named) || (its_lowest >= lowest && named);
  lowest = std::min(lowest, its_lowest);
  net += before + then.net;
}

StretchIndex::StretchIndex(const StretchTable& stretches, const BlockTable& blocks)
    : stretches_(stretches), blocks_(blocks), models_(blocks), steps_(stretches.steps()) {
  events_.reserve(stretches.count());
  insns_.reserve(stretches.count());
  effects_.reserve(stretches.count());
  for (uint32_t s = 1; s <= stretches.count(); ++s) add(s);
  collect_users(blocks);
}

void StretchIndex::add(uint32_t stretch) {
  Step sum;
  StackEffect effect;
  for (uint32_t i = 0; i < length(stretch); ++i) {
    steps_[stretches_.first_step(stretch) + i] = sum;
    sum.insns += models_[stretches_[stretch][i]].insns;
    const EventKind then = follows(stretch, i);
    sum.events += then == EventKind::kNone ? 1 : 2;
    if (renames(stretch, i)) effect.add({0, 0, true}, 1);
    if (then == EventKind::kCall) effect.add({1, 0, false}, 1);
    if (then == EventKind::kReturn) effect.add({-1, -1, false}, 1);
  }
  events_.push_back(sum.events);
  insns_.push_back(sum.insns);
  effects_.push_back(effect);
}

void StretchIndex::collect_users(const BlockTable& blocks) {
  users_begin_.assign(blocks.block_count() + 2, 0);
  std::vector<uint32_t> last(blocks.block_count() + 1);
  const auto for_each = [&](auto f) {
    std::fill(last.begin(), last.end(), 0);
    for (uint32_t s = 1; s <= stretches_.count(); ++s)
      for (const BlockId b : stretches_[s])
        if (last[b.value] != s) {
          last[b.value] = s;
          f(b.value, s);
        }
  };
  for_each([&](uint32_t b, uint32_t) { ++users_begin_[b + 1]; });
  for (size_t b = 1; b < users_begin_.size(); ++b) users_begin_[b] += users_begin_[b - 1];
  users_.resize(users_begin_.back());
  std::vector<uint32_t> at(users_begin_.begin(), users_begin_.end() - 1);
  for_each([&](uint32_t b, uint32_t s) { users_[at[b]++] = s; });
}

std::span<const uint32_t> StretchIndex::with_block(BlockId id) const {
  if (id.value + 1 >= users_begin_.size()) return {};
  return std::span(users_).subspan(users_begin_[id.value], users_begin_[id.value + 1] - users_begin_[id.value]);
}

StretchEvent StretchIndex::event(uint32_t stretch, uint64_t offset) const {
  const auto begin = steps_.begin() + stretches_.first_step(stretch);
  const auto behind =
      std::partition_point(begin, begin + length(stretch), [&](const Step& s) { return s.events <= offset; });
  const auto i = static_cast<uint32_t>(behind - begin) - 1;
  return {i, (behind - 1)->events != offset};
}

}  // namespace cdr::trace
