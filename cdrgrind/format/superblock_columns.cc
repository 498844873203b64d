// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/format/superblock_columns.h"

#include <algorithm>

namespace cdr {
namespace {

constexpr unsigned kExitGuardShift = 2;  // above ExitBits

uint64_t end_of(const Insn& i) { return uint64_t{i.offset} + i.length; }
// Offset where the first `n` instructions end.
uint64_t end_of(std::span<const Insn> insns, size_t n) { return n == 0 ? 0 : end_of(insns[n - 1]); }

// How much of the lists belongs to the instructions that are executed before an exit.
struct Prefix {
  uint16_t accesses = 0, sp_changes = 0, words = 0;
};

template <class List>
uint16_t entries_before(const List& list, uint32_t insns) {
  return static_cast<uint16_t>(std::find_if(list.begin(), list.end(), [&](const auto& x) { return x.insn >= insns; }) -
                               list.begin());
}

Prefix prefix_of(const Superblock& sb, const Exit& e) {
  Prefix p;
  p.accesses = entries_before(sb.accesses, e.insns_executed());
  p.sp_changes = entries_before(sb.sp_changes, e.insns_executed());
  for (const Access& a : sb.accesses.first(p.accesses)) p.words = std::max(p.words, a.slot);
  for (const SpChange& c : sb.sp_changes.first(p.sp_changes))
    if (c.slot != SpChange::kSpAtEntry) p.words = std::max(p.words, c.slot);
  return p;
}

// --- writing ---

class Writer {
 public:
  Writer() : to_(kSbColumns) {}

  void put(const Superblock& sb) {
    to_[kSbAddrs].delta(sb.addr, end_);
    to_[kSbModules].delta(sb.module.value, module_);
    to_[kSbFlags].u8(sb.flags);
    to_[kSbLengths].delta(sb.length, end_of(sb.insns, sb.insns.size()));
    end_ = sb.addr + sb.length;
    module_ = sb.module.value;
    put_insns(sb.insns);
    put_accesses(sb.accesses);
    put_sp_changes(sb.sp_changes);
    to_[kSbExits].varint(sb.exits.size() - 1);
    for (const Exit& e : sb.exits) put_exit(sb, e);
  }
  std::vector<ByteWriter> take(TableRange which) {
    to_[kSbRange].varint(which.begin);
    to_[kSbRange].varint(which.end - which.begin);
    return std::move(to_);
  }

 private:
  void put_insns(std::span<const Insn> insns) {
    to_[kSbInsns].varint(insns.size());
    uint64_t end = 0;
    for (const Insn& i : insns) {
      to_[kSbInsnLengths].u8(i.length);
      to_[kSbInsnOffsets].delta(i.offset, end);
      end = end_of(i);
    }
  }
  void put_accesses(std::span<const Access> accesses) {
    to_[kSbAccesses].varint(accesses.size());
    uint64_t insn = 0;
    uint16_t highest = 0;
    for (const Access& a : accesses) {
      to_[kSbAccessInsns].next_delta(a.insn, insn);
      to_[kSbAccessSlots].delta(highest + 1u, a.slot);
      to_[kSbAccessConstants].svarint(a.constant);
      to_[kSbAccessWidths].varint(a.width);
      to_[kSbAccessFlags].u8(a.flags);
      highest = std::max(highest, a.slot);
    }
  }
  void put_sp_changes(std::span<const SpChange> changes) {
    to_[kSbSpChanges].varint(changes.size());
    uint64_t insn = 0;
    for (const SpChange& c : changes) {
      to_[kSbSpInsns].next_delta(c.insn, insn);
      to_[kSbSpSlots].varint(static_cast<uint16_t>(c.slot + 1));
      to_[kSbSpConstants].svarint(c.constant);
    }
  }
  void put_exit(const Superblock& sb, const Exit& e) {
    to_[kSbExitKinds].u8(static_cast<uint8_t>(e.kind));
    to_[kSbExitGuards].u8(static_cast<uint8_t>(static_cast<uint8_t>(e.guard) << kExitGuardShift |
                                               (e.insn_executed ? kExitExecuted : 0) | (e.target ? kExitTarget : 0)));
    if (e.target) to_[kSbExitTargets].delta(e.target, sb.addr + end_of(sb.insns, e.insns));
    to_[kSbExitInsns].delta(sb.insns.size(), e.insns);
    const Prefix p = prefix_of(sb, e);
    to_[kSbExitPrefixes].delta(e.accesses, p.accesses);
    to_[kSbExitPrefixes].delta(e.sp_changes, p.sp_changes);
    to_[kSbExitPrefixes].delta(e.words, p.words);
  }

  std::vector<ByteWriter> to_;
  uint64_t end_ = 0, module_ = 0;
};

// --- reading ---

uint16_t index(ByteReader& from, uint64_t before) {
  const uint64_t i = from.delta(before);
  return i <= kMaxSuperblockIndex ? static_cast<uint16_t>(i) : from.fail();
}

class Reader {
 public:
  explicit Reader(const std::array<std::span<const uint8_t>, kSbColumns>& columns) {
    for (const auto& c : columns) from_.emplace_back(c);
  }

  // Of which nothing is promised but that the exits' numbers of instructions can be followed.
  bool get(Superblock& sb) {
    sb.addr = from_[kSbAddrs].delta(end_);
    const uint64_t module = from_[kSbModules].delta(module_);
    if (module > 0xffffffff) return false;
    sb.module = ModuleId(static_cast<uint32_t>(module_ = module));
    sb.flags = from_[kSbFlags].u8();
    get_insns();
    const uint64_t length = from_[kSbLengths].delta(end_of(insns_, insns_.size()));
    if (length > 0xffffffff) return false;
    sb.length = static_cast<uint32_t>(length);
    end_ = sb.addr + sb.length;
    get_accesses();
    get_sp_changes();
    sb.insns = insns_;
    sb.accesses = accesses_;
    sb.sp_changes = sp_changes_;
    exits_.assign(ok() ? count(kSbExits, kSbExitKinds) + 1 : 0, Exit{});
    for (Exit& e : exits_)
      if (!get_exit(sb, e)) return false;
    sb.exits = exits_;
    return ok();
  }
  ByteReader& operator[](SuperblockColumn c) { return from_[c]; }
  bool ok() const {
    return std::all_of(from_.begin(), from_.end(), [](const ByteReader& r) { return r.ok(); });
  }
  bool at_end() const {
    return std::all_of(from_.begin(), from_.end(), [](const ByteReader& r) { return r.at_end(); });
  }

 private:
  // Of entries that each take a byte of the column `of`.
  uint64_t count(SuperblockColumn column, SuperblockColumn of) {
    return from_[column].bounded(std::min<uint64_t>(kMaxSuperblockIndex, from_[of].left()));
  }
  void get_insns() {
    insns_.assign(count(kSbInsns, kSbInsnLengths), Insn{});
    uint64_t end = 0;
    for (Insn& i : insns_) {
      i.length = from_[kSbInsnLengths].u8();
      i.offset = static_cast<uint32_t>(from_[kSbInsnOffsets].delta(end));
      end = end_of(i);
    }
  }
  void get_accesses() {
    accesses_.assign(count(kSbAccesses, kSbAccessFlags), Access{});
    uint16_t insn = 0, highest = 0;
    for (Access& a : accesses_) {
      a.insn = insn = index(from_[kSbAccessInsns], insn);
      const uint64_t slot = highest + 1u - static_cast<uint64_t>(from_[kSbAccessSlots].svarint());
      a.slot = slot <= kMaxSuperblockIndex ? static_cast<uint16_t>(slot) : from_[kSbAccessSlots].fail();
      a.constant = from_[kSbAccessConstants].svarint();
      a.width = static_cast<uint16_t>(from_[kSbAccessWidths].bounded(kMaxSuperblockIndex));
      a.flags = from_[kSbAccessFlags].u8();
      highest = std::max(highest, a.slot);
    }
  }
  void get_sp_changes() {
    sp_changes_.assign(count(kSbSpChanges, kSbSpSlots), SpChange{});
    uint16_t insn = 0;
    for (SpChange& c : sp_changes_) {
      c.insn = insn = index(from_[kSbSpInsns], insn);
      c.slot = static_cast<uint16_t>(from_[kSbSpSlots].bounded(kMaxSuperblockIndex) - 1);
      c.constant = from_[kSbSpConstants].svarint();
    }
  }
  bool get_exit(const Superblock& sb, Exit& e) {
    const uint8_t kind = from_[kSbExitKinds].u8(), bits = from_[kSbExitGuards].u8();
    const uint8_t guard = bits >> kExitGuardShift;
    const uint64_t insns = sb.insns.size() - static_cast<uint64_t>(from_[kSbExitInsns].svarint());
    if (!ok() || kind >= kExitKindCount || guard >= kExitGuardCount || insns > sb.insns.size()) return false;
    e.kind = static_cast<ExitKind>(kind);
    e.guard = static_cast<ExitGuard>(guard);
    e.insn_executed = bits & kExitExecuted;
    e.insns = static_cast<uint16_t>(insns);
    if (e.insns == 0 && !e.insn_executed) return false;
    if (bits & kExitTarget) e.target = from_[kSbExitTargets].delta(sb.addr + end_of(sb.insns, e.insns));
    const Prefix p = prefix_of(sb, e);
    e.accesses = index(from_[kSbExitPrefixes], p.accesses);
    e.sp_changes = index(from_[kSbExitPrefixes], p.sp_changes);
    e.words = index(from_[kSbExitPrefixes], p.words);
    return true;
  }

  std::vector<ByteReader> from_;
  uint64_t end_ = 0, module_ = 0;
  std::vector<Insn> insns_;
  std::vector<Access> accesses_;
  std::vector<SpChange> sp_changes_;
  std::vector<Exit> exits_;
};

}  // namespace

std::vector<ByteWriter> superblock_columns(const BlockTable& blocks, TableRange which) {
  Writer to;
  for (uint32_t i = which.begin; i < which.end; ++i) to.put(blocks.superblock(SuperblockId(i + 1)));
  return to.take(which);
}

const char* read_superblock_columns(const std::array<std::span<const uint8_t>, kSbColumns>& columns,
                                    const ModuleTable& modules, BlockTable& blocks) {
  Reader from(columns);
  const uint64_t first = from[kSbRange].varint(), count = from[kSbRange].varint();
  if (!from.ok() || first != blocks.superblock_count()) return "entries are missing before it";
  if (count > from[kSbFlags].left()) return "the list is longer than the frame";
  Superblock sb;
  for (uint64_t n = 0; n < count; ++n) {
    if (!from.get(sb)) return "a superblock is damaged";
    if (const char* wrong = check_superblock(sb, modules)) return wrong;
    blocks.add_superblock(sb);
  }
  return from.at_end() ? nullptr : "bytes are left behind the list";
}

}  // namespace cdr
