// SPDX-License-Identifier: GPL-2.0-or-later
//
// The layout of the types of global variables, and the way from an offset in a
// variable to the part of it that stands there: 36 in `cell grid[10]` is
// grid[3].left. Holds only what is reached by value; what a pointer points to
// is a name, unless the reader was told to follow it.
#ifndef CDRGRIND_SYMBOLS_TABLES_TYPE_TABLE_H
#define CDRGRIND_SYMBOLS_TABLES_TYPE_TABLE_H

#include <cstdint>
#include <string>
#include <vector>

#include "cdrgrind/symbols/common/names.h"
#include "cdrgrind/symbols/common/string_pool.h"

namespace cdr::symbols {

using TypeIndex = std::uint32_t;  // 0 = unknown

enum class TypeShape : std::uint8_t { scalar, record, array };

struct TypeRecord {
  StringId name = StringId::empty;
  TypeShape shape = TypeShape::scalar;
  bool is_atomic = false;
  TypeTraits traits = {};
  std::uint64_t size = 0;          // bytes; 0 = unknown
  std::uint32_t first_member = 0;  // of a record (struct, class or union)
  std::uint32_t member_count = 0;
  TypeIndex element = 0;  // of an array; of a scalar: what it points to, where that was asked for
};

struct MemberRecord {
  StringId name = StringId::empty;  // empty: a base class or an anonymous member
  TypeIndex type = 0;
  std::uint64_t bit_begin = 0;  // from the record's begin
  std::uint64_t bit_end = 0;
};

// The part of a variable at an offset.
struct PartName {
  std::string path;     // ".left", "[3].left"; empty = the variable itself
  std::string pattern;  // the same with "[…]" for every index
  TypeIndex type = 0;
  std::uint64_t offset = 0;  // what remains inside the part
  bool is_atomic = false;
};

// Built once, then read-only.
class TypeTable {
 public:
  TypeTable() : types_(1) {}

  TypeIndex add(const TypeRecord& type);
  void set(TypeIndex index, const TypeRecord& type) { types_[index] = type; }
  // Members of one record are added together; returns the index of the first.
  std::uint32_t add_members(const std::vector<MemberRecord>& members);

  const TypeRecord& type(TypeIndex index) const { return types_[index]; }
  PartName part_at(const StringPool& pool, TypeIndex type, std::uint64_t offset) const;
  // Of an array's innermost elements, or of what is none; not 0.
  std::uint64_t element_size(TypeIndex type) const;

 private:
  bool step(const StringPool& pool, PartName& part) const;
  bool step_into_array(PartName& part, const TypeRecord& array) const;
  static constexpr int kMaxBases = 8;
  bool is_empty_base(const MemberRecord& member, int most) const;
  bool step_into_record(const StringPool& pool, PartName& part, const TypeRecord& record) const;

  std::vector<TypeRecord> types_;
  std::vector<MemberRecord> members_;
};

}  // namespace cdr::symbols

#endif
