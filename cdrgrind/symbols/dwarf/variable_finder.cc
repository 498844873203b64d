// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/dwarf/variable_finder.h"

#include <libdwarf/dwarf.h>

#include <algorithm>

#include "cdrgrind/symbols/dwarf/die_scopes.h"

namespace cdr::symbols {

VariableFinder::VariableFinder(const DwarfFile& file, QualifiedNames& names, LineReader& lines,
                               const SymbolTable& symbols, StringPool& pool)
    : file_(&file), symbols_(&symbols), reader_(file, names, lines, pool, tables_) {
  file.for_each_unit([&](const DwarfUnit& unit) {
    if (unit.tag != DW_TAG_type_unit) list_children(file.die_at(unit.die), false, 0);
  });
  for (Places* const places : {&variables_, &tls_variables_})
    std::stable_sort(places->sorted.begin(), places->sorted.end(),
                     [](const Place& a, const Place& b) { return a.begin < b.begin; });
}

void VariableFinder::list_children(const Die& parent, bool in_function, int depth) {
  if (++depth > kMaxBlockDepth) return;
  for_each_child(parent, [&](const Die& child) { list(child, in_function, depth); });
}

void VariableFinder::list(const Die& die, bool in_function, int depth) {
  const Dwarf_Half tag = die.tag();
  if (tag == DW_TAG_variable) {
    if (const auto place = VariableReader::location_of(die))
      (place->is_tls ? tls_variables_ : variables_).sorted.push_back({place->value, die.key()});
  } else if (tag == DW_TAG_subprogram) {
    if (!die.flag(DW_AT_declaration)) list_children(die, true, depth);
  } else if (tag == DW_TAG_inlined_subroutine || is_looked_into(tag, in_function)) {
    list_children(die, in_function, depth);
  }
}

const VariableRecord* VariableFinder::at(std::uint64_t address) { return find(variables_, address); }

const VariableRecord* VariableFinder::tls_at(std::uint64_t offset) { return find(tls_variables_, offset); }

// The nearest one before it.
const VariableRecord* VariableFinder::find(Places& places, std::uint64_t wanted) {
  auto after = std::upper_bound(places.sorted.begin(), places.sorted.end(), wanted,
                                [](std::uint64_t at, const Place& p) { return at < p.begin; });
  while (after != places.sorted.begin()) {
    const std::uint64_t begin = std::prev(after)->begin;
    auto [known, is_new] = places.known.try_emplace(begin);
    if (is_new) known->second = read(places, begin);
    if (const auto& variable = known->second) return wanted - begin < variable->size ? &*variable : nullptr;
    while (after != places.sorted.begin() && std::prev(after)->begin == begin) --after;
  }
  return nullptr;
}

// The first of the largest ones that have a name.
std::optional<VariableRecord> VariableFinder::read(const Places& places, std::uint64_t begin) {
  std::optional<VariableRecord> found;
  const auto first = std::lower_bound(places.sorted.begin(), places.sorted.end(), begin,
                                      [](const Place& p, std::uint64_t at) { return p.begin < at; });
  for (auto p = first; p != places.sorted.end() && p->begin == begin; ++p) {
    const DwarfUnit* const unit = file_->unit_of(p->die);
    if (!unit) continue;
    file_->visit_unit(*unit, [&](const DwarfUnit&) {
      VariableRecord variable = reader_.record(file_->die_at(p->die), {begin, places.is_tls});
      if (variable.name == StringId::empty) return;
      if (variable.size == 0) variable.size = symbols_->bytes_left_at(begin, places.is_tls);
      if (!found || variable.size > found->size) found = variable;
    });
  }
  return found;
}

}  // namespace cdr::symbols
