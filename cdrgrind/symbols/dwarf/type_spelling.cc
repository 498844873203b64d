// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/dwarf/type_spelling.h"

#include <libdwarf/dwarf.h>

#include <utility>

namespace cdr::symbols {

namespace {

constexpr int kMaxSpellingDepth = 32;  // a damaged file may have a type that points to itself

// Whether a name may follow without a blank: "char *x", "int (*x)".
bool ends_in_symbol(std::string_view text) {
  return text.empty() || text.ends_with('*') || text.ends_with('&') || text.ends_with('(');
}

// g++ writes "long unsigned int" for what everybody, clang and the demangler
// too, calls "unsigned long"; in template arguments as well.
std::string usual_name(std::string name) {
  static constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"long long unsigned int", "unsigned long long"},
      {"long unsigned int", "unsigned long"},
      {"short unsigned int", "unsigned short"},
      {"long long int", "long long"},
      {"long int", "long"},
      {"short int", "short"},
  };
  for (const auto& [theirs, usual] : kNames) {
    for (std::size_t at; (at = name.find(theirs)) != std::string::npos;) name.replace(at, theirs.size(), usual);
  }
  return name;
}

}  // namespace

std::vector<std::uint64_t> array_dimensions(const DwarfFile& file, const Die& array) {
  const DwarfUnit* const unit = file.unit_of(array.key());
  const std::uint64_t first = unit && (unit->is_fortran() || unit->is_ada()) ? 1 : 0;  // where the type does not tell
  std::vector<std::uint64_t> counts;
  for_each_child(array, [&](const Die& child) {
    if (child.tag() != DW_TAG_subrange_type) return;
    const auto last = child.number(DW_AT_upper_bound), begin = child.number(DW_AT_lower_bound);
    if (auto count = child.number(DW_AT_count))
      counts.push_back(*count);
    else if (last && (begin || !child.has(DW_AT_lower_bound)))
      counts.push_back(*last + 1 - begin.value_or(first));
    else
      counts.push_back(0);
  });
  return counts;
}

std::string TypeSpelling::Parts::joined() const {
  const bool needs_blank = !after.empty() && !after.starts_with(')') && !ends_in_symbol(before);
  return before + (needs_blank ? " " : "") + after;
}

std::string TypeSpelling::of(const Die& type) { return spell(type, 0).joined(); }

std::string TypeSpelling::of_array_from(const Die& array, std::size_t first_dimension) {
  return spell_array(array, first_dimension, 0).joined();
}

std::string TypeSpelling::of_parameters(const Die& function) {
  std::string text;
  bool is_const = false;
  for_each_child(function, [&](const Die& child) {
    if (child.tag() != DW_TAG_formal_parameter) return;
    const std::string type = spell_target(child, 0).joined();
    if (child.flag(DW_AT_artificial)) {
      is_const = is_const || type.starts_with("const ");  // of what `this` points to
    } else {
      text += (text.empty() ? "" : ", ") + type;
    }
  });
  return '(' + text + (is_const ? ") const" : ")");
}

TypeSpelling::Parts TypeSpelling::spell(const Die& type, int depth) {
  if (!type || depth > kMaxSpellingDepth) return {"…", ""};
  switch (type.tag()) {
    case DW_TAG_const_type:
      return qualify(spell_target(type, depth), "const");
    case DW_TAG_volatile_type:
      return qualify(spell_target(type, depth), "volatile");
    case DW_TAG_restrict_type:
      return qualify(spell_target(type, depth), "restrict");
    case DW_TAG_atomic_type:
      return {"_Atomic(" + spell_target(type, depth).joined() + ")", ""};
    case DW_TAG_pointer_type:
      return point(spell_target(type, depth), "*");
    case DW_TAG_reference_type:
      return point(spell_target(type, depth), "&");
    case DW_TAG_rvalue_reference_type:
      return point(spell_target(type, depth), "&&");
    case DW_TAG_ptr_to_member_type:
      return point(spell_target(type, depth), "::*");
    case DW_TAG_array_type:
      return spell_array(type, 0, depth);
    case DW_TAG_subroutine_type: {
      Parts result = spell_target(type, depth);
      result.after.insert(0, "(" + parameters(type, depth) + ")");
      return result;
    }
    default:
      return {plain_name(type), ""};
  }
}

TypeSpelling::Parts TypeSpelling::spell_target(const Die& type, int depth) {
  if (!type.has(DW_AT_type)) return {"void", ""};
  const auto key = file_->reference(type, DW_AT_type);
  return key ? spell(file_->die_at(*key), depth + 1) : Parts{"…", ""};
}

TypeSpelling::Parts TypeSpelling::spell_array(const Die& array, std::size_t first_dimension, int depth) {
  Parts parts = spell_target(array, depth);
  const std::vector<std::uint64_t> counts = array_dimensions(*file_, array);
  std::string brackets;
  for (std::size_t i = first_dimension; i < counts.size(); ++i) {
    brackets += counts[i] == 0 ? "[]" : '[' + std::to_string(counts[i]) + ']';
  }
  parts.after.insert(0, brackets);
  return parts;
}

TypeSpelling::Parts TypeSpelling::point(Parts target, std::string_view symbol) {
  const bool inside = !target.after.empty() && !target.after.starts_with(')');
  if (!ends_in_symbol(target.before)) target.before += ' ';
  if (inside) {
    target.before += '(';
    target.after.insert(0, ")");
  }
  target.before += symbol;
  return target;
}

TypeSpelling::Parts TypeSpelling::qualify(Parts target, std::string_view qualifier) {
  if (target.before.ends_with('*') || target.before.ends_with('&')) {
    target.before += qualifier;
  } else {
    target.before.insert(0, std::string(qualifier) + ' ');
  }
  return target;
}

std::string TypeSpelling::plain_name(const Die& type) {
  if (type.tag() == DW_TAG_base_type) return usual_name(std::string(type.text(DW_AT_name)));
  const DwarfUnit* unit = file_->unit_of(type.key());
  if (!unit || !unit->is_c()) return usual_name(names_->of(type));
  const std::string plain(type.text(DW_AT_name));
  const std::string name = plain.empty() ? "{…}" : plain;
  switch (type.tag()) {
    case DW_TAG_structure_type:
      return "struct " + name;
    case DW_TAG_union_type:
      return "union " + name;
    case DW_TAG_enumeration_type:
      return "enum " + name;
    default:
      return plain;
  }
}

std::string TypeSpelling::parameters(const Die& function, int depth) {
  std::string text;
  for_each_child(function, [&](const Die& child) {
    const bool is_rest = child.tag() == DW_TAG_unspecified_parameters;
    if (child.tag() != DW_TAG_formal_parameter && !is_rest) return;
    if (!text.empty()) text += ", ";
    text += is_rest ? "..." : spell_target(child, depth).joined();
  });
  return text.empty() && function.flag(DW_AT_prototyped) ? "void" : text;
}

}  // namespace cdr::symbols
