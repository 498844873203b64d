// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/dwarf/qualified_names.h"

#include <libdwarf/dwarf.h>

#include <algorithm>

namespace cdr::symbols {

namespace {

constexpr int kMaxScopeDepth = 64;  // of nested scopes and of chains of references

bool is_record(Dwarf_Half tag) {
  return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type ||
         tag == DW_TAG_interface_type;
}

bool is_closure(const Die& record) {
  bool found = false;
  for_each_child(record, [&](const Die& child) {
    found = found || (child.tag() == DW_TAG_subprogram && child.text(DW_AT_name) == "operator()");
  });
  return found;
}

std::string_view anonymous_name(const Die& die) {
  switch (die.tag()) {
    case DW_TAG_namespace:
      return "(anonymous namespace)";
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
      return is_closure(die) ? "{lambda}" : "(anonymous struct)";
    case DW_TAG_union_type:
      return "(anonymous union)";
    case DW_TAG_enumeration_type:
      return "(anonymous enum)";
    default:
      return "";
  }
}

}  // namespace

std::string QualifiedNames::of(const Die& die) { return of(die, 0); }

std::string QualifiedNames::of(const Die& die, int depth) {
  if (!die || depth > kMaxScopeDepth) return {};
  for (Dwarf_Half link : {DW_AT_specification, DW_AT_abstract_origin, DW_AT_signature}) {
    if (auto target = file_->reference(die, link)) return of(file_->die_at(*target), depth + 1);
  }
  std::string_view name = die.text(DW_AT_name);
  if (name.empty()) name = anonymous_name(die);
  if (name.empty()) return {};
  // Each unit that has one of Fortran's common blocks describes it; it is no unit's.
  if (die.tag() == DW_TAG_common_block) return std::string(name);
  std::string scope = scope_name(die.key(), depth + 1);
  // Ada's compiler names the scopes itself.
  if (!scope.empty() && name.starts_with(scope + "__")) return std::string(name);
  // gcc's function of a parallel region stands within the one that has the region, by whose symbol it is called.
  if (const size_t made = name.find("._omp_fn."); !scope.empty() && made != name.npos)
    return scope.append(name.substr(made));
  if (!scope.empty()) scope += "::";
  return scope.append(name);
}

bool QualifiedNames::is_member(const Die& die) {
  DieKey key = die.key();
  for (int depth = 0; depth < kMaxScopeDepth; ++depth) {
    const Die here = file_->die_at(key);
    auto target = file_->reference(here, DW_AT_specification);
    if (!target) target = file_->reference(here, DW_AT_abstract_origin);
    if (!target) break;
    key = *target;
  }
  const DwarfUnit* const unit = file_->unit_of(key);
  const Scope* const scope = unit ? scope_around(scopes_of(*unit), key) : nullptr;
  return scope && is_record(file_->die_at({scope->begin, key.in_types}).tag());
}

// The innermost one; null: the unit.
const QualifiedNames::Scope* QualifiedNames::scope_around(const Scopes& scopes, DieKey key) {
  const auto after = std::lower_bound(scopes.begin(), scopes.end(), key.offset,
                                      [](const Scope& scope, std::uint64_t offset) { return scope.begin < offset; });
  auto index = static_cast<std::int32_t>(after - scopes.begin()) - 1;
  while (index >= 0 && scopes[static_cast<std::size_t>(index)].end <= key.offset) {
    index = scopes[static_cast<std::size_t>(index)].parent;
  }
  return index < 0 ? nullptr : &scopes[static_cast<std::size_t>(index)];
}

// The qualified name of the innermost scope around a DIE.
std::string QualifiedNames::scope_name(DieKey key, int depth) {
  const DwarfUnit* unit = file_->unit_of(key);
  if (!unit) return {};
  const Scope* const around = scope_around(scopes_of(*unit), key);
  if (!around) return {};
  const DieKey scope{around->begin, key.in_types};
  if (auto known = scope_names_.find(scope); known != scope_names_.end()) return known->second;
  std::string name = of(file_->die_at(scope), depth);
  scope_names_.emplace(scope, name);
  return name;
}

const QualifiedNames::Scopes& QualifiedNames::scopes_of(const DwarfUnit& unit) {
  auto [place, is_new] = scopes_.try_emplace(&unit);
  if (is_new) list_scopes(place->second, file_->die_at(unit.die), -1, unit.end, 0, unit.is_c());
  return place->second;
}

// Lists the scopes below a DIE that ends at `end`. A scope ends where the next
// DIE of its level begins.
void QualifiedNames::list_scopes(Scopes& scopes, const Die& parent, std::int32_t parent_index, std::uint64_t end,
                                 int depth, bool in_c) {
  if (depth > kMaxScopeDepth) return;
  Die child = parent.child();
  while (child) {
    Die next = child.sibling();
    const std::uint64_t child_end = next ? next.key().offset : end;
    const Dwarf_Half tag = child.tag();
    if (tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_subprogram || tag == DW_TAG_common_block ||
        is_record(tag)) {
      const bool is_definition = is_record(tag) && !child.flag(DW_AT_declaration);
      const auto index = static_cast<std::int32_t>(scopes.size());
      scopes.push_back({child.key().offset, child_end, parent_index, is_definition});
      // Members of C's structures are no scopes, and of no interest; libraries have very many.
      if (!is_record(tag) || !in_c) list_scopes(scopes, child, index, child_end, depth + 1, in_c);
    } else if (tag == DW_TAG_lexical_block) {
      list_scopes(scopes, child, parent_index, child_end, depth + 1, in_c);
    }
    child = std::move(next);
  }
}

std::optional<DieKey> QualifiedNames::definition(const std::string& name) {
  if (!definitions_listed_) list_definitions();
  auto found = definitions_.find(name);
  if (found == definitions_.end()) return std::nullopt;
  return found->second;
}

void QualifiedNames::list_definitions() {
  definitions_listed_ = true;
  for (const DwarfUnit& unit : file_->units()) {
    for (const Scope& scope : scopes_of(unit)) {
      if (!scope.is_definition) continue;
      const DieKey key{scope.begin, unit.die.in_types};
      Die die = file_->die_at(key);
      if (!die.has(DW_AT_name) && !die.has(DW_AT_specification)) continue;  // anonymous
      definitions_.emplace(of(die), key);
    }
  }
}

}  // namespace cdr::symbols
