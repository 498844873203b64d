// SPDX-License-Identifier: GPL-2.0-or-later
// Superblocks as columns (format/columns.h): what BLOCKS frames hold in a compact trace. Most of what a superblock says
// follows from the rest of it; only what is otherwise is told.
#ifndef CDRGRIND_FORMAT_SUPERBLOCK_COLUMNS_H
#define CDRGRIND_FORMAT_SUPERBLOCK_COLUMNS_H

#include <array>
#include <span>
#include <vector>

#include "cdrgrind/format/tables.h"

namespace cdr {

enum SuperblockColumn : uint32_t {
  kSbRange,        // first serial, counted from 0; their number
  kSbAddrs,        // address, less the end of the superblock before
  kSbModules,      // module, less that of the superblock before
  kSbFlags,        //
  kSbLengths,      // bytes, less the end of the last instruction
  kSbInsns,        // number of instructions
  kSbInsnLengths,  // of each instruction
  kSbInsnOffsets,  // its offset, less the end of the instruction before
  kSbAccesses,     // number of accesses
  kSbAccessInsns,  // instruction of each access, less that of the access before
  kSbAccessSlots,  // one more than the highest slot so far, less the slot
  kSbAccessConstants,
  kSbAccessWidths,
  kSbAccessFlags,
  kSbSpChanges,  // number of changes of SP
  kSbSpInsns,    // instruction of each, less that of the change before
  kSbSpSlots,    // slot + 1; relative to SP at the entry: 0
  kSbSpConstants,
  kSbExits,  // number of exits, less one
  kSbExitKinds,
  kSbExitGuards,    // guard * 4, + 1 if its instruction is executed, + 2 if it has a constant target
  kSbExitTargets,   // target, less the end of the instruction at the exit
  kSbExitInsns,     // instructions that the superblock has, less those before the exit
  kSbExitPrefixes,  // accesses, changes of SP and words before the exit, less those of the instructions before it
  kSbColumns
};

std::vector<ByteWriter> superblock_columns(const BlockTable& blocks, TableRange which);

// Appends them to `blocks`, with the guarantees of decode_superblocks(). Null, or what is wrong.
const char* read_superblock_columns(const std::array<std::span<const uint8_t>, kSbColumns>& columns,
                                    const ModuleTable& modules, BlockTable& blocks);

}  // namespace cdr

#endif
