// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/dwarf/type_reader.h"

#include <libdwarf/dwarf.h>

#include <string_view>
#include <vector>

namespace cdr::symbols {

namespace {

constexpr int kMaxTypeDepth = 64;  // of types in types, against damaged files
constexpr std::uint64_t kPointerBytes = 8;

// Counts the levels of a recursion.
class Level {
 public:
  explicit Level(int& depth) : depth_(depth) { ++depth_; }
  ~Level() { --depth_; }
  bool too_deep() const { return depth_ > kMaxTypeDepth; }

 private:
  int& depth_;
};

// The library's types that make their content atomic.
bool is_atomic_class(std::string_view name) {
  if (!name.starts_with("std::")) return false;
  const std::string_view outer = name.substr(0, name.find('<'));
  const std::size_t scope = outer.rfind("::");
  const std::string_view last = outer.substr(scope + 2);
  return last == "atomic" || last == "__atomic_base" || last == "__atomic_float" || last == "atomic_flag" ||
         last == "__atomic_flag_base";
}

}  // namespace

TypeIndex TypeReader::type_of(const Die& die) {
  const auto key = file_->reference(die, DW_AT_type);
  const TypeIndex type = key ? read(*key) : 0;
  while (depth_ == 0 && !left_.empty()) {
    const DieKey next = left_.back();
    left_.pop_back();
    if (promised_.count(next)) read(next);
  }
  return type;
}

// What a pointer points to may contain the pointer, and be far away: it has its number at once.
TypeIndex TypeReader::read_later(DieKey key) {
  const auto [known, is_new] = done_.try_emplace(key, 0);
  if (!is_new) return known->second;
  known->second = types_->add({});
  promised_.insert(key);
  left_.push_back(key);
  return known->second;
}

TypeIndex TypeReader::read(DieKey key) {
  const auto known = done_.find(key);
  if (known != done_.end() && !promised_.count(key)) return known->second;
  Level level(depth_);
  if (level.too_deep()) return 0;
  // Known before its content is: a damaged file may contain itself.
  const TypeIndex index = known != done_.end() ? known->second : types_->add({});
  done_.emplace(key, index);
  promised_.erase(key);
  Die die = file_->die_at(key);
  if (!die) return index;
  TypeRecord type = layout(die);
  type.name = pool_->intern(spelling_.of(die));
  if (type.shape == TypeShape::record && is_atomic_class(pool_->text(type.name))) type.is_atomic = true;
  types_->set(index, type);
  return index;
}

TypeRecord TypeReader::layout(const Die& die) {
  switch (die.tag()) {
    case DW_TAG_typedef:
    case DW_TAG_const_type:
    case DW_TAG_volatile_type:
    case DW_TAG_restrict_type:
    case DW_TAG_atomic_type:
      return alias_layout(die);
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_interface_type:
    case DW_TAG_union_type:
      return record_layout(die);
    case DW_TAG_array_type:
      return array_layout(die);
    case DW_TAG_pointer_type:
      if (pointers_ == Pointers::kFollowed) {
        TypeRecord type{.size = die.number(DW_AT_byte_size).value_or(kPointerBytes)};
        if (const auto to = file_->reference(die, DW_AT_type)) type.element = read_later(*to);
        return type;
      }
      return {.size = die.number(DW_AT_byte_size).value_or(kPointerBytes)};
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type:
      return {.traits = {.lacks_default = true, .lacks_copy = true},
              .size = die.number(DW_AT_byte_size).value_or(kPointerBytes)};
    case DW_TAG_base_type:
    case DW_TAG_enumeration_type:
      return {.traits = {.is_arithmetic = die.tag() == DW_TAG_base_type || is_of_c(die)},
              .size = die.number(DW_AT_byte_size).value_or(0)};
    default:
      return {.size = die.number(DW_AT_byte_size).value_or(0)};
  }
}

TypeRecord TypeReader::alias_layout(const Die& die) {
  TypeRecord type = types_->type(type_of(die));
  if (die.tag() == DW_TAG_atomic_type) {
    type.is_atomic = true;
    type.traits.is_arithmetic = false;
  }
  if (die.tag() == DW_TAG_const_type) type.traits.lacks_default = type.traits.lacks_copy = true;
  return type;
}

bool TypeReader::is_of_c(const Die& die) const {
  const DwarfUnit* const unit = file_->unit_of(die.key());
  return unit && unit->is_c();
}

// Templates of which nothing is made are not there, nor is what a parameter is if it is not given. So a type may seem
// to lack what it has.
TypeTraits TypeReader::class_traits(const Die& die, const std::vector<MemberRecord>& members) const {
  const auto bare = [](std::string_view name) { return name.substr(0, name.find('<')); };
  const std::string_view name = bare(die.text(DW_AT_name));
  bool has_constructor = false, has_default = false, has_copy = false, has_move = false, copies_members = false;
  TypeTraits traits;
  for_each_child(die, [&](const Die& child) {
    if (child.tag() != DW_TAG_subprogram || child.flag(DW_AT_artificial)) return;
    const bool constructs = !name.empty() && bare(child.text(DW_AT_name)) == name;
    if (!constructs && child.text(DW_AT_name) != "operator=") return;
    std::size_t parameters = 0;
    Dwarf_Half taken = 0;
    for_each_child(child, [&](const Die& p) {
      if (p.tag() != DW_TAG_formal_parameter || p.flag(DW_AT_artificial)) return;
      const auto type = file_->reference(p, DW_AT_type);
      taken = type ? file_->die_at(*type).tag() : Dwarf_Half{0};
      ++parameters;
    });
    const auto access = child.number(DW_AT_accessibility)
                            .value_or(die.tag() == DW_TAG_class_type ? DW_ACCESS_private : DW_ACCESS_public);
    const bool is_usable = access == DW_ACCESS_public && !child.flag(DW_AT_deleted);
    has_constructor |= constructs;
    has_default |= constructs && parameters == 0 && is_usable;
    if (parameters != 1) return;
    has_copy |= taken == DW_TAG_reference_type;
    copies_members |= taken == DW_TAG_reference_type && child.has(DW_AT_defaulted);
    has_move |= taken == DW_TAG_rvalue_reference_type;
    if (taken == DW_TAG_reference_type && !is_usable) traits.lacks_copy = true;
  });
  // Its arguments have values where they are left out.
  has_default |= name == "complex" && names_->of(die).starts_with("std::complex<");
  traits.lacks_default = has_constructor && !has_default;
  traits.lacks_copy |= has_move && !has_copy;
  for (const MemberRecord& m : members) {
    const TypeTraits& part = types_->type(m.type).traits;
    traits.lacks_default |= part.lacks_default;
    traits.lacks_copy |= part.lacks_copy && (!has_copy || copies_members);
  }
  return traits;
}

TypeRecord TypeReader::record_layout(const Die& die) {
  if (auto unit_type = file_->reference(die, DW_AT_signature)) return types_->type(read(*unit_type));
  if (die.flag(DW_AT_declaration)) {
    const auto whole = names_->definition(names_->of(die));
    return whole ? types_->type(read(*whole)) : TypeRecord{};
  }
  std::vector<MemberRecord> members;
  for_each_child(die, [&](const Die& child) {
    const Dwarf_Half tag = child.tag();
    if (tag != DW_TAG_member && tag != DW_TAG_inheritance) return;
    if (auto found = member(child)) members.push_back(*found);
  });
  TypeRecord type{.shape = TypeShape::record, .traits = class_traits(die, members)};
  type.size = die.number(DW_AT_byte_size).value_or(0);
  type.member_count = static_cast<std::uint32_t>(members.size());
  type.first_member = types_->add_members(members);
  return type;
}

// Nothing for a static member: it is a variable of its own.
std::optional<MemberRecord> TypeReader::member(const Die& die) {
  if (die.flag(DW_AT_external) || die.flag(DW_AT_declaration)) return std::nullopt;
  MemberRecord member;
  member.name = die.tag() == DW_TAG_member ? pool_->intern(die.text(DW_AT_name)) : StringId::empty;
  member.type = type_of(die);
  const std::uint64_t type_size = types_->type(member.type).size;
  const std::uint64_t bit_size = die.number(DW_AT_bit_size).value_or(0);
  member.bit_begin = member_bit(die, bit_size, type_size);
  member.bit_end = member.bit_begin + (bit_size != 0 ? bit_size : type_size * 8);
  return member;
}

std::uint64_t TypeReader::member_bit(const Die& die, std::uint64_t bit_size, std::uint64_t type_size) {
  if (auto bit = die.number(DW_AT_data_bit_offset)) return *bit;
  const std::uint64_t begin = die.number(DW_AT_data_member_location).value_or(0) * 8;
  if (bit_size == 0) return begin;
  // Until DWARF 4, bit fields count from the most significant bit of their storage.
  const std::uint64_t storage = die.number(DW_AT_byte_size).value_or(type_size) * 8;
  const std::uint64_t from_top = die.number(DW_AT_bit_offset).value_or(0);
  return from_top + bit_size <= storage ? begin + storage - from_top - bit_size : begin;
}

// gfortran's (from its version 9 on) of allocatable arrays and pointers to arrays: place, offset, type, span, and each
// dimension's step and bounds.
std::uint64_t TypeReader::descriptor_size(std::size_t dimensions) { return 40 + 24 * dimensions; }

// One level for each dimension, the first outermost.
TypeRecord TypeReader::array_layout(const Die& die) {
  const std::vector<std::uint64_t> counts = array_dimensions(*file_, die);
  if (die.has(DW_AT_data_location)) return {.size = descriptor_size(counts.size())};
  TypeRecord type{.shape = TypeShape::array};
  type.element = type_of(die);
  if (!die.flag(DW_AT_GNU_vector)) type.traits = types_->type(type.element).traits;
  for (std::size_t i = counts.size(); i > 0; --i) {
    type.size = types_->type(type.element).size * counts[i - 1];
    if (i == 1) break;  // the outermost level is the array type itself
    type.name = pool_->intern(spelling_.of_array_from(die, i - 1));
    type.element = types_->add(type);
  }
  return type;
}

}  // namespace cdr::symbols
