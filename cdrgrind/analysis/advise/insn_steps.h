// SPDX-License-Identifier: GPL-2.0-or-later
// What one instruction makes of the registers: of each whether it holds another's value when the iteration began, or
// its own, plus an amount that the loop does not change, or what a walk leads to from there. A value may lie in the
// frame, in a place that the loop names by its distance from the stack pointer, or from RBP, or in a half of a vector
// register: for a while, or from iteration to iteration. Where the loop makes an address in the frame, too, or names it
// by RBP, the run tells which loads have read what such a store has left.
#ifndef CDRGRIND_ANALYSIS_ADVISE_INSN_STEPS_H
#define CDRGRIND_ANALYSIS_ADVISE_INSN_STEPS_H

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/advise/sorted_map.h"
#include "cdrgrind/analysis/regions/code_loops.h"
#include "cdrgrind/analysis/regions/library_names.h"
#include "cdrgrind/analysis/regions/machine_insn.h"

namespace cdr::advise {

// Where a value lies: a general register, by its number; from kFirstVector on the loop's places, as InsnSteps numbers
// them.
using Home = uint8_t;
constexpr Home kNoHome = regions::kNoRegister;

// A home's value: `base`'s when the iteration began, or nothing, plus an amount. Equal amounts have equal numbers.
// kWalked: what steps of a walk lead to from base's; equal steps have equal numbers.
struct Step {
  enum class Kind : uint8_t { kUnseen, kKnown, kWalked, kUnknown };
  Kind kind = Kind::kUnseen;
  Home base = kNoHome;
  uint64_t amount = 0;
  // kWalked: all that it follows from, and of these what it was loaded through.
  regions::RegisterSet from = 0, through = 0;
  bool chosen = false;  // one way has led to another value
  bool operator==(const Step&) const = default;
  bool is_known() const { return kind == Kind::kKnown || kind == Kind::kWalked; }
  // Registers from whose values, when the iteration began, it follows.
  regions::RegisterSet bases() const {
    return from | (base < regions::kFirstVector ? regions::RegisterSet{1} << base : 0);
  }
};
using Steps = std::array<Step, regions::kFirstVector>;
constexpr Step kUnknownStep{Step::Kind::kUnknown, regions::kNoRegister, 0};

class InsnSteps {
 public:
  // Of a call: how its result follows from its first argument.
  using WalkOfCall = std::function<regions::Walk(uint64_t)>;
  // By where a call returns to, registers that it is known to keep.
  using Kept = std::map<uint64_t, regions::RegisterSet>;
  // Of an instruction that loads 8 bytes: whether the loop does not change what it reads. Without one, what is loaded
  // is not known.
  using IsLink = std::function<bool(uint64_t)>;
  // What the run tells of an instruction of the loop: those that have stored what it has read there, and whether it
  // loads the same in every iteration, and whether it ran. And of one outside of the loop, whether it is of the same
  // function.
  struct Loads {
    std::function<std::vector<uint64_t>(uint64_t)> stores_read;
    std::function<bool(uint64_t)> is_same;
    std::function<bool(uint64_t)> has_run;
    std::function<bool(uint64_t)> is_of_function;
  };
  InsnSteps(const regions::Loop& loop, regions::InsnTable& insns, WalkOfCall walk_of_call, Kept kept, IsLink is_link,
            Loads loads);

  // The registers that were compared last, in a straight line.
  struct Compared {
    uint8_t left = regions::kNoRegister, right = regions::kNoRegister;
    bool operator==(const Compared&) const = default;
  };
  // By distance from where the stack pointer is at the header, and bytes; from kByFramePointer on by that from RBP,
  // from kVectors on halves of vector registers.
  using Place = std::pair<int64_t, uint8_t>;
  // What is known; places that are not there hold what they held at the header, or, if it is walks that are followed,
  // nothing that is known.
  using Slots = SortedMap<Place, Step>;
  struct State {
    Steps steps;
    Slots slots;
    Compared compared;
    int64_t moved = 0;         // the stack pointer, since the header
    Step loaded;               // what the instruction loads, if that is the same in every iteration
    bool reads_places = true;  // what it reads in a place was put there by the loop's instructions that name it
  };
  // Behind an instruction of the loop.
  State behind(uint64_t addr, const State& found) const;
  // Of ways that meet; whether that changes what is known.
  bool join(Slots& to, const Slots& from) const;
  Step at(const Slots& slots, Home place) const;
  // Of a chunk of the registers' state (register_flow.h); kNoHome: it has none.
  Home home_of_chunk(uint8_t chunk) const;
  // Of the place in the frame that an instruction reads, and of wider ones that begin there; none if the run shows
  // something else there.
  std::vector<Home> homes_read_by(uint64_t addr) const;
  // Of a store into the frame; kNoHome: it is none.
  Home home_written_by(uint64_t addr) const;
  size_t place_count() const { return places_.size(); }
  const Place& place(Home home) const { return places_[home - size_t{regions::kFirstVector}]; }
  // Of an instruction that loads the same in every iteration: an amount of its own, by the place, as far as the
  // registers before it tell that.
  Step loaded_same(uint64_t addr, const Steps& before) const;
  // Of what is loaded from there by an instruction of Capstone's number, and of a register that the loop does not
  // write.
  static uint64_t loaded_amount(const regions::Operand& from, uint32_t insn, uint64_t base, uint64_t index);
  static uint64_t constant_amount(uint8_t reg);
  const regions::MachineInsn& insn(uint64_t addr) const { return insns_.at({loop_.header.module, addr}); }
  // Whether no instruction of the loop writes it.
  bool is_constant(uint8_t reg) const { return !(written_ >> reg & 1); }
  static State at_begin();

 private:
  Step value(const State& s, const regions::Operand& o) const;
  Step sum(const State& s, const regions::Operand& a, const regions::Operand& b, bool minus) const;
  Step address(const State& s, const regions::Operand& o) const;
  Step loaded(const State& s, const regions::Operand& o) const;
  static Step next_place(const Step& from, regions::Walk by);
  void call(State& s, uint64_t addr) const;
  bool is_slot(const regions::Operand& o) const;
  static Place place_of(const regions::Operand& o, int64_t moved);
  static Place half(uint8_t vector, unsigned high);
  Home home_of(const Place& place) const;
  Step held(const State& s, const Place& place) const;
  Step read(const State& s, const Place& place) const;
  Step initial(const Place& place) const;
  void forget(State& s, int64_t begin, int64_t end) const;
  void find_places();
  void follow_vectors(State& s, uint64_t addr, const State& before) const;
  regions::RegisterSet changed_by(uint64_t call) const;
  std::optional<uint64_t> amount_of(const Steps& steps, uint8_t reg) const;
  void follow_stack();
  int64_t moved_at(uint64_t addr) const;
  bool reads_what_was_put_aside(uint64_t addr, const regions::MachineInsn& m) const;
  void store(State& s, const regions::MachineInsn& m, const State& before) const;

  const regions::Loop& loop_;
  regions::InsnTable& insns_;
  WalkOfCall walk_of_call_;
  Kept kept_;
  IsLink is_link_;
  regions::RegisterSet written_ = 0;  // by any instruction of the loop
  Loads loads_;
  bool has_slots_ = true;                        // by the stack pointer
  bool has_frame_slots_ = true;                  // by RBP
  bool has_addresses_ = false;                   // in the frame
  bool calls_ = false;                           // functions that may have addresses in the frame
  bool follows_ = false;                         // places from iteration to iteration
  std::vector<Place> places_;                    // sorted
  std::unordered_map<uint64_t, int64_t> moved_;  // by instruction: the stack pointer, if anything moves it
};

}  // namespace cdr::advise

#endif
