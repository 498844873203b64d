// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/format/tables.h"

#include <array>

#include "cdrgrind/format/superblock_columns.h"
#include "tests/unit/properties.h"
#include "tests/unit/trace/random_trace.h"
#include "tests/unit/trace/small_program.h"

using namespace cdr;
using namespace cdr::test;

namespace {

template <class T>
bool equal(std::span<const T> a, std::span<const T> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

bool same(const Superblock& a, const Superblock& b) {
  return a.addr == b.addr && a.module == b.module && a.length == b.length && a.flags == b.flags &&
         equal(a.insns, b.insns) && equal(a.accesses, b.accesses) && equal(a.sp_changes, b.sp_changes) &&
         equal(a.exits, b.exits);
}

bool same(const Module& a, const Module& b) {
  return a.id == b.id && a.path == b.path && a.soname == b.soname && a.text == b.text && a.bias == b.bias &&
         a.got == b.got && a.got_plt == b.got_plt && a.plt == b.plt && a.flags == b.flags &&
         a.file_bytes == b.file_bytes && a.file_id_kind == b.file_id_kind && a.file_id == b.file_id;
}

enum class Form { kRows, kColumns };

// Writes superblocks and reads them; what the reader says.
const char* pass(Form form, const BlockTable& from, TableRange which, const ModuleTable& modules, BlockTable& to) {
  if (form == Form::kRows) {
    ByteWriter w;
    encode_superblocks(from, which, w);
    return decode_superblocks(w.bytes(), modules, to);
  }
  const auto written = superblock_columns(from, which);
  std::array<std::span<const uint8_t>, kSbColumns> columns;
  for (size_t i = 0; i < kSbColumns; ++i) columns[i] = written[i].bytes();
  return read_superblock_columns(columns, modules, to);
}

// What the reader says of one superblock.
const char* verdict(Form form, const SuperblockParts& parts) {
  BlockTable from, to;
  ModuleTable modules;
  modules.add({});
  from.add_superblock(parts.view());
  return pass(form, from, {0, 1}, modules, to);
}

SuperblockParts valid() {
  SuperblockParts p = straight(0x1000, 3, ExitKind::kBranch, 0x2000);
  p.accesses = {{0, 0, 1, 8, 0}, {8, 1, 1, 8, kAccessStore}, {0, 2, 2, 1, kAccessGuarded}};
  p.sp_changes = {{8, 2, SpChange::kSpAtEntry}, {0, 2, 3}};
  p.exits[0].accesses = 3;
  p.exits[0].words = 3;
  p.exits[0].sp_changes = 2;
  return p;
}

}  // namespace

TEST_CASE("tables come back whole or in pieces") {
  rc::prop("tables", [] {
    const Tables t = random_trace(1).tables;
    Tables back;
    ByteWriter w;
    encode_modules(t.modules, {0, t.modules.size()}, w);
    RC_ASSERT(decode_modules(w.bytes(), back.modules) == nullptr);
    for (const Module& m : t.modules) RC_ASSERT(same(m, back.modules[m.id]));

    const uint32_t n = t.blocks.superblock_count(), cut = *rc::gen::inRange(0u, n + 1);
    const Form form = *rc::gen::element(Form::kRows, Form::kColumns);
    for (const TableRange r : {TableRange{0, cut}, TableRange{cut, n}})
      RC_ASSERT(pass(form, t.blocks, r, back.modules, back.blocks) == nullptr);
    for (uint32_t i = 1; i <= n; ++i)
      RC_ASSERT(same(t.blocks.superblock(SuperblockId(i)), back.blocks.superblock(SuperblockId(i))));

    w.clear();
    encode_blocks(t.blocks, {0, t.blocks.block_count()}, w);
    RC_ASSERT(decode_blocks(w.bytes(), back.blocks) == nullptr);
    for (uint32_t i = 1; i <= t.blocks.block_count(); ++i) {
      RC_ASSERT(t.blocks.block(BlockId(i)).superblock == back.blocks.block(BlockId(i)).superblock);
      RC_ASSERT(t.blocks.block(BlockId(i)).exit == back.blocks.block(BlockId(i)).exit);
    }
  });
}

namespace {

Module identified(FileIdKind kind, std::string_view id) {
  Module m;
  m.path = "/bin/small";
  m.text = {0x1000, 0x2000};
  m.flags = kModulePreload;
  m.file_bytes = 123456789012;
  m.file_id_kind = kind;
  m.file_id = id;
  return m;
}

// What the reader says of one module in this version, which is the last of `to`.
const char* pass(const Module& m, uint32_t version, ModuleTable& to) {
  ModuleTable from;
  from.add(m);
  ByteWriter w;
  encode_modules(from, {0, 1}, w, version);
  return decode_modules(w.bytes(), to, version);
}

}  // namespace

TEST_CASE("a module's file is told by size and id, before version 5 by nothing") {
  const std::string longest(kMaxFileIdBytes, '\xff');
  for (const Module& m : {identified(FileIdKind::kNone, ""), identified(FileIdKind::kBuildId, "\1\2\3"),
                          identified(FileIdKind::kBuildId, longest), identified(FileIdKind::kChecksum, "12345678")}) {
    ModuleTable back, back_from_old;
    REQUIRE(pass(m, kFormatVersion5, back) == nullptr);
    Module want = m;
    want.id = ModuleId(1);
    CHECK(same(back[ModuleId(1)], want));
    REQUIRE(pass(m, kFormatVersion4, back_from_old) == nullptr);
    want.file_bytes = 0;
    want.file_id_kind = FileIdKind::kNone;
    want.file_id = {};
    CHECK(same(back_from_old[ModuleId(1)], want));
  }
}

TEST_CASE("ids of files that cannot be are refused") {
  const std::string too_long(kMaxFileIdBytes + 1, 'x');
  for (const Module& m : {identified(FileIdKind::kBuildId, ""), identified(FileIdKind::kBuildId, too_long),
                          identified(FileIdKind::kChecksum, "1234567"), identified(FileIdKind::kChecksum, "123456789"),
                          identified(static_cast<FileIdKind>(3), "12345678")}) {
    ModuleTable back;
    CHECK(std::string(pass(m, kFormatVersion5, back)) == "the list ends inside an entry");
    CHECK(back.size() == 0);
  }
}

TEST_CASE("a superblock with an index that leads nowhere is refused") {
  const Form form = GENERATE(Form::kRows, Form::kColumns);
  CHECK(verdict(form, valid()) == nullptr);
  const auto refused = [&](void (*change)(SuperblockParts&)) {
    SuperblockParts p = valid();
    change(p);
    return verdict(form, p) != nullptr;
  };
  CHECK(refused([](SuperblockParts& p) { p.accesses[2].insn = 3; }));
  CHECK(refused([](SuperblockParts& p) { p.sp_changes[0].insn = 3; }));
  CHECK(refused([](SuperblockParts& p) { p.accesses[2].slot = 0; }));
  CHECK(refused([](SuperblockParts& p) { p.accesses[1].slot = 4; }));
  CHECK(refused([](SuperblockParts& p) { p.sp_changes[1].slot = 4; }));
  CHECK(refused([](SuperblockParts& p) { p.exits[0].words = 2; }));
  CHECK(refused([](SuperblockParts& p) { p.exits[0].accesses = 4; }));
  CHECK(refused([](SuperblockParts& p) { p.exits[0].insns = 4; }));
  CHECK(refused([](SuperblockParts& p) { p.exits[0].sp_changes = 3; }));
  CHECK(refused([](SuperblockParts& p) { p.exits.clear(); }));
  CHECK(refused([](SuperblockParts& p) { p.sb.module = ModuleId(2); }));
}

TEST_CASE("entries that do not follow those known are refused") {
  const Tables t = small_program().tables();
  Tables back;
  ByteWriter w;
  encode_blocks(t.blocks, {0, 1}, w);
  CHECK(std::string(decode_blocks(w.bytes(), back.blocks)) == "a block lies in an unknown superblock");
  for (const Form form : {Form::kRows, Form::kColumns})
    CHECK(std::string(pass(form, t.blocks, {1, 2}, t.modules, back.blocks)) == "entries are missing before it");
}
