// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/core/generations.h"

#include <algorithm>
#include <limits>

namespace cdr::races {

AddrRange Generations::event(const Event& e, uint64_t index) {
  switch (e.kind) {
    case EventKind::kAlloc:
      return begin(MemoryKind::kHeap, e, index, {e.addr, e.addr + e.size});
    case EventKind::kFree:
      end(e.addr);
      return {};
    case EventKind::kResize:
      end(e.addr);  // the rest of it, if it has become smaller, is in no block
      return begin(MemoryKind::kHeap, e, index, {e.addr, e.addr + e.value});
    case EventKind::kMap:
      return map(e, index);
    case EventKind::kUnmap:
      assign(e.range, 0);
      return {};
    case EventKind::kThreadStart:
      return start_thread(e, index);
    case EventKind::kThreadEnd:
      if (const auto s = stacks_.find(e.thread.value); s != stacks_.end()) all_[s->second / 2].over = true;
      return {};
    default:
      return {};
  }
}

Generations::Found Generations::at(uint64_t addr) const {
  const auto after = pieces_.upper_bound(addr);
  uint64_t begin = 0;
  if (after != pieces_.begin()) {
    const auto p = std::prev(after);
    if (addr < p->second.end) return {p->second.id, {p->first, p->second.end}};
    begin = p->second.end;
  }
  return {0, {begin, after == pieces_.end() ? std::numeric_limits<uint64_t>::max() : after->first}};
}

GenerationId Generations::block(uint64_t addr) const {
  const Found f = at(addr);
  const Generation g = (*this)[f.id];
  return g.kind == MemoryKind::kHeap && !g.over && g.range.begin == addr ? f.id : 0;
}

AddrRange Generations::begin(MemoryKind kind, const Event& e, uint64_t index, AddrRange range) {
  // A block of 0 bytes has an address, too.
  if (range.empty()) range.end = range.begin + 1;
  Generation g;
  g.kind = kind;
  g.thread = e.thread;
  g.range = range;
  g.event = index;
  g.pthread = kind == MemoryKind::kStack ? e.value : 0;
  all_.push_back(g);
  assign(range, last());
  return range;
}

// The heap and main's stack grow: what they were before stays.
AddrRange Generations::map(const Event& e, uint64_t index) {
  constexpr uint32_t kMain = 1;
  AddrRange range = e.range;
  if (const auto s = stacks_.find(kMain); s != stacks_.end()) {
    const AddrRange stack = (*this)[s->second].range;
    if (stack.begin <= range.begin && range.end <= stack.end) return {};
  }
  if (e.value & kMapHeap)
    while (!range.empty()) {
      const Found f = at(range.begin);
      if (f.id == 0) break;
      range.begin = std::min(f.range.end, range.end);
    }
  return range.empty() ? range : begin(MemoryKind::kMapping, e, index, range);
}

// The stack's mapping goes on behind the stack: thread-local variables and the thread's control block.
AddrRange Generations::start_thread(const Event& e, uint64_t index) {
  AddrRange range = e.range;
  if (range.contains(e.value) || e.value >= range.end) {
    const Found f = at(e.value);
    const MemoryKind there = (*this)[f.id].kind;
    if (f.id && there == MemoryKind::kMapping && f.range.begin <= range.begin + 4096 &&
        f.range.begin + 4096 >= range.begin)
      range.end = std::max(range.end, f.range.end);
    else if (f.id && there == MemoryKind::kStack)
      range.end = std::max(range.end, f.range.end);
  }
  begin(MemoryKind::kStack, e, index, range);
  stacks_[e.thread.value] = last();
  return range;
}

// Of a stack that was not told a part is taken.
void Generations::begin_frames(ThreadId t, uint64_t index, uint64_t below) {
  constexpr uint64_t kNear = 1 << 20;
  const Found here = at(below - 1);
  const auto stack = stacks_.find(t.value);
  const uint32_t of = stack == stacks_.end() ? 0 : stack->second / 2;
  uint64_t low = below - kNear;
  if (all_[of].range.contains(below - 1)) low = all_[of].range.begin;
  if ((*this)[here.id].kind == MemoryKind::kHeap) low = std::max(low, here.range.begin);
  assign({low, below}, add({index, t, of + 1}));
}

void Generations::begin_data(ThreadId t, uint64_t index, AddrRange range) {
  if (!range.empty()) assign(range, add({index, t, 0}));
}

Generation Generations::of_strand(GenerationId id) const {
  const OfStrand& of = of_strands_[id / 2];
  Generation g;
  if (of.stack) g = all_[of.stack - 1];
  if (of.stack) g.kind = MemoryKind::kStack;
  g.thread = of.thread;
  g.event = of.event;
  return g;
}

void Generations::end(uint64_t addr) {
  if (const GenerationId id = block(addr)) all_[id / 2].over = true;
}

void Generations::assign(AddrRange range, GenerationId id) {
  if (range.empty()) return;
  changed_[version_++ % changed_.size()] = range;
  auto p = pieces_.upper_bound(range.begin);
  if (p != pieces_.begin()) {
    const auto before = std::prev(p);
    const Piece old = before->second;
    if (old.end > range.begin) {
      before->second.end = range.begin;
      if (old.end > range.end) pieces_[range.end] = old;
      if (before->first == range.begin) pieces_.erase(before);
    }
  }
  p = pieces_.lower_bound(range.begin);
  while (p != pieces_.end() && p->first < range.end) {
    const Piece old = p->second;
    p = pieces_.erase(p);
    if (old.end > range.end) p = pieces_.emplace(range.end, old).first;
  }
  if (id) pieces_[range.begin] = {range.end, id};
}

}  // namespace cdr::races
