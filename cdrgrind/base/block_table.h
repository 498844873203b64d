// SPDX-License-Identifier: GPL-2.0-or-later
// The static side of the event stream: what a block is. A *superblock* is straight-line code with one entry
// and several exits, as Valgrind translates it; a *block* is a superblock up to the exit that one execution
// took. An execution of a block stores words, one per base slot, in slot order; with them every address
// that the block accessed is known:
//
//     access a: slot == 0             address = a.constant            (absolute)
//               slot == k, k >= 1     address = words[k-1] + a.constant
//               guarded               has a slot of its own, constant 0; the word 0 = it did not happen
//
// Invariant: slots are numbered in the order in which their words are stored, so at every exit the words
// present are the first Exit::words of them; likewise accesses and SP changes.
#ifndef CDRGRIND_BASE_BLOCK_TABLE_H
#define CDRGRIND_BASE_BLOCK_TABLE_H

#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/base/arena.h"
#include "cdrgrind/base/range.h"

namespace cdr {

struct Insn {
  uint32_t offset = 0;  // from the superblock's address
  uint8_t length = 0;   // bytes
  bool operator==(const Insn&) const = default;
};

enum AccessFlags : uint8_t {
  kAccessStore = 1,     // else a load
  kAccessGuarded = 2,   // may not happen
  kAccessAtomic = 4,    // part of a LOCKed or XCHG instruction
  kAccessModify = 8,    // a store that Valgrind's lackey would print together with the load before as M
  kAccessLinkage = 16,  // the instruction is a call, ret, leave or push/pop of a callee-saved register
};

struct Access {
  int64_t constant = 0;
  uint16_t insn = 0;   // index into Superblock::insns
  uint16_t slot = 0;   // 0 = absolute
  uint16_t width = 0;  // bytes
  uint8_t flags = 0;   // AccessFlags

  bool store() const { return flags & kAccessStore; }
  bool guarded() const { return flags & kAccessGuarded; }
  bool operator==(const Access&) const = default;
};

// SP after instruction `insn` is SP at the superblock's entry + constant (slot == kSpAtEntry), the constant
// itself (slot 0), or words[slot-1] + constant. Between two changes SP does not change.
struct SpChange {
  static constexpr uint16_t kSpAtEntry = 0xffff;
  int64_t constant = 0;
  uint16_t insn = 0;
  uint16_t slot = kSpAtEntry;
  bool operator==(const SpChange&) const = default;
};

enum class ExitKind : uint8_t {
  kFallThrough,  // to the next instruction
  kBranch,       // jump with a constant target (conditional or not)
  kIndirectJump,
  kCall,  // constant target
  kIndirectCall,
  kReturn,
  kSyscall,
  kClientRequest,
  kYield,
  kFault,  // SIGSEGV, SIGBUS, SIGTRAP, SIGFPE raised by the code at the exit
  kUndecodable,
  kOther,  // instruction cache flush and the like: goes on at the target
};
constexpr uint8_t kExitKindCount = static_cast<uint8_t>(ExitKind::kOther) + 1;

constexpr bool is_call(ExitKind k) { return k == ExitKind::kCall || k == ExitKind::kIndirectCall; }
constexpr bool is_jump(ExitKind k) { return k == ExitKind::kBranch || k == ExitKind::kIndirectJump; }

enum class ExitGuard : uint8_t {
  kAlways,     // the superblock's last exit
  kCondition,  // a conditional branch
  kRepeat,     // a rep-prefixed instruction whose count is exhausted (or whose comparison ended it)
  kAlignment,  // an aligned access at an unaligned address
  kRetry,      // a compare-and-swap that has to be tried again
};
constexpr uint8_t kExitGuardCount = static_cast<uint8_t>(ExitGuard::kRetry) + 1;

// Every exit of the superblock, taken or not, in order; the last is the unconditional one.
struct Exit {
  uint64_t target = 0;      // constant target, 0 = dynamic
  uint16_t insns = 0;       // instructions up to and including the one at the exit
  uint16_t accesses = 0;    // accesses before the exit
  uint16_t words = 0;       // words stored before the exit
  uint16_t sp_changes = 0;  // SP changes before the exit
  ExitKind kind = ExitKind::kFallThrough;
  ExitGuard guard = ExitGuard::kAlways;
  bool insn_executed = true;  // whether the instruction at the exit counts as executed

  uint32_t insns_executed() const { return insns - (insn_executed ? 0u : 1u); }
  bool operator==(const Exit&) const = default;
};

enum SuperblockFlags : uint8_t {
  kBlockFunctionEntry = 1,   // its address is that of a function's symbol (cold parts excepted)
  kBlockHidden = 2,          // function entry of a hidden function (malloc family, --cdr-hide)
  kBlockShim = 4,            // code of our preload, but for its exact accesses: recorded without accesses
  kBlockPlt = 8,             // lies in its module's .plt
  kBlockRedirected = 16,     // reached through a Valgrind redirection: the jump's target was another address
  kBlockDynamicLinker = 32,  // code of ld.so
};

struct Superblock {
  uint64_t addr = 0;
  ModuleId module;
  uint32_t length = 0;  // bytes of code
  uint8_t flags = 0;    // SuperblockFlags
  std::span<const Insn> insns;
  std::span<const Access> accesses;
  std::span<const SpChange> sp_changes;
  std::span<const Exit> exits;

  uint64_t insn_addr(uint32_t insn) const { return addr + insns[insn].offset; }
};

// Of the instruction at the exit; of the superblock if the exit comes before its first.
inline uint64_t exit_addr(const Superblock& sb, const Exit& exit) {
  return exit.insns == 0 ? sb.addr : sb.insn_addr(exit.insns - 1u);
}

// Where control goes if it leaves the superblock at exit `taken`, seen from the branch of exit `branch`; 0: not behind
// it.
inline uint64_t next_after(const Superblock& sb, uint16_t branch, uint16_t taken) {
  const Exit &b = sb.exits[branch], &t = sb.exits[taken];
  if (taken < branch) return 0;
  if (taken == branch || t.insns == b.insns) return t.target;
  return sb.insn_addr(b.insns);
}

// One row per (superblock, exit) that was executed.
struct Block {
  SuperblockId superblock;
  uint16_t exit = 0;
};

// SP after an SP change, given SP at the entry and the words of the execution.
inline uint64_t sp_after(const SpChange& c, uint64_t sp_at_entry, std::span<const uint64_t> words) {
  const auto constant = static_cast<uint64_t>(c.constant);
  if (c.slot == SpChange::kSpAtEntry) return sp_at_entry + constant;
  return c.slot == 0 ? constant : words[c.slot - 1] + constant;
}

// Address of an access; 0 for a guarded one that did not happen.
inline uint64_t address_of(const Access& a, std::span<const uint64_t> words) {
  const auto constant = static_cast<uint64_t>(a.constant);
  return a.slot == 0 ? constant : words[a.slot - 1] + constant;
}
inline bool happened(const Access& a, std::span<const uint64_t> words) {
  return !a.guarded() || words[a.slot - 1] != 0;
}

// How much of a superblock was executed when a fault stopped it at instruction address `ip`: whole
// instructions before it. (A `partial` event carries exactly `words` words.)
struct Executed {
  uint16_t insns = 0, accesses = 0, words = 0, sp_changes = 0;
};
Executed executed_before(const Superblock& sb, uint64_t ip);

// Ids are serial from 1 in the order of addition. References stay valid until the next addition.
class BlockTable {
 public:
  // Copies the spans.
  SuperblockId add_superblock(const Superblock& sb) {
    Superblock s = sb;
    s.insns = arena_.copy(sb.insns);
    s.accesses = arena_.copy(sb.accesses);
    s.sp_changes = arena_.copy(sb.sp_changes);
    s.exits = arena_.copy(sb.exits);
    superblocks_.push_back(s);
    return SuperblockId(static_cast<uint32_t>(superblocks_.size()));
  }
  BlockId add_block(SuperblockId sb, uint16_t exit) {
    blocks_.push_back({sb, exit});
    return BlockId(static_cast<uint32_t>(blocks_.size()));
  }
  const Superblock& superblock(SuperblockId id) const { return superblocks_[id.value - 1]; }
  const Block& block(BlockId id) const { return blocks_[id.value - 1]; }
  const Superblock& superblock_of(BlockId id) const { return superblock(block(id).superblock); }
  const Exit& exit_of(BlockId id) const { return superblock_of(id).exits[block(id).exit]; }
  bool has(BlockId id) const { return id && id.value <= blocks_.size(); }
  uint32_t superblock_count() const { return static_cast<uint32_t>(superblocks_.size()); }
  uint32_t block_count() const { return static_cast<uint32_t>(blocks_.size()); }

 private:
  Arena arena_;
  std::vector<Superblock> superblocks_;
  std::vector<Block> blocks_;
};

}  // namespace cdr

#endif
