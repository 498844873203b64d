// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/advise/truth_fold.h"

#include <algorithm>

#include "cdrgrind/analysis/slice/control_dependence.h"

namespace cdr::advise {

using regions::MachineInsn;
using regions::Operand;
using regions::Operation;
using regions::RegisterSet;

namespace {

bool equals_number(const Operand& o, int64_t n) { return o.kind == Operand::Kind::kImmediate && o.number == n; }
bool names_register(const Operand& o) { return o.kind == Operand::Kind::kRegister && o.reg < 32; }
bool names_memory(const Operand& o) { return o.kind == Operand::Kind::kMemory; }
bool is_frame_place(const Operand& o) { return o.is_in_frame() && o.index == regions::kNoRegister && !o.relative; }
bool reads_byte(const MachineInsn& m, uint8_t operand) {
  const Operand& o = m.operands[operand];
  return names_register(o) ? (m.low_reads >> o.reg & 1) != 0 : o.bytes == 1;
}
// `sete al` and its like.
bool sets_by_flags(const MachineInsn& m) {
  return m.operation == Operation::kOther && m.operand_count == 1 && m.reads_flags && !m.writes_flags &&
         m.operands[0].bytes <= 1;
}

}  // namespace

std::optional<TruthFold::Found> TruthFold::of(const TruthHome& home) {
  home_ = &home;
  std::set<uint64_t> insns = home.loads;
  insns.insert(home.stores.begin(), home.stores.end());
  for (const uint64_t addr : home.reg == regions::kNoRegister ? std::vector<uint64_t>() : loop_.body) {
    const MachineInsn& m = insn_at(addr);
    if (!m.known || m.calls) return std::nullopt;
    if ((m.reads | m.writes | m.low_writes) >> home.reg & 1) insns.insert(addr);
  }
  if (loop_.irregular || loop_.weak || loop_.is_threaded() || !find_stretch(insns)) return std::nullopt;
  Way first;
  first.at = begin_;
  if (home.reg != regions::kNoRegister) first.registers[home.reg] = {Value::kOld};
  size_t ways = 1;
  std::vector<Way> open{first};
  while (!open.empty()) {
    Way w = std::move(open.back());
    open.pop_back();
    for (size_t length = 0;; ++length) {
      if (length > kLongestWay || ways + ends_.size() > kMostWays) return std::nullopt;
      if (w.at == end_) {
        ends_.push_back({w.known, home.reg == regions::kNoRegister ? w.object : w.registers[home.reg]});
        break;
      }
      seen_.insert(w.at);
      if (!pass(w)) return std::nullopt;
      const size_t others = open.size();
      if (!go_on(w, open) || open.size() == others) return std::nullopt;
      ways += open.size() - others - 1;
      w = std::move(open.back());
      open.pop_back();
    }
  }
  for (const uint64_t addr : insns)
    if (!seen_.contains(addr)) return std::nullopt;
  return leaves_others_alone() ? joined() : std::nullopt;
}

// From the nearest instruction by which each way to those comes, to before the nearest one to which each way from them
// comes.
bool TruthFold::find_stretch(const std::set<uint64_t>& insns) {
  const auto count = static_cast<uint32_t>(loop_.body.size());
  if (insns.empty() || count > kLongestLoop) return false;
  const auto place = [&](uint64_t addr) {
    return static_cast<uint32_t>(std::lower_bound(loop_.body.begin(), loop_.body.end(), addr) - loop_.body.begin());
  };
  std::vector<std::vector<uint32_t>> next(count);  // `count`: where the iteration ends
  slice::FlowGraph backwards(count);
  backwards.add_edge(place(loop_.header.addr) + 1, 0);
  for (uint32_t p = 0; p < count; ++p) {
    for (const uint64_t to : loop_.next[p]) {
      const bool ends = to == loop_.header.addr;
      next[p].push_back(ends ? count : place(to));
      if (!ends) backwards.add_edge(place(to) + 1, p + 1);
    }
    const bool leaves = std::binary_search(loop_.exits_at.begin(), loop_.exits_at.end(), loop_.body[p]);
    if (leaves || next[p].empty()) next[p].push_back(count);
  }
  std::vector<uint32_t> nodes;
  for (const uint64_t addr : insns) nodes.push_back(place(addr) + 1);
  const uint32_t from = slice::common_postdominator(backwards.immediate_postdominators(), nodes);
  const auto forwards = slice::FlowGraph::of_places(next).immediate_postdominators();
  const uint32_t to = slice::common_postdominator(forwards, nodes);
  if (from == 0 || to == 0) return false;
  uint32_t last = to - 1;
  if (insns.contains(loop_.body[last])) {
    if (next[last].size() != 1 || next[last][0] == count) return false;
    last = next[last][0];
  }
  begin_ = loop_.body[from - 1];
  end_ = loop_.body[last];
  for (uint32_t p = 0; p < count; ++p)
    if (next[p].size() == 1 && next[p][0] == last) last_ = loop_.body[p];
  return begin_ != end_ && last_ != 0;
}

bool TruthFold::is_old(const MachineInsn& m, const Way& w) const {
  if (home_->loads.contains(w.at) && w.object.value == Value::kOld) return true;
  return std::any_of(w.registers.begin(), w.registers.end(),
                     [&](const auto& r) { return r.second.value == Value::kOld && (m.reads >> r.first & 1); });
}

std::optional<TruthFold::Value> TruthFold::read(const MachineInsn& m, uint8_t operand, const Way& w) const {
  const Operand& o = m.operands[operand];
  if (o.kind == Operand::Kind::kImmediate)
    return o.number == 0 ? Value::kZero : o.number == 1 ? Value::kOne : Value::kOther;
  if (names_register(o)) {
    const auto r = w.registers.find(o.reg);
    if (r == w.registers.end()) return Value::kOther;
    return r->second.in_byte && !reads_byte(m, operand) ? Value::kOther : r->second.value;
  }
  if (!names_memory(o)) return std::nullopt;
  if (home_->loads.contains(w.at)) return w.object.value;
  const auto p = is_frame_place(o) ? w.places.find({o.reg, o.number}) : w.places.end();
  return p == w.places.end() || o.bytes != 1 ? Value::kOther : p->second;
}

bool TruthFold::write(const MachineInsn& m, Value v, Way& w) {
  const Operand& to = m.operands[0];
  if (names_register(to)) {
    Held& held = w.registers[to.reg];
    const bool is_part = !m.whole, was_zero = held.value == Value::kZero && !held.in_byte;
    const bool old_was_zero = held.value == Value::kOld && w.known == Known::kZero;
    if (is_part && (v == Value::kOld || !(m.low_writes >> to.reg & 1))) return false;
    held = {v, is_part && !was_zero && !old_was_zero};
    written_ |= RegisterSet{1} << to.reg;
    return true;
  }
  if (!names_memory(to)) return false;
  if (home_->stores.contains(w.at)) {
    w.object = {v, false};
    return true;
  }
  if (!is_frame_place(to) || v == Value::kOld) return false;
  std::erase_if(w.places, [&](const auto& p) {
    constexpr int64_t kWidest = 64;
    return p.first.second > to.number - kWidest && p.first.second < to.number + kWidest;
  });
  if (to.bytes == 1) w.places[{to.reg, to.number}] = v;
  put_aside_.insert(w.at);
  return true;
}

// Only with 0.
bool TruthFold::compare(const MachineInsn& m, Way& w) {
  w.tests_old = is_old(m, w);
  if (!w.tests_old) return true;
  const Operand &left = m.operands[0], &right = m.operands[1];
  const bool with_itself = !m.equals && left == right && names_register(left);
  const bool is_zero_test = (m.equals && equals_number(right, 0)) || with_itself;
  if (!is_zero_test || m.operand_count != 2 || read(m, 0, w) != Value::kOld) {
    // Clang asks for the lowest bit of what is 0 or 1.
    const bool is_bit_test = !m.equals && equals_number(right, 1) && reads_byte(m, 0) && read(m, 0, w) == Value::kOld;
    if (!is_bit_test || m.operand_count != 2) return false;
  }
  by_byte_ &= reads_byte(m, 0);
  return true;
}

// What the instruction makes of it all. False if it does anything else with the old value, or more.
bool TruthFold::pass(Way& w) {
  const MachineInsn& m = insn_at(w.at);
  if (!m.known || m.calls || m.moves_stack) return false;
  const bool is_object = home_->loads.contains(w.at) || home_->stores.contains(w.at);
  if (m.operation == Operation::kCompare) return compare(m, w);
  const bool jumps = m.reads_flags && m.operand_count == 1 && m.operands[0].kind == Operand::Kind::kImmediate;
  if (jumps) return !w.tests_old || m.equal_target != 0;
  if (m.reads_flags && w.tests_old) return false;
  if (m.writes_flags) w.tests_old = false;
  if (m.clears && names_register(m.operands[0])) return write(m, Value::kZero, w);
  if (sets_by_flags(m)) return write(m, Value::kTruth, w);
  if (m.operation == Operation::kMove && m.operand_count == 2) {
    const auto v = read(m, 1, w);
    // The old value is no address.
    if (!v || (is_old(m, w) && *v != Value::kOld)) return false;
    return write(m, *v, w);
  }
  if (m.operation == Operation::kAnd && m.operand_count == 2 && equals_number(m.operands[1], 1)) {
    const auto v = read(m, 0, w);
    if (!v || *v == Value::kOld) return false;
    return write(m, *v == Value::kOther ? Value::kTruth : *v, w);
  }
  if (is_object || is_old(m, w)) return false;
  for (uint8_t i = 0; i < m.operand_count; ++i)
    if (names_memory(m.operands[i]) && (i == 0 || m.operation == Operation::kOther) && !is_frame_place(m.operands[i]))
      return false;
  for (uint8_t r = 0; r < 32; ++r)
    if (m.writes >> r & 1) w.registers[r] = {};
  written_ |= m.writes;
  return m.operand_count == 0 || !names_memory(m.operands[0]) || write(m, Value::kOther, w);
}

// By a test of the old value only where it may lead.
bool TruthFold::go_on(const Way& w, std::vector<Way>& open) {
  const MachineInsn& m = insn_at(w.at);
  if (std::binary_search(loop_.exits_at.begin(), loop_.exits_at.end(), w.at)) return false;
  const bool decides = w.tests_old && m.equal_target != 0;
  for (const uint64_t next : loop_.successors(w.at)) {
    if (next == loop_.header.addr && next != end_) return false;
    Way on = w;
    on.at = next;
    if (decides) {
      const bool is_zero = (next == m.equal_target) == m.jumps_if_equal;
      const Known known = is_zero ? Known::kZero : Known::kNotZero;
      if (w.known != Known::kNothing && w.known != known) continue;
      on.known = known;
    }
    open.push_back(std::move(on));
  }
  return !decides || loop_.successors(w.at).size() == 2;
}

// Whether no register but the object's is read behind the stretch as that has left it.
bool TruthFold::leaves_others_alone() const {
  RegisterSet others = written_;
  if (home_->reg != regions::kNoRegister) others &= ~(RegisterSet{1} << home_->reg);
  return !(others & live_.behind(last_));
}

// old || x: where the old value is not 0 it leaves 1; of x that is 0 or 1. old && x: where it is 0 it leaves 0.
std::optional<TruthFold::Found> TruthFold::joined() const {
  bool is_or = true, is_and = true, keeps_old = false, by_zero = false, by_other = false;
  for (const End& e : ends_) {
    Value v = e.object.value;
    if (v == Value::kOther || (e.object.in_byte && !by_byte_)) return std::nullopt;
    if (e.known == Known::kZero && v == Value::kOld) v = Value::kZero;
    is_or &= e.known == Known::kZero || v == Value::kOne || v == Value::kOld;
    is_and &= e.known == Known::kNotZero || v == Value::kZero || v == Value::kOld;
    keeps_old |= v == Value::kOld;
    by_zero |= e.known == Known::kZero;
    by_other |= e.known == Known::kNotZero;
  }
  if (is_or == is_and || !by_zero || !by_other) return std::nullopt;
  Found found;
  found.operation = is_or ? Operation::kOr : Operation::kAnd;
  found.keeps_old = keeps_old || by_byte_;
  found.stretch = seen_;
  found.put_aside.assign(put_aside_.begin(), put_aside_.end());
  return found;
}

}  // namespace cdr::advise
