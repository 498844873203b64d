// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/advise/insn_steps.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "cdrgrind/analysis/regions/register_flow.h"
#include "cdrgrind/base/checksum.h"

namespace cdr::advise {

using regions::kFirstVector;
using regions::MachineInsn;
using regions::Operand;
using regions::Operation;

namespace {

Step number(int64_t n) { return {Step::Kind::kKnown, regions::kNoRegister, static_cast<uint64_t>(n)}; }

constexpr int64_t kByFramePointer = int64_t{1} << 40, kVectors = int64_t{1} << 41;
constexpr int64_t kHalf = 8;             // bytes of a vector register
constexpr size_t kMostPlaces = 200'000;  // times the instructions: so many are looked at

bool is_vector(const Operand& o) { return o.kind == Operand::Kind::kRegister && o.reg >= kFirstVector && o.reg < 32; }

}  // namespace

InsnSteps::InsnSteps(const regions::Loop& loop, regions::InsnTable& insns, WalkOfCall walk_of_call, Kept kept,
                     IsLink is_link, Loads loads)
    : loop_(loop),
      insns_(insns),
      walk_of_call_(std::move(walk_of_call)),
      kept_(std::move(kept)),
      is_link_(std::move(is_link)),
      loads_(std::move(loads)) {
  bool moves_stack = false;
  for (const uint64_t addr : loop.body) {
    const MachineInsn& m = insn(addr);
    written_ |= m.known ? m.writes : ~regions::RegisterSet{0};
    if (m.calls) written_ |= ~regions::kKeptByCalls;
    const auto names_frame = [&](const Operand& o) {
      const bool by_rsp = o.kind == Operand::Kind::kMemory && o.reg == regions::kRegisterRsp;
      return by_rsp && (o.index != regions::kNoRegister || m.operation == Operation::kAddress);
    };
    moves_stack |= m.moves_stack;
    calls_ |= m.calls && loads_.has_run;
    has_slots_ &= m.known && (!m.moves_stack || m.stack_step != 0);
    has_addresses_ |= std::any_of(m.operands.begin(), m.operands.end(), names_frame);
  }
  has_slots_ &= !has_addresses_ || loads_.stores_read;
  if (has_slots_ && moves_stack) follow_stack();
  const auto names_slot = [&](uint64_t addr) {
    const auto& operands = insn(addr).operands;
    return std::any_of(operands.begin(), operands.end(),
                       [&](const Operand& o) { return o.reg == regions::kRegisterRbp && is_slot(o); });
  };
  has_frame_slots_ = loads_.is_of_function && is_constant(regions::kRegisterRbp) &&
                     std::any_of(loop.body.begin(), loop.body.end(), names_slot);
  if (loads_.is_of_function) find_places();
}

void InsnSteps::find_places() {
  for (const uint64_t addr : loop_.body) {
    const MachineInsn& m = insn(addr);
    for (const Operand& o : m.operands) {
      if (!is_slot(o)) continue;
      const Place p = place_of(o, moved_at(addr));
      if (m.moves < 2 * kHalf)
        places_.push_back(p);
      else
        places_.insert(places_.end(), {{p.first, kHalf}, {p.first + kHalf, kHalf}});
    }
    const regions::RegisterSet written = m.writes | (m.calls ? changed_by(addr) : 0);
    for (uint8_t v = kFirstVector; v < 32; ++v)
      if (written >> v & 1) places_.insert(places_.end(), {half(v, 0), half(v, 1)});
  }
  std::sort(places_.begin(), places_.end());
  places_.erase(std::unique(places_.begin(), places_.end()), places_.end());
  follows_ = places_.size() * loop_.body.size() <= kMostPlaces;
  if (!follows_) places_.clear();
}

InsnSteps::Place InsnSteps::place_of(const Operand& o, int64_t moved) {
  return {o.number + (o.reg == regions::kRegisterRsp ? moved : kByFramePointer), o.bytes};
}

InsnSteps::Place InsnSteps::half(uint8_t vector, unsigned high) {
  return {kVectors + kHalf * (2 * (vector - kFirstVector) + int64_t{high}), static_cast<uint8_t>(kHalf)};
}

Home InsnSteps::home_of(const Place& place) const {
  const auto at = std::lower_bound(places_.begin(), places_.end(), place);
  const auto number = static_cast<size_t>(at - places_.begin()) + kFirstVector;
  return at == places_.end() || *at != place || number >= kNoHome ? kNoHome : static_cast<Home>(number);
}

Home InsnSteps::home_of_chunk(uint8_t chunk) const {
  if (chunk < kFirstVector) return chunk;
  const uint8_t reg = regions::register_of_chunk(chunk);
  const unsigned part = reg == regions::kNoRegister ? 2 : chunk - unsigned{regions::chunk_of(reg)};
  return part < 2 ? home_of(half(reg, part)) : kNoHome;
}

std::vector<Home> InsnSteps::homes_read_by(uint64_t addr) const {
  std::vector<Home> homes;
  const MachineInsn& m = insn(addr);
  const auto slot = std::find_if(m.operands.begin(), m.operands.end(), [&](const Operand& o) { return is_slot(o); });
  if (slot == m.operands.end() || !reads_what_was_put_aside(addr, m)) return homes;
  const Place place = place_of(*slot, moved_at(addr));
  for (auto p = std::lower_bound(places_.begin(), places_.end(), place); p != places_.end() && p->first == place.first;
       ++p)
    if (const Home home = home_of(*p); home != kNoHome) homes.push_back(home);
  return homes;
}

Home InsnSteps::home_written_by(uint64_t addr) const {
  const MachineInsn& m = insn(addr);
  const Operand& to = m.operands[0];
  return is_slot(to) && m.operation != Operation::kCompare && !m.moves_stack ? home_of(place_of(to, moved_at(addr)))
                                                                             : kNoHome;
}

Step InsnSteps::initial(const Place& place) const {
  const Home home = home_of(place);
  return home == kNoHome ? kUnknownStep : Step{Step::Kind::kKnown, home, 0};
}

Step InsnSteps::held(const State& s, const Place& place) const {
  const auto known = s.slots.find(place);
  return known == s.slots.end() ? initial(place) : known->second;
}

// What is there, or the first bytes of what lies there in a wider place.
Step InsnSteps::read(const State& s, const Place& place) const {
  if (const auto known = s.slots.find(place); known != s.slots.end() && known->second.is_known()) return known->second;
  for (auto p = std::upper_bound(places_.begin(), places_.end(), place); p != places_.end() && p->first == place.first;
       ++p)
    if (const Step wider = held(s, *p); wider.is_known()) return wider;
  return held(s, place);
}

Step InsnSteps::at(const Slots& slots, Home home) const {
  const auto known = slots.find(place(home));
  return known == slots.end() ? initial(place(home)) : known->second;
}

// Of what overlaps with these bytes.
void InsnSteps::forget(State& s, int64_t begin, int64_t end) const {
  const auto overlaps = [&](const Place& p) { return p.first < end && begin < p.first + p.second; };
  if (!follows_) return s.slots.erase_if([&](const auto& slot) { return overlaps(slot.first); });
  const auto first = std::lower_bound(places_.begin(), places_.end(), Place{begin - 2 * kHalf, uint8_t{0}});
  for (auto p = first; p != places_.end() && p->first < end; ++p)
    if (overlaps(*p)) s.slots[*p] = kUnknownStep;
}

// Where they differ nothing is known.
bool InsnSteps::join(Slots& to, const Slots& from) const {
  bool changes = false;
  auto other = from.begin();
  for (auto& [p, step] : to) {
    while (other != from.end() && other->first < p) ++other;
    const bool has_other = other != from.end() && other->first == p;
    if (step == kUnknownStep || step == (has_other ? other->second : initial(p))) continue;
    step = kUnknownStep;
    changes = true;
  }
  for (const auto& [p, step] : from) {
    if (to.contains(p) || step == initial(p)) continue;
    to[p] = kUnknownStep;
    changes = true;
  }
  return changes;
}

void InsnSteps::follow_stack() {
  moved_[loop_.header.addr] = 0;
  for (std::vector<uint64_t> open = {loop_.header.addr}; !open.empty();) {
    const uint64_t addr = open.back();
    open.pop_back();
    const int64_t behind = moved_.at(addr) + insn(addr).stack_step;
    for (const uint64_t next : loop_.successors(addr)) {
      const auto [known, is_new] = moved_.try_emplace(next, behind);
      if (is_new) open.push_back(next);
      has_slots_ &= known->second == behind;
    }
  }
}

int64_t InsnSteps::moved_at(uint64_t addr) const {
  const auto moved = moved_.find(addr);
  return moved == moved_.end() ? 0 : moved->second;
}

// Whether all that it has read there was stored by the loop's instructions that name the same place, or before the
// loop. Of what never ran the code tells, if nobody else can have the place's address, but for functions that are
// called.
bool InsnSteps::reads_what_was_put_aside(uint64_t addr, const MachineInsn& m) const {
  const auto slot = std::find_if(m.operands.begin(), m.operands.end(), [&](const Operand& o) { return is_slot(o); });
  if (slot == m.operands.end()) return true;
  const bool is_named_only = !has_addresses_ && !has_frame_slots_;
  if (is_named_only && !(calls_ && loads_.has_run(addr))) return true;
  const Place place = place_of(*slot, moved_at(addr));
  const std::vector<uint64_t> stores = loads_.stores_read(addr);
  return !stores.empty() && std::all_of(stores.begin(), stores.end(), [&](uint64_t store) {
    if (!loop_.has(store)) return follows_ && loads_.is_of_function(store);
    const Operand& to = insn(store).operands[0];
    const Place stored = place_of(to, moved_at(store));
    return is_slot(to) && stored.first == place.first && stored.second >= place.second;
  });
}

InsnSteps::State InsnSteps::at_begin() {
  State s;
  for (uint8_t r = 0; r < kFirstVector; ++r) s.steps[r] = {Step::Kind::kKnown, r, 0};
  return s;
}

bool InsnSteps::is_slot(const Operand& o) const {
  if (o.kind != Operand::Kind::kMemory || o.index != regions::kNoRegister) return false;
  return (o.reg == regions::kRegisterRsp && has_slots_) || (o.reg == regions::kRegisterRbp && has_frame_slots_);
}

void InsnSteps::store(State& s, const MachineInsn& m, const State& before) const {
  const Operand& to = m.operands[0];
  const auto [begin, bytes] = place_of(to, before.moved);
  forget(s, begin, begin + bytes);
  if (m.operand_count != 2) return;
  const Operand& from = m.operands[1];
  const auto put = [&](const Place& p, const Step& v) {
    if (v.is_known() && (!follows_ || home_of(p) != kNoHome)) s.slots[p] = v;
  };
  if (m.moves > 0 && follows_) {
    put({begin, std::min<uint8_t>(m.moves, kHalf)}, held(before, half(from.reg, 0)));
    if (m.moves >= 2 * kHalf) put({begin + kHalf, kHalf}, held(before, half(from.reg, 1)));
  } else if (m.operation == Operation::kMove) {
    put({begin, bytes}, value(before, from));
  } else if (m.operation == Operation::kAdd || m.operation == Operation::kSub) {
    put({begin, bytes}, sum(before, to, from, m.operation == Operation::kSub));
  }
}

// What the instruction makes of the halves of vector registers.
void InsnSteps::follow_vectors(State& s, uint64_t addr, const State& before) const {
  const MachineInsn& m = insn(addr);
  const regions::RegisterSet written = m.writes | (m.calls ? changed_by(addr) : 0);
  for (uint8_t v = kFirstVector; v < 32; ++v)
    if (written >> v & 1)
      for (const unsigned high : {0u, 1u})
        if (home_of(half(v, high)) != kNoHome) s.slots[half(v, high)] = m.clears ? number(0) : kUnknownStep;
  const Operand &to = m.operands[0], &from = m.operands[1];
  if (!is_vector(to) || m.operation != Operation::kMove) return;
  const auto put = [&](unsigned high, const Step& v) {
    if (v.is_known()) s.slots[half(to.reg, high)] = v;
  };
  if (m.copies) {
    put(0, is_vector(from) ? held(before, half(from.reg, 0)) : value(before, from));
    put(1, is_vector(from) ? held(before, half(from.reg, 1)) : number(0));
  } else if (m.moves >= 2 * kHalf && is_slot(from) && before.reads_places) {
    const int64_t begin = place_of(from, before.moved).first;
    put(0, held(before, {begin, kHalf}));
    put(1, held(before, {begin + kHalf, kHalf}));
  } else if (m.moves > 0) {
    put(0, value(before, from));
    if (m.moves < 2 * kHalf) put(1, number(0));
  }
}

Step InsnSteps::value(const State& s, const Operand& o) const {
  if (o.kind == Operand::Kind::kImmediate) return number(o.number);
  if (o.kind == Operand::Kind::kMemory && s.loaded.is_known()) return s.loaded;
  if (is_slot(o) && s.reads_places) return read(s, place_of(o, s.moved));
  if (o.kind != Operand::Kind::kRegister || o.reg >= kFirstVector) return kUnknownStep;
  // What the loop does not write is an amount of its own.
  if (is_constant(o.reg)) return {Step::Kind::kKnown, kNoHome, constant_amount(o.reg)};
  return s.steps[o.reg];
}

uint64_t InsnSteps::constant_amount(uint8_t reg) { return mix64(0x5eed + reg); }

uint64_t InsnSteps::loaded_amount(const Operand& from, uint32_t insn, uint64_t base, uint64_t index) {
  const uint64_t what = uint64_t{insn} << 16 | uint64_t{from.scale} << 8 | from.bytes;
  return mix64(mix64(mix64(mix64(static_cast<uint64_t>(from.number)) + base) + index) + what);
}

// Nothing, if it is not the same in every iteration.
std::optional<uint64_t> InsnSteps::amount_of(const Steps& steps, uint8_t reg) const {
  if (reg == regions::kNoRegister) return 0;
  if (is_constant(reg)) return constant_amount(reg);
  if (reg >= kFirstVector || steps[reg].kind != Step::Kind::kKnown || steps[reg].base != kNoHome) return std::nullopt;
  return steps[reg].amount;
}

// By the instruction where nothing tells the place.
Step InsnSteps::loaded_same(uint64_t addr, const Steps& before) const {
  const MachineInsn& m = insn(addr);
  const auto operand = std::find_if(m.operands.begin(), m.operands.end(),
                                    [](const Operand& o) { return o.kind == Operand::Kind::kMemory; });
  if (operand == m.operands.end()) return {};
  Operand from = *operand;
  if (from.reg == regions::kRegisterRsp) from.number += moved_at(addr);
  const auto base = amount_of(before, from.reg), index = amount_of(before, from.index);
  const uint64_t amount = base && index ? loaded_amount(from, m.number, *base, *index) : mix64(addr + 0x10ad);
  return number(static_cast<int64_t>(amount));
}

Step InsnSteps::sum(const State& s, const Operand& a, const Operand& b, bool minus) const {
  const Step x = value(s, a), y = value(s, b);
  const bool is_number = y.kind == Step::Kind::kKnown && y.base == regions::kNoRegister;
  if (is_link_ && x.kind == Step::Kind::kWalked && is_number) {
    Step moved = x;
    moved.amount = minus ? x.amount - y.amount : x.amount + y.amount;
    return moved;
  }
  if (x.kind != Step::Kind::kKnown || y.kind != Step::Kind::kKnown) return kUnknownStep;
  if (y.base != regions::kNoRegister && (minus || x.base != regions::kNoRegister)) return kUnknownStep;
  return {Step::Kind::kKnown, x.base != regions::kNoRegister ? x.base : y.base,
          minus ? x.amount - y.amount : x.amount + y.amount};
}

Step InsnSteps::address(const State& s, const Operand& o) const {
  if (o.relative) return number(o.number);
  Operand base, index;
  base.kind = index.kind = Operand::Kind::kRegister;
  base.reg = o.reg;
  index.reg = o.index;
  Step v = o.reg == regions::kNoRegister ? number(0) : value(s, base);
  if (o.index != regions::kNoRegister) {
    Step i = value(s, index);
    if (i.kind != Step::Kind::kKnown || v.kind != Step::Kind::kKnown) return kUnknownStep;
    if (i.base != regions::kNoRegister && (v.base != regions::kNoRegister || o.scale != 1)) return kUnknownStep;
    v = {Step::Kind::kKnown, v.base != regions::kNoRegister ? v.base : i.base, v.amount + o.scale * i.amount};
  }
  v.amount += static_cast<uint64_t>(o.number);
  return v;
}

// What is there, if the loop does not change it.
Step InsnSteps::loaded(const State& s, const Operand& o) const {
  const Step place = address(s, o);
  if (!place.is_known()) return kUnknownStep;
  const uint64_t amount = mix64(place.amount + 0x10ad);
  if (place.bases() == 0) return {Step::Kind::kKnown, regions::kNoRegister, amount};
  return {Step::Kind::kWalked, regions::kNoRegister, amount, place.bases(), place.bases(), place.chosen};
}

Step InsnSteps::next_place(const Step& from, regions::Walk by) {
  const bool is_old = from.kind == Step::Kind::kKnown && from.base < kFirstVector && from.amount == 0;
  if (by == regions::Walk::kNone || by == regions::Walk::kByDistance || (!is_old && from.kind != Step::Kind::kWalked))
    return kUnknownStep;
  return {Step::Kind::kWalked, from.base, mix64(from.amount + static_cast<uint64_t>(by)), from.bases(), from.bases()};
}

void InsnSteps::call(State& s, uint64_t addr) const {
  const regions::Walk walk = walk_of_call_(addr);
  const Step place = s.steps[regions::kRegisterRdi];
  const Step result = walk == regions::Walk::kStays ? place : next_place(place, walk);
  const regions::RegisterSet changed = changed_by(addr);
  for (uint8_t r = 0; r < kFirstVector; ++r)
    if (changed >> r & 1) s.steps[r] = kUnknownStep;
  if (result.is_known() || (changed >> regions::kRegisterRax & 1)) s.steps[regions::kRegisterRax] = result;
}

regions::RegisterSet InsnSteps::changed_by(uint64_t call) const {
  regions::RegisterSet changed = ~regions::kKeptByCalls;
  for (const uint64_t next : loop_.successors(call))
    if (const auto kept = kept_.find(next); kept != kept_.end()) changed &= ~kept->second;
  return changed;
}

InsnSteps::State InsnSteps::behind(uint64_t addr, const State& found) const {
  const MachineInsn& m = insn(addr);
  State s = found, before = found;
  before.moved = moved_at(addr);
  before.reads_places = reads_what_was_put_aside(addr, m);
  if (loads_.is_same && loads_.is_same(addr)) before.loaded = loaded_same(addr, before.steps);
  if (!m.known) {
    s.steps.fill(kUnknownStep);
    forget(s, std::numeric_limits<int64_t>::min() / 2, std::numeric_limits<int64_t>::max());
    return s;
  }
  const Operand& target = m.operands[0];
  if (is_slot(target) && m.operation != Operation::kCompare && !m.moves_stack) store(s, m, before);
  if (m.stack_step < 0)  // what lay below the stack pointer is lost
    forget(s, std::numeric_limits<int64_t>::min() / 2, before.moved);
  if (follows_) follow_vectors(s, addr, before);
  Step v = kUnknownStep;
  const Operand& source = m.operands[1];
  const bool moves = m.operation == Operation::kMove && m.operand_count == 2 && m.whole;
  if (moves && is_link_ && source.kind == Operand::Kind::kMemory && source.bytes == 8 && !is_slot(source))
    v = is_link_(addr) ? loaded(before, source) : kUnknownStep;
  else if (moves)
    v = value(before, source);
  else if (m.operation == Operation::kAddress)
    v = address(before, m.operands[1]);
  else if ((m.operation == Operation::kAdd || m.operation == Operation::kSub) && m.operand_count == 2)
    v = sum(before, target, m.operands[1], m.operation == Operation::kSub);
  else if (m.clears)
    v = number(0);
  for (uint8_t r = 0; r < kFirstVector; ++r)
    if (m.writes >> r & 1) s.steps[r] = target.kind == Operand::Kind::kRegister && target.reg == r ? v : kUnknownStep;
  if (m.calls) call(s, addr);
  if (m.calls && is_link_) s.slots.clear();  // what is called may have their addresses
  if (m.operation == Operation::kCompare && m.equals) {
    s.compared = {target.kind == Operand::Kind::kRegister ? target.reg : regions::kNoRegister,
                  m.operands[1].kind == Operand::Kind::kRegister ? m.operands[1].reg : regions::kNoRegister};
  } else if (s.compared.left < 32 && ((m.writes >> s.compared.left | m.writes >> (s.compared.right & 31)) & 1)) {
    s.compared = {};
  } else if (m.writes_flags) {
    s.compared = {};
  }
  return s;
}

}  // namespace cdr::advise
