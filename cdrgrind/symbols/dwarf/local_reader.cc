// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/dwarf/local_reader.h"

#include <libdwarf/dwarf.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "cdrgrind/config.h"
#include "cdrgrind/symbols/common/byte_reader.h"
#include "cdrgrind/symbols/dwarf/qualified_names.h"
#include "cdrgrind/symbols/dwarf/type_reader.h"

namespace cdr::symbols {

namespace {

// What changed with libdwarf 0.4.
#if HAVE_DWARF_INIT_PATH_8
void free_places(Dwarf_Loc_Head_c head) { dwarf_dealloc_loc_head_c(head); }
#else
void free_places(Dwarf_Loc_Head_c head) { dwarf_loc_head_c_dealloc(head); }
#endif

constexpr int kDeepestBlock = 512;  // of nested blocks, against damaged files
constexpr int kMostLinks = 8;       // of a DIE to the one that it completes

// DWARF's numbers of x86-64 as machine code has them; vector registers from 16 on.
std::optional<std::uint8_t> machine_register(std::uint64_t number) {
  constexpr std::uint8_t kGeneral[8] = {0, 2, 1, 3, 6, 7, 5, 4};
  if (number < 8) return kGeneral[number];
  if (number < 16) return static_cast<std::uint8_t>(number);
  if (number >= 17 && number < 33) return static_cast<std::uint8_t>(number - 1);
  return std::nullopt;
}

}  // namespace

class LocalReader::Impl {
 public:
  Impl(std::shared_ptr<const DwarfFile> file, StringPool& pool, LocalTable& locals)
      : file_(std::move(file)),
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
  // Where a function's frame places are counted from.
  struct FrameBase {
    bool known = false;
    std::int64_t offset = 0;  // to the canonical frame address
  };

  static FrameBase frame_base(const Die& function) {
    DieAttribute attribute = function.attribute(DW_AT_frame_base);
    if (!attribute) return {};
    ByteReader operands(attribute.expression());
    const auto operation = operands.fixed(1);
    if (operation == DW_OP_call_frame_cfa) return {true, 0};
    // The frame pointer stands below the return address and the saved one.
    if (operation == DW_OP_reg6) return {true, -16};
    return {};
  }

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
    FrameBase base;
    CodeRange scope;
    bool outlined = false;  // a function that the compiler has made of a region of the source
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
        if (at.in_code) at.entry = die.address(DW_AT_entry_pc).value_or(at.scope.begin);
        at.base = frame_base(die);
        at.outlined = die.flag(DW_AT_artificial);
        if (at.in_code) read_returned(die, at.entry);
        return walk(die, at, depth);
      }
      case DW_TAG_inlined_subroutine:
      case DW_TAG_lexical_block:
        if (at.in_code) enter(die, at);
        return walk(die, at, depth);
      case DW_TAG_variable:
      case DW_TAG_formal_parameter:
        read(die, at);
        return;
      case DW_TAG_namespace:
      case DW_TAG_module:
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
    bool any = false;
    CodeRange all;
    for (const CodeRange& r : ranges) {
      if (r.begin >= r.end) continue;
      all = any ? CodeRange{std::min(all.begin, r.begin), std::max(all.end, r.end)} : r;
      any = true;
    }
    if (any) at.scope = all;
    return any;
  }

  void read(const Die& die, const Position& at) {
    DieAttribute location = die.attribute(DW_AT_location);
    if (!location) return;
    if (const auto place = fixed_place(location)) {
      if (const TypeIndex type = described_type(die)) locals_->globals.emplace(*place, type);
      return;
    }
    if (!at.in_code) return;
    LocalRecord local;
    local.scope_begin = at.scope.begin;
    local.scope_end = at.scope.end;
    describe(die, local);
    if (local.name == StringId::empty) return;
    Dwarf_Loc_Head_c head = nullptr;
    Dwarf_Unsigned count = 0;
    DwarfError error(die.debug());
    if (dwarf_get_loclist_c(location.raw(), &head, &count, error.out()) != DW_DLV_OK) return;
    constexpr Dwarf_Unsigned kMostPlaces = 4096;
    for (Dwarf_Unsigned i = 0; i < std::min(count, kMostPlaces); ++i) read_place(die, head, i, at, local);
    free_places(head);
  }

  void read_place(const Die& die, Dwarf_Loc_Head_c head, Dwarf_Unsigned number, const Position& at, LocalRecord local) {
    Dwarf_Small kind = 0, source = 0;
    Dwarf_Unsigned raw_low = 0, raw_high = 0, operations = 0, expression = 0, description = 0;
    Dwarf_Bool unavailable = 0;
    Dwarf_Addr low = 0, high = 0;
    Dwarf_Locdesc_c entry = nullptr;
    DwarfError error(die.debug());
    if (dwarf_get_locdesc_entry_d(head, number, &kind, &raw_low, &raw_high, &unavailable, &low, &high, &operations,
                                  &entry, &source, &expression, &description, error.out()) != DW_DLV_OK ||
        operations == 0 || operations > 4 || unavailable)
      return;
    const bool everywhere = source == 0;
    local.begin = everywhere ? local.scope_begin : low;
    local.end = everywhere ? local.scope_end : high;
    std::vector<Operation> all(operations);
    for (Dwarf_Unsigned i = 0; i < operations; ++i)
      if (!read_operation(die, entry, i, all[i])) return;
    if (has_place(all, at, local) || (at.outlined && is_behind_data(all, local)))
      locals_->functions[at.entry].push_back(local);
  }

  struct Operation {
    Dwarf_Small code = 0;
    Dwarf_Unsigned first = 0, second = 0;
  };
  static bool read_operation(const Die& die, Dwarf_Locdesc_c entry, Dwarf_Unsigned number, Operation& to) {
    Dwarf_Unsigned third = 0, branch = 0;
    DwarfError error(die.debug());
    return dwarf_get_location_op_value_c(entry, number, &to.code, &to.first, &to.second, &third, &branch,
                                         error.out()) == DW_DLV_OK;
  }

  static bool has_place(const std::vector<Operation>& all, const Position& at, LocalRecord& local) {
    if (all.size() != 1) return false;
    const Operation& o = all.front();
    if (o.code == DW_OP_fbreg && at.base.known) {
      local.offset = static_cast<std::int64_t>(o.first) + at.base.offset;
      return true;
    }
    if (o.code < DW_OP_reg0 || o.code > DW_OP_reg31) return false;
    const auto reg = machine_register(o.code - DW_OP_reg0);
    if (reg) local.reg = *reg;
    return reg.has_value();
  }

  // The function's argument, from the frame, a register, or as it was at the beginning; and so many bytes behind.
  static bool is_behind_data(const std::vector<Operation>& all, LocalRecord& local) {
    size_t used = 1;
    const Operation& o = all.front();
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
