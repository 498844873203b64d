// SPDX-License-Identifier: GPL-2.0-or-later
// Data flow through a superblock: for everything that it puts out, what goes in. Put out are the addresses of
// accesses, the values stored, the guards of guarded accesses, the conditions of side exits, a dynamic target,
// and the bytes of guest state that it writes. In go bytes of guest state as they are at its entry, and what its
// loads read. No value is known, only where it comes from.
//
//     add (%rbx),%ecx      slot 1 (address of access 0)   {rbx}
//     jnz L                exit 0's condition              {rcx[0:4], load 0}
//                          state before exit 0: rcx {rcx[0:4], load 0}, cc_op {}, cc_dep1 {load 0}, …
//
// Invariant: like accesses, the writes before an exit are a prefix: those of exit k are writes[0, exits[k].writes);
// of several to one byte the last counts. So the summary of a block (superblock, exit) is a prefix of this one.
// The bytes of the state that no write of the prefix names are as they were at the entry.
//
// A load's value depends on memory, which its input `load` says, and on its address: that of the access. The
// guard of a load or store is an input of its value, too. What a set calls weak depends on more than it names.
#ifndef CDRGRIND_BASE_DATAFLOW_H
#define CDRGRIND_BASE_DATAFLOW_H

#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/base/arena.h"
#include "cdrgrind/base/guest_state.h"
#include "cdrgrind/base/id.h"

namespace cdr {

// Bytes of one register, in the layout of guest_state.h.
struct StatePiece {
  uint16_t offset = 0;
  uint16_t size = 0;
  uint32_t end() const { return uint32_t{offset} + size; }
  bool operator==(const StatePiece&) const = default;
};

// A piece of the state at the entry, or what the superblock's access `first` loads.
struct FlowInput {
  uint16_t first = 0;  // offset, or index of the access
  uint16_t size = 0;   // 0: a load
  bool is_load() const { return size == 0; }
  StatePiece piece() const { return {first, size}; }
  static FlowInput load(uint16_t access) { return {access, 0}; }
  static FlowInput state(StatePiece p) { return {p.offset, p.size}; }
  bool operator==(const FlowInput&) const = default;
};

// Pieces ascending and apart (two of one register do not touch), then loads ascending.
struct FlowSet {
  std::span<const FlowInput> inputs;
  bool weak = false;
};

struct AccessFlow {
  uint16_t value = 0;  // set of the value, of a store
  uint16_t guard = 0;  // set of the guard, of a guarded access
  bool operator==(const AccessFlow&) const = default;
};

struct StateWrite {
  StatePiece piece;
  uint16_t set = 0;
  bool operator==(const StateWrite&) const = default;
};

struct ExitFlow {
  uint16_t condition = 0;  // set of the condition; of the last exit: of its target
  uint16_t writes = 0;     // writes before it
  bool operator==(const ExitFlow&) const = default;
};

// Sets are numbered from 1; 0 is the empty one, no input at all.
struct Dataflow {
  std::span<const FlowInput> inputs;     // of all sets, one behind the other
  std::span<const uint32_t> set_ends;    // 2 * end in `inputs`, + 1 if weak; by number - 1
  std::span<const uint16_t> slots;       // set of the address (without the constant), by slot - 1
  std::span<const AccessFlow> accesses;  // one for each of Superblock::accesses
  std::span<const StateWrite> writes;
  std::span<const ExitFlow> exits;  // one for each of Superblock::exits

  bool empty() const { return exits.empty(); }  // there is no summary
  uint32_t set_count() const { return static_cast<uint32_t>(set_ends.size()) + 1; }
  FlowSet set(uint32_t number) const {
    if (number == 0) return {};
    const uint32_t begin = number == 1 ? 0 : set_ends[number - 2] / 2, end = set_ends[number - 1] / 2;
    return {inputs.subspan(begin, end - begin), (set_ends[number - 1] & 1) != 0};
  }
};

// Summaries by superblock, ids serial from 1. A trace without them has an empty table.
class DataflowTable {
 public:
  // Copies the spans. Of superblock number size() + 1.
  void add(const Dataflow& d) {
    rows_.push_back({arena_.copy(d.inputs), arena_.copy(d.set_ends), arena_.copy(d.slots), arena_.copy(d.accesses),
                     arena_.copy(d.writes), arena_.copy(d.exits)});
  }
  uint32_t size() const { return static_cast<uint32_t>(rows_.size()); }
  bool has(SuperblockId id) const { return id && id.value <= rows_.size(); }
  const Dataflow& operator[](SuperblockId id) const { return rows_[id.value - 1]; }

 private:
  Arena arena_;
  std::vector<Dataflow> rows_;
};

}  // namespace cdr

#endif
