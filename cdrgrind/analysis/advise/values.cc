// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/advise/values.h"

#include <algorithm>
#include <string_view>

namespace cdr::advise {

using regions::MachineInsn;
using regions::Operand;

namespace {

constexpr size_t kMostLeaves = 16, kLongestText = 160;

std::string short_text(std::string text) { return text.size() > kLongestText ? std::string() : text; }

Value of_leaf(Leaf l) {
  Value v;
  v.leaves.push_back(std::move(l));
  return v;
}

Value unknown(std::string text = {}, std::vector<uint16_t> loads = {}) {
  return of_leaf({Leaf::Kind::kUnknown, 0, false, short_text(std::move(text)), std::move(loads)});
}

void add_loads(const Value& v, std::vector<uint16_t>& to) {
  for (const Leaf& l : v.leaves) {
    if (l.kind == Leaf::Kind::kLoad) to.push_back(l.ref);
    to.insert(to.end(), l.loads.begin(), l.loads.end());
  }
  std::sort(to.begin(), to.end());
  to.erase(std::unique(to.begin(), to.end()), to.end());
}

std::vector<uint16_t> loads_of(const Value& v) {
  std::vector<uint16_t> loads;
  add_loads(v, loads);
  return loads;
}

// One superblock, instruction after instruction; `before`: what it goes on with, or null.
class Evaluation {
 public:
  Evaluation(const Superblock& sb, regions::InsnTable& insns, const BlockValues* before, BlockValues& to)
      : sb_(sb), insns_(insns), to_(to) {
    for (uint16_t r = 0; r < 32; ++r)
      to_.registers[r] =
          before ? earlier(before->registers[r]) : of_leaf({Leaf::Kind::kEntry, r, false, "r" + std::to_string(r)});
    if (!before) return;
    to_.depth = static_cast<uint8_t>(before->depth + 1u);
    to_.stores = before->stores;
    for (PlacedStore& s : to_.stores) s.access = static_cast<uint16_t>(s.access + ValueTable::kEarlier);
  }

  void run() {
    size_t access = 0;
    for (uint16_t i = 0; i < sb_.insns.size(); ++i) {
      load_ = store_ = kNone;
      for (; access < sb_.accesses.size() && sb_.accesses[access].insn == i; ++access) {
        uint16_t& of = sb_.accesses[access].store() ? store_ : load_;
        if (of == kNone) of = static_cast<uint16_t>(access);
      }
      const MachineInsn& m = insns_.at({sb_.module, sb_.insn_addr(i)});
      note_stores(m, access, i);
      insn(m, i);
    }
  }

 private:
  static constexpr uint16_t kNone = 0xffff;
  static constexpr std::string_view kFixed = "@";

  static Value earlier(Value v) {
    for (Leaf& l : v.leaves) {
      if (l.kind == Leaf::Kind::kLoad) l.ref = static_cast<uint16_t>(l.ref + ValueTable::kEarlier);
      for (uint16_t& a : l.loads) a = static_cast<uint16_t>(a + ValueTable::kEarlier);
    }
    return v;
  }
  void note_stores(const MachineInsn& m, size_t end, uint16_t number) {
    for (size_t a = end; a > 0 && sb_.accesses[a - 1].insn == number; --a) {
      if (!sb_.accesses[a - 1].store()) continue;
      const bool named = a - 1 == store_ && m.known && m.operands[0].kind == Operand::Kind::kMemory;
      to_.stores.push_back({static_cast<uint16_t>(a - 1), named ? base_text(m.operands[0]) : std::string(),
                            m.operands[0].number, sb_.accesses[a - 1].width});
    }
  }

  std::string base_text(const Operand& o) const {
    std::string text;
    if (o.relative) return std::string(kFixed);
    for (const uint8_t r : {o.reg, o.index}) {
      if (r >= 32) continue;
      const std::string part = to_.registers[r].text();
      if (part.empty()) return {};
      text += (r == o.reg ? "" : "+" + std::to_string(o.scale) + "*") + part;
    }
    return text.empty() ? std::string(kFixed) : text;
  }
  std::string address_text(const Operand& o) const {
    std::string text = base_text(o);
    if (text == kFixed) return std::to_string(o.number);
    if (!text.empty() && o.number != 0) text += "+" + std::to_string(o.number);
    return text;
  }
  Value memory(const Operand& o, uint16_t access) {
    const std::string address = address_text(o);
    if (access == kNone) return unknown();
    to_.address[access] = address;
    auto& registers = to_.address_of[access];
    registers.clear();
    for (const uint8_t r : {o.reg, o.index})
      if (r < 32) registers.push_back(to_.registers[r]);
    if (address.empty()) return of_leaf({Leaf::Kind::kLoad, access, false, {}});
    const size_t stores = stores_before(access, o);
    const std::string version = stores == 0 ? "" : "@" + std::to_string(stores);
    return of_leaf({Leaf::Kind::kLoad, access, false, short_text("[" + address + "]" + version)});
  }
  // That may have changed what it loads.
  size_t stores_before(uint16_t load, const Operand& o) const {
    const std::string base = base_text(o);
    const Access& l = sb_.accesses[load];
    return static_cast<size_t>(std::count_if(to_.stores.begin(), to_.stores.end(), [&](const PlacedStore& s) {
      if (s.access < ValueTable::kEarlier) {
        if (s.access >= load) return false;
        const Access& own = sb_.accesses[s.access];
        if (own.slot == l.slot) return !are_apart(own.constant, own.width, l.constant, l.width);
      }
      return s.base.empty() || s.base != base || !are_apart(s.number, s.width, o.number, l.width);
    }));
  }
  static bool are_apart(int64_t a, uint32_t a_width, int64_t b, uint32_t b_width) {
    return a + a_width <= b || b + b_width <= a;
  }
  Value read(const Operand& o) {
    switch (o.kind) {
      case Operand::Kind::kRegister:
        return o.reg < 32 ? to_.registers[o.reg] : unknown();
      case Operand::Kind::kImmediate:
        return of_leaf({Leaf::Kind::kNumber, 0, false, std::to_string(o.number)});
      case Operand::Kind::kMemory:
        return memory(o, load_);
      default:
        return unknown();
    }
  }
  void write(const Operand& o, Value v, bool floating) {
    v.floating |= floating;
    if (o.kind == Operand::Kind::kRegister && o.reg < 32)
      to_.registers[o.reg] = std::move(v);
    else if (o.kind == Operand::Kind::kMemory && store_ != kNone) {
      to_.address[store_] = address_text(o);
      to_.stored[store_] = std::move(v);
    }
  }

  static Value combine(Operation operation, const Value& a, const Value& b, bool minus) {
    Value v;
    v.operation = operation;
    v.floating = a.floating || b.floating;
    for (const Value* from : {&a, &b}) {
      const bool flat = from->leaves.size() == 1 || (from->operation == operation && operation != Operation::kMoveIf);
      if (!flat || v.leaves.size() + from->leaves.size() > kMostLeaves) {
        Leaf l = unknown(from->text(), loads_of(*from)).leaves[0];
        l.negative = minus && from == &b;
        v.leaves.push_back(std::move(l));
        continue;
      }
      for (Leaf l : from->leaves) {
        l.negative ^= minus && from == &b;
        v.leaves.push_back(std::move(l));
      }
    }
    return v;
  }

  static Value scaled(unsigned by, const Value& v) {
    const std::string text = v.text();
    return unknown(text.empty() ? text : std::to_string(by) + "*" + text, loads_of(v));
  }
  Value lea(const Operand& o) const {
    if (o.relative) return of_leaf({Leaf::Kind::kNumber, 0, false, std::to_string(o.number)});
    Value v = o.reg < 32 ? to_.registers[o.reg] : of_leaf({Leaf::Kind::kNumber, 0, false, "0"});
    if (o.index < 32) {
      const Value& i = to_.registers[o.index];
      v = combine(Operation::kAdd, v, o.scale == 1 ? i : scaled(o.scale, i), false);
    }
    if (o.number != 0)
      v = combine(Operation::kAdd, v, of_leaf({Leaf::Kind::kNumber, 0, false, std::to_string(o.number)}), false);
    return v;
  }

  void insn(const MachineInsn& m, uint16_t number) {
    if (!m.known) return;
    const Operand& target = m.operands[0];
    switch (m.operation) {
      case Operation::kMove:
        if (m.operand_count < 2) return;  // cdqe
        return write(target, read(m.operands[1]), m.floating);
      case Operation::kAddress:
        return write(target, lea(m.operands[1]), false);
      case Operation::kCompare:
        to_.comparisons.push_back({number, read(target), read(m.operands[1])});
        return;
      case Operation::kMoveIf: {
        Value v = combine(Operation::kMoveIf, read(target), read(m.operands[1]), false);
        return write(target, std::move(v), false);
      }
      case Operation::kOther:
        return other(m);
      default:
        return arithmetic(m);
    }
  }
  void arithmetic(const MachineInsn& m) {
    if (m.operand_count < 2) return other(m);
    const bool minus = m.operation == Operation::kSub;
    const Operation operation = minus ? Operation::kAdd : m.operation;
    const bool three = m.operand_count == 3;
    const Value left = read(m.operands[three ? 1 : 0]);
    write(m.operands[0], combine(operation, left, read(m.operands[three ? 2 : 1]), minus), m.floating);
  }
  // Of an operation that is not looked into: its number, and what it works on.
  std::string operation_text(const MachineInsn& m) {
    std::string text = "f" + std::to_string(m.number) + "(";
    for (uint8_t i = 0; i < m.operand_count; ++i) {
      const std::string part = m.operands[i].kind == Operand::Kind::kMemory ? "" : read(m.operands[i]).text();
      if (part.empty()) return {};
      text += part + ",";
    }
    return text + ")";
  }
  void other(const MachineInsn& m) {
    const std::string text = operation_text(m);
    std::vector<uint16_t> loads;
    for (uint8_t r = 0; r < 32; ++r)
      if (m.reads >> r & 1) add_loads(to_.registers[r], loads);
    for (uint8_t i = 0; i < m.operand_count; ++i)
      if (m.operands[i].kind == Operand::Kind::kMemory) add_loads(memory(m.operands[i], load_), loads);
    for (uint8_t r = 0; r < 32; ++r)
      if (m.writes >> r & 1) to_.registers[r] = unknown(r == m.operands[0].reg ? text : std::string(), loads);
    if (m.operands[0].kind == Operand::Kind::kMemory && store_ != kNone)
      write(m.operands[0], unknown({}, std::move(loads)), false);
  }

  const Superblock& sb_;
  regions::InsnTable& insns_;
  BlockValues& to_;
  uint16_t load_ = kNone, store_ = kNone;  // of the instruction
};

}  // namespace

std::string_view sign_of(Operation o) {
  switch (o) {
    case Operation::kAdd:
      return "+";
    case Operation::kMul:
      return "*";
    case Operation::kAnd:
      return "&";
    case Operation::kOr:
      return "|";
    case Operation::kXor:
      return "^";
    case Operation::kMin:
      return "min";
    case Operation::kMax:
      return "max";
    default:
      return {};
  }
}

std::string Value::text() const {
  std::vector<std::string> parts;
  for (const Leaf& l : leaves) {
    if (l.text.empty()) return {};
    parts.push_back((l.negative ? "-" : "") + l.text);
  }
  if (parts.size() == 1) return parts[0];
  std::sort(parts.begin(), parts.end());
  const std::string_view sign = sign_of(operation);
  std::string text = "(";
  for (const std::string& p : parts) {
    if (text.size() > 1) text += sign.empty() ? "?" : sign;
    text += p;
  }
  return short_text(text + ")");
}

ValueTable::ValueTable(const BlockTable& blocks, regions::InsnTable& insns) : blocks_(blocks), insns_(insns) {
  std::unordered_map<uint64_t, uint32_t> ways;
  for (uint32_t id = 1; id <= blocks.superblock_count(); ++id) {
    const Superblock& sb = blocks.superblock(SuperblockId(id));
    for (const Exit& exit : sb.exits) {
      if (exit.target == 0) continue;
      ++ways[exit.target];
      if (&exit == &sb.exits.back() && exit.kind == ExitKind::kFallThrough) only_way_[exit.target] = SuperblockId(id);
    }
  }
  std::erase_if(only_way_, [&](const auto& w) { return ways[w.first] != 1; });
}

AccessId ValueTable::origin(SuperblockId sb, uint16_t access) {
  for (; access >= kEarlier; access = static_cast<uint16_t>(access - kEarlier)) sb = of(sb).before;
  return {sb, access};
}

bool ValueTable::same_place(AccessId a, AccessId b) {
  const Access& x = blocks_.superblock(a.first).accesses[a.second];
  const Access& y = blocks_.superblock(b.first).accesses[b.second];
  if (x.width != y.width) return false;
  const auto text = [&](AccessId of_access) {
    const auto& texts = of(of_access.first).address;
    const auto t = texts.find(of_access.second);
    return t == texts.end() ? std::string() : t->second;
  };
  if (const std::string t = text(a); !t.empty() && t == text(b)) return true;
  return a.first == b.first && x.slot == y.slot && x.constant == y.constant;
}

const BlockValues& ValueTable::of(SuperblockId id) {
  auto& known = known_[id.value];
  if (known) return *known;
  known = std::make_unique<BlockValues>();
  BlockValues& values = *known;
  const Superblock& sb = blocks_.superblock(id);
  const auto way = only_way_.find(sb.addr);
  const BlockValues* before = nullptr;
  if (way != only_way_.end() && way->second != id && !(sb.flags & kBlockFunctionEntry) &&
      blocks_.superblock(way->second).module == sb.module) {
    before = &of(way->second);
    if (before->depth < kMostBefore)
      values.before = way->second;
    else
      before = nullptr;
  }
  Evaluation(sb, insns_, before, values).run();
  return values;
}

}  // namespace cdr::advise
