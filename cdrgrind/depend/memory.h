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

  uint64_t sp() const { return std::min(before, after); }
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

  template <bool kStore>
  void access(uint64_t addr, uint64_t width, ActorIndex actor, const Step& step) {
    ++accesses_;
    round(addr, width);
    Line* line = shadow_.slot(addr);
    if (line && fits(*line, addr, width)) {
      Cell& cell = line->cells()[addr % Line::kBytes >> line->shift()];
      if (line->plain()) return whole<kStore>(cell, actor, {actor, uint32_t(width), 0}, Place::kPlain, addr);
      if (step.stack && line->meta >> Line::kStackBit == step.stack->index && is_calm(*line, addr, step)) {
        if (step.after <= addr) return whole<kStore>(cell, actor, {actor, uint32_t(width), 0}, Place::kStack, addr);
        if (addr + width <= step.after) {
          const Ref popped = with(actor, StackState::kFalse);
          return whole<kStore>(cell, popped, {actor, uint32_t(width), 0}, Place::kStack, addr);
        }
      }
    }
    any<kStore>(addr, width, actor, step);
  }
  // A load that a store of the same instruction overwrites completely: it joins no readers.
  void load_only(uint64_t addr, uint64_t width, ActorIndex actor, const Step& step);

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
  // What an access does to a piece of memory that is uniform in all that counts.
  struct Action {
    Target target;
    Ref ref = 0;           // what it leaves
    Place place = Place::kPlain;
    bool store = false;
    bool depends = true;   // on the last write; false: that is the same execution's
    bool joins = true;     // a load: the readers
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

  static bool fits(const Line& line, uint64_t addr, uint64_t width) {
    return width == uint64_t{1} << line.shift() && (addr & (width - 1)) == 0;
  }
  // No SP on the stack has been above the byte since the line was settled, nor is the byte below SP now.
  bool is_calm(const Line& line, uint64_t addr, const Step& step) const {
    return (line.meta & (Line::kGot | Line::kMixed)) == 0 && line.version == version_ &&
           addr >= std::max(step.stack->sp.pending(), step.sp());
  }
  template <bool kStore>
  void whole(Cell& cell, Ref ref, const Target& target, Place place, uint64_t addr) {
    if constexpr (kStore) {
      if (cell.readers) war(cell.readers, target, place, addr);
      if (cell.write) judge_.depend(cell.write, target, place, addr);
      cell = {ref, 0};
    } else {
      if (cell.write) judge_.depend(cell.write, target, place, addr);
      if (cell.readers != ref) cell.readers = join(cell.readers, ref);
    }
  }
  void war(Ref readers, const Target& target, Place place, uint64_t addr) {
    if (!is_set(readers)) return judge_.depend(readers, target, place, addr);
    Target once = target;
    once.serial = ++serial_;
    sets_.for_each(readers, [&](Ref r) { judge_.depend_once(r, once, place, addr); });
  }
  Ref join(Ref readers, Ref ref) {
    if (readers == 0) return ref;
    const Ref known = sets_.recall(readers, ref);
    return known ? known : join_new(readers, ref);
  }
  Ref join_new(Ref readers, Ref ref);

  template <bool kStore>
  void any(uint64_t addr, uint64_t width, ActorIndex actor, const Step& step);
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

template <bool kStore>
void Memory::any(uint64_t addr, uint64_t width, ActorIndex actor, const Step& step) {
  Action action;
  action.target = {actor, static_cast<uint32_t>(width), ++serial_};
  action.ref = actor;
  action.store = kStore;
  pieces(addr, width, action, step);
}

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
