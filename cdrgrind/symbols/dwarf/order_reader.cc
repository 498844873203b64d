// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/dwarf/order_reader.h"

#include <libdwarf/dwarf.h>

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "cdrgrind/symbols/dwarf/location_list.h"

namespace cdr::symbols {

namespace {

constexpr std::string_view kType = "memory_order";
constexpr int kDeepestCopy = 512;  // of nested blocks, against damaged files

using Place = OrderArgument::Place;

std::optional<std::int64_t> constant_of(const std::vector<LocationOperation>& all) {
  if (all.size() != 2 || all[1].code != DW_OP_stack_value) return std::nullopt;
  const LocationOperation& o = all.front();
  if (o.code >= DW_OP_lit0 && o.code <= DW_OP_lit31) return o.code - DW_OP_lit0;
  switch (o.code) {
    case DW_OP_const1u:
    case DW_OP_const1s:
    case DW_OP_const2u:
    case DW_OP_const2s:
    case DW_OP_const4u:
    case DW_OP_const4s:
    case DW_OP_constu:
    case DW_OP_consts:
      return static_cast<std::int64_t>(o.first);
    default:
      return std::nullopt;
  }
}

}  // namespace

class OrderReader::Impl {
 public:
  Impl(std::shared_ptr<const DwarfFile> file, StringPool& pool)
      : file_(std::move(file)), pool_(&pool), is_read_(file_->units().size()) {}

  const std::vector<OrderRecord>& of_function(std::uint64_t entry) {
    file_->for_units_at(entry, [&](const DwarfUnit& unit) {
      read_unit(static_cast<size_t>(&unit - file_->units().data()));
      return true;
    });
    return records_[entry];
  }

 private:
  struct Position {
    bool in_code = false;
    std::uint64_t entry = 0;           // of the real function
    std::uint32_t depth = 0;           // of inlined copies with code
    std::optional<std::int64_t> base;  // where its frame places are counted from
  };
  // Of a function of the source, however many copies of it there are.
  struct Function {
    StringId linkage_name = StringId::empty;
    std::vector<DieKey> parameters;  // of the type, in the order of the source
  };

  void read_unit(size_t number) {
    if (is_read_[number]) return;
    is_read_[number] = true;
    file_->visit_unit(file_->units()[number], [&](const DwarfUnit& unit) {
      unit_ = &unit;
      if (unit.tag != DW_TAG_type_unit) walk(file_->die_at(unit.die), {}, 0);
    });
  }

  void walk(const Die& parent, const Position& at, int depth) {
    if (depth > kDeepestCopy) return;
    for_each_child(parent, [&](const Die& child) { visit(child, at, depth + 1); });
  }

  void visit(const Die& die, Position at, int depth) {
    switch (die.tag()) {
      case DW_TAG_subprogram:
        if (die.flag(DW_AT_declaration)) return;
        at.depth = 0;
        read_copy(die, at, false);
        return walk(die, at, depth);
      case DW_TAG_inlined_subroutine:
        if (!at.in_code) return;
        read_copy(die, at, true);
        return walk(die, at, depth);
      case DW_TAG_lexical_block:
      case DW_TAG_try_block:
      case DW_TAG_catch_block:
      case DW_TAG_namespace:
      case DW_TAG_module:
      case DW_TAG_structure_type:
      case DW_TAG_class_type:
        return walk(die, at, depth);
      default:
        return;
    }
  }

  void read_copy(const Die& die, Position& at, bool inlined) {
    std::vector<CodeRange> ranges = file_->ranges(die, *unit_);
    const bool has_code = std::any_of(ranges.begin(), ranges.end(), [](const CodeRange& r) { return r.begin < r.end; });
    if (!inlined) {
      at.in_code = has_code;
      if (!at.in_code) return;
      at.entry = die.address(DW_AT_entry_pc).value_or(ranges.front().begin);
      at.base = frame_base(die);
    }
    if (inlined && has_code) ++at.depth;
    const Function& function = function_of(die);
    if (function.parameters.empty()) return;
    OrderRecord r;
    r.linkage_name = function.linkage_name;
    r.depth = at.depth;
    r.code = std::move(ranges);
    r.arguments.resize(function.parameters.size());
    for_each_child(die, [&](const Die& child) {
      if (child.tag() != DW_TAG_formal_parameter) return;
      const DieKey key = file_->reference(child, DW_AT_abstract_origin).value_or(child.key());
      const auto which = std::find(function.parameters.begin(), function.parameters.end(), key);
      if (which == function.parameters.end()) return;
      r.arguments[static_cast<size_t>(which - function.parameters.begin())] = argument(child, at);
    });
    records_[at.entry].push_back(std::move(r));
  }

  OrderArgument argument(const Die& parameter, const Position& at) const {
    if (const auto constant = parameter.number(DW_AT_const_value))
      return {Place::kConstant, static_cast<std::int64_t>(*constant)};
    const DieAttribute location = parameter.attribute(DW_AT_location);
    if (!location) return {};
    const std::vector<LocationEntry> entries = location_entries(parameter, location);
    if (entries.empty()) return {};
    const auto first = constant_of(entries.front().operations);
    if (first && std::all_of(entries.begin(), entries.end(),
                             [&](const LocationEntry& e) { return constant_of(e.operations) == first; }))
      return {Place::kConstant, *first};
    return place(entries.front(), at);
  }

  static OrderArgument place(const LocationEntry& e, const Position& at) {
    if (e.operations.size() != 1) return {};
    const LocationOperation& o = e.operations.front();
    if (o.code == DW_OP_fbreg && e.everywhere && at.base)
      return {Place::kInFrame, static_cast<std::int64_t>(o.first) + *at.base};
    const bool is_register = o.code >= DW_OP_reg0 && o.code <= DW_OP_reg31;
    if (!is_register || at.depth != 0 || (!e.everywhere && e.begin != at.entry)) return {};
    const auto number = machine_register(o.code - DW_OP_reg0);
    return number ? OrderArgument{Place::kInRegister, *number} : OrderArgument{};
  }

  const Function& function_of(const Die& copy) {
    const DieKey key = file_->reference(copy, DW_AT_abstract_origin).value_or(copy.key());
    const auto [known, is_new] = functions_.try_emplace(key);
    if (is_new) known->second = describe(key);
    return known->second;
  }

  // The name may stand at DIEs that this one completes; the parameters are its own. A mangled name tells their types:
  // all others need not be looked at.
  Function describe(DieKey key) const {
    Function f;
    const Die own = file_->die_at(key);
    if (!own) return f;
    for (int i = 0; i < kMaxLinks; ++i) {
      const Die die = file_->die_at(key);
      if (!die) break;
      const std::string_view name = die.text(DW_AT_linkage_name);
      if (!name.empty()) {
        if (name.find(kType) == std::string_view::npos) return f;
        f.linkage_name = pool_->intern(name);
        break;
      }
      auto next = file_->reference(die, DW_AT_abstract_origin);
      if (!next) next = file_->reference(die, DW_AT_specification);
      if (!next) break;
      key = *next;
    }
    if (f.linkage_name == StringId::empty) return f;
    for_each_child(own, [&](const Die& child) {
      if (child.tag() == DW_TAG_formal_parameter && is_order(child)) f.parameters.push_back(child.key());
    });
    return f;
  }

  bool is_order(const Die& parameter) const {
    const auto type = file_->reference(parameter, DW_AT_type);
    Die die = type ? file_->die_at(*type) : Die();
    if (die && die.tag() == DW_TAG_const_type) {
      const auto of = file_->reference(die, DW_AT_type);
      die = of ? file_->die_at(*of) : Die();
    }
    return die && die.text(DW_AT_name) == kType;
  }

  std::shared_ptr<const DwarfFile> file_;
  StringPool* pool_;
  const DwarfUnit* unit_ = nullptr;
  std::vector<bool> is_read_;  // by the unit's number
  std::map<std::uint64_t, std::vector<OrderRecord>> records_;
  std::unordered_map<DieKey, Function, DieKeyHash> functions_;
};

OrderReader::OrderReader(std::shared_ptr<const DwarfFile> file, StringPool& pool) {
  if (file) impl_ = std::make_unique<Impl>(std::move(file), pool);
}

OrderReader::~OrderReader() = default;

const std::vector<OrderRecord>& OrderReader::of_function(std::uint64_t entry) {
  static const std::vector<OrderRecord> kNone;
  return impl_ ? impl_->of_function(entry) : kNone;
}

}  // namespace cdr::symbols
