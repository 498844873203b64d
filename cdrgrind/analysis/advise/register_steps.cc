// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/advise/register_steps.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace cdr::advise {

using regions::kFirstVector;
using regions::MachineInsn;

RegisterSteps::RegisterSteps(const regions::Loop& loop, regions::InsnTable& insns, InsnSteps::WalkOfCall walk_of_call,
                             InsnSteps::Kept kept, InsnSteps::Loads loads, const std::map<Home, Step>& entry)
    : loop_(loop), insns_(loop, insns, std::move(walk_of_call), std::move(kept), {}, std::move(loads)) {
  run(entry);
}

// Ways on which two registers are equal are gone last, when all else is known of these.
void RegisterSteps::run(const std::map<Home, Step>& entry) {
  Steps& begin = before_[loop_.header.addr] = InsnSteps::at_begin().steps;
  for (const auto& [home, step] : entry)
    if (home < kFirstVector)
      begin[home] = step;
    else
      slots_[loop_.header.addr][insns_.place(home)] = step;
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
  slots_ = {};
  compared_ = {};
}

const Steps& RegisterSteps::before(uint64_t addr) const {
  static const Steps kNothing = [] {
    Steps s;
    s.fill(kUnknownStep);
    return s;
  }();
  const auto known = before_.find(addr);
  return known == before_.end() ? kNothing : known->second;
}

bool RegisterSteps::is_step(Home home) const {
  std::set<Home> seen;
  for (Home at = home; seen.insert(at).second;) {
    const Step s = at_end(at);
    if (s.kind != Step::Kind::kKnown) return false;
    if (s.base == kNoHome || s.base == at) return true;
    at = s.base;
  }
  return false;
}

bool RegisterSteps::is_step_of_chunk(uint8_t chunk) const {
  const Home home = insns_.home_of_chunk(chunk);
  return home != kNoHome && is_step(home);
}

bool RegisterSteps::reads_step(uint64_t addr) const {
  const std::vector<Home> homes = insns_.homes_read_by(addr);
  return std::any_of(homes.begin(), homes.end(), [&](Home h) { return is_step(h); });
}

bool RegisterSteps::leaves_step(uint64_t addr) const {
  const Home home = insns_.home_written_by(addr);
  return home != kNoHome && is_step(home);
}

bool RegisterSteps::holds_same(uint64_t addr, uint8_t reg) const {
  if (reg >= kFirstVector) return false;
  const Step& s = before(addr)[reg];
  return s.kind == Step::Kind::kKnown && (s.base == kNoHome || at_end(s.base) == Step{Step::Kind::kKnown, s.base, 0});
}

std::vector<Home> RegisterSteps::kept() const {
  std::vector<Home> kept;
  for (size_t h = 0; h < std::min<size_t>(kFirstVector + insns_.place_count(), kNoHome); ++h) {
    const auto home = static_cast<Home>(h);
    const bool is_written = home < kFirstVector ? !insns_.is_constant(home) : end_slots_.contains(insns_.place(home));
    const Step s = at_end(home);
    if (is_written && s.kind == Step::Kind::kKnown && s.base == home && s.amount == 0) kept.push_back(home);
  }
  return kept;
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
  if (next == loop_.header.addr) {
    join(end_, s.steps);
    if (std::exchange(has_end_, true))
      insns_.join(end_slots_, s.slots);
    else
      end_slots_ = s.slots;
    return;
  }
  const auto [known, is_new] = before_.try_emplace(next);
  Slots& slots = slots_[next];
  if (is_new) slots = s.slots;
  const bool steps_change = join(known->second, s.steps), slots_change = insns_.join(slots, s.slots);
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

}  // namespace cdr::advise
