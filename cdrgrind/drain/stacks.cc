// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/drain/stacks.h"

#include <algorithm>

namespace cdr::drain {
namespace {

// Stacks that lie side by side are made of pieces of this size, and begin and end where one does.
constexpr uint64_t kPiece = 2048;
// A switch may load SP a bit below where it was when the block that left the stack began: by so much, or by more if
// SP was there before.
constexpr uint64_t kSwitchSaves = 256;
constexpr uint64_t kSwitchSavesMost = 1024;
// What alloca() may take at once from a stack whose bounds are what was seen.
constexpr uint64_t kAllocaMost = 4096;
// A stack that takes the whole mapping begins near its end: control blocks lie between.
constexpr uint64_t kNearEnd = 4096;
constexpr uint64_t kNearEndShare = 16;
// Above the first SP of a thread lie its TLS and its control block.
constexpr uint64_t kThreadBlocksMost = 256 * 1024;
// How much further up the end of a stack is looked for, and among how many.
constexpr uint64_t kLargestSeen = 64 << 20;
constexpr size_t kMostCandidates = 64;

uint64_t piece_below(uint64_t sp) { return sp & ~(kPiece - 1); }
uint64_t piece_above(uint64_t sp) { return piece_below(sp + kPiece - 1); }

AddrRange first_piece(uint64_t sp) { return {piece_below(sp - 1), piece_above(sp)}; }

AddrRange within(AddrRange r, AddrRange bounds) {
  return {std::max(r.begin, bounds.begin), std::min(r.end, bounds.end)};
}

uint64_t distance(uint64_t a, uint64_t b) { return a < b ? b - a : a - b; }

bool can_be_left_at(const Stack& s, uint64_t sp) {
  return sp + kSwitchSaves >= s.left_sp || (sp + kSwitchSavesMost >= s.left_sp && sp >= s.range.begin);
}

}  // namespace

Stack& Stacks::add(AddrRange range, Bounds bounds) {
  stacks_.push_back(std::make_unique<Stack>());
  Stack& s = *stacks_.back();
  s.id = StackId(static_cast<uint32_t>(stacks_.size()));
  s.set_bounds(range, bounds);
  if (bounds == Bounds::kSeen) sort_in(s);
  return s;
}

Stack* Stacks::find(AddrRange range) {
  for (auto s = stacks_.rbegin(); s != stacks_.rend(); ++s)
    if ((*s)->range == range) return s->get();
  return nullptr;
}

Stack* Stacks::resumed_at(uint64_t sp, ThreadId thread, bool at_end) {
  if (Stack* const seen = seen_at(sp)) return seen;
  for (auto i = stacks_.rbegin(); i != stacks_.rend(); ++i) {
    Stack& s = **i;
    if (s.bounds() == Bounds::kSeen || s.range.empty()) continue;
    if (!s.range.contains(sp) && !(at_end && s.range.end == sp)) continue;
    const bool in_use = s.user && s.user != thread;
    if (!in_use && (s.bounds() == Bounds::kTold || can_be_left_at(s, sp))) return &s;
    if (s.bounds() == Bounds::kWhole) see_only(s);
  }
  return nullptr;
}

// The one that was left nearest to it.
Stack* Stacks::seen_at(uint64_t sp) {
  const auto first =
      std::lower_bound(seen_.begin(), seen_.end(), sp, [](const Stack* s, uint64_t sp) { return s->range.end < sp; });
  Stack* best = nullptr;
  size_t candidates = 0;
  for (auto i = first; i != seen_.end() && (*i)->range.end - sp < kLargestSeen && ++candidates <= kMostCandidates;
       ++i) {
    Stack* const s = *i;
    if (s->user || !can_be_left_at(*s, sp)) continue;
    if (!best || distance(sp, s->left_sp) < distance(sp, best->left_sp)) best = s;
  }
  return best;
}

Stack& Stacks::add_at(uint64_t sp, const Regions::Surroundings& place) {
  if (place.range.empty()) {
    const uint64_t page = sp & ~uint64_t{0xfff};
    return add({page - (1 << 20), page + 0x1000}, Bounds::kTold);
  }
  if (!place.mapping) return add(place.range, Bounds::kTold);
  const uint64_t near = std::max(kNearEnd, place.range.size() / kNearEndShare);
  if (place.range.end - sp <= near && !any_in(place.range)) return add(place.range, Bounds::kWhole);
  return add(within(first_piece(sp), place.range), Bounds::kSeen);
}

Stack& Stacks::add_of_thread(uint64_t sp, AddrRange range, const Regions::Surroundings& place) {
  if (place.range.empty() || !place.range.contains(sp)) return add(range, Bounds::kTold);
  if (!place.mapping) return add({std::max(range.begin, place.range.begin), range.end}, Bounds::kTold);
  if (place.range.end - sp <= kThreadBlocksMost && !any_in(place.range)) return add(range, Bounds::kTold);
  const AddrRange piece = within(first_piece(sp), place.range);
  return add({piece.begin, std::max(piece.end, range.end)}, Bounds::kSeen);
}

bool Stacks::stays(const Stack& s, uint64_t from, uint64_t sp) {
  if (sp > s.range.end) return false;
  return sp >= s.range.begin || (sp < from && from - sp <= kAllocaMost && !seen_at(sp));
}

bool Stacks::widen(Stack& s, uint64_t sp) {
  if (s.reaches(sp)) return false;
  const uint64_t step = std::max(kPiece, piece_above(s.range.size() / 8));
  AddrRange r = s.range;
  if (sp < r.begin) r.begin = std::min(piece_below(sp), r.begin - step);
  if (sp > r.end) r.end = piece_above(sp);
  take_out(s);
  s.set_bounds(r, Bounds::kSeen);
  sort_in(s);
  return true;
}

// Not the whole mapping, then, but where its frames are.
void Stacks::see_only(Stack& s) {
  const uint64_t lowest = s.user ? s.frames.back().sp : s.left_sp;
  const uint64_t begin = std::clamp(piece_below(lowest), s.range.begin, s.range.end - 1);
  s.set_bounds({begin, s.range.end}, Bounds::kSeen);
  sort_in(s);
}

bool Stacks::any_in(AddrRange r) const {
  return std::any_of(stacks_.begin(), stacks_.end(),
                     [&](const auto& s) { return !s->range.empty() && s->range.overlaps(r); });
}

void Stacks::sort_in(Stack& s) {
  const auto at = std::upper_bound(seen_.begin(), seen_.end(), s.range.end,
                                   [](uint64_t end, const Stack* s) { return end < s->range.end; });
  seen_.insert(at, &s);
}

void Stacks::take_out(const Stack& s) { std::erase(seen_, &s); }

void Stacks::keep(std::span<Stack* const> these) {
  std::vector<std::unique_ptr<Stack>> kept;
  for (Stack* const wanted : these)
    for (auto& s : stacks_)
      if (s.get() == wanted) kept.push_back(std::move(s));
  stacks_ = std::move(kept);
  seen_.clear();
  for (size_t i = 0; i < stacks_.size(); ++i) {
    stacks_[i]->id = StackId(static_cast<uint32_t>(i + 1));
    if (stacks_[i]->bounds() == Bounds::kSeen) sort_in(*stacks_[i]);
  }
}

void Stacks::retire(AddrRange gone) {
  for (auto& s : stacks_)
    if (!s->user && !s->range.empty() && gone.begin <= s->range.begin && s->range.end <= gone.end) retire(*s);
}

void Stacks::retire(Stack& s) {
  if (s.bounds() == Bounds::kSeen) take_out(s);
  s.set_bounds({}, Bounds::kTold);
}

}  // namespace cdr::drain
