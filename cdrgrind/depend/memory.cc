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

void Memory::access(AccessMode mode, uint64_t addr, uint64_t width, ContextIndex context, InlineCache* known) {
  if (limits_.granularity_bits != 0) {
    classifier_.observation().set_first_byte(addr);
    round(addr, width);
  }
  if (!try_whole(mode, addr, width, context, known)) any(mode, addr, width, context);
}

// Where GOTs are: whether no byte is on a stack and all or none are in a GOT; `cell_access` is made for it.
bool Memory::off_stacks(const Line& line, uint64_t addr, uint64_t width, CellAccess& cell_access) {
  bool got = true;
  if (line.meta & Line::kMixed) {
    KnownOwner& known = known_owners_[addr / kKnownOwnerBytes % known_owners_.size()];
    if (addr < known.begin || addr >= known.owner.end) [[unlikely]]
      known = {addr, owners_.at(addr)};
    if (known.owner.stack != 0 || width > known.owner.end - addr) return false;
    got = known.owner.got;
  } else if (line.stack() != 0) {
    return false;
  }
  cell_access.address_class = got ? AddressClass::kGot : AddressClass::kPlain;
  return true;
}

bool Memory::try_whole(AccessMode mode, uint64_t addr, uint64_t width, ContextIndex context, InlineCache* known) {
  Line*& slot = shadow_.slot(addr);
  Line* line = slot;
  const uint64_t offset = addr % Line::kBytes;
  if (!line || offset + width > Line::kBytes) return false;
  CellAccess cell_access{context, AddressClass::kPlain};
  if (!line->plain()) {
    if (line->meta & (Line::kGot | Line::kMixed)) {
      if (!off_stacks(*line, addr, width, cell_access)) return false;
    } else {
      const Stack& stack = stacks_[line->stack()];
      if (line->version != version_ || stack.sp.pending() > addr) line = calm(slot, addr, stack.index);
      if (!line || !settle_on_stack(addr, width, stack, cell_access)) return false;
    }
  }
  const unsigned shift = line->shift();
  if (((addr | width) & ((uint64_t{1} << shift) - 1)) != 0) return false;
  const auto bytes = static_cast<uint32_t>(width);
  whole_cells(mode, slot, line->cells() + (offset >> shift), width >> shift, cell_access, bytes, addr, known);
  return true;
}

[[gnu::always_inline]] inline bool Memory::try_cells(AccessMode mode, uint64_t addr, unsigned shift,
                                                     ContextIndex context, InlineCache* known) {
  Line*& slot = shadow_.slot(addr);
  Line* line = slot;
  if (!line) return false;
  CellAccess cell_access{context, AddressClass::kPlain};
  const uint32_t meta = line->meta & ~Line::kShiftMask;
  if (meta != 0) {
    if (meta != here_.stack_meta || addr < here_.floor) return false;
    if (line->version != version_) {
      line = calm(slot, addr, line->stack());
      if (!line) return false;
    }
    cell_access.address_class = AddressClass::kStack;
  }
  const unsigned cell_shift = line->shift();
  const uint64_t offset = addr % Line::kBytes;
  const uint64_t width = uint64_t{1} << shift;
  if (cell_shift > shift || (addr & ((uint64_t{1} << cell_shift) - 1)) != 0 || offset + width > Line::kBytes)
    return false;
  whole_cells(mode, slot, line->cells() + (offset >> cell_shift), width >> cell_shift, cell_access, 1u << shift, addr,
              known);
  return true;
}

[[gnu::noinline]] void Memory::cells_access(AccessMode mode, uint64_t addr, unsigned shift, ContextIndex context,
                                            InlineCache* known) {
  if (!try_cells(mode, addr, shift, context, known)) access(mode, addr, uint64_t{1} << shift, context, known);
}

[[gnu::noinline]] void Memory::try_coarsening(Line*& slot) {
  until_coarsening_ = kBetweenCoarsenings;
  shadow_.coarsen(slot, greatest_cell());
}

// What `change` does, for several cells that make one access.
[[gnu::noinline]] void Memory::unlike_cells(AccessMode mode, Cell* cells, uint64_t count, CellAccess cell_access,
                                            uint32_t width, uint64_t addr) {
  const uint64_t cell_bytes = width / count;
  Action action;
  action.target = {context_of(cell_access.ref), width, ++serial_};
  action.ref = cell_access.ref;
  action.address_class = cell_access.address_class;
  action.store = mode == AccessMode::kStore;
  action.joins = mode == AccessMode::kLoad;
  Cell before = InlineCache::kNever, after;
  for (uint64_t i = 0; i < count; ++i) {
    if (!(cells[i] == before)) {
      before = after = cells[i];
      cell(after, action, addr + i * cell_bytes);
    }
    cells[i] = after;
  }
}

bool Memory::settle_on_stack(uint64_t addr, uint64_t width, const Stack& stack, CellAccess& cell_access) const {
  cell_access.address_class = AddressClass::kStack;
  const uint64_t sp = stack.sp.now();
  if (addr >= sp) return true;
  cell_access.ref = with(cell_access.ref, StackState::kRed);
  return addr + width <= sp && addr + kRedZone >= sp && contexts_.sp(context_of(cell_access.ref), stack.index) == sp;
}

inline void Memory::change(AccessMode mode, Cell& cell, CellAccess cell_access, const Target& target, uint64_t addr) {
  if (mode == AccessMode::kStore) {
    if (cell.readers) war(cell.readers, target, cell_access.address_class, addr);
    if (cell.write) classifier_.depend(cell.write, target, cell_access.address_class, addr);
    cell = {cell_access.ref, 0};
  } else {
    if (cell.write) classifier_.depend(cell.write, target, cell_access.address_class, addr);
    if (mode == AccessMode::kLoad && cell.readers != cell_access.ref)
      cell.readers = join(cell.readers, cell_access.ref);
  }
}

[[gnu::noinline]] void Memory::meet(AccessMode mode, Cell& cell, CellAccess cell_access, uint32_t width, uint64_t addr,
                                    InlineCache& known) {
  const Target target{context_of(cell_access.ref), width, 0};
  if (known.before == InlineCache::kNever || ++known.misses % InlineCache::kPatience == 0)
    learn(mode, cell, cell_access, target, addr, known);
  else
    change(mode, cell, cell_access, target, addr);
}

// The first access of a new context: nothing that is remembered by contexts can help.
[[gnu::noinline]] void Memory::meet_first(AccessMode mode, Cell& cell, CellAccess cell_access, uint32_t width,
                                          uint64_t addr) {
  const Target target{context_of(cell_access.ref), width, 0};
  const Cell was = cell;
  contexts_.fetch(context_of(was.write));  // needed last
  if (mode == AccessMode::kStore) {
    cell = {cell_access.ref, 0};
    if (is_set(was.readers))
      war_of_set<true>(was.readers, target, cell_access.address_class, addr);
    else if (was.readers)
      classifier_.depend_first(was.readers, target, cell_access.address_class, addr);
  } else if (mode == AccessMode::kLoad) {
    cell.readers = was.readers ? join_new(was.readers, cell_access.ref, false) : cell_access.ref;
  }
  if (was.write) classifier_.depend_first(was.write, target, cell_access.address_class, addr);
}

[[gnu::noinline]] bool Memory::concerns_one_of(uint64_t first_line, uint64_t last_line) {
  ++crossings_;
  return last_line - first_line > 1 || owns(first_line) || owns(last_line);
}

// Hits of accesses to several lines may be other parts', too.
class Memory::Crossing {
 public:
  Crossing(Memory& memory, uint64_t addr, uint64_t width)
      : row_table_(memory.limits_.parts > 1 && addr % Line::kBytes + width > Line::kBytes
                       ? &memory.classifier_.row_table()
                       : nullptr) {
    if (row_table_) row_table_->begin_crossing(memory.crossings_);
  }
  ~Crossing() {
    if (row_table_) row_table_->end_crossing();
  }
  Crossing(const Crossing&) = delete;
  Crossing& operator=(const Crossing&) = delete;

 private:
  RowTable* row_table_;
};

// The slow path; the address is rounded.
[[gnu::noinline]] void Memory::any(AccessMode mode, uint64_t addr, uint64_t width, ContextIndex context) {
  const Crossing crossing(*this, addr, width);
  Action action;
  action.target = {context, static_cast<uint32_t>(width), ++serial_};
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
[[gnu::noinline]] void Memory::learn(AccessMode mode, Cell& cell, CellAccess cell_access, const Target& target,
                                     uint64_t addr, InlineCache& known) {
  known.count_in(classifier_.row_table());
  known.before = cell;
  known.circumstances = cell_access.circumstances();
  known.count = 0;
  bool fits = true;
  const uint64_t serial = ++serial_;
  const auto add = [&](Ref source) {
    if constexpr (kFloor) return;
    const RowIndex row = classifier_.row(source, target, cell_access.address_class, addr);
    if (!classifier_.count_once(row, serial)) return;
    classifier_.tell(row, target.context, addr);
    fits = fits && known.count < InlineCache::kRows;
    if (fits) known.rows[known.count++] = row;
  };
  if (mode == AccessMode::kStore && cell.readers) sets_.for_each(cell.readers, add);
  if (cell.write) add(cell.write);
  if (mode == AccessMode::kStore)
    cell = {cell_access.ref, 0};
  else if (mode == AccessMode::kLoad && cell.readers != cell_access.ref)
    cell.readers = join(cell.readers, cell_access.ref);
  known.after = cell;
  if (!fits) known.before = InlineCache::kNever;
}

template <bool kFirst>
[[gnu::noinline]] void Memory::war_of_set(Ref readers, const Target& target, AddressClass address_class,
                                          uint64_t addr) {
  Target once = target;
  once.serial = ++serial_;
  sets_.for_each(readers, [&](Ref r) {
    if (kFirst)
      classifier_.depend_first_once(r, once, address_class, addr);
    else
      classifier_.depend_once(r, once, address_class, addr);
  });
}

void Memory::pieces(uint64_t addr, uint64_t width, const Action& action) {
  const uint64_t end = addr + width;
  for (uint64_t begin = addr; begin < end;) {
    const uint64_t next = std::min(end, base_of(begin) + Line::kBytes);
    if (limits_.parts == 1 || owns(begin / Line::kBytes)) in_line({&shadow_.slot(begin), begin, next}, action);
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
      a.ref = a.target.context;
      a.address_class = owner.got ? AddressClass::kGot : AddressClass::kPlain;
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
    a.address_class = owner.got                ? AddressClass::kGot
                      : part.begin >= red_zone ? AddressClass::kStack
                                               : AddressClass::kBelowStack;
    a.ref = with(Ref{action.target.context}, state_at(part.begin, sp, red_zone));
    if (is_below_sp(a.ref) && contexts_.sp(action.target.context, stack.index) != sp)
      a.ref = state_of(a.ref) | contexts_.with_sp(action.target.context, stack.index, sp);
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
  const auto depend = [&](Ref source) { classifier_.depend_once(source, action.target, action.address_class, addr); };
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
  if constexpr (kFloor) return ref;
  if (sets_.bytes() > limits_.set_bytes) {
    ++imprecise_;
    return ref;
  }
  const auto fold = [this](Ref r) { return contexts_.folded(r, tree_); };
  const auto same = [this](Ref a, Ref b) { return contexts_.same(a, b, tree_); };
  Ref joined = sets_.add(readers, ref, fold, same);
  if (sets_.is_long(joined)) joined = sets_.folded(joined, fold, same);
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
void Memory::access_in_group(bool store, uint64_t addr, uint64_t width, ContextIndex context) {
  if (kObservable && limits_.granularity_bits != 0) classifier_.observation().set_first_byte(addr);
  round(addr, width);
  const Crossing crossing(*this, addr, width);
  Action action;
  action.target = {context, static_cast<uint32_t>(width), ++serial_};
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
    group_loaded_.push_back({all, context, group_stored_.size()});
}

void Memory::end_group() {
  for (const Deferred& load : group_loaded_) {
    Action action;
    action.target = {load.context, static_cast<uint32_t>(load.range.size()), 0};
    action.only_joins = true;
    for (AddrRange piece = load.range; !piece.empty(); piece = {piece.end, load.range.end})
      if (!piece_of_group(piece, load.stores_before)) pieces(piece.begin, piece.size(), action);
  }
}

}  // namespace cdr::depend
