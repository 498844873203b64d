// SPDX-License-Identifier: GPL-2.0-or-later
// What the second look at a compact trace has to do with each block: how little, decides what it costs.
#ifndef CDRGRIND_ANALYSIS_RACES_SOURCE_BLOCK_ROLES_H
#define CDRGRIND_ANALYSIS_RACES_SOURCE_BLOCK_ROLES_H

#include <cstdint>
#include <vector>

#include "cdrgrind/analysis/races/core/address_ranges.h"
#include "cdrgrind/analysis/races/policy/runtime_code.h"
#include "cdrgrind/analysis/races/source/compact_first_pass.h"

namespace cdr::races {

enum class BlockRole : uint8_t {  // ascending: what a block has most of decides
  kPrivate,                       // touches nothing that is shared
  kPlain,    // code of the program that touches shared memory and orders nothing: progressions will do
  kRuntime,  // all that it touches is the runtime's own
  kLibrary,  // the same inside the runtime's functions; else what it does depends on who called
  kSpecial,  // execution by execution
};

struct RolesOfBlocks {
  BlockRole of(BlockId id) const { return roles[id.value]; }

  std::vector<BlockRole> roles;                 // by block
  std::vector<std::vector<uint16_t>> accesses;  // by block: those that touch shared memory, ascending
};

// In any thread and epoch.
struct BlockRoles : RolesOfBlocks {
  BlockRoles(trace::Seeker& seeker, const CompactFirstPass& first_pass, const RuntimeCode& runtime, CodeFacts& facts,
             SpinLoops& spins);
  // From now on only what touches anything in there matters, execution by execution.
  void keep_near(const CompactFirstPass& first_pass, AddressRanges there);

  AddressRanges shared;             // as far as it matters
  std::vector<BlockId> everywhere;  // whose roles do not depend on what they touch

 private:
  void see_to_short_ranges(const BlockTable& blocks, const CompactFirstPass& first_pass);
  void add_access(const AccessHull& h);
};

}  // namespace cdr::races

#endif
