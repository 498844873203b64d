// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/frame_objects.h"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "cdrgrind/report/advise/pointed_access.h"

namespace cdr::report {
namespace {

using regions::Operand;

class FrameObject {
 public:
  FrameObject(const advise::Carrier& c, const advise::Advisor& with, symbols::Symbols& symbols)
      : carrier_(c), with_(with), contexts_(with.regions.contexts), symbols_(symbols) {}

  // An access in the loop's function goes to a place that is computed.
  bool is_computed() const {
    return std::any_of(carrier_.rows.begin(), carrier_.rows.end(), [&](uint32_t r) {
      const regions::CarriedRow& d = with_.regions.rows[r];
      return is_own(d, d.source) && (is_computed(d.source) || is_computed(d.target));
    });
  }

  // What unoptimised code puts there for a call that gets the place (`std::max(m, x + 1)'), or binds names to: it is
  // stored by its distance from RBP alone, in a function all of whose variables have places in the frame.
  bool is_made_value() const {
    return carrier_.carried_as == advise::Class::kPrivate &&
           std::all_of(carrier_.rows.begin(), carrier_.rows.end(), [&](uint32_t r) {
             const regions::CarriedRow& d = with_.regions.rows[r];
             const bool is_stored = (d.kind == regions::Kind::kWar || is_plain_store(d, d.source)) &&
                                    d.kind != regions::Kind::kRaw && is_plain_store(d, d.target);
             return is_stored && has_places(contexts_[d.context].function);
           });
  }

  // A temporary object of unoptimised code, which constructors and calls get the place of: the function takes it in
  // this loop alone, and has no variable there.
  bool is_temporary() const {
    if (carrier_.carried_as != advise::Class::kPrivate || carrier_.rows.empty()) return false;
    const regions::Loop& loop = with_.loops[with_.regions.rows[carrier_.rows[0]].loop];
    const CodeAddr function{loop.header.module, loop.function};
    if (!has_places(function)) return false;
    const std::vector<uint64_t> code = with_.loops.code_of(function).addrs;
    const std::optional<int64_t> base = frame_pointer(function.module, code);
    if (!base) return false;
    std::optional<int64_t> begin;
    bool in_loop = false;
    for (const uint64_t addr : code) {
      const regions::MachineInsn& m = with_.values.insns().at({function.module, addr});
      const Operand& place = m.operands[1];
      if (m.operation != regions::Operation::kAddress || place.reg != regions::kRegisterRbp) continue;
      if (place.index != regions::kNoRegister) return false;
      const int64_t at = place.number + *base;
      if (at > carrier_.lowest || (begin && at < *begin)) continue;
      in_loop = loop.has(addr) && (in_loop || at != begin);
      begin = at;
    }
    return in_loop && !has_variable(function, *begin, carrier_.highest);
  }

 private:
  // Where RBP points in a function that begins by making it so, from the canonical frame address on.
  std::optional<int64_t> frame_pointer(ModuleId module, std::span<const uint64_t> code) const {
    constexpr size_t kFirst = 4;  // of its instructions: it may begin by a landing pad
    constexpr int64_t kSavedBelow = -16;
    for (const uint64_t addr : code.first(std::min(kFirst, code.size()))) {
      const regions::MachineInsn& m = with_.values.insns().at({module, addr});
      if (m.operation == regions::Operation::kMove && m.operands[0].kind == Operand::Kind::kRegister &&
          m.operands[0].reg == regions::kRegisterRbp && m.operands[1].kind == Operand::Kind::kRegister &&
          m.operands[1].reg == regions::kRegisterRsp)
        return kSavedBelow;
    }
    return std::nullopt;
  }
  bool has_variable(CodeAddr function, int64_t lowest, int64_t highest) const {
    const auto locals = symbols_.locals_of(function.module.value, function.addr);
    return std::any_of(locals.begin(), locals.end(), [&](const symbols::LocalName& n) {
      const auto size = static_cast<int64_t>(std::max<uint64_t>(n.size, 1));
      return n.offset <= highest && lowest < n.offset + size;
    });
  }
  bool is_own(const regions::CarriedRow& d, regions::SiteIndex s) const {
    return contexts_[d.context].function == contexts_[contexts_.site(s).context].function;
  }
  const regions::MachineInsn* insn_of(regions::SiteIndex s) const {
    const regions::Site& site = contexts_.site(s);
    if (!site.is_access() || contexts_.repeats_insn(s)) return nullptr;
    return &insn_of_access(with_, site.superblock, site.access);
  }
  bool is_computed(regions::SiteIndex s) const {
    const regions::MachineInsn* const m = insn_of(s);
    return m && std::any_of(m->operands.begin(), m->operands.end(), [](const Operand& o) {
             return o.kind == Operand::Kind::kMemory && (o.index != regions::kNoRegister || !o.is_in_frame());
           });
  }
  bool is_plain_store(const regions::CarriedRow& d, regions::SiteIndex s) const {
    const regions::MachineInsn* const m = is_own(d, s) ? insn_of(s) : nullptr;
    return m && std::all_of(m->operands.begin(), m->operands.end(), [](const Operand& o) {
             return o.kind != Operand::Kind::kMemory ||
                    (o.reg == regions::kRegisterRbp && o.index == regions::kNoRegister);
           });
  }
  bool has_places(CodeAddr function) const {
    const auto locals = symbols_.locals_of(function.module.value, function.addr);
    return !locals.empty() && std::all_of(locals.begin(), locals.end(), [](const symbols::LocalName& n) {
      return n.reg == symbols::LocalName::kInFrame;
    });
  }

  const advise::Carrier& carrier_;
  const advise::Advisor& with_;
  const regions::Contexts& contexts_;
  symbols::Symbols& symbols_;
};

}  // namespace

bool is_array_of_frame(const advise::Carrier& c, const advise::Advisor& with, symbols::Symbols& symbols) {
  const FrameObject object(c, with, symbols);
  return object.is_computed() && !object.is_made_value() && !object.is_temporary();
}

}  // namespace cdr::report
