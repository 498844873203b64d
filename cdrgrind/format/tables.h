// SPDX-License-Identifier: GPL-2.0-or-later
// The payloads that carry the tables: MODULE, BLOCKS (superblocks) and EXITS (blocks). A payload holds the
// entries [first, first+n) and says `first`, so that a lost frame is noticed. The decoders append to the
// table and guarantee that every index in it can be followed (a block's exit exists, an access's slot has a
// word at every exit behind it, a guarded access has a slot); they do not check that it makes sense.
#ifndef CDRGRIND_FORMAT_TABLES_H
#define CDRGRIND_FORMAT_TABLES_H

#include <cstdint>
#include <span>

#include "cdrgrind/base/block_table.h"
#include "cdrgrind/base/bytes.h"
#include "cdrgrind/base/module_table.h"
#include "cdrgrind/format/frame.h"

namespace cdr {

constexpr uint64_t kMaxSuperblockIndex = 0xffff;  // insns, accesses, words, exits of a superblock
// What a table says of an exit.
enum ExitBits : uint8_t { kExitExecuted = 1, kExitTarget = 2 };

// Serial numbers in the table, half-open and counted from 0.
struct TableRange {
  uint32_t begin = 0;
  uint32_t end = 0;
};

// Before version 5 what tells the files apart is left out.
void encode_modules(const ModuleTable& modules, TableRange which, ByteWriter& to, uint32_t version = kFormatVersion);
void encode_superblocks(const BlockTable& blocks, TableRange which, ByteWriter& to);
void encode_blocks(const BlockTable& blocks, TableRange which, ByteWriter& to);

// Null, or what is wrong.
const char* decode_modules(std::span<const uint8_t> payload, ModuleTable& modules, uint32_t version = kFormatVersion);
const char* decode_superblocks(std::span<const uint8_t> payload, const ModuleTable& modules, BlockTable& blocks);
const char* decode_blocks(std::span<const uint8_t> payload, BlockTable& blocks);

// What of these guarantees a superblock that was read does not keep, or null.
const char* check_superblock(const Superblock& sb, const ModuleTable& modules);

}  // namespace cdr

#endif
