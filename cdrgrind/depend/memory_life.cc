// SPDX-License-Identifier: GPL-2.0-or-later
// What happens to memory between accesses: heap blocks, mappings, SP, stacks that come and change.
#include "cdrgrind/depend/memory.h"

namespace cdr::depend {

// f(cell) for every cell with content in the range, cut at its bounds.
template <class F>
void Memory::for_cells(AddrRange range, F f) {
  shadow_.for_each(range, [&](uint64_t base, Line*& slot) {
    const uint64_t begin = std::max(range.begin, base);
    const uint64_t end = std::min(range.end, base + Line::kBytes);
    Line* line = split_if_used(slot, begin, end);
    if (!line) return;
    const unsigned shift = line->shift();
    for (uint64_t i = (begin - base) >> shift; i <= (end - 1 - base) >> shift; ++i)
      if (!line->cells()[i].empty()) f(line->cells()[i]);
  });
}

void Memory::free_block(AddrRange block) {
  for_cells(block, [this](Cell& c) {
    if (c.write) c.write = after_free(c.write);
    c.readers = each(c.readers, ReaderSets::kFree, after_free);
  });
}

void Memory::alloc_block(AddrRange block) {
  for_cells(block, [this](Cell& c) {
    if (c.write) c.write = after_alloc(c.write);
    c.readers = each(c.readers, ReaderSets::kAlloc, after_alloc);
  });
}

void Memory::forget(AddrRange range) {
  shadow_.for_each(range, [&](uint64_t base, Line*& slot) {
    const AddrRange part{std::max(range.begin, base), std::min(range.end, base + Line::kBytes)};
    if (part.size() == Line::kBytes)
      shadow_.free(slot);
    else
      for_cells(part, [](Cell& c) { c = {}; });
  });
}

// SP of the stack has been at `peak`, above the byte.
Ref Memory::raised(Ref r, uint64_t peak, StackIndex stack) {
  const auto rise = [&](Ref one) {
    return is_below_sp(one) && peak <= contexts_.sp(context_of(one), stack) ? one : after_rise(one);
  };
  if (!is_set(r)) return rise(r);
  return sets_.has_below_sp(r) ? sets_.map(r, rise) : sets_.raised(r);
}

// The same where that is easy: there is no reference, it is of a single access and that was not made below SP, or it is
// settled.
inline Ref Memory::raised_quickly(Ref r, uint64_t peak, StackIndex stack) {
  if (r == 0 || (!is_set(r) && is_settled(r))) return r;
  return is_set(r) || is_below_sp(r) ? raised(r, peak, stack) : with(r, StackState::kFalse);
}

void Memory::raise(Line*& slot, AddrRange range, uint64_t peak, StackIndex stack) {
  range.end = std::min(range.end, peak);
  if (range.empty()) return;
  Line* line = split_if_used(slot, range.begin, range.end);
  if (!line) return;
  const uint64_t base = range.begin & ~(Line::kBytes - 1);
  Cell was, is;  // neighbours are alike
  for (uint64_t i = (range.begin - base) >> line->shift(); i <= (range.end - 1 - base) >> line->shift(); ++i) {
    Cell& c = line->cells()[i];
    if (!(c == was)) {
      was = c;
      is = {raised_quickly(c.write, peak, stack), raised_quickly(c.readers, peak, stack)};
    }
    c = is;
  }
}

void Memory::settle(Line*& slot, uint64_t base) {
  const uint32_t since = slot->version;
  if (since == version_) return;
  slot->version = version_;
  const AddrRange all{base, base + Line::kBytes};
  if (!(slot->meta & Line::kMixed)) {
    const StackIndex stack = slot->stack();
    if (stack) raise(slot, all, stacks_[stack].sp.peak_since(since), stack);
    return;
  }
  for (AddrRange part = all; !part.empty() && slot; part = {part.end, all.end}) {
    const Owner owner = owners_.at(part.begin);
    part.end = std::min(part.end, owner.end);
    if (owner.stack) raise(slot, part, stacks_[owner.stack].sp.peak_since(since), owner.stack);
  }
}

void Memory::record_all() {
  for (StackIndex i = 1; i < stacks_.end(); ++i) stacks_[i].sp.record(version_);
}

void Memory::disown(AddrRange range) {
  const auto foreign = [](Ref r) { return stack_state(r) == StackState::kFalse ? r : with(r, StackState::kForeign); };
  for_cells(range, [&](Cell& c) {
    if (c.write) c.write = foreign(c.write);
    c.readers = each(c.readers, ReaderSets::kForeign, foreign);
  });
}

// Gives the lines of the range their present owners; what belonged to others becomes foreign.
void Memory::relabel(AddrRange range, const OwnerMap& before) {
  shadow_.for_each(range, [&](uint64_t base, Line*& slot) {
    const uint64_t end = base + Line::kBytes;
    for (uint64_t at = base; at < end;) {
      const Owner was = before.at(at);
      const Owner is = owners_.at(at);
      const uint64_t next = std::min({end, was.end, is.end});
      if (was.stack != is.stack) disown({at, next});
      at = next;
    }
    if (!slot) return;
    slot->meta = owners_.meta_of_line(base) | slot->shift();
    slot->version = version_;
  });
}

// Changes the owners; `ranges` is where that may make a difference.
template <class F>
void Memory::reassign(std::initializer_list<AddrRange> ranges, F change_owners) {
  record_all();
  for (const AddrRange& r : ranges) shadow_.for_each(r, [&](uint64_t base, Line*& slot) { settle(slot, base); });
  const OwnerMap before = owners_;
  change_owners();
  known_owners_.fill({});
  for (const AddrRange& r : ranges) relabel(r, before);
}

void Memory::set_stack(StackIndex stack, AddrRange range) {
  const AddrRange old = owners_.range_of(stack);
  if (old == range) return;
  reassign({old, range}, [&] { owners_.set_stack(stack, range); });
}

void Memory::map_got(AddrRange range) {
  reassign({range}, [&] { owners_.add_got(range); });
}

void Memory::unmap_got(AddrRange range) {
  reassign({range}, [&] { owners_.remove_got(range); });
}

}  // namespace cdr::depend
