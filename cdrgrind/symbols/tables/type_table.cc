// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/tables/type_table.h"

#include <algorithm>

namespace cdr::symbols {

namespace {

constexpr int kMaxDepth = 64;  // against damaged files; sources stay far below

}  // namespace

TypeIndex TypeTable::add(const TypeRecord& type) {
  types_.push_back(type);
  return static_cast<TypeIndex>(types_.size() - 1);
}

std::uint32_t TypeTable::add_members(const std::vector<MemberRecord>& members) {
  const auto first = static_cast<std::uint32_t>(members_.size());
  members_.insert(members_.end(), members.begin(), members.end());
  return first;
}

PartName TypeTable::part_at(const StringPool& pool, TypeIndex type, std::uint64_t offset) const {
  PartName part;
  part.type = type;
  part.offset = offset;
  for (int depth = 0; depth < kMaxDepth && step(pool, part); ++depth) {
  }
  return part;
}

std::uint64_t TypeTable::element_size(TypeIndex type) const {
  for (int depth = 0; depth < kMaxDepth && types_[type].shape == TypeShape::array && !types_[type].is_atomic; ++depth) {
    const TypeIndex element = types_[type].element;
    if (types_[element].size == 0) break;
    type = element;
  }
  return std::max<std::uint64_t>(types_[type].size, 1);
}

// Goes one level down; false when the part cannot be divided further.
bool TypeTable::step(const StringPool& pool, PartName& part) const {
  const TypeRecord& type = types_[part.type];
  if (type.is_atomic) {
    part.is_atomic = true;  // the inside of a std::atomic is the library's matter
    return false;
  }
  switch (type.shape) {
    case TypeShape::array:
      return step_into_array(part, type);
    case TypeShape::record:
      return step_into_record(pool, part, type);
    case TypeShape::scalar:
      break;
  }
  return false;
}

bool TypeTable::step_into_array(PartName& part, const TypeRecord& array) const {
  const std::uint64_t element_size = types_[array.element].size;
  if (element_size == 0) return false;
  part.path += '[' + std::to_string(part.offset / element_size) + ']';
  part.pattern += "[…]";
  part.offset %= element_size;
  part.type = array.element;
  return true;
}

bool TypeTable::step_into_record(const StringPool& pool, PartName& part, const TypeRecord& record) const {
  for (std::uint32_t i = 0; i < record.member_count; ++i) {
    const MemberRecord& member = members_[record.first_member + i];
    const std::uint64_t byte_begin = member.bit_begin / 8;
    if (part.offset < byte_begin || part.offset * 8 >= member.bit_end || is_empty_base(member, kMaxBases)) continue;
    if (member.name != StringId::empty) {
      part.path += '.';
      part.path += pool.text(member.name);
      part.pattern += '.';
      part.pattern += pool.text(member.name);
    }
    part.offset -= byte_begin;
    part.type = member.type;
    return true;
  }
  return false;  // padding
}

// An allocator, for instance: it takes no room, though it has a size, and what comes next is at its place.
bool TypeTable::is_empty_base(const MemberRecord& member, int most) const {
  const TypeRecord& type = types_[member.type];
  if (member.name != StringId::empty || type.shape != TypeShape::record || type.size != 1 || most == 0) return false;
  for (std::uint32_t i = 0; i < type.member_count; ++i)
    if (!is_empty_base(members_[type.first_member + i], most - 1)) return false;
  return true;
}

}  // namespace cdr::symbols
