// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/depend/memory.h"

#include <bit>

namespace cdr::depend {
namespace {

uint64_t base_of(uint64_t addr) { return addr & ~(Line::kBytes - 1); }

// The greatest cells with bounds at `begin` and `end`.
unsigned alignment(uint64_t begin, uint64_t end) {
  return static_cast<unsigned>(std::countr_zero((begin | end) | Line::kBytes));
}

StackState state_at(uint64_t addr, uint64_t sp, uint64_t red_zone) {
  if (addr >= sp) return StackState::kIn;
  return addr >= red_zone ? StackState::kRed : StackState::kDeep;
}

}  // namespace

void Memory::access(AccessMode mode, uint64_t addr, uint64_t width, ActorIndex actor, Precedent* known) {
  if (limits_.granularity_bits != 0) round(addr, width);
  if (!try_whole(mode, addr, width, actor, known)) any(mode, addr, width, actor);
}

bool Memory::try_whole(AccessMode mode, uint64_t addr, uint64_t width, ActorIndex actor, Precedent* known) {
  Line*& slot = shadow_.slot(addr);
  Line* line = slot;
  const uint64_t offset = addr % Line::kBytes;
  if (!line || offset + width > Line::kBytes) return false;
  Mark mark{actor, Place::kPlain};
  if (!line->plain()) {
    if (line->meta & (Line::kGot | Line::kMixed)) return false;
    const Stack& stack = stacks_[line->stack()];
    if (line->version != version_ || stack.sp.pending() > addr) line = calm(slot, addr, stack.index);
    if (!line || !mark_on_stack(addr, width, stack, mark)) return false;
  }
  const unsigned shift = line->shift();
  if (((addr | width) & ((uint64_t{1} << shift) - 1)) != 0) return false;
  const auto bytes = static_cast<uint32_t>(width);
  whole_cells(mode, slot, line->cells() + (offset >> shift), width >> shift, mark, bytes, addr, known);
  return true;
}

[[gnu::always_inline]] inline bool Memory::try_cells(AccessMode mode, uint64_t addr, unsigned shift, ActorIndex actor,
                                                     Precedent* known) {
  Line*& slot = shadow_.slot(addr);
  Line* const line = slot;
  if (!line) return false;
  Mark mark{actor, Place::kPlain};
  const uint32_t meta = line->meta & ~Line::kShiftMask;
  if (meta != 0) {
    if (meta != here_.stack_meta || line->version != version_ || addr < here_.floor) return false;
    mark.place = Place::kStack;
  }
  const unsigned cell_shift = line->shift();
  const uint64_t offset = addr % Line::kBytes;
  const uint64_t width = uint64_t{1} << shift;
  if (cell_shift > shift || (addr & ((uint64_t{1} << cell_shift) - 1)) != 0 || offset + width > Line::kBytes)
    return false;
  whole_cells(mode, slot, line->cells() + (offset >> cell_shift), width >> cell_shift, mark, 1u << shift, addr, known);
  return true;
}

[[gnu::noinline]] void Memory::cells_access(AccessMode mode, uint64_t addr, unsigned shift, ActorIndex actor,
                                            Precedent* known) {
  if (!try_cells(mode, addr, shift, actor, known)) access(mode, addr, uint64_t{1} << shift, actor, known);
}

[[gnu::noinline]] void Memory::try_coarsening(Line*& slot) {
  until_coarsening_ = kBetweenCoarsenings;
  shadow_.coarsen(slot, greatest_cell());
}

// What `change` does, for several cells that make one access.
[[gnu::noinline]] void Memory::unlike_cells(AccessMode mode, Cell* cells, uint64_t count, Mark mark, uint32_t width,
                                            uint64_t addr) {
  const uint64_t cell_bytes = width / count;
  Action action;
  action.target = {actor_of(mark.ref), width, ++serial_};
  action.ref = mark.ref;
  action.place = mark.place;
  action.store = mode == AccessMode::kStore;
  action.joins = mode == AccessMode::kLoad;
  Cell before = Precedent::kNever, after;
  for (uint64_t i = 0; i < count; ++i) {
    if (!(cells[i] == before)) {
      before = after = cells[i];
      cell(after, action, addr + i * cell_bytes);
    }
    cells[i] = after;
  }
}

bool Memory::mark_on_stack(uint64_t addr, uint64_t width, const Stack& stack, Mark& mark) const {
  mark.place = Place::kStack;
  const uint64_t sp = stack.sp.now();
  if (addr >= sp) return true;
  mark.ref = with(mark.ref, StackState::kRed);
  return addr + width <= sp && addr + kRedZone >= sp && actors_.sp(actor_of(mark.ref), stack.index) == sp;
}

inline void Memory::change(AccessMode mode, Cell& cell, Mark mark, const Target& target, uint64_t addr) {
  if (mode == AccessMode::kStore) {
    if (cell.readers) war(cell.readers, target, mark.place, addr);
    if (cell.write) judge_.depend(cell.write, target, mark.place, addr);
    cell = {mark.ref, 0};
  } else {
    if (cell.write) judge_.depend(cell.write, target, mark.place, addr);
    if (mode == AccessMode::kLoad && cell.readers != mark.ref) cell.readers = join(cell.readers, mark.ref);
  }
}

[[gnu::noinline]] void Memory::meet(AccessMode mode, Cell& cell, Mark mark, uint32_t width, uint64_t addr,
                                    Precedent& known) {
  const Target target{actor_of(mark.ref), width, 0};
  if (known.before == Precedent::kNever || ++known.misses % Precedent::kPatience == 0)
    learn(mode, cell, mark, target, addr, known);
  else
    change(mode, cell, mark, target, addr);
}

// The first access of a new actor: nothing that is remembered by actors can help.
[[gnu::noinline]] void Memory::meet_first(AccessMode mode, Cell& cell, Mark mark, uint32_t width, uint64_t addr) {
  const Target target{actor_of(mark.ref), width, 0};
  const Cell was = cell;
  actors_.fetch(actor_of(was.write));  // needed last
  if (mode == AccessMode::kStore) {
    cell = {mark.ref, 0};
    if (is_set(was.readers))
      war_of_set(was.readers, target, mark.place, addr);
    else if (was.readers)
      judge_.depend_first(was.readers, target, mark.place, addr);
  } else if (mode == AccessMode::kLoad) {
    cell.readers = was.readers ? join_new(was.readers, mark.ref, false) : mark.ref;
  }
  if (was.write) judge_.depend_first(was.write, target, mark.place, addr);
}

// The slow path; the address is rounded.
[[gnu::noinline]] void Memory::any(AccessMode mode, uint64_t addr, uint64_t width, ActorIndex actor) {
  Action action;
  action.target = {actor, static_cast<uint32_t>(width), ++serial_};
  action.store = mode == AccessMode::kStore;
  action.joins = mode == AccessMode::kLoad;
  pieces(addr, width, action);
}

// Settles the line for an access at `addr`. Null if that was at the limit of memory.
[[gnu::noinline]] Line* Memory::calm(Line*& slot, uint64_t addr, StackIndex stack) {
  SpHistory& sp = stacks_[stack].sp;
  if (sp.pending() > addr) sp.record(version_);
  if (version_ > kLastVersion) pressed_ = true;
  if (slot->version != version_) settle(slot, base_of(addr));
  return slot;
}

// Does the access and writes down what it did, unless it counts too many rows.
[[gnu::noinline]] void Memory::learn(AccessMode mode, Cell& cell, Mark mark, const Target& target, uint64_t addr,
                                     Precedent& known) {
  known.count_in(judge_.tally());
  known.before = cell;
  known.circumstances = mark.circumstances();
  known.count = 0;
  bool fits = true;
  const uint64_t serial = ++serial_;
  const auto add = [&](Ref source) {
    const RowIndex row = judge_.row(source, target, mark.place, addr);
    if (!judge_.count_once(row, serial)) return;
    fits = fits && known.count < Precedent::kRows;
    if (fits) known.rows[known.count++] = row;
  };
  if (mode == AccessMode::kStore && cell.readers) sets_.for_each(cell.readers, add);
  if (cell.write) add(cell.write);
  if (mode == AccessMode::kStore)
    cell = {mark.ref, 0};
  else if (mode == AccessMode::kLoad && cell.readers != mark.ref)
    cell.readers = join(cell.readers, mark.ref);
  known.after = cell;
  if (!fits) known.before = Precedent::kNever;
}

[[gnu::noinline]] void Memory::war_of_set(Ref readers, const Target& target, Place place, uint64_t addr) {
  Target once = target;
  once.serial = ++serial_;
  sets_.for_each(readers, [&](Ref r) { judge_.depend_once(r, once, place, addr); });
}

void Memory::pieces(uint64_t addr, uint64_t width, const Action& action) {
  const uint64_t end = addr + width;
  for (uint64_t begin = addr; begin < end;) {
    const uint64_t next = std::min(end, base_of(begin) + Line::kBytes);
    in_line({&shadow_.slot(begin), begin, next}, action);
    if (next < begin) break;  // the end of the address space
    begin = next;
  }
}

Line* Memory::line_of(const Part& part) {
  if (*part.slot) return *part.slot;
  Line* line = shadow_.make(*part.slot, std::min(greatest_cell(), alignment(part.begin, part.end)),
                            owners_.meta_of_line(base_of(part.begin)));
  if (line) line->version = version_;
  return line;
}

void Memory::in_line(Part part, const Action& action) {
  const Line* line = line_of(part);
  if (!line) {
    ++imprecise_;
    return;
  }
  const uint64_t end = part.end;
  Owner owner{line->stack(), (line->meta & Line::kGot) != 0, end};
  const bool mixed = line->meta & Line::kMixed;
  while (part.begin < end && *part.slot) {
    if (mixed) owner = owners_.at(part.begin);
    part.end = std::min(end, owner.end);
    Action a = action;
    if (owner.stack) {
      on_stack(part, owner, a);
    } else {
      a.ref = a.target.actor;
      a.place = owner.got ? Place::kGot : Place::kPlain;
      uniform(part, a);
    }
    part.begin = part.end;
  }
}

// Cuts where the byte's relation to SP changes: at SP and at the end of the red zone.
void Memory::on_stack(Part part, const Owner& owner, const Action& action) {
  Stack& stack = stacks_[owner.stack];
  if (stack.sp.pending() > part.begin) stack.sp.record(version_);
  if ((*part.slot)->version != version_) settle(*part.slot, base_of(part.begin));
  const uint64_t sp = stack.sp.now();
  const uint64_t red_zone = sp - std::min(sp, kRedZone);
  const uint64_t end = part.end;
  while (part.begin < end && *part.slot) {
    part.end = end;
    for (uint64_t cut : {sp, red_zone})
      if (part.begin < cut && cut < part.end) part.end = cut;
    Action a = action;
    a.place = owner.got ? Place::kGot : part.begin >= red_zone ? Place::kStack : Place::kBelowStack;
    a.ref = with(Ref{action.target.actor}, state_at(part.begin, sp, red_zone));
    if (is_below_sp(a.ref) && actors_.sp(action.target.actor, stack.index) != sp)
      a.ref = state_of(a.ref) | actors_.with_sp(action.target.actor, stack.index, sp);
    uniform(part, a);
    part.begin = part.end;
  }
}

Line* Memory::split(Line*& slot, uint64_t begin, uint64_t end) {
  Line* line = slot;
  if (line && alignment(begin, end) < line->shift()) line = shadow_.refine(slot, alignment(begin, end));
  if (!line) ++imprecise_;
  return line;
}

// The same unless the cells that are cut are empty.
Line* Memory::split_if_used(Line*& slot, uint64_t begin, uint64_t end) {
  Line* line = slot;
  const auto cut_and_used = [line](uint64_t addr) {
    const uint64_t cell = uint64_t{1} << line->shift();
    return addr % cell != 0 && !line->cells()[addr % Line::kBytes >> line->shift()].empty();
  };
  return cut_and_used(begin) || cut_and_used(end) ? split(slot, begin, end) : line;
}

void Memory::uniform(const Part& part, const Action& action) {
  Line* line = split(*part.slot, part.begin, part.end);
  if (!line) return;
  const unsigned shift = line->shift();
  const uint64_t base = base_of(part.begin);
  Cell* cells = line->cells();
  const auto first = static_cast<uint32_t>((part.begin - base) >> shift);
  const auto last = static_cast<uint32_t>((part.end - 1 - base) >> shift);
  Cell before, after;
  for (uint32_t i = first; i <= last; ++i) {
    if (i == first || !(cells[i] == before)) {
      before = after = cells[i];
      cell(after, action, std::max(part.begin, base + (uint64_t{i} << shift)));
    }
    cells[i] = after;
  }
}

void Memory::cell(Cell& c, const Action& action, uint64_t addr) {
  const auto depend = [&](Ref source) { judge_.depend_once(source, action.target, action.place, addr); };
  if (action.store) {
    if (c.readers) sets_.for_each(c.readers, depend);
    if (c.write && action.depends) depend(c.write);
    c = {action.ref, 0};
    return;
  }
  if (c.write && action.depends && !action.only_joins) depend(c.write);
  if (action.joins && c.readers != action.ref) c.readers = join(c.readers, action.ref);
}

[[gnu::noinline]] Ref Memory::join_new(Ref readers, Ref ref, bool remember) {
  if (sets_.bytes() > limits_.set_bytes) {
    ++imprecise_;
    return ref;
  }
  Ref joined = sets_.add(readers, ref);
  if (sets_.is_long(joined))
    joined = sets_.map_merging(
        joined, [this](Ref r) { return actors_.folded(r, tree_); },
        [this](Ref r) { return actors_.sameness(r, tree_); });
  if (remember) sets_.remember(readers, ref, joined);
  if (sets_.count() > set_limit_) pressed_ = true;
  return joined;
}

void Memory::begin_group() {
  group_stored_.clear();
  group_loaded_.clear();
}

// Cuts the piece off where the group's stores, from one of them on, begin or end; whether they cover it.
bool Memory::piece_of_group(AddrRange& piece, size_t first_store) const {
  bool stored = false;
  for (size_t i = first_store; i < group_stored_.size(); ++i) {
    const AddrRange& own = group_stored_[i];
    stored = stored || own.contains(piece.begin);
    for (uint64_t cut : {own.begin, own.end})
      if (piece.begin < cut && cut < piece.end) piece.end = cut;
  }
  return stored;
}

// What this execution stored is no source for it. What it loads joins the readers when it ends, unless it
// was stored to in the meantime.
void Memory::access_in_group(bool store, uint64_t addr, uint64_t width, ActorIndex actor) {
  round(addr, width);
  Action action;
  action.target = {actor, static_cast<uint32_t>(width), ++serial_};
  action.store = store;
  action.joins = false;
  const AddrRange all{addr, addr + width};
  for (AddrRange piece = all; !piece.empty(); piece = {piece.end, all.end}) {
    action.depends = !piece_of_group(piece, 0);
    pieces(piece.begin, piece.size(), action);
  }
  if (store)
    group_stored_.push_back(all);
  else
    group_loaded_.push_back({all, actor, group_stored_.size()});
}

void Memory::end_group() {
  for (const Deferred& load : group_loaded_) {
    Action action;
    action.target = {load.actor, static_cast<uint32_t>(load.range.size()), 0};
    action.only_joins = true;
    for (AddrRange piece = load.range; !piece.empty(); piece = {piece.end, load.range.end})
      if (!piece_of_group(piece, load.stores_before)) pieces(piece.begin, piece.size(), action);
  }
}

}  // namespace cdr::depend
