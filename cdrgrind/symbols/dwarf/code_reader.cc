// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/dwarf/code_reader.h"

#include <libdwarf/dwarf.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "cdrgrind/symbols/common/demangle.h"
#include "cdrgrind/symbols/dwarf/die_scopes.h"

namespace cdr::symbols {

namespace {

std::string_view linkage_name(const Die& die) {
  std::string_view name = die.text(DW_AT_linkage_name);
  return name.empty() ? die.text(DW_AT_MIPS_linkage_name) : name;
}

}  // namespace

CodeReader::CodeReader(const DwarfFile& file, QualifiedNames& names, LineReader& lines, VariableReader* variables,
                       const SymbolTable& symbols, std::function<bool(std::uint64_t)> is_code, StringPool& pool,
                       CodeTable& code)
    : file_(&file),
      names_(&names),
      spelling_(file, names),
      lines_(&lines),
      variables_(variables),
      symbols_(&symbols),
      is_code_(std::move(is_code)),
      pool_(&pool),
      code_(&code) {}

void CodeReader::read_all() {
  file_->for_each_unit([&](const DwarfUnit& unit) { read(unit); });
}

void CodeReader::read(const DwarfUnit& unit) {
  if (unit.tag != DW_TAG_type_unit) walk_children(file_->die_at(unit.die), {&unit, 0, 0, false});
}

void CodeReader::walk_children(const Die& parent, Position at) {
  if (++at.depth > kMaxBlockDepth) return;
  for_each_child(parent, [&](const Die& child) { visit(child, at); });
}

void CodeReader::visit(const Die& die, Position at) {
  switch (die.tag()) {
    case DW_TAG_subprogram:
      return visit_function(die, at);
    case DW_TAG_inlined_subroutine:
      return visit_inlined(die, at);
    case DW_TAG_variable:
      if (variables_) variables_->read(die);
      return;
    default:
      if (is_looked_into(die.tag(), at.in_function)) walk_children(die, at);
  }
}

// Without code it is a declaration, or the abstract function of inlined copies.
void CodeReader::visit_function(const Die& die, Position at) {
  if (die.flag(DW_AT_declaration)) return;
  std::vector<CodeRange> ranges = file_->ranges(die, *at.unit);
  std::erase_if(ranges, [&](const CodeRange& range) { return !is_code_(range.begin); });
  at.node = ranges.empty() ? 0 : add_real(die, ranges);
  for (const CodeRange& range : ranges) {
    if (at.node != 0) code_->add_range(at.node, range);
  }
  at.in_function = true;
  walk_children(die, at);
}

NodeIndex CodeReader::add_real(const Die& die, const std::vector<CodeRange>& ranges) {
  const std::uint64_t entry = die.address(DW_AT_entry_pc).value_or(ranges.front().begin);
  const FunctionIndex index = function(die.key());
  adopt_symbol(die, index, entry);
  return code_->add_real(index, entry);
}

// g++ gives no linkage name to functions of anonymous namespaces; their symbol
// has it. "_ZL1fv.part.0" is a part of _ZL1fv; those of a coroutine are functions of their own.
void CodeReader::adopt_symbol(const Die& die, FunctionIndex index, std::uint64_t entry) {
  if (is_mangled(pool_->text(code_->function(index).linkage_name))) return;
  const ElfSymbol* symbol = symbols_->function_at(entry);
  if (!symbol || symbol->begin != entry || !is_mangled(pool_->text(symbol->name))) return;
  const std::string_view name = pool_->text(symbol->name);
  const StringId linkage_name =
      is_part_of_coroutine(name) ? symbol->name : pool_->intern(name.substr(0, name.find('.')));
  code_->set_linkage_name(index, linkage_name);
  if (auto origin = file_->reference(die, DW_AT_abstract_origin)) {
    code_->set_linkage_name(function(*origin), linkage_name);
  }
}

// An inlined copy outside of known code (of a function that was told before)
// is left out, but not the variables in it.
void CodeReader::visit_inlined(const Die& die, Position at) {
  if (at.node != 0) {
    const std::vector<CodeRange> ranges = file_->ranges(die, *at.unit);
    const bool has_code =
        std::any_of(ranges.begin(), ranges.end(), [](const CodeRange& range) { return range.begin < range.end; });
    if (has_code) {
      CodeNode node;
      node.parent = at.node;
      node.function = function_of_copy(die);
      if (auto file = die.number(DW_AT_call_file)) node.call_file = lines_->file(*at.unit, *file);
      node.call_line = static_cast<std::uint32_t>(die.number(DW_AT_call_line).value_or(0));
      node.call_column =
          static_cast<std::uint16_t>(std::min<std::uint64_t>(die.number(DW_AT_call_column).value_or(0), 0xffff));
      at.node = code_->add_inlined(node);
      for (const CodeRange& range : ranges) code_->add_range(at.node, range);
    }
  }
  walk_children(die, at);
}

FunctionIndex CodeReader::function_of_copy(const Die& die) {
  const auto origin = file_->reference(die, DW_AT_abstract_origin);
  return function(origin.value_or(die.key()));
}

FunctionIndex CodeReader::function(DieKey key) {
  if (auto known = functions_.find(key); known != functions_.end()) return known->second;
  const FunctionIndex index = code_->add_function(describe(key));
  functions_.emplace(key, index);
  return index;
}

// Name and declaration may stand at DIEs that this one completes or copies; the
// nearest one counts for each.
FunctionRecord CodeReader::describe(DieKey first) {
  FunctionRecord function;
  DieKey key = first;
  for (int i = 0; i < kMaxLinks; ++i) {
    Die die = file_->die_at(key);
    const DwarfUnit* unit = file_->unit_of(key);
    if (!die || !unit) break;
    if (function.linkage_name == StringId::empty) function.linkage_name = pool_->intern(linkage_name(die));
    if (function.decl_line == 0) {
      function.decl_line = static_cast<std::uint32_t>(die.number(DW_AT_decl_line).value_or(0));
    }
    if (function.decl_file == StringId::empty) {
      if (auto file = die.number(DW_AT_decl_file)) function.decl_file = lines_->file(*unit, *file);
    }
    auto next = file_->reference(die, DW_AT_abstract_origin);
    if (!next) next = file_->reference(die, DW_AT_specification);
    if (!next) break;
    key = *next;
  }
  // A mangled name says all, with parameters; see FunctionRecord.
  if (!is_mangled(pool_->text(function.linkage_name))) {
    const DwarfUnit* unit = file_->unit_of(key);
    if (unit) function.name = pool_->intern(spelled_name(file_->die_at(key), *unit));
  }
  return function;
}

// With parameters where a mangled name would have them: in C++, unless the name
// is public (then it is main or extern "C").
std::string CodeReader::spelled_name(const Die& die, const DwarfUnit& unit) {
  std::string name = names_->of(die);
  if (name.empty() || unit.is_c() || unit.is_fortran() || unit.is_ada() || die.flag(DW_AT_external)) return name;
  return name + spelling_.of_parameters(die);
}

}  // namespace cdr::symbols
