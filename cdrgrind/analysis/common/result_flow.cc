// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/common/result_flow.h"

#include <capstone/capstone.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string_view>

#include "cdrgrind/analysis/common/capstone_decoder.h"

namespace cdr::analysis {

namespace {

constexpr size_t kMostInstructions = 400;
constexpr size_t kMostPlaces = 200;
constexpr uint8_t kResult = 0, kFramePointer = 5, kFirstArgument = 7;  // rax, rbp, rdi
constexpr uint32_t kLostByCalls =
    1u << 0 | 1u << 1 | 1u << 2 | 1u << 6 | 1u << 7 | 0xf00;  // rax rcx rdx rsi rdi r8-r11

// A 64-bit register; nothing of others.
std::optional<uint8_t> whole_register(unsigned reg) {
  constexpr unsigned kRegisters[16] = {X86_REG_RAX, X86_REG_RCX, X86_REG_RDX, X86_REG_RBX, X86_REG_RSP, X86_REG_RBP,
                                       X86_REG_RSI, X86_REG_RDI, X86_REG_R8,  X86_REG_R9,  X86_REG_R10, X86_REG_R11,
                                       X86_REG_R12, X86_REG_R13, X86_REG_R14, X86_REG_R15};
  for (uint8_t i = 0; i < 16; ++i)
    if (kRegisters[i] == reg) return i;
  return std::nullopt;
}

// Whatever part of it is meant.
std::optional<uint8_t> register_with(size_t handle, unsigned reg) {
  if (const auto whole = whole_register(reg)) return whole;
  const char* const name = cs_reg_name(handle, reg);
  if (!name) return std::nullopt;
  const std::string_view text = name;
  constexpr std::string_view kParts[8][4] = {
      {"eax", "ax", "al", "ah"}, {"ecx", "cx", "cl", "ch"}, {"edx", "dx", "dl", "dh"}, {"ebx", "bx", "bl", "bh"},
      {"esp", "sp", "spl", ""},  {"ebp", "bp", "bpl", ""},  {"esi", "si", "sil", ""},  {"edi", "di", "dil", ""}};
  for (uint8_t i = 0; i < 8; ++i)
    for (const std::string_view part : kParts[i])
      if (part == text) return i;
  if (text.size() < 3 || text[0] != 'r') return std::nullopt;
  unsigned number = 0;
  for (size_t i = 1; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i) number = number * 10 + (text[i] - '0');
  return number >= 8 && number < 16 ? std::optional(static_cast<uint8_t>(number)) : std::nullopt;
}

struct State {
  uint64_t at = 0;
  uint32_t registers = 0;      // that have it, a bit each
  std::vector<int64_t> frame;  // places that have it, from the frame pointer
  // Where registers have what they hold from, as a place: kRegister, kFrame, kFixed or kBehind.
  std::array<std::optional<ResultPlace>, 16> from = {};
  bool nowhere() const { return registers == 0 && frame.empty(); }
};

class Follower {
 public:
  explicit Follower(const ResultCode& code) : code_(code) {}

  std::vector<ResultPlace> run(uint64_t call) {
    const cs_insn* insn = decode(call);
    if (!insn || insn->id != X86_INS_CALL) return {};
    const uint64_t next = call + insn->size;
    State before;
    find_registers(call, before);
    lose_by_call(before);
    before.at = next;
    before.registers = 1u << kResult;
    left_.push_back(std::move(before));
    while (!left_.empty() && found_.size() < kMostPlaces) {
      State s = std::move(left_.back());
      left_.pop_back();
      follow(std::move(s));
    }
    return std::move(found_);
  }

 private:
  const cs_insn* decode(uint64_t addr) {
    return capstone_.decode_from([&](uint32_t size) { return code_.bytes(addr, size); }, addr);
  }
  static void lose_by_call(State& s) {
    s.registers &= ~kLostByCalls;
    for (uint8_t r = 0; r < 16; ++r)
      if (kLostByCalls >> r & 1) s.from[r].reset();
  }

  // Where registers have what they hold at the call from, by the code before it: as far as nothing jumps to between.
  void find_registers(uint64_t call, State& s) {
    if (code_.entry == 0 || code_.entry > call) return;
    std::set<uint64_t> targets;
    if (!find_targets(targets)) return;
    for (s.at = code_.entry; s.at < call;) {
      const cs_insn* const insn = decode(s.at);
      if (!insn) break;
      if (targets.contains(s.at)) s.from = {};
      const uint64_t next = s.at + insn->size;
      if (insn->id == X86_INS_CALL)
        lose_by_call(s);
      else if (insn->id == X86_INS_JMP || is_in(*insn, X86_GRP_RET))
        s.from = {};
      else
        change(*insn, next, s);
      s.at = next;
    }
    if (s.at != call) s.from = {};
  }
  // Of the function's jumps. False if some are not known.
  bool find_targets(std::set<uint64_t>& to) {
    constexpr size_t kMost = 4000;  // instructions
    size_t n = 0;
    for (uint64_t at = code_.entry; code_.in_function(at);) {
      const cs_insn* const insn = ++n <= kMost ? decode(at) : nullptr;
      if (!insn) return false;
      if (is_in(*insn, X86_GRP_JUMP)) {
        const cs_x86_op& target = insn->detail->x86.operands[0];
        if (target.type != X86_OP_IMM) return false;
        to.insert(static_cast<uint64_t>(target.imm));
      }
      at += insn->size;
    }
    return true;
  }
  void note(const ResultPlace& place) {
    if (std::find(found_.begin(), found_.end(), place) == found_.end()) found_.push_back(place);
  }

  void follow(State s) {
    while (!s.nowhere() && seen_.size() < kMostInstructions && code_.in_function(s.at) && seen_.insert(s.at).second) {
      for (uint8_t r = 0; r < 16; ++r)
        if (s.registers >> r & 1) note({ResultPlace::Kind::kRegister, s.at, r, 0, 0});
      const cs_insn* const insn = decode(s.at);
      if (!insn || !step(*insn, s)) return;
    }
  }
  // False where the way ends.
  bool step(const cs_insn& insn, State& s) {
    const cs_x86& x = insn.detail->x86;
    const uint64_t next = s.at + insn.size;
    const auto target = [&]() -> std::optional<uint64_t> {
      if (x.op_count != 1 || x.operands[0].type != X86_OP_IMM) return std::nullopt;
      return static_cast<uint64_t>(x.operands[0].imm);
    };
    if (insn.id == X86_INS_CALL) {
      if (s.registers >> kFirstArgument & 1)
        if (const auto callee = target()) note({ResultPlace::Kind::kArgument, s.at, 0, 0, *callee});
      lose_by_call(s);
    } else if (is_in(insn, X86_GRP_RET)) {
      if (s.registers >> kResult & 1) note({ResultPlace::Kind::kReturned, s.at, 0, 0, 0});
      return false;
    } else if (is_in(insn, X86_GRP_JUMP)) {
      const auto to = target();
      if (to && insn.id != X86_INS_JMP) left_.push_back({*to, s.registers, s.frame, s.from});
      if (insn.id != X86_INS_JMP) return s.at = next, true;
      if (!to) return false;
      return s.at = *to, true;
    } else {
      change(insn, next, s);
    }
    s.at = next;
    return true;
  }
  // By an instruction that goes on to the next one.
  void change(const cs_insn& insn, uint64_t next, State& s) {
    const cs_x86& x = insn.detail->x86;
    if (insn.id == X86_INS_MOV && x.op_count == 2 && x.operands[0].size == 8)
      move(x, next, s);
    else
      lose_what_is_written(insn, s);
  }
  bool is_in(const cs_insn& insn, uint8_t group) const { return cs_insn_group(capstone_.handle(), &insn, group); }

  static std::optional<int64_t> frame_place(const cs_x86_op& op) {
    if (op.type != X86_OP_MEM || op.mem.base != X86_REG_RBP || op.mem.index != X86_REG_INVALID) return std::nullopt;
    if (op.mem.segment != X86_REG_INVALID) return std::nullopt;
    return op.mem.disp;
  }
  static ResultPlace behind(ResultPlace pointer, int64_t step) {
    if (pointer.kind != ResultPlace::Kind::kBehind) pointer.first = pointer.kind;
    pointer.kind = ResultPlace::Kind::kBehind;
    pointer.steps.push_back(step);
    return pointer;
  }
  // Of what a register holds that: the place from which it was loaded, if that is known.
  static std::optional<ResultPlace> place_of(const cs_x86_op& op, uint64_t next, const State& s) {
    using Kind = ResultPlace::Kind;
    constexpr size_t kMostSteps = 4;
    const auto in_register = [&](uint8_t r) {
      return s.from[r] ? *s.from[r] : ResultPlace{Kind::kRegister, s.at, r, 0, 0};
    };
    if (op.type == X86_OP_REG) {
      const auto reg = whole_register(op.reg);
      return reg ? std::optional(in_register(*reg)) : std::nullopt;
    }
    if (op.type != X86_OP_MEM || op.mem.index != X86_REG_INVALID || op.mem.segment != X86_REG_INVALID)
      return std::nullopt;
    if (op.mem.base == X86_REG_RIP)
      return ResultPlace{Kind::kFixed, s.at, 0, 0, next + static_cast<uint64_t>(op.mem.disp)};
    if (op.mem.base == X86_REG_RBP) return ResultPlace{Kind::kFrame, s.at, 0, op.mem.disp, 0};
    const auto base = whole_register(op.mem.base);
    if (!base || op.mem.base == X86_REG_RSP) return std::nullopt;
    const ResultPlace pointer = in_register(*base);
    return pointer.steps.size() < kMostSteps ? std::optional(behind(pointer, op.mem.disp)) : std::nullopt;
  }
  void move(const cs_x86& x, uint64_t next, State& s) {
    const cs_x86_op &to = x.operands[0], &from = x.operands[1];
    bool has = false;
    if (from.type == X86_OP_REG) {
      const auto reg = whole_register(from.reg);
      has = reg && s.registers >> *reg & 1;
    } else if (const auto place = frame_place(from)) {
      has = std::find(s.frame.begin(), s.frame.end(), *place) != s.frame.end();
    }
    if (to.type == X86_OP_REG) {
      if (const auto reg = whole_register(to.reg)) {
        s.registers = has ? s.registers | 1u << *reg : s.registers & ~(1u << *reg);
        s.from[*reg] = place_of(from, next, s);
      }
      return;
    }
    if (has && to.mem.base == X86_REG_RBP && to.mem.index == X86_REG_INVALID)  // as any register
      note(behind({ResultPlace::Kind::kRegister, s.at, kFramePointer, 0, 0}, to.mem.disp));
    if (has && to.mem.base != X86_REG_RIP)
      if (const auto place = place_of(to, next, s); place && place->kind == ResultPlace::Kind::kBehind) note(*place);
    if (const auto place = frame_place(to)) {
      std::erase(s.frame, *place);
      if (has) s.frame.push_back(*place);
      if (has) note({ResultPlace::Kind::kFrame, s.at, 0, *place, 0});
    } else if (has && to.mem.base == X86_REG_RIP && to.mem.index == X86_REG_INVALID) {
      note({ResultPlace::Kind::kFixed, s.at, 0, 0, next + static_cast<uint64_t>(to.mem.disp)});
    } else if (has && to.mem.base == X86_REG_INVALID && to.mem.index == X86_REG_INVALID &&
               to.mem.segment == X86_REG_INVALID) {
      note({ResultPlace::Kind::kFixed, s.at, 0, 0, static_cast<uint64_t>(to.mem.disp)});
    }
  }
  void lose_what_is_written(const cs_insn& insn, State& s) const {
    cs_regs read, written;
    uint8_t reads = 0, writes = 0;
    if (cs_regs_access(capstone_.handle(), &insn, read, &reads, written, &writes) != CS_ERR_OK) {
      s.registers = 0;
      s.frame.clear();
      s.from = {};
      return;
    }
    for (uint8_t i = 0; i < writes; ++i)
      if (const auto reg = register_with(capstone_.handle(), written[i])) {
        s.registers &= ~(1u << *reg);
        s.from[*reg].reset();
      }
    const cs_x86& x = insn.detail->x86;
    for (uint8_t i = 0; i < x.op_count; ++i) {
      if (!(x.operands[i].access & CS_AC_WRITE)) continue;
      const auto place = frame_place(x.operands[i]);
      if (!place) continue;
      std::erase_if(s.frame, [&](int64_t f) { return f < *place + x.operands[i].size && *place < f + 8; });
    }
    // The frame pointer is another's.
    if (insn.id == X86_INS_LEAVE || (insn.id == X86_INS_POP && x.operands[0].reg == X86_REG_RBP)) s.frame.clear();
  }

  const ResultCode& code_;
  CapstoneDecoder capstone_{CapstoneDecoder::Details::kYes};
  std::vector<State> left_;
  std::set<uint64_t> seen_;
  std::vector<ResultPlace> found_;
};

}  // namespace

std::vector<ResultPlace> places_of_result(const ResultCode& code, uint64_t call) { return Follower(code).run(call); }

}  // namespace cdr::analysis
