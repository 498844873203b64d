// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/format/tables.h"

#include <algorithm>

namespace cdr {
namespace {

// --- writing ---

void put_range(const AddrRange& r, ByteWriter& to) {
  to.varint(r.begin);
  to.delta(r.end, r.begin);
}

void put_file_id(const Module& m, ByteWriter& to) {
  to.varint(m.file_bytes);
  to.u8(static_cast<uint8_t>(m.file_id_kind));
  if (m.file_id_kind != FileIdKind::kNone) to.text(m.file_id);
}

void put_module(const Module& m, ByteWriter& to, uint32_t version) {
  to.text(m.path);
  to.text(m.soname);
  put_range(m.text, to);
  to.varint(m.bias);
  put_range(m.got, to);
  put_range(m.got_plt, to);
  put_range(m.plt, to);
  to.u8(m.flags);
  if (version >= kFormatVersion5) put_file_id(m, to);
}

void put_insns(std::span<const Insn> insns, ByteWriter& to) {
  to.varint(insns.size());
  uint32_t before = 0;
  for (const Insn& i : insns) {
    to.delta(i.offset, before);
    to.u8(i.length);
    before = i.offset;
  }
}

void put_accesses(std::span<const Access> accesses, ByteWriter& to) {
  to.varint(accesses.size());
  uint16_t before = 0;
  for (const Access& a : accesses) {
    to.delta(a.insn, before);
    to.varint(a.slot);
    to.svarint(a.constant);
    to.varint(a.width);
    to.u8(a.flags);
    before = a.insn;
  }
}

void put_sp_changes(std::span<const SpChange> changes, ByteWriter& to) {
  to.varint(changes.size());
  uint16_t before = 0;
  for (const SpChange& c : changes) {
    to.delta(c.insn, before);
    to.varint(static_cast<uint16_t>(c.slot + 1));  // relative to SP at the entry: 0
    to.svarint(c.constant);
    before = c.insn;
  }
}

void put_exits(const Superblock& sb, ByteWriter& to) {
  to.varint(sb.exits.size());
  for (const Exit& e : sb.exits) {
    to.u8(static_cast<uint8_t>((e.insn_executed ? kExitExecuted : 0) | (e.target ? kExitTarget : 0)));
    to.u8(static_cast<uint8_t>(e.kind));
    to.u8(static_cast<uint8_t>(e.guard));
    if (e.target) to.delta(e.target, sb.addr);
    to.varint(e.insns);
    to.varint(e.accesses);
    to.varint(e.words);
    to.varint(e.sp_changes);
  }
}

// --- reading ---

AddrRange get_range(ByteReader& from) {
  AddrRange r;
  r.begin = from.varint();
  r.end = from.delta(r.begin);
  return r;
}

void get_file_id(ByteReader& from, Module& m) {
  m.file_bytes = from.varint();
  const uint8_t kind = from.u8();
  if (kind >= kFileIdKindCount) from.fail();
  m.file_id_kind = static_cast<FileIdKind>(kind);
  if (m.file_id_kind == FileIdKind::kNone) return;
  m.file_id = from.text();
  const bool is_checksum = m.file_id_kind == FileIdKind::kChecksum;
  const size_t least = is_checksum ? sizeof(uint64_t) : 1, most = is_checksum ? sizeof(uint64_t) : kMaxFileIdBytes;
  if (m.file_id.size() < least || m.file_id.size() > most) from.fail();
}

// A text's bytes that could not be there make the reader fail before anything is allocated.
Module get_module(ByteReader& from, uint32_t version) {
  Module m;
  m.path = from.text();
  m.soname = from.text();
  m.text = get_range(from);
  m.bias = from.varint();
  m.got = get_range(from);
  m.got_plt = get_range(from);
  m.plt = get_range(from);
  m.flags = from.u8();
  if (version >= kFormatVersion5) get_file_id(from, m);
  return m;
}

// The parts of one superblock while it is read; kept from one to the next for their memory.
struct Parts {
  std::vector<Insn> insns;
  std::vector<Access> accesses;
  std::vector<SpChange> sp_changes;
  std::vector<Exit> exits;
};

// The count of a list whose entries take at least `least` bytes each.
uint64_t get_count(ByteReader& from, uint64_t least) {
  return from.bounded(std::min<uint64_t>(kMaxSuperblockIndex, from.left() / least));
}
uint16_t get_u16(ByteReader& from) { return static_cast<uint16_t>(from.bounded(kMaxSuperblockIndex)); }
uint16_t get_index(ByteReader& from, uint16_t before) {
  const uint64_t i = from.delta(before);
  return i <= kMaxSuperblockIndex ? static_cast<uint16_t>(i) : from.fail();
}

void get_insns(ByteReader& from, std::vector<Insn>& insns) {
  insns.resize(get_count(from, 2));
  uint32_t before = 0;
  for (Insn& i : insns) {
    i.offset = before = static_cast<uint32_t>(from.delta(before));
    i.length = from.u8();
  }
}

void get_accesses(ByteReader& from, std::vector<Access>& accesses) {
  accesses.resize(get_count(from, 5));
  uint16_t before = 0;
  for (Access& a : accesses) {
    a.insn = before = get_index(from, before);
    a.slot = get_u16(from);
    a.constant = from.svarint();
    a.width = get_u16(from);
    a.flags = from.u8();
  }
}

void get_sp_changes(ByteReader& from, std::vector<SpChange>& changes) {
  changes.resize(get_count(from, 3));
  uint16_t before = 0;
  for (SpChange& c : changes) {
    c.insn = before = get_index(from, before);
    c.slot = static_cast<uint16_t>(get_u16(from) - 1);
    c.constant = from.svarint();
  }
}

void get_exits(ByteReader& from, uint64_t addr, std::vector<Exit>& exits) {
  exits.assign(get_count(from, 7), Exit{});
  for (Exit& e : exits) {
    const uint8_t bits = from.u8();
    const uint8_t kind = from.u8();
    const uint8_t guard = from.u8();
    if (kind >= kExitKindCount || guard >= kExitGuardCount || bits > (kExitExecuted | kExitTarget)) from.fail();
    if (!from.ok()) return;
    e.kind = static_cast<ExitKind>(kind);
    e.guard = static_cast<ExitGuard>(guard);
    e.insn_executed = bits & kExitExecuted;
    if (bits & kExitTarget) e.target = from.delta(addr);
    e.insns = get_u16(from);
    e.accesses = get_u16(from);
    e.words = get_u16(from);
    e.sp_changes = get_u16(from);
  }
}

Superblock get_superblock(ByteReader& from, uint64_t addr_before, Parts& parts) {
  Superblock sb;
  sb.addr = from.delta(addr_before);
  sb.module = ModuleId(static_cast<uint32_t>(from.bounded(0xffffffff)));
  sb.length = static_cast<uint32_t>(from.bounded(0xffffffff));
  sb.flags = from.u8();
  get_insns(from, parts.insns);
  get_accesses(from, parts.accesses);
  get_sp_changes(from, parts.sp_changes);
  get_exits(from, sb.addr, parts.exits);
  sb.insns = parts.insns;
  sb.accesses = parts.accesses;
  sb.sp_changes = parts.sp_changes;
  sb.exits = parts.exits;
  return sb;
}

// --- what must hold so that every index can be followed ---

const char* check_lists(const Superblock& sb) {
  for (const Access& a : sb.accesses) {
    if (a.insn >= sb.insns.size()) return "an access belongs to no instruction";
    if (a.guarded() && a.slot == 0) return "a guarded access has no slot";
  }
  for (const SpChange& c : sb.sp_changes)
    if (c.insn >= sb.insns.size()) return "a change of SP belongs to no instruction";
  return sb.exits.empty() ? "a superblock has no exit" : nullptr;
}

// Words needed by the first n entries of a list, for every n.
template <class List>
std::vector<uint16_t> words_needed(const List& list) {
  std::vector<uint16_t> need(list.size() + 1);
  for (size_t i = 0; i < list.size(); ++i) {
    uint16_t slot = list[i].slot;
    if constexpr (requires { list[i].kSpAtEntry; })
      if (slot == SpChange::kSpAtEntry) slot = 0;
    need[i + 1] = std::max(need[i], slot);
  }
  return need;
}

const char* check_exits(const Superblock& sb) {
  const auto for_accesses = words_needed(sb.accesses);
  const auto for_sp = words_needed(sb.sp_changes);
  for (const Exit& e : sb.exits) {
    if (e.insns > sb.insns.size() || e.accesses > sb.accesses.size() || e.sp_changes > sb.sp_changes.size())
      return "an exit counts more than its superblock has";
    if (for_accesses[e.accesses] > e.words || for_sp[e.sp_changes] > e.words)
      return "an exit has fewer words than the accesses before it need";
    if (e.insns == 0 && !e.insn_executed) return "an exit stands before the first instruction";
  }
  return nullptr;
}

// Reads (first, count) of a table's payload; `have` entries are known.
const char* get_serials(ByteReader& from, uint32_t have, uint64_t least, uint64_t& count) {
  const uint64_t first = from.varint();
  count = from.bounded(from.left() / least);
  if (!from.ok()) return "the list is longer than the frame";
  if (first != have) return "entries are missing before it";
  return count > 0xfffffff0 - have ? "too many entries" : nullptr;
}

const char* end_of(const ByteReader& from) {
  if (!from.ok()) return "the list ends inside an entry";
  return from.at_end() ? nullptr : "bytes are left behind the list";
}

}  // namespace

void encode_modules(const ModuleTable& modules, TableRange which, ByteWriter& to, uint32_t version) {
  to.varint(which.begin);
  to.varint(which.end - which.begin);
  for (uint32_t i = which.begin; i < which.end; ++i) put_module(modules[ModuleId(i + 1)], to, version);
}

void encode_superblocks(const BlockTable& blocks, TableRange which, ByteWriter& to) {
  to.varint(which.begin);
  to.varint(which.end - which.begin);
  uint64_t addr_before = 0;
  for (uint32_t i = which.begin; i < which.end; ++i) {
    const Superblock& sb = blocks.superblock(SuperblockId(i + 1));
    to.delta(sb.addr, addr_before);
    to.varint(sb.module.value);
    to.varint(sb.length);
    to.u8(sb.flags);
    put_insns(sb.insns, to);
    put_accesses(sb.accesses, to);
    put_sp_changes(sb.sp_changes, to);
    put_exits(sb, to);
    addr_before = sb.addr;
  }
}

void encode_blocks(const BlockTable& blocks, TableRange which, ByteWriter& to) {
  to.varint(which.begin);
  to.varint(which.end - which.begin);
  uint32_t before = 0;
  for (uint32_t i = which.begin; i < which.end; ++i) {
    const Block& b = blocks.block(BlockId(i + 1));
    to.delta(b.superblock.value, before);
    to.varint(b.exit);
    before = b.superblock.value;
  }
}

const char* check_superblock(const Superblock& sb, const ModuleTable& modules) {
  if (sb.module && !modules.has(sb.module)) return "a superblock lies in an unknown module";
  const char* wrong = check_lists(sb);
  return wrong ? wrong : check_exits(sb);
}

const char* decode_modules(std::span<const uint8_t> payload, ModuleTable& modules, uint32_t version) {
  ByteReader from(payload);
  uint64_t count = 0;
  if (const char* wrong = get_serials(from, modules.size(), 12, count)) return wrong;
  for (; count > 0; --count) {
    const Module m = get_module(from, version);
    if (!from.ok()) break;
    modules.add(m);
  }
  return end_of(from);
}

const char* decode_superblocks(std::span<const uint8_t> payload, const ModuleTable& modules, BlockTable& blocks) {
  ByteReader from(payload);
  uint64_t count = 0;
  if (const char* wrong = get_serials(from, blocks.superblock_count(), 8, count)) return wrong;
  Parts parts;
  uint64_t addr_before = 0;
  for (; count > 0; --count) {
    const Superblock sb = get_superblock(from, addr_before, parts);
    if (!from.ok()) break;
    if (const char* wrong = check_superblock(sb, modules)) return wrong;
    blocks.add_superblock(sb);
    addr_before = sb.addr;
  }
  return end_of(from);
}

const char* decode_blocks(std::span<const uint8_t> payload, BlockTable& blocks) {
  ByteReader from(payload);
  uint64_t count = 0;
  if (const char* wrong = get_serials(from, blocks.block_count(), 2, count)) return wrong;
  uint32_t superblock = 0;
  for (; count > 0; --count) {
    superblock = static_cast<uint32_t>(from.delta(superblock));
    const uint16_t exit = get_u16(from);
    if (!from.ok()) break;
    if (superblock == 0 || superblock > blocks.superblock_count()) return "a block lies in an unknown superblock";
    if (exit >= blocks.superblock(SuperblockId(superblock)).exits.size()) return "a block leaves by an unknown exit";
    blocks.add_block(SuperblockId(superblock), exit);
  }
  return end_of(from);
}

}  // namespace cdr
