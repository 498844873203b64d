// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/advise/values.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace cdr::advise {

using regions::MachineInsn;
using regions::Operand;

namespace {

constexpr size_t kMostLeaves = 16, kLongestText = 1000;

std::string short_text(std::string text) { return text.size() > kLongestText ? std::string() : text; }

Value of_leaf(Leaf l) {
  Value v;
  v.leaves.push_back(std::move(l));
  return v;
}

// What a value is made of.
struct Sources {
  std::vector<uint16_t> loads;
  regions::RegisterSet entries = 0;
};

void add_sources(const Value& v, Sources& to) {
  for (const Leaf& l : v.leaves) {
    if (l.kind == Leaf::Kind::kLoad) to.loads.push_back(l.ref);
    to.loads.insert(to.loads.end(), l.loads.begin(), l.loads.end());
  }
  std::sort(to.loads.begin(), to.loads.end());
  to.loads.erase(std::unique(to.loads.begin(), to.loads.end()), to.loads.end());
  to.entries |= v.entries();
}

Sources sources_of(const Value& v) {
  Sources sources;
  add_sources(v, sources);
  return sources;
}

Value unknown(std::string text = {}, Sources sources = {}, bool whole = false) {
  return of_leaf(
      {Leaf::Kind::kUnknown, 0, false, short_text(std::move(text)), std::move(sources.loads), sources.entries, whole});
}

bool is_whole(const Value& v) {
  return !v.is_chosen() && std::all_of(v.leaves.begin(), v.leaves.end(),
                                       [](const Leaf& l) { return l.kind != Leaf::Kind::kUnknown || l.whole; });
}

Value constant(int64_t n) { return of_leaf({Leaf::Kind::kNumber, 0, false, std::to_string(n)}); }

Value entry(uint16_t reg) {
  return of_leaf({Leaf::Kind::kEntry, reg, false, "r" + std::to_string(reg), {}, regions::RegisterSet{1} << reg});
}

constexpr std::string_view kFixed = "@";
constexpr char kVersion = '#';

std::string with_number(std::string base, int64_t added) {
  if (base == kFixed) return std::to_string(added);
  if (!base.empty() && added != 0) base += "+" + std::to_string(added);
  return base;
}

// "r0" of (16 + r0).
std::string without_numbers(const Value& v, int64_t& added) {
  if (v.operation != Operation::kAdd) return v.text();
  Value rest = v;
  std::erase_if(rest.leaves, [&](const Leaf& l) {
    if (l.kind != Leaf::Kind::kNumber) return false;
    const int64_t n = std::strtoll(l.text.c_str(), nullptr, 10);
    added += l.negative ? -n : n;
    return true;
  });
  return rest.leaves.empty() ? std::string(kFixed) : rest.text();
}

// One superblock, instruction after instruction; `before`: what it goes on with, or null.
class Evaluation {
 public:
  Evaluation(const Superblock& sb, regions::InsnTable& insns, const BlockValues* before, BlockValues& to)
      : sb_(sb), insns_(insns), to_(to) {
    for (uint16_t r = 0; r < 32; ++r) to_.registers[r] = before ? earlier(before->registers[r]) : entry(r);
    if (!before) return;
    to_.depth = static_cast<uint8_t>(before->depth + 1u);
    to_.stores = before->stores;
    for (PlacedStore& s : to_.stores) s.access = static_cast<uint16_t>(s.access + ValueTable::kEarlier);
  }

  // Up to an instruction.
  void run(size_t end = ~size_t{0}) {
    size_t access = 0;
    for (uint16_t i = 0; i < std::min(end, sb_.insns.size()); ++i) {
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
      int64_t added = 0;
      const std::string base = named ? base_text(m.operands[0], added) : std::string();
      to_.stores.push_back({static_cast<uint16_t>(a - 1), base, added, sb_.accesses[a - 1].width});
    }
  }

  // An address without what is added to it, and that.
  std::string base_text(const Operand& o, int64_t& added) const {
    added = o.number;
    std::string text;
    if (o.relative) return std::string(kFixed);
    for (const uint8_t r : {o.reg, o.index}) {
      if (r >= 32) continue;
      const Value& v = to_.registers[r];
      const std::string part = r == o.reg ? without_numbers(v, added) : v.text();
      if (part.empty()) return {};
      text += (r == o.reg ? "" : "+" + std::to_string(o.scale) + "*") + part;
    }
    return text.empty() ? std::string(kFixed) : text;
  }
  std::string address_text(const Operand& o) const {
    int64_t added = 0;
    const std::string base = base_text(o, added);
    return with_number(base, added);
  }
  void note_address(const Operand& o, uint16_t access) {
    auto& registers = to_.address_of[access];
    registers.clear();
    for (const uint8_t r : {o.reg, o.index})
      if (r < 32) registers.push_back(to_.registers[r]);
  }
  Value memory(const Operand& o, uint16_t access) {
    const std::string address = address_text(o);
    if (access == kNone) return unknown();
    to_.address[access] = address;
    note_address(o, access);
    if (address.empty()) return of_leaf({Leaf::Kind::kLoad, access, false, {}});
    const size_t stores = stores_before(access, o);
    const std::string version = stores == 0 ? "" : kVersion + std::to_string(stores);
    return of_leaf({Leaf::Kind::kLoad, access, false, short_text("[" + address + "]" + version)});
  }
  // That may have changed what it loads.
  size_t stores_before(uint16_t load, const Operand& o) const {
    int64_t added = 0;
    const std::string base = base_text(o, added);
    const Access& l = sb_.accesses[load];
    return static_cast<size_t>(std::count_if(to_.stores.begin(), to_.stores.end(), [&](const PlacedStore& s) {
      if (s.access < ValueTable::kEarlier) {
        if (s.access >= load) return false;
        const Access& own = sb_.accesses[s.access];
        if (own.slot == l.slot) return !are_apart(own.constant, own.width, l.constant, l.width);
      }
      return s.base.empty() || s.base != base || !are_apart(s.number, s.width, added, l.width);
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
        return constant(o.number);
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
      note_address(o, store_);
      to_.stored[store_] = std::move(v);
    }
  }

  static Value combine(Operation operation, const Value& a, const Value& b, bool minus) {
    Value v;
    v.operation = operation;
    v.floating = a.floating || b.floating;
    for (const Value* from : {&a, &b}) {
      const bool flat = !from->of_truth &&
                        (from->leaves.size() == 1 || (from->operation == operation && operation != Operation::kMoveIf));
      if (!flat || v.leaves.size() + from->leaves.size() > kMostLeaves) {
        Leaf l = unknown(from->text(), sources_of(*from), is_whole(*from)).leaves[0];
        l.negative = minus && from == &b;
        v.leaves.push_back(std::move(l));
        continue;
      }
      for (Leaf l : from->leaves) {
        l.negative ^= minus && from == &b;
        l.subtracted |= minus && from == &b;
        v.leaves.push_back(std::move(l));
      }
    }
    return v;
  }

  static Value scaled(unsigned by, const Value& v) {
    const std::string text = v.text();
    return unknown(text.empty() ? text : std::to_string(by) + "*" + text, sources_of(v), is_whole(v));
  }
  Value lea(const Operand& o) const {
    if (o.relative) return constant(o.number);
    Value v = o.reg < 32 ? to_.registers[o.reg] : constant(0);
    if (o.index < 32) {
      const Value& i = to_.registers[o.index];
      v = combine(Operation::kAdd, v, o.scale == 1 ? i : scaled(o.scale, i), false);
    }
    if (o.number != 0) v = combine(Operation::kAdd, v, constant(o.number), false);
    return v;
  }

  void insn(const MachineInsn& m, uint16_t number) {
    if (!m.known || m.clears) flags_ = unknown();
    if (!m.known) return;
    const Operand& target = m.operands[0];
    if (m.clears && target.kind == Operand::Kind::kRegister && target.reg < regions::kFirstVector)
      return write(target, constant(0), false);
    switch (m.operation) {
      case Operation::kMove:
        if (m.operand_count < 2) return;  // cdqe
        return write(target, read(m.operands[1]), m.floating);
      case Operation::kAddress:
        return write(target, lea(m.operands[1]), false);
      case Operation::kCompare:
        to_.comparisons.push_back({number, read(target), read(m.operands[1])});
        flags_ = !m.equals && target == m.operands[1] ? read(target) : unknown();
        return;
      case Operation::kMoveIf: {
        if (m.by_equality) return other(m);
        Value v = combine(Operation::kMoveIf, read(target), read(m.operands[1]), false);
        return write(target, std::move(v), false);
      }
      case Operation::kOther:
        if (m.sets_if_not_zero && is_of_bits(flags_)) {
          Value v = flags_;
          v.of_truth = true;
          return write(target, std::move(v), false);
        }
        other(m);
        if (m.writes_flags) flags_ = unknown();
        return;
      default:
        if (!vector_step(m)) arithmetic(m);
        if (m.writes_flags) flags_ = target.kind == Operand::Kind::kRegister ? read(target) : unknown();
    }
  }
  // Of what is 0 or 1 it is that again: a `bool' is updated so.
  static bool is_of_bits(const Value& v) {
    return v.leaves.size() > 1 && (v.operation == Operation::kOr || v.operation == Operation::kAnd);
  }
  static std::shared_ptr<const VectorStep> step(VectorStep s) {
    return std::make_shared<const VectorStep>(std::move(s));
  }
  static bool is(const Value& v, VectorStep::Kind kind) { return v.step && v.step->kind == kind; }
  static bool are_equal(const Value& a, const Value& b) {
    const std::string text = a.text();
    return !text.empty() && text == b.text();
  }
  static bool compare_alike(const Value& a, const Value& b) {
    return a.step->by_order == b.step->by_order && are_equal(a.step->left, b.step->left) &&
           are_equal(a.step->right, b.step->right);
  }
  // The greater or the less if what is chosen is what was compared.
  static Value choice(const Value& where, const Value& other) {
    const VectorStep& w = *where.step;
    const VectorStep& e = *other.step;
    if (w.by_order && are_equal(w.kept, w.left) && are_equal(e.kept, w.right))
      return combine(Operation::kMax, w.kept, e.kept, false);
    if (w.by_order && are_equal(w.kept, w.right) && are_equal(e.kept, w.left))
      return combine(Operation::kMin, w.kept, e.kept, false);
    Sources sources = sources_of(w.left);
    add_sources(w.right, sources);
    Value v = combine(Operation::kMoveIf, w.kept, e.kept, false);
    v.leaves.push_back(unknown({}, std::move(sources)).leaves[0]);
    return v;
  }
  // What the two make together with the steps before them, if they are any.
  std::optional<Value> joined(Operation operation, const Value& a, const Value& b) const {
    using K = VectorStep::Kind;
    if (operation == Operation::kOr && is(a, K::kElse) && is(b, K::kWhere)) return joined(operation, b, a);
    if (operation == Operation::kOr && is(a, K::kWhere) && is(b, K::kElse) && compare_alike(a, b)) return choice(a, b);
    if (operation == Operation::kPair && is(a, K::kEvenProducts) && is(b, K::kOddProducts) && compare_alike(a, b))
      return combine(Operation::kMul, a.step->left, a.step->right, false);
    return std::nullopt;
  }
  static std::shared_ptr<const VectorStep> next_step(Operation operation, const Value& a, const Value& b) {
    using K = VectorStep::Kind;
    const auto is_mask = [](const Value& v) { return is(v, K::kGreater) || is(v, K::kEqual); };
    const auto kept = [&](K kind, const Value& mask, const Value& v) {
      return step({kind, mask.step->left, mask.step->right, v, is(mask, K::kGreater)});
    };
    switch (operation) {
      case Operation::kGreater:
        return step({K::kGreater, a, b, {}});
      case Operation::kEqual:
        return step({K::kEqual, a, b, {}});
      case Operation::kAnd:
        return is_mask(a) ? kept(K::kWhere, a, b) : is_mask(b) ? kept(K::kWhere, b, a) : nullptr;
      case Operation::kAndNot:
        return is_mask(a) ? kept(K::kElse, a, b) : nullptr;
      case Operation::kHighHalves:
        return are_equal(b, constant(32)) ? step({K::kHighHalves, {}, {}, a}) : nullptr;
      case Operation::kEvenProducts:
        return is(a, K::kHighHalves) && is(b, K::kHighHalves) ? step({K::kOddProducts, a.step->kept, b.step->kept, {}})
                                                              : step({K::kEvenProducts, a, b, {}});
      default:
        return nullptr;
    }
  }
  bool vector_step(const MachineInsn& m) {
    const bool three = m.operand_count == 3;
    const Operand& target = m.operands[0];
    if (m.operand_count < 2 || target.kind != Operand::Kind::kRegister || target.reg < regions::kFirstVector)
      return false;
    const Value a = read(m.operands[three ? 1 : 0]), b = read(m.operands[three ? 2 : 1]);
    if (auto v = joined(m.operation, a, b)) return write(m.operands[0], std::move(*v), false), true;
    const auto next = next_step(m.operation, a, b);
    if (!next && m.operation < Operation::kGreater) return false;
    Sources sources = sources_of(a);
    add_sources(b, sources);
    Value v = unknown(operation_text(m), std::move(sources));
    v.step = next;
    write(m.operands[0], std::move(v), false);
    return true;
  }
  void arithmetic(const MachineInsn& m) {
    if (m.operand_count < 2) return other(m);
    if (m.fused) return add_product(m);
    const bool minus = m.operation == Operation::kSub;
    const Operation operation = minus ? Operation::kAdd : m.operation;
    const bool three = m.operand_count == 3;
    const Value left = read(m.operands[three ? 1 : 0]);
    write(m.operands[0], combine(operation, left, read(m.operands[three ? 2 : 1]), minus), m.floating);
  }
  void add_product(const MachineInsn& m) {
    Sources sources;
    for (uint8_t i = 1; i < m.operand_count; ++i) add_sources(read(m.operands[i]), sources);
    write(m.operands[0], combine(Operation::kAdd, read(m.operands[0]), unknown({}, std::move(sources)), false),
          m.floating);
  }
  // Of an operation that is not looked into: its number, and what it works on.
  std::string operation_text(const MachineInsn& m) {
    std::string text = "f" + std::to_string(m.number) + "(";
    for (uint8_t i = 0; i < m.operand_count; ++i) {
      if (m.operands[i].kind == Operand::Kind::kMemory && i == 0) return {};
      const std::string part = read(m.operands[i]).text();
      if (part.empty()) return {};
      text += part + ",";
    }
    return text + ")";
  }
  void other(const MachineInsn& m) {
    const std::string text = operation_text(m);
    const std::shared_ptr<const VectorStep> same = shuffled(m);
    Sources sources;
    bool whole = !m.reads_flags && !text.empty();
    for (uint8_t r = 0; r < 32; ++r) {
      if (!(m.reads >> r & 1)) continue;
      add_sources(to_.registers[r], sources);
      whole &= is_whole(to_.registers[r]);
    }
    for (uint8_t i = 0; i < m.operand_count; ++i)
      if (m.operands[i].kind == Operand::Kind::kMemory) add_sources(memory(m.operands[i], load_), sources);
    for (uint8_t r = 0; r < 32; ++r) {
      if (!(m.writes >> r & 1)) continue;
      const bool is_target = r == m.operands[0].reg;
      to_.registers[r] = unknown(is_target ? text : std::string(), sources, whole && is_target);
      if (r == m.operands[0].reg) to_.registers[r].step = same;
    }
    if (m.operands[0].kind == Operand::Kind::kMemory && store_ != kNone)
      write(m.operands[0], unknown({}, std::move(sources)), false);
  }
  // Products that are only put next to each other are still those.
  std::shared_ptr<const VectorStep> shuffled(const MachineInsn& m) {
    if (!m.shuffles || m.operand_count < 2 || m.operands[1].kind != Operand::Kind::kRegister) return nullptr;
    const Value v = read(m.operands[1]);
    const bool products = is(v, VectorStep::Kind::kEvenProducts) || is(v, VectorStep::Kind::kOddProducts);
    return products ? v.step : nullptr;
  }

  const Superblock& sb_;
  regions::InsnTable& insns_;
  BlockValues& to_;
  uint16_t load_ = kNone, store_ = kNone;  // of the instruction
  Value flags_ = unknown();                // what the flags are of
};

}  // namespace

std::string_view sign_of(Operation o, bool logical) {
  if (logical && (o == Operation::kAnd || o == Operation::kOr)) return o == Operation::kAnd ? "&&" : "||";
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

std::string without_versions(const std::string& text) {
  std::string short_one;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != kVersion) {
      short_one += text[i];
      continue;
    }
    while (i + 1 < text.size() && text[i + 1] >= '0' && text[i + 1] <= '9') ++i;
  }
  return short_one;
}

std::string place_text(const Value& address) {
  int64_t added = 0;
  const std::string base = without_numbers(address, added);
  return with_number(base, added);
}

regions::RegisterSet Value::entries() const {
  regions::RegisterSet all = 0;
  for (const Leaf& l : leaves) all |= l.entries;
  return all;
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
      const bool jumps_on = exit.kind == ExitKind::kBranch && exit.target > exit_addr(sb, exit);
      if (&exit == &sb.exits.back() && (exit.kind == ExitKind::kFallThrough || jumps_on))
        only_way_[exit.target] = SuperblockId(id);
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
  static const std::string kNone;
  const auto text = [&](AccessId of_access) -> const std::string& {
    const auto& texts = of(of_access.first).address;
    const auto t = texts.find(of_access.second);
    return t == texts.end() ? kNone : t->second;
  };
  if (const std::string& t = text(a); !t.empty() && t == text(b)) return true;
  return a.first == b.first && x.slot == y.slot && x.constant == y.constant;
}

// Null if it begins anew.
const BlockValues* ValueTable::values_before(SuperblockId id, SuperblockId& before) {
  const Superblock& sb = blocks_.superblock(id);
  const auto way = only_way_.find(sb.addr);
  if (way == only_way_.end() || way->second == id || (sb.flags & kBlockFunctionEntry) ||
      blocks_.superblock(way->second).module != sb.module)
    return nullptr;
  const BlockValues& values = of(way->second);
  if (values.depth >= kMostBefore) return nullptr;
  before = way->second;
  return &values;
}

std::string ValueTable::stored_behind(SuperblockId before, AccessId store) {
  const Superblock &from = blocks_.superblock(before), &to = blocks_.superblock(store.first);
  const bool leads_there = std::any_of(from.exits.begin(), from.exits.end(), [&](const Exit& exit) {
    return exit.target == to.addr && exit.insns_executed() == from.exits.back().insns_executed();
  });
  if (!leads_there || of(before).depth >= kMostBefore) return {};
  BlockValues values;
  Evaluation(to, insns_, &of(before), values).run();
  const auto stored = values.stored.find(store.second);
  return stored == values.stored.end() ? std::string() : stored->second.text();
}

const BlockValues& ValueTable::of(SuperblockId id) {
  auto& known = known_[id.value];
  if (known) return *known;
  known = std::make_unique<BlockValues>();
  BlockValues& values = *known;
  const BlockValues* const before = values_before(id, values.before);
  Evaluation(blocks_.superblock(id), insns_, before, values).run();
  return values;
}

const std::array<Value, 32>& ValueTable::registers_before(SuperblockId id, uint16_t insn) {
  const Superblock& sb = blocks_.superblock(id);
  if (insn >= sb.insns.size()) return of(id).registers;
  auto& known = partial_[{id.value, insn}];
  if (!known) {
    known = std::make_unique<BlockValues>();
    const BlockValues* const before = values_before(id, known->before);
    Evaluation(sb, insns_, before, *known).run(insn);
  }
  return known->registers;
}

}  // namespace cdr::advise
