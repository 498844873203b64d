// SPDX-License-Identifier: GPL-2.0-or-later
// What loops make of truth values: old || x, old && x.
#include <algorithm>
#include <cstdlib>
#include <set>

#include "cdrgrind/analysis/advise/classes.h"
#include "cdrgrind/analysis/regions/register_flow.h"

namespace cdr::advise {

using regions::Kind;
using regions::Operand;
using regions::SiteIndex;

// Whether what is carried in memory is one place that something is compared with.
bool Classifier::may_be_truth(const Carrier& c) const {
  return c.one_place && std::any_of(c.rows.begin(), c.rows.end(), [&](uint32_t r) {
           const regions::Site& s = site(row(r).target);
           if (row(r).kind != Kind::kRaw || !s.is_access()) return false;
           const CodeAddr at{with_.blocks.superblock(s.superblock).module, with_.regions.contexts.ip_of(row(r).target)};
           return with_.values.insns().at(at).operation == Operation::kCompare;
         });
}

// All accesses are the loop's own, of the same bytes, and in one innermost loop.
bool Classifier::is_truth(LoopId loop, Carrier& c, const ObjectAccesses& accesses) const {
  if (!may_be_truth(c) || accesses.stores.empty()) return false;
  const auto& contexts = with_.regions.contexts;
  const auto width = static_cast<uint64_t>(c.highest + 1 - c.lowest);
  const LoopId innermost = with_.loops.innermost(loop, contexts.ip_of(*accesses.stores.begin()));
  const auto is_here = [&](SiteIndex s) {
    if (!site(s).is_access() || !is_own(c, s) || !with_.loops[loop].has(contexts.ip_of(s))) return false;
    return with_.loops.innermost(loop, contexts.ip_of(s)) == innermost &&
           with_.blocks.superblock(site(s).superblock).accesses[site(s).access].width == width;
  };
  TruthHome home;
  for (const auto& [sites, insns] : {std::pair(&accesses.stores, &home.stores), {&accesses.loads, &home.loads}})
    for (const SiteIndex s : *sites) {
      if (!is_here(s)) return false;
      insns->insert(contexts.ip_of(s));
    }
  return innermost && is_truth_in(innermost, home, c);
}

bool Classifier::register_truth(LoopId loop, Carrier& c) const {
  TruthHome home;
  home.reg = regions::register_of_chunk(static_cast<uint8_t>(c.object.id));
  const regions::Loop& l = with_.loops[loop];
  const bool is_general = home.reg < regions::kFirstVector && is_by_registers(c);
  const bool is_innermost = std::all_of(l.body.begin(), l.body.end(),
                                        [&](uint64_t addr) { return with_.loops.innermost(loop, addr) == loop; });
  return is_general && is_innermost && is_compared(l, home.reg) && is_truth_in(loop, home, c);
}

bool Classifier::is_truth_in(LoopId innermost, const TruthHome& home, Carrier& c) const {
  const regions::Loop& l = with_.loops[innermost];
  const Liveness& live = liveness_of(CodeAddr{l.header.module, l.function});
  const auto found = TruthFold(l, live, with_.values.insns()).of(home);
  if (!found) return false;
  if (!std::all_of(found->put_aside.begin(), found->put_aside.end(),
                   [&](uint64_t store) { return is_read_in_stretch(innermost, store, found->stretch); }))
    return false;
  c.operation = found->operation;
  c.logical = true;
  c.of_truth |= found->keeps_old;
  return true;
}

// Whether nothing of the function but instructions of the stretch names the place in the frame where one of these
// stores, and nothing has its address, or may have that of an object it is in.
bool Classifier::is_read_in_stretch(LoopId loop, uint64_t store, const std::set<uint64_t>& stretch) const {
  const regions::Loop& l = with_.loops[loop];
  const Operand to = insn_at(l, store).operands[0];
  if (to.reg != regions::kRegisterRbp) return false;
  const auto& code = code_of(l).addrs;
  return std::none_of(code.begin(), code.end(), [&](uint64_t addr) {
    const regions::MachineInsn& m = insn_at(l, addr);
    return std::any_of(m.operands.begin(), m.operands.end(), [&](const Operand& o) {
      if (o.kind != Operand::Kind::kMemory || o.reg != to.reg) return false;
      const bool is_near = o.number < to.number + 8 && to.number < o.number + 64;
      const bool has_object = m.operation == Operation::kAddress || o.index != regions::kNoRegister;
      const bool overlaps = o.number < to.number + to.bytes && to.number < o.number + std::max<int64_t>(o.bytes, 1);
      return has_object ? o.number <= to.number || is_near : overlaps && !stretch.contains(addr);
    });
  });
}

}  // namespace cdr::advise
