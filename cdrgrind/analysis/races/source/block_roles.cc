// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/source/block_roles.h"

#include <algorithm>
#include <bit>

#include "cdrgrind/analysis/races/policy/told_atomic.h"
#include "cdrgrind/analysis/walk/stream_runs.h"

namespace cdr::races {

using analysis::Progression;
using analysis::StreamRuns;

namespace {

// Where accesses order: what atomic instructions touch, flags of spin loops, guards of local variables.
AddressRanges ordering_bytes(const FirstPass& first_pass) {
  std::vector<AddrRange> ranges;
  first_pass.atomics.for_each([&](AddrRange bytes, GenerationId) { append_range(ranges, bytes); });
  for (const uint64_t a : first_pass.spin_flags) ranges.push_back({a, a + 1});
  for (const uint64_t a : first_pass.guards) ranges.push_back({a, a + 1});
  return AddressRanges(std::move(ranges));
}

class RoleFinder {
 public:
  RoleFinder(trace::Seeker& seeker, const CompactFirstPass& first_pass, const RuntimeCode& runtime, CodeFacts& facts,
             SpinLoops& spins)
      : seeker_(seeker),
        first_pass_(first_pass),
        runtime_(runtime),
        facts_(facts),
        spins_(spins),
        ordering_(ordering_bytes(first_pass.first_pass)) {}

  BlockRole role_of(const AccessHull& h) {
    const BlockTable& blocks = seeker_.file().blocks();
    const Superblock& sb = blocks.superblock_of(h.block);
    if (runtime_.is_aside(sb.module)) return BlockRole::kRuntime;
    if (runtime_.library[sb.module.value]) return BlockRole::kLibrary;
    const Access& a = sb.accesses[h.access];
    const CodeAddr ip{sb.module, sb.insn_addr(a.insn)};
    const bool special = !h.exact || (a.flags & kAccessAtomic) || spins_.is_flag(blocks.block(h.block).superblock, a) ||
                         is_told_atomic(facts_, runtime_, ip, a) || orders(h, a);
    return special ? BlockRole::kSpecial : BlockRole::kPlain;
  }

 private:
  // Exactly, where it can be told at once: a lock inside of an array's elements does not make the array special.
  bool orders(const AccessHull& h, const Access& a) {
    if (!ordering_.overlaps(h.range)) return false;
    if (a.slot == 0) return true;
    const trace::EpochPin pin = seeker_.epoch(h.epoch);
    trace::EpochIndex& epoch = *pin;
    const trace::AddressStream* s = epoch.addresses().directory().streams_of(h.thread, h.block);
    if (!s || s[a.slot - 1u].relative()) return true;
    const uint64_t n = epoch.executions(h.block).total(*epoch.paths().string_of(h.thread));
    const uint64_t values = epoch.addresses().values_before(s[a.slot - 1u], n);
    StreamRuns runs(epoch.addresses());
    for (const Progression& p : runs.of(s[a.slot - 1u], 0, values))
      if (ordering_.meets(moved(p, static_cast<uint64_t>(a.constant), a.width))) return true;
    return false;
  }

  trace::Seeker& seeker_;
  const CompactFirstPass& first_pass_;
  const RuntimeCode& runtime_;
  CodeFacts& facts_;
  SpinLoops& spins_;
  AddressRanges ordering_;
};

}  // namespace

BlockRoles::BlockRoles(trace::Seeker& seeker, const CompactFirstPass& first_pass, const RuntimeCode& runtime,
                       CodeFacts& facts, SpinLoops& spins)
    : shared(first_pass.first_pass.sharing.shared_ranges()) {
  roles.resize(seeker.file().blocks().block_count() + 1);
  accesses.resize(roles.size());
  RoleFinder finder(seeker, first_pass, runtime, facts, spins);
  for (const AccessHull& h : first_pass.hulls) {
    if (!shared.overlaps(h.range)) continue;
    roles[h.block.value] = std::max(roles[h.block.value], finder.role_of(h));
    add_access(h);
  }
  for (auto& of_block : accesses) std::sort(of_block.begin(), of_block.end());
  // Who leaves a loop that waits gets what its flags give.
  if (!first_pass.first_pass.spin_flags.empty())
    for (uint32_t b = 1; b < roles.size(); ++b)
      if (spins.left_by(BlockId(b)).loop != 0) {
        roles[b] = BlockRole::kSpecial;
        everywhere.emplace_back(b);
      }
  // Words that depend on SP as it happens to be.
  for (const auto& frames : first_pass.frames)
    for (const FrameOf& f : frames)
      if (!f.sp && of(f.block) == BlockRole::kPlain) roles[f.block.value] = BlockRole::kSpecial;
  see_to_short_ranges(seeker.file().blocks(), first_pass);
}

// Where blocks that need care come again and again, ranges of the others are too short to be worth it. Loads that get
// nothing end none, if no loop waits for plain variables.
void BlockRoles::see_to_short_ranges(const BlockTable& blocks, const CompactFirstPass& first_pass) {
  constexpr uint64_t kShort = 8;  // executions
  uint64_t special = 0, plain = 0;
  const auto ends_ranges = [&](size_t b) {
    return !first_pass.first_pass.spin_flags.empty() ||
           std::any_of(accesses[b].begin(), accesses[b].end(), [&](uint16_t number) {
             return blocks.superblock_of(BlockId(static_cast<uint32_t>(b))).accesses[number].store();
           });
  };
  for (size_t b = 0; b < first_pass.executions.size(); ++b) {
    if (roles[b] == BlockRole::kSpecial && ends_ranges(b)) special += first_pass.executions[b];
    if (roles[b] == BlockRole::kPlain) plain += first_pass.executions[b];
  }
  if (plain >= kShort * special) return;
  for (BlockRole& r : roles)
    if (r == BlockRole::kPlain) r = BlockRole::kSpecial;
}

void BlockRoles::keep_near(const CompactFirstPass& first_pass, AddressRanges there) {
  std::vector<BlockRole> before(roles.size());
  before.swap(roles);
  shared = std::move(there);
  everywhere.clear();
  for (auto& of_block : accesses) of_block.clear();
  for (const AccessHull& h : first_pass.hulls) {
    const BlockRole role = before[h.block.value];
    if (role <= BlockRole::kPrivate || role == BlockRole::kRuntime || !shared.overlaps(h.range)) continue;
    roles[h.block.value] = role == BlockRole::kLibrary ? role : BlockRole::kSpecial;
    add_access(h);
  }
  for (auto& of_block : accesses) std::sort(of_block.begin(), of_block.end());
}

void BlockRoles::add_access(const AccessHull& h) {
  auto& of_block = accesses[h.block.value];
  if (std::find(of_block.begin(), of_block.end(), h.access) == of_block.end()) of_block.push_back(h.access);
}

}  // namespace cdr::races
