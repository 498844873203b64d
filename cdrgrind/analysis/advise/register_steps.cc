// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/advise/register_steps.h"

#include <utility>
#include <vector>

namespace cdr::advise {

using regions::kFirstVector;
using regions::MachineInsn;

RegisterSteps::RegisterSteps(const regions::Loop& loop, regions::InsnTable& insns, InsnSteps::WalkOfCall walk_of_call,
                             InsnSteps::Kept kept, InsnSteps::Loads loads, const std::map<uint8_t, Step>& entry)
    : loop_(loop), insns_(loop, insns, std::move(walk_of_call), std::move(kept), {}, std::move(loads)) {
  run(entry);
}

// Ways on which two registers are equal are gone last, when all else is known of these.
void RegisterSteps::run(const std::map<uint8_t, Step>& entry) {
  Steps& begin = before_[loop_.header.addr] = InsnSteps::at_begin().steps;
  for (const auto& [reg, step] : entry) begin[reg] = step;
  std::vector<uint64_t> open = {loop_.header.addr}, late;
  while (!open.empty() || !late.empty()) {
    const bool equal = open.empty();
    auto& from = equal ? late : open;
    const uint64_t addr = from.back();
    from.pop_back();
    const State now = insns_.behind(addr, {before_[addr], slots_[addr], compared_[addr], 0, {}});
    for (const uint64_t next : loop_.successors(addr)) {
      if (!is_equal_way(addr, next, now))
        go(next, now, open);
      else if (!equal)
        late.push_back(addr);
      else
        go_equal(next, now, open);
    }
  }
}

bool RegisterSteps::is_equal_way(uint64_t addr, uint64_t next, const State& s) const {
  const MachineInsn& m = insns_.insn(addr);
  return m.equal_target != 0 && (next == m.equal_target) == m.jumps_if_equal && s.compared.left < kFirstVector &&
         s.compared.right < kFirstVector;
}

// What is known of one of the two is known of the other.
void RegisterSteps::go_equal(uint64_t next, State s, std::vector<uint64_t>& open) {
  Step& a = s.steps[s.compared.left];
  Step& b = s.steps[s.compared.right];
  if (a.kind == Step::Kind::kUnknown)
    a = b;
  else if (b.kind == Step::Kind::kUnknown)
    b = a;
  go(next, s, open);
}

void RegisterSteps::go(uint64_t next, const State& s, std::vector<uint64_t>& open) {
  if (next == loop_.header.addr) return void(join(end_, s.steps));
  const auto [known, is_new] = before_.try_emplace(next);
  Slots& slots = slots_[next];
  if (is_new) slots = s.slots;
  const bool steps_change = join(known->second, s.steps), slots_change = join(slots, s.slots);
  if (!steps_change && !slots_change && !is_new) return;
  Compared& compared = compared_[next];
  compared = is_new || compared == s.compared ? s.compared : Compared();
  open.push_back(next);
}

bool RegisterSteps::join(Steps& to, const Steps& from) {
  bool changes = false;
  for (uint8_t r = 0; r < kFirstVector; ++r) {
    if (to[r] == from[r] || from[r].kind == Step::Kind::kUnseen) continue;
    const Step joined = to[r].kind == Step::Kind::kUnseen ? from[r] : kUnknownStep;
    if (joined == to[r]) continue;
    to[r] = joined;
    changes = true;
  }
  return changes;
}

// What is not known of both is known of none.
bool RegisterSteps::join(Slots& to, const Slots& from) {
  return std::erase_if(to, [&](const auto& slot) {
           const auto other = from.find(slot.first);
           return other == from.end() || !(other->second == slot.second);
         }) > 0;
}

}  // namespace cdr::advise
