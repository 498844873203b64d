// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/dwarf/local_reader.h"

#include <libdwarf/dwarf.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "cdrgrind/symbols/common/byte_reader.h"
#include "cdrgrind/symbols/dwarf/frame_rules.h"
#include "cdrgrind/symbols/dwarf/location_list.h"
#include "cdrgrind/symbols/dwarf/qualified_names.h"
#include "cdrgrind/symbols/dwarf/type_reader.h"

namespace cdr::symbols {

namespace {

constexpr int kDeepestBlock = 512;  // of nested blocks, against damaged files
constexpr int kMostLinks = 8;       // of a DIE to the one that it completes

}  // namespace

class LocalReader::Impl {
 public:
  Impl(std::shared_ptr<const DwarfFile> file, StringPool& pool, LocalTable& locals)
      : file_(std::move(file)),
        rules_(*file_),
        names_(*file_),
        types_(*file_, names_, pool, locals.types, TypeReader::Pointers::kFollowed),
        pool_(&pool),
        locals_(&locals),
        is_read_(file_->units().size()) {}

  void read_function(std::uint64_t entry) {
    file_->for_units_at(entry, [&](const DwarfUnit& unit) {
      read_unit(static_cast<size_t>(&unit - file_->units().data()));
      return true;
    });
  }

  void read_all() {
    for (size_t unit = 0; unit < is_read_.size(); ++unit) read_unit(unit);
  }

 private:
  void read_unit(size_t number) {
    if (is_read_[number]) return;
    is_read_[number] = true;
    file_->visit_unit(file_->units()[number], [&](const DwarfUnit& unit) {
      unit_ = &unit;
      if (unit.tag != DW_TAG_type_unit) walk(file_->die_at(unit.die), {}, 0);
    });
  }

  struct Position {
    bool in_code = false;
    std::uint64_t entry = 0;
    std::optional<std::int64_t> base;  // where its frame places are counted from
    bool by_stack_pointer = false;     // they are counted from there
    CodeRange scope;
    std::uint64_t scope_size = 0;
    std::uint64_t first = 0;  // where its first piece begins: parts that are rarely executed may lie before it
    bool outlined = false;    // a function that the compiler has made of a region of the source
  };

  void walk(const Die& parent, const Position& at, int depth) {
    if (depth > kDeepestBlock) return;
    for_each_child(parent, [&](const Die& child) { visit(child, at, depth + 1); });
  }

  void visit(const Die& die, Position at, int depth) {
    switch (die.tag()) {
      case DW_TAG_subprogram: {
        if (die.flag(DW_AT_declaration)) return;
        at.in_code = enter(die, at);
        if (at.in_code) at.entry = die.address(DW_AT_entry_pc).value_or(at.first);
        at.base = frame_base(die);
        at.by_stack_pointer = has_stack_pointer_base(die);
        at.outlined = die.flag(DW_AT_artificial);
        if (at.in_code) read_returned(die, at.entry);
        return walk(die, at, depth);
      }
      case DW_TAG_inlined_subroutine:
      case DW_TAG_lexical_block:
      case DW_TAG_try_block:
      case DW_TAG_catch_block:
        if (at.in_code) enter(die, at);
        return walk(die, at, depth);
      case DW_TAG_variable:
      case DW_TAG_formal_parameter:
        read(die, at);
        return;
      case DW_TAG_namespace:
      case DW_TAG_module:
      case DW_TAG_common_block:
      case DW_TAG_structure_type:
      case DW_TAG_class_type:
        return walk(die, at, depth);
      default:
        return;
    }
  }

  // Of several ranges what they span; a block without any is where the one around it is.
  bool enter(const Die& die, Position& at) const {
    const std::vector<CodeRange> ranges = file_->ranges(die, *unit_);
    CodeRange all;
    std::uint64_t size = 0;
    for (const CodeRange& r : ranges) {
      if (r.begin >= r.end) continue;
      if (!size) at.first = r.begin;
      all = size ? CodeRange{std::min(all.begin, r.begin), std::max(all.end, r.end)} : r;
      size += r.end - r.begin;
    }
    if (!size) return false;
    at.scope = all;
    at.scope_size = size;
    return true;
  }

  void read(const Die& die, const Position& at) {
    DieAttribute location = die.attribute(DW_AT_location);
    if (const auto place = location ? fixed_place(location) : std::nullopt) {
      if (const TypeIndex type = described_type(die)) locals_->globals.emplace(*place, type);
      return;
    }
    if (!at.in_code) return;
    LocalRecord local;
    local.scope_begin = at.scope.begin;
    local.scope_end = at.scope.end;
    local.scope_size = at.scope_size;
    describe(die, local);
    if (local.name == StringId::empty) return;
    bool everywhere = false;
    if (location)
      for (const LocationEntry& e : location_entries(die, location))
        everywhere |= read_place(e, at, local) && e.everywhere;
    const bool is_callers = unit_->is_fortran() && die.tag() == DW_TAG_formal_parameter;
    if (everywhere || is_callers || die.flag(DW_AT_external) || die.flag(DW_AT_declaration)) return;
    local.reg = LocalRecord::kDeclared;
    local.begin = local.scope_begin;
    local.end = local.scope_end;
    locals_->functions[at.entry].push_back(local);
  }

  // Whether all of it has one.
  bool read_place(const LocationEntry& e, const Position& at, LocalRecord local) {
    local.begin = e.everywhere ? local.scope_begin : e.begin;
    local.end = e.everywhere ? local.scope_end : e.end;
    if (read_frame_places(e.operations, at, local)) return true;
    if (has_place(e.operations, at, local) || (at.outlined && is_behind_data(e.operations, local)) ||
        is_by_reference(e.operations, at, local)) {
      locals_->functions[at.entry].push_back(local);
      return true;
    }
    read_pieces(e.operations, at, local);
    return false;
  }

  // Members that compilers keep in registers.
  void read_pieces(const std::vector<LocationOperation>& all, const Position& at, const LocalRecord& whole) {
    std::uint64_t begin = 0;
    size_t first = 0;
    for (size_t i = 0; i < all.size(); ++i) {
      if (all[i].code != DW_OP_piece) continue;
      LocalRecord local = whole;
      local.size = all[i].first;
      if (i == first + 1 && is_register(all[first], local)) {
        const PartName part = locals_->types.part_at(*pool_, whole.type, begin);
        local.path = pool_->intern(part.path);
        local.type = part.type;
        if (!part.path.empty() && part.offset == 0) locals_->functions[at.entry].push_back(local);
      }
      begin += all[i].first;
      first = i + 1;
    }
  }

  bool has_place(const std::vector<LocationOperation>& all, const Position& at, LocalRecord& local) {
    if (all.size() != 1) return false;
    if (const auto offset = frame_offset(all.front(), at, local.size)) {
      local.offset = *offset;
      return true;
    }
    return is_register(all.front(), local);
  }

  // From the canonical frame address, of what is so many bytes long.
  std::optional<std::int64_t> frame_offset(const LocationOperation& o, const Position& at, std::uint64_t size) {
    const auto from = static_cast<std::int64_t>(o.first);
    if (o.code == DW_OP_fbreg && at.base) return from + *at.base;
    if (!at.by_stack_pointer || (o.code != DW_OP_fbreg && o.code != DW_OP_breg7)) return std::nullopt;
    const FunctionFrame* const frame = rules_.function_at(at.entry);
    const auto distance = frame ? body_distance(*frame, from, size) : std::nullopt;
    return distance ? std::optional(from - *distance) : std::nullopt;
  }

  // At so many bytes from a register: one for each piece of code in which the frame address is told by the same one. In
  // frames that align the stack pointer it is told by another one: how far it is from there is not constant.
  bool read_frame_places(const std::vector<LocationOperation>& all, const Position& at, LocalRecord local) {
    if (all.size() != 1 || (all[0].code != DW_OP_breg6 && all[0].code != DW_OP_breg7)) return false;
    const std::uint64_t reg = all[0].code == DW_OP_breg6 ? kFramePointer : kStackPointer;
    if (reg == kStackPointer && at.by_stack_pointer) return false;
    bool any = false;
    for (const FrameRule& r : rules_.within(local.begin, local.end)) {
      const bool aligned = reg == kStackPointer && r.reg == kFramePointer;
      if (r.reg != reg && !aligned) continue;
      local.begin = r.begin;
      local.end = r.end;
      if (aligned) {
        LocalRecord there = local;
        there.reg = LocalRecord::kByStackPointer;
        there.offset = static_cast<std::int64_t>(all[0].first);
        locals_->functions[at.entry].push_back(there);
        continue;
      }
      local.offset = static_cast<std::int64_t>(all[0].first - static_cast<std::uint64_t>(r.distance));
      locals_->functions[at.entry].push_back(local);
      any = true;
    }
    return any;
  }

  static bool is_register(const LocationOperation& o, LocalRecord& local) {
    if (o.code < DW_OP_reg0 || o.code > DW_OP_reg31) return false;
    const auto reg = machine_register(o.code - DW_OP_reg0);
    if (reg) local.reg = *reg;
    return reg.has_value();
  }

  bool is_by_reference(const std::vector<LocationOperation>& all, const Position& at, LocalRecord& local) {
    if (all.size() != 2 || all[0].code != DW_OP_fbreg || all[1].code != DW_OP_deref) return false;
    if (!unit_->is_fortran()) return false;
    const auto offset = frame_offset(all[0], at, sizeof(std::uint64_t));
    if (!offset) return false;
    local.reg = LocalRecord::kByReference;
    local.offset = *offset;
    return true;
  }

  // The function's argument, from the frame, a register, or as it was at the beginning; and so many bytes behind.
  static bool is_behind_data(const std::vector<LocationOperation>& all, LocalRecord& local) {
    size_t used = 1;
    const LocationOperation& o = all.front();
    local.offset = 0;
    if (o.code == DW_OP_fbreg && all.size() > 1 && all[1].code == DW_OP_deref)
      used = 2;
    else if (o.code >= DW_OP_breg0 && o.code <= DW_OP_breg31)
      local.offset = static_cast<std::int64_t>(o.first);
    else if (o.code != DW_OP_entry_value && o.code != DW_OP_GNU_entry_value)
      return false;
    if (used < all.size() && all[used].code == DW_OP_plus_uconst)
      local.offset += static_cast<std::int64_t>(all[used++].first);
    local.reg = LocalRecord::kBehindData;
    if (used + 1 == all.size() && all[used].code == DW_OP_deref) {
      local.reg = LocalRecord::kByData;
      ++used;
    }
    return used == all.size();
  }

  // Name, type and line may stand at a DIE that this one completes or copies.
  void describe(const Die& first, LocalRecord& local) {
    DieKey key = first.key();
    for (int i = 0; i < kMostLinks; ++i) {
      Die die = file_->die_at(key);
      if (!die) return;
      if (local.name == StringId::empty) local.name = pool_->intern(die.text(DW_AT_name));
      if (local.type == 0) local.type = types_.type_of(die);
      if (local.decl_line == 0) local.decl_line = static_cast<std::uint32_t>(die.number(DW_AT_decl_line).value_or(0));
      auto next = file_->reference(die, DW_AT_abstract_origin);
      if (!next) break;
      key = *next;
    }
    local.size = locals_->types.type(local.type).size;
  }

  // Its own, or that of the DIE that it completes.
  TypeIndex described_type(const Die& first) {
    DieKey key = first.key();
    for (int i = 0; i < kMostLinks; ++i) {
      Die die = file_->die_at(key);
      if (!die) return 0;
      if (const TypeIndex type = types_.type_of(die)) return type;
      auto next = file_->reference(die, DW_AT_abstract_origin);
      if (!next) next = file_->reference(die, DW_AT_specification);
      if (!next) return 0;
      key = *next;
    }
    return 0;
  }

  void read_returned(const Die& function, std::uint64_t entry) {
    if (const TypeIndex type = described_type(function)) locals_->returned.emplace(entry, type);
  }

  static std::optional<std::uint64_t> fixed_place(DieAttribute& location) {
    ByteReader operands(location.expression());
    if (operands.fixed(1) != DW_OP_addr) return std::nullopt;
    return operands.fixed(8);
  }

  std::shared_ptr<const DwarfFile> file_;
  FrameRules rules_;
  QualifiedNames names_;
  TypeReader types_;
  StringPool* pool_;
  LocalTable* locals_;
  const DwarfUnit* unit_ = nullptr;
  std::vector<bool> is_read_;  // by the unit's number
};

LocalReader::LocalReader(std::shared_ptr<const DwarfFile> file, StringPool& pool, LocalTable& locals) {
  if (file) impl_ = std::make_unique<Impl>(std::move(file), pool, locals);
}

LocalReader::~LocalReader() = default;

void LocalReader::read_function(std::uint64_t entry) {
  if (impl_) impl_->read_function(entry);
}

void LocalReader::read_all() {
  if (impl_) impl_->read_all();
}

}  // namespace cdr::symbols
