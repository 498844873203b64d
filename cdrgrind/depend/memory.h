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
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "cdrgrind/depend/actors.h"
#include "cdrgrind/depend/judge.h"
#include "cdrgrind/depend/owner_map.h"
#include "cdrgrind/depend/reader_sets.h"
#include "cdrgrind/depend/shadow.h"
#include "cdrgrind/depend/stacks.h"

namespace cdr::depend {

// What the running instruction does to the SP of the stack that it runs on.
struct Step {
  const Stack* stack = nullptr;  // null: SP is on no known stack
  uint64_t before = 0;
  uint64_t after = 0;
  bool exact = false;  // it changes nothing, and the actors have this SP

  uint64_t sp() const { return std::min(before, after); }
};

enum class AccessMode : uint8_t {
  kLoad,
  kLoadOnly,  // a store of the same instruction overwrites all of it: it joins no readers
  kStore,
};

struct MemoryLimits {
  unsigned granularity_bits = 0;
  uint64_t shadow_bytes = 0;
  uint64_t set_bytes = 0;
};

class Memory {
 public:
  Memory(Stacks& stacks, ActivationTree& tree, Actors& actors, Judge& judge, const MemoryLimits& limits)
      : stacks_(stacks), tree_(tree), actors_(actors), judge_(judge), limits_(limits), shadow_(limits.shadow_bytes) {}

  // The fast path: one cell, or some equal ones, in memory that is no stack or on the present one.
  template <AccessMode kMode>
  [[gnu::always_inline]] void access(uint64_t addr, uint64_t width, ActorIndex actor, const Step& step) {
    if (limits_.granularity_bits != 0) round(addr, width);
    Line* line = shadow_.slot(addr);
    const uint64_t offset = addr % Line::kBytes;
    if (line && offset + width <= Line::kBytes) {
      const unsigned shift = line->shift();
      Cell* const cells = line->cells() + (offset >> shift);
      Mark mark{actor, Place::kPlain};
      const bool aligned = ((addr | width) & ((uint64_t{1} << shift) - 1)) == 0;
      if (aligned && (line->plain() || is_calm(*line, addr, width, step, mark)) && equal(cells, width >> shift)) {
        whole<kMode>(*cells, mark, {actor, static_cast<uint32_t>(width), 0}, addr);
        if constexpr (kMode != AccessMode::kLoadOnly)
          for (uint64_t i = 1; i < width >> shift; ++i) cells[i] = *cells;
        return;
      }
    }
    any(kMode, addr, width, actor, step);
  }
  void count_accesses(uint64_t n) { accesses_ += n; }

  // Several accesses of one execution of an instruction that overlap: they never depend on each other.
  void begin_group();
  void access_in_group(bool store, uint64_t addr, uint64_t width, ActorIndex actor, const Step& step);
  void end_group(const Step& step);

  void free_block(AddrRange block);
  void alloc_block(AddrRange block);
  void forget(AddrRange range);
  void forget_everything() { shadow_.clear(); }
  // A new stack, or new bounds of a known one.
  void set_stack(StackIndex stack, AddrRange range);
  void map_got(AddrRange range);
  void unmap_got(AddrRange range);

  uint32_t& version() { return version_; }
  uint32_t version() const { return version_; }
  // Every reference becomes f(reference), every reader set g(set); lines are settled and coarsened, the
  // SP history starts again.
  template <class F, class G>
  void rewrite(F f, G g);
  ReaderSets& sets() { return sets_; }
  const ReaderSets& sets() const { return sets_; }
  const Shadow& shadow() const { return shadow_; }
  uint64_t accesses() const { return accesses_; }
  uint64_t imprecise() const { return imprecise_; }
  // An address and width in units of the granularity.
  void round(uint64_t& addr, uint64_t& width) const {
    const uint64_t last = (uint64_t{1} << limits_.granularity_bits) - 1;
    const uint64_t end = (addr + width + last) & ~last;
    addr &= ~last;
    width = end - addr;
  }

 private:
  static constexpr uint64_t kRedZone = 128;

  // What an access does to a piece of memory that is uniform in all that counts.
  struct Action {
    Target target;
    Ref ref = 0;  // what it leaves
    Place place = Place::kPlain;
    bool store = false;
    bool depends = true;  // on the last write; false: that is the same execution's
    bool joins = true;    // a load: the readers
    bool only_joins = false;
  };
  // One line's part of an access.
  struct Part {
    Line** slot;
    uint64_t begin, end;  // addresses
  };
  struct Deferred {
    AddrRange range;
    ActorIndex actor;
    size_t stores_before;  // of the group
  };

  // What an access leaves, and what it knows of the byte.
  struct Mark {
    Ref ref;
    Place place;
  };
  static bool equal(const Cell* cells, uint64_t count) {
    for (uint64_t i = 1; i < count; ++i)
      if (!(cells[i] == cells[0])) return false;
    return true;
  }
  // Whether the bytes lie on the present stack, the line is settled, and all bytes have the same relation to
  // SP; `mark` is made for it.
  bool is_calm(const Line& line, uint64_t addr, uint64_t width, const Step& step, Mark& mark) const {
    if (!step.stack || line.meta >> Line::kShiftBits != step.stack->index << (Line::kStackBit - Line::kShiftBits) ||
        line.version != version_ || step.stack->sp.pending() > addr)
      return false;
    mark.place = Place::kStack;
    const uint64_t sp = step.sp();
    if (addr >= sp) {
      if (step.after <= addr) return true;
      mark.ref = with(mark.ref, StackState::kFalse);
      return addr + width <= step.after;
    }
    mark.ref = with(mark.ref, StackState::kRed);
    return step.exact && addr + width <= sp && addr + kRedZone >= sp;
  }
  template <AccessMode kMode>
  void whole(Cell& cell, const Mark& mark, const Target& target, uint64_t addr) {
    if constexpr (kMode == AccessMode::kStore) {
      if (cell.readers) war(cell.readers, target, mark.place, addr);
      if (cell.write) judge_.depend(cell.write, target, mark.place, addr);
      cell = {mark.ref, 0};
    } else {
      if (cell.write) judge_.depend(cell.write, target, mark.place, addr);
      if (kMode == AccessMode::kLoad && cell.readers != mark.ref) cell.readers = join(cell.readers, mark.ref);
    }
  }
  void war(Ref readers, const Target& target, Place place, uint64_t addr) {
    if (!is_set(readers)) return judge_.depend(readers, target, place, addr);
    war_of_set(readers, target, place, addr);
  }
  void war_of_set(Ref readers, const Target& target, Place place, uint64_t addr);
  Ref join(Ref readers, Ref ref) {
    if (readers == 0) return ref;
    const Ref known = sets_.recall(readers, ref);
    return known ? known : join_new(readers, ref);
  }
  Ref join_new(Ref readers, Ref ref);

  void any(AccessMode mode, uint64_t addr, uint64_t width, ActorIndex actor, const Step& step);
  void pieces(uint64_t addr, uint64_t width, const Action& action, const Step& step);
  void in_line(Part part, const Action& action, const Step& step);
  void on_stack(Part part, const Owner& owner, const Action& action, const Step& step);
  void uniform(const Part& part, const Action& action);
  void cell(Cell& c, const Action& action, uint64_t addr);
  Line* line_of(const Part& part);
  Line* split(Line*& slot, uint64_t begin, uint64_t end);
  Line* split_if_used(Line*& slot, uint64_t begin, uint64_t end);

  void settle(Line*& slot, uint64_t base);
  void raise(Line*& slot, AddrRange range, uint64_t peak, StackIndex stack);
  Ref raised(Ref r, uint64_t peak, StackIndex stack);
  Ref raised_one(Ref r, uint64_t peak, StackIndex stack) const;
  void relabel(AddrRange range, const OwnerMap& before);
  void disown(AddrRange range);
  template <class F>
  void reassign(std::initializer_list<AddrRange> ranges, F change_owners);
  bool piece_of_group(AddrRange& piece, size_t first_store) const;
  template <class F>
  void for_cells(AddrRange range, F f);
  template <class F>
  Ref change(Ref readers, uint32_t operation, F f) {
    return readers ? sets_.map_memo(readers, operation, f) : 0;
  }

  void record_all();

  Stacks& stacks_;
  ActivationTree& tree_;
  Actors& actors_;
  Judge& judge_;
  MemoryLimits limits_;
  OwnerMap owners_;
  Shadow shadow_;
  ReaderSets sets_;
  uint32_t version_ = 1;
  uint64_t serial_ = 0;
  uint64_t accesses_ = 0;
  uint64_t imprecise_ = 0;
  std::vector<AddrRange> group_stored_;
  std::vector<Deferred> group_loaded_;
};

template <class F, class G>
void Memory::rewrite(F f, G g) {
  record_all();
  const unsigned greatest = std::max(3u, limits_.granularity_bits);
  shadow_.for_each(Shadow::kEverything, [&](uint64_t base, Line*& slot) {
    if (!slot->plain()) settle(slot, base);
    if (!slot) return;
    Line& line = *slot;
    for (uint32_t i = 0; i < line.cell_count(); ++i) {
      Cell& c = line.cells()[i];
      if (c.write) c.write = f(c.write);
      if (c.readers) c.readers = is_set(c.readers) ? g(c.readers) : f(c.readers);
    }
    line.version = 1;
    shadow_.coarsen(slot, greatest);
  });
  for (StackIndex i = 1; i < stacks_.end(); ++i) stacks_[i].sp.forget_peaks();
  version_ = 1;
}

}  // namespace cdr::depend

#endif
