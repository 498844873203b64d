// SPDX-License-Identifier: GPL-2.0-or-later
// The memory table: what an access does to the cells of its bytes, and which dependences that makes. For
// each byte it knows the last write and the readers since. What happens to memory between two accesses is
// written into the references of the earlier one (ref.h):
//
//  * Free and Alloc walk the cells of the block at once.
//  * Stacks are lazy. A line on a stack has the version of the SP history (sp_history.h) up to which it is
//    right; before a line is used, it is *settled*: with M the highest SP since then, the accesses of all
//    bytes below M become false, those made below SP only if M exceeds their own SP.
//
//        SP = 100: push (byte 92, SP 92)   ret … SP = 100   call: SP falls, so 100 is recorded
//        next store to 92: M = 100 > 92, so the push has become false
//
//  * When a byte comes to another stack, what was not false becomes foreign.
//
// An access in one whole cell is the fast path; everything else is cut into pieces that are uniform.
#ifndef CDRGRIND_DEPEND_MEMORY_H
#define CDRGRIND_DEPEND_MEMORY_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "cdrgrind/depend/access_contexts.h"
#include "cdrgrind/depend/classifier.h"
#include "cdrgrind/depend/owner_map.h"
#include "cdrgrind/depend/reader_sets.h"
#include "cdrgrind/depend/shadow.h"
#include "cdrgrind/depend/stacks.h"

namespace cdr::depend {

enum class AccessMode : uint8_t {
  kLoad,
  kLoadOnly,  // a store of the same instruction overwrites all of it: it joins no readers
  kStore,
};

// What an access of the code did when it came upon a cell in a certain state, in the same activation: the rows
// that it counts, and the state in which it leaves the cell. Loops meet the same state again and again; how often is
// counted here, and added to the rows when the inline cache ends or somebody asks for results.
struct InlineCache {
  static constexpr size_t kRows = 5;
  static constexpr Cell kNever{kSetBit, kSetBit};  // no cell is like this
  static constexpr uint8_t kPatience = 4;          // other states met until the inline cache is given up

  Cell before = kNever, after;
  uint64_t times = 0;         // since its rows were counted last
  uint8_t circumstances = 0;  // see CellAccess
  uint8_t misses = 0;
  uint8_t count = 0;  // of the rows
  RowIndex rows[kRows] = {};

  void count_in(RowTable& row_table) {
    for (size_t i = 0; i < count; ++i) row_table.count(rows[i], times);
    times = 0;
  }
};

// What the fast path has to know of the present stack: of bytes from `floor` on SP has not been below since
// their line was settled, and they are not in its red zone.
struct Here {
  uint32_t stack_meta;  // Line::meta of the stack's lines
  uint64_t floor;
};

struct MemoryLimits {
  unsigned granularity_bits = 0;
  uint64_t shadow_bytes = 0;
  uint64_t set_bytes = 0;
  uint32_t parts = 1, part = 0;
};

// What an access leaves, and what it knows of the byte.
struct CellAccess {
  Ref ref;
  AddressClass address_class;
  uint8_t circumstances() const {
    return static_cast<uint8_t>(static_cast<unsigned>(address_class) | static_cast<unsigned>(stack_state(ref)) << 2);
  }
};

class Memory {
 public:
  Memory(Stacks& stacks, ActivationTree& tree, AccessContexts& contexts, Classifier& classifier,
         const MemoryLimits& limits)
      : stacks_(stacks),
        tree_(tree),
        contexts_(contexts),
        classifier_(classifier),
        limits_(limits),
        shadow_(limits.shadow_bytes) {}

  // `known`: what the same access of the code did before, by this context; may be null.
  void access(AccessMode mode, uint64_t addr, uint64_t width, ContextIndex context, InlineCache* known);
  // The same for 1 << shift bytes, which are whole cells of one line in memory that is no stack or on the present one
  // as a rule; the fast path.
  // `context()` is asked where no inline cache tells what to do.
  template <bool kKnown, bool kObserved = false, class F>
  [[gnu::always_inline]] void quick_access(AccessMode mode, uint64_t addr, unsigned shift, uint32_t width, F context,
                                           InlineCache* known) {
    Line* const line = shadow_.slot(addr);
    if (!line || (addr & (width - 1)) != 0) [[unlikely]]
      return cells_access(mode, addr, shift, context(), known);
    AddressClass address_class = AddressClass::kPlain;
    if (const uint32_t meta = line->meta ^ shift; meta != 0) {
      if (meta != here_.stack_meta || line->version != version_ || addr < here_.floor)
        return cells_access(mode, addr, shift, context(), known);
      address_class = AddressClass::kStack;
    }
    Cell& cell = line->cells()[addr % Line::kBytes >> shift];
    if (!kKnown) {
      meet_first(mode, cell, {context(), address_class}, width, addr);
    } else if (known->before == cell && known->circumstances == static_cast<uint8_t>(address_class)) [[likely]] {
      ++known->times;
      cell = known->after;
      if constexpr (kObserved) tell_known(*known, context(), addr);
    } else {
      meet(mode, cell, {context(), address_class}, width, addr, *known);
    }
  }
  // To be told of the present stack when a block begins, and of its SP whenever that has changed.
  void turn_to(const Stack& stack) {
    here_ = {stack.index << Line::kStackBit, std::max(stack.sp.pending(), stack.sp.now())};
  }
  void sp_moved(const Stack& stack) { here_.floor = std::max(stack.sp.pending(), stack.sp.now()); }
  // Of an engine for a part of the memory, asked for every access of the stream: whether any byte of this one may be
  // the part's.
  [[gnu::always_inline]] bool concerns(uint64_t addr, uint64_t width) {
    const uint64_t first = addr / Line::kBytes, last = (addr + width - 1) / Line::kBytes;
    return first == last ? owns(first) : concerns_one_of(first, last);
  }

  // Several accesses of one execution of an instruction that overlap: they never depend on each other.
  void begin_group();
  void access_in_group(bool store, uint64_t addr, uint64_t width, ContextIndex context);
  void end_group();

  void free_block(AddrRange block);
  void alloc_block(AddrRange block);
  void forget(AddrRange range);
  void forget_everything() { shadow_.clear(); }
  // A new stack, or new bounds of a known one.
  void set_stack(StackIndex stack, AddrRange range);
  void map_got(AddrRange range);
  void unmap_got(AddrRange range);

  // More has been stored than a sweep should wait for.
  bool pressed() const { return pressed_; }
  void set_sweep_limit(uint32_t sets) {
    set_limit_ = sets;
    pressed_ = false;
  }

  uint32_t& version() { return version_; }
  // Every reference becomes f(reference), every reader set g(set); lines are settled and coarsened, the
  // SP history starts again.
  template <class F, class G>
  void rewrite(F f, G g);
  ReaderSets& sets() { return sets_; }
  const ReaderSets& sets() const { return sets_; }
  const Shadow& shadow() const { return shadow_; }
  uint64_t imprecise() const { return imprecise_; }
  // An address and width in units of the granularity.
  void round(uint64_t& addr, uint64_t& width) const {
    const uint64_t last = (uint64_t{1} << limits_.granularity_bits) - 1;
    const uint64_t end = (addr + width + last) & ~last;
    addr &= ~last;
    width = end - addr;
  }

 private:
  bool concerns_one_of(uint64_t first_line, uint64_t last_line);
  bool owns(uint64_t line) const { return (line * 0x9e3779b97f4a7c15u >> 32) * limits_.parts >> 32 == limits_.part; }

  static constexpr uint64_t kRedZone = 128;
  static constexpr unsigned kCellShift = 3;  // of lines that nothing has refined
  // A line that single bytes have refined (`rep stosb`, memset) is tried after so many accesses of several equal
  // cells, of all lines together; a prime number, lest loops keep time with it.
  static constexpr uint32_t kBetweenCoarsenings = 37;
  static constexpr uint32_t kLastVersion = 0xf0000000;

  // What an access does to a piece of memory that is uniform in all that counts.
  struct Action {
    Target target;
    Ref ref = 0;  // what it leaves
    AddressClass address_class = AddressClass::kPlain;
    bool store = false;
    bool depends = true;  // on the last write; false: that is the same execution's
    bool joins = true;    // a load: the readers
    bool only_joins = false;
  };
  // What the owners are from `begin` on, where a line is mixed.
  struct KnownOwner {
    uint64_t begin = ~uint64_t{0};
    Owner owner;
  };
  static constexpr uint64_t kKnownOwnerBytes = 8;
  class Crossing;
  // One line's part of an access.
  struct Part {
    Line** slot;
    uint64_t begin, end;  // addresses
  };
  struct Deferred {
    AddrRange range;
    ContextIndex context;
    size_t stores_before;  // of the group
  };

  // What is left of the fast path, and what the fast path cannot do.
  void cells_access(AccessMode mode, uint64_t addr, unsigned shift, ContextIndex context, InlineCache* known);
  // Several cells, or one that is aligned to their size only. False: not so, and nothing has been done.
  bool try_cells(AccessMode mode, uint64_t addr, unsigned shift, ContextIndex context, InlineCache* known);
  // Whole cells of a line, all with the same relation to SP. False: not so, and nothing has been done.
  bool try_whole(AccessMode mode, uint64_t addr, uint64_t width, ContextIndex context, InlineCache* known);
  [[gnu::always_inline]] static bool equal(const Cell* cells, uint64_t count) {
    for (uint64_t i = 1; i < count; ++i)
      if (!(cells[i] == cells[0])) return false;
    return true;
  }
  // A cell that stands for all that the access touches.
  [[gnu::always_inline]] void one_state(AccessMode mode, Cell& cell, CellAccess cell_access, uint32_t width,
                                        uint64_t addr, InlineCache* known) {
    if (known && known->before == cell && known->circumstances == cell_access.circumstances()) [[likely]] {
      ++known->times;
      cell = known->after;
      tell_known(*known, context_of(cell_access.ref), addr);
    } else if (known) {
      meet(mode, cell, cell_access, width, addr, *known);
    } else {
      meet_first(mode, cell, cell_access, width, addr);
    }
  }
  // `slot` is their line's; it may be another line then.
  [[gnu::always_inline]] void whole_cells(AccessMode mode, Line*& slot, Cell* cells, uint64_t count,
                                          CellAccess cell_access, uint32_t width, uint64_t addr, InlineCache* known) {
    if (!equal(cells, count)) return unlike_cells(mode, cells, count, cell_access, width, addr);
    one_state(mode, *cells, cell_access, width, addr, known);
    for (uint64_t i = 1; i < count; ++i) cells[i] = cells[0];
    if (count > 1 && slot->shift() < kCellShift && --until_coarsening_ == 0) [[unlikely]]
      try_coarsening(slot);
  }
  void tell_known(const InlineCache& known, ContextIndex context, uint64_t addr) const {
    if (!classifier_.observation().any()) return;
    for (size_t i = 0; i < known.count; ++i) classifier_.tell(known.rows[i], context, addr);
  }
  void unlike_cells(AccessMode mode, Cell* cells, uint64_t count, CellAccess cell_access, uint32_t width,
                    uint64_t addr);
  void try_coarsening(Line*& slot);
  Line* calm(Line*& slot, uint64_t addr, StackIndex stack);
  // Whether all bytes, on that stack, have the same relation to SP; `cell_access` is made for it.
  bool settle_on_stack(uint64_t addr, uint64_t width, const Stack& stack, CellAccess& cell_access) const;
  bool off_stacks(const Line& line, uint64_t addr, uint64_t width, CellAccess& cell_access);
  void meet(AccessMode mode, Cell& cell, CellAccess cell_access, uint32_t width, uint64_t addr, InlineCache& known);
  void meet_first(AccessMode mode, Cell& cell, CellAccess cell_access, uint32_t width, uint64_t addr);
  void learn(AccessMode mode, Cell& cell, CellAccess cell_access, const Target& target, uint64_t addr,
             InlineCache& known);
  void change(AccessMode mode, Cell& cell, CellAccess cell_access, const Target& target, uint64_t addr);
  void war(Ref readers, const Target& target, AddressClass address_class, uint64_t addr) {
    if (!is_set(readers)) return classifier_.depend(readers, target, address_class, addr);
    war_of_set<false>(readers, target, address_class, addr);
  }
  // kFirst: of a context's first access.
  template <bool kFirst>
  void war_of_set(Ref readers, const Target& target, AddressClass address_class, uint64_t addr);
  Ref join(Ref readers, Ref ref) {
    if (readers == 0) return ref;
    const Ref known = sets_.recall(readers, ref);
    return known ? known : join_new(readers, ref, true);
  }
  Ref join_new(Ref readers, Ref ref, bool remember);

  void any(AccessMode mode, uint64_t addr, uint64_t width, ContextIndex context);
  void pieces(uint64_t addr, uint64_t width, const Action& action);
  void in_line(Part part, const Action& action);
  void on_stack(Part part, const Owner& owner, const Action& action);
  void uniform(const Part& part, const Action& action);
  void cell(Cell& c, const Action& action, uint64_t addr);
  Line* line_of(const Part& part);
  Line* split(Line*& slot, uint64_t begin, uint64_t end);
  Line* split_if_used(Line*& slot, uint64_t begin, uint64_t end);

  void settle(Line*& slot, uint64_t base);
  void raise(Line*& slot, AddrRange range, uint64_t peak, StackIndex stack);
  Ref raised(Ref r, uint64_t peak, StackIndex stack);
  Ref raised_quickly(Ref r, uint64_t peak, StackIndex stack);
  void relabel(AddrRange range, const OwnerMap& before);
  void disown(AddrRange range);
  template <class F>
  void reassign(std::initializer_list<AddrRange> ranges, F change_owners);
  bool piece_of_group(AddrRange& piece, size_t first_store) const;
  template <class F>
  void for_cells(AddrRange range, F f);
  template <class F>
  Ref each(Ref readers, uint32_t operation, F f) {
    return readers ? sets_.map_memo(readers, operation, f) : 0;
  }

  void record_all();
  unsigned greatest_cell() const { return std::max(kCellShift, limits_.granularity_bits); }

  Stacks& stacks_;
  ActivationTree& tree_;
  AccessContexts& contexts_;
  Classifier& classifier_;
  MemoryLimits limits_;
  OwnerMap owners_;
  std::array<KnownOwner, 256> known_owners_{};
  Shadow shadow_;
  ReaderSets sets_;
  Here here_{};
  uint32_t version_ = 1;
  bool pressed_ = false;
  uint32_t until_coarsening_ = kBetweenCoarsenings;
  uint32_t set_limit_ = 0;
  uint64_t serial_ = 0;
  uint64_t imprecise_ = 0;
  uint64_t crossings_ = 0;  // accesses to several lines
  std::vector<AddrRange> group_stored_;
  std::vector<Deferred> group_loaded_;
};

template <class F, class G>
void Memory::rewrite(F f, G g) {
  record_all();
  const unsigned greatest = greatest_cell();
  Cell was, is;  // neighbours are alike
  shadow_.for_each(Shadow::kEverything, [&](uint64_t base, Line*& slot) {
    if (!slot->plain()) settle(slot, base);
    if (!slot) return;
    Line& line = *slot;
    bool used = false;
    for (uint32_t i = 0; i < line.cell_count(); ++i) {
      Cell& c = line.cells()[i];
      if (c.empty()) continue;
      used = true;
      if (!(c == was)) {
        was = is = c;
        if (c.write) is.write = f(c.write);
        if (c.readers) is.readers = is_set(c.readers) ? g(c.readers) : f(c.readers);
      }
      c = is;
    }
    line.version = 1;
    if (!used || line.shift() < greatest) shadow_.coarsen(slot, greatest);
  });
  for (StackIndex i = 1; i < stacks_.end(); ++i) stacks_[i].sp.forget_peaks();
  version_ = 1;
}

}  // namespace cdr::depend

#endif
