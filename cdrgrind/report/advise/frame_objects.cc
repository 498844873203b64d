// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/frame_objects.h"

#include <algorithm>

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

 private:
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
  return object.is_computed() && !object.is_made_value();
}

}  // namespace cdr::report
