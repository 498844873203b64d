// SPDX-License-Identifier: GPL-2.0-or-later
// What the instructions of a superblock make of the values that they find: as far as it takes to tell an update
// (old op x) from other things that are done with a value.
//
//     mov eax,[rbp-4]          access 0
//     add eax,[rbp-8]          access 1
//     mov [rbp-4],eax          the value stored: add of load 0 and load 1
//
// Valgrind cuts long statements: a superblock to which another one falls through, or jumps forward, and no other leads,
// goes on with what that one has made of the registers.
#ifndef CDRGRIND_ANALYSIS_ADVISE_VALUES_H
#define CDRGRIND_ANALYSIS_ADVISE_VALUES_H

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/regions/machine_insn.h"
#include "cdrgrind/base/block_table.h"

namespace cdr::advise {

using regions::Operation;

// As a reduction has it; empty if it cannot be one. `logical': of truth values.
std::string_view sign_of(Operation o, bool logical = false);

// What a value is made of: one leaf and no operation is a copy. Subtraction is the addition of a negative leaf; where
// operations differ, what came before becomes one unknown leaf. kMoveIf: one of the first two, by a comparison of them,
// or by a third one.
struct Leaf {
  enum class Kind : uint8_t { kUnknown, kNumber, kEntry, kLoad };
  Kind kind = Kind::kUnknown;
  uint16_t ref = 0;  // register, access (ValueTable::origin)
  bool negative = false;
  std::string text;                   // the same expression has the same text, also in other superblocks
  std::vector<uint16_t> loads = {};   // kUnknown: accesses that it is made of, as far as it is known (origin)
  regions::RegisterSet entries = {};  // registers, as the superblock finds them, that it is made of
  bool whole = false;                 // kUnknown: of these and nothing else
  bool subtracted = false;            // once at least: then it is no update's old value, though twice is none
  bool operator==(const Leaf& o) const { return kind == o.kind && ref == o.ref && negative == o.negative; }
};

struct VectorStep;

struct Value {
  Operation operation = Operation::kMove;
  std::vector<Leaf> leaves;
  bool floating = false;
  bool of_truth = false;                   // 1 if what is said of it is not 0
  std::shared_ptr<const VectorStep> step;  // what it is of an operation that takes several instructions
  regions::RegisterSet entries() const;
  // One of its leaves, by what is not among them.
  bool is_chosen() const { return operation == Operation::kMoveIf && leaves.size() > 1; }
  // Whether it is not chosen, and f holds of all that it is made of.
  template <class F>
  bool follows_from(F f) const {
    return !is_chosen() && std::all_of(leaves.begin(), leaves.end(), f);
  }
  bool is_copy() const { return leaves.size() == 1 && !leaves[0].negative; }
  std::string text() const;
};

// On vectors, choices and products are made by several instructions:
//
//     pcmpgtd   kGreater: left > right, a mask        pmuludq           kEvenProducts of left and right
//     pcmpeqd   kEqual
//     pand      kWhere: left > right, there `kept`    psrlq 32          kHighHalves of `kept`
//     pandn     kElse: where it is not                pmuludq of those  kOddProducts
//     por       a choice                              punpckldq         the products
struct VectorStep {
  enum class Kind : uint8_t { kGreater, kEqual, kWhere, kElse, kHighHalves, kEvenProducts, kOddProducts };
  Kind kind = Kind::kGreater;
  Value left, right, kept;
  bool by_order = false;  // kWhere, kElse: of a kGreater
};

// What a comparison, at an instruction, compares.
struct Comparison {
  uint16_t insn = 0;
  Value left, right;
};

// A store whose address is a text and a number.
struct PlacedStore {
  uint16_t access = 0;
  std::string base;  // empty: not known
  int64_t number = 0;
  uint32_t width = 0;
};

struct BlockValues {
  SuperblockId before;                                // that it goes on with, or none
  uint8_t depth = 0;                                  // how many there are
  std::array<Value, 32> registers;                    // at the end
  std::map<uint16_t, Value> stored;                   // by access
  std::map<uint16_t, std::vector<Value>> address_of;  // by access: what its base and index registers held
  std::map<uint16_t, std::string> address;            // by access, as text
  std::vector<Comparison> comparisons;
  std::vector<PlacedStore> stores;  // and of those before
};

// As long as nothing is stored there; the same in all superblocks.
std::string without_versions(const std::string& text);

// Of a place whose address that is, as BlockValues::address has it; empty if it is not known.
std::string place_text(const Value& address);

using AccessId = std::pair<SuperblockId, uint16_t>;

class ValueTable {
 public:
  ValueTable(const BlockTable& blocks, regions::InsnTable& insns);
  // Stays where it is.
  const BlockValues& of(SuperblockId id);
  // Before one of its instructions.
  const std::array<Value, 32>& registers_before(SuperblockId id, uint16_t insn);
  // Whether two accesses of superblocks that go on with each other are to the same bytes, whenever they are executed.
  bool same_place(AccessId a, AccessId b);
  // What a leaf of the superblock means: an access of its own, or of one before it.
  AccessId origin(SuperblockId sb, uint16_t access);
  regions::InsnTable& insns() { return insns_; }

  // What a store leaves, as text, where its superblock begins right behind the other one's end, on either way of a
  // branch there; empty if it does not.
  std::string stored_behind(SuperblockId before, AccessId store);
  // A leaf's access in the superblock `depth` before is depth * kEarlier + its index there.
  static constexpr uint16_t kEarlier = 0x2000;
  static constexpr uint8_t kMostBefore = 7;

 private:
  const BlockValues* values_before(SuperblockId id, SuperblockId& before);

  const BlockTable& blocks_;
  regions::InsnTable& insns_;
  std::unordered_map<uint32_t, std::unique_ptr<BlockValues>> known_;
  std::map<std::pair<uint32_t, uint16_t>, std::unique_ptr<BlockValues>> partial_;  // up to an instruction
  std::unordered_map<uint64_t, SuperblockId> only_way_;  // by address: the one that falls through to it
};

}  // namespace cdr::advise

#endif
