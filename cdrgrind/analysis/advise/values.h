// SPDX-License-Identifier: GPL-2.0-or-later
// What the instructions of a superblock make of the values that they find: as far as it takes to tell an update
// (old op x) from other things that are done with a value.
//
//     mov eax,[rbp-4]          access 0
//     add eax,[rbp-8]          access 1
//     mov [rbp-4],eax          the value stored: add of load 0 and load 1
#ifndef CDRGRIND_ANALYSIS_ADVISE_VALUES_H
#define CDRGRIND_ANALYSIS_ADVISE_VALUES_H

#include <array>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cdrgrind/analysis/regions/machine_insn.h"
#include "cdrgrind/base/block_table.h"

namespace cdr::advise {

using regions::Operation;

// As a reduction has it; empty if it cannot be one.
std::string_view sign_of(Operation o);

// What a value is made of: one leaf and no operation is a copy. Subtraction is the addition of a negative leaf; where
// operations differ, what came before becomes one unknown leaf. kMoveIf: one of the leaves, by a comparison of them.
struct Leaf {
  enum class Kind : uint8_t { kUnknown, kNumber, kEntry, kLoad };
  Kind kind = Kind::kUnknown;
  uint16_t ref = 0;  // register, access
  bool negative = false;
  std::string text;                  // the same expression has the same text, also in other superblocks
  std::vector<uint16_t> loads = {};  // kUnknown: accesses that it is made of, as far as it is known
  bool operator==(const Leaf& o) const { return kind == o.kind && ref == o.ref && negative == o.negative; }
};

struct Value {
  Operation operation = Operation::kMove;
  std::vector<Leaf> leaves;
  bool floating = false;
  bool is_copy() const { return leaves.size() == 1 && !leaves[0].negative; }
  std::string text() const;
};

// What a comparison, at an instruction, compares.
struct Comparison {
  uint16_t insn = 0;
  Value left, right;
};

struct BlockValues {
  std::array<Value, 32> registers;                    // at the end
  std::map<uint16_t, Value> stored;                   // by access
  std::map<uint16_t, std::vector<Value>> address_of;  // by access: what its base and index registers held
  std::map<uint16_t, std::string> address;            // by access, as text
  std::vector<Comparison> comparisons;
};

class ValueTable {
 public:
  ValueTable(const BlockTable& blocks, regions::InsnTable& insns) : blocks_(blocks), insns_(insns) {}
  // Stays where it is.
  const BlockValues& of(SuperblockId id);
  // Whether two accesses of the superblock are to the same bytes, whenever it is executed.
  bool same_place(SuperblockId sb, uint16_t a, uint16_t b);
  regions::InsnTable& insns() { return insns_; }

 private:
  const BlockTable& blocks_;
  regions::InsnTable& insns_;
  std::unordered_map<uint32_t, std::unique_ptr<BlockValues>> known_;
};

}  // namespace cdr::advise

#endif
