// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/dwarf/dwarf_file.h"

#include <libdwarf/dwarf.h>

#include <algorithm>
#include <cstring>
#include <tuple>

#include "cdrgrind/config.h"

namespace cdr::symbols {

namespace {

// What changed with libdwarf 0.4.
#if HAVE_DWARF_INIT_PATH_8
int init_path(const char* path, Dwarf_Debug* debug, Dwarf_Error* error) {
  return dwarf_init_path(path, nullptr, 0, DW_GROUPNUMBER_ANY, nullptr, nullptr, debug, error);
}
void finish(Dwarf_Debug debug) { dwarf_finish(debug); }
void free_ranges(Dwarf_Debug debug, Dwarf_Ranges* ranges, Dwarf_Signed count) {
  dwarf_dealloc_ranges(debug, ranges, count);
}
#else
int init_path(const char* path, Dwarf_Debug* debug, Dwarf_Error* error) {
  return dwarf_init_path(path, nullptr, 0, DW_DLC_READ, DW_GROUPNUMBER_ANY, nullptr, nullptr, debug, nullptr, 0,
                         nullptr, error);
}
void finish(Dwarf_Debug debug) {
  Dwarf_Error error = nullptr;
  dwarf_finish(debug, &error);
}
void free_ranges(Dwarf_Debug debug, Dwarf_Ranges* ranges, Dwarf_Signed count) {
  dwarf_ranges_dealloc(debug, ranges, count);
}
#endif

std::uint64_t signature_number(const Dwarf_Sig8& signature) {
  std::uint64_t number;
  static_assert(sizeof number == sizeof signature.signature);
  std::memcpy(&number, signature.signature, sizeof number);
  return number;
}

}  // namespace

bool DwarfUnit::is_c() const {
  switch (language) {
    case DW_LANG_C89:
    case DW_LANG_C:
    case DW_LANG_C99:
    case DW_LANG_C11:
      return true;
    default:
      return false;
  }
}

bool DwarfUnit::is_fortran() const {
  switch (language) {
    case DW_LANG_Fortran77:
    case DW_LANG_Fortran90:
    case DW_LANG_Fortran95:
    case DW_LANG_Fortran03:
    case DW_LANG_Fortran08:
      return true;
    default:
      return false;
  }
}

bool DwarfUnit::is_ada() const { return language == DW_LANG_Ada83 || language == DW_LANG_Ada95; }

std::unique_ptr<DwarfFile> DwarfFile::open(const std::string& path, std::string& reason) {
  // Everything is freed here one by one. libdwarf's own list of what to free
  // costs as much time again (measured on the C library).
  dwarf_set_de_alloc_flag(0);
  Dwarf_Debug debug = nullptr;
  Dwarf_Error error = nullptr;
  const int result = init_path(path.c_str(), &debug, &error);
  if (result != DW_DLV_OK) {
    reason = error ? dwarf_errmsg(error) : "not an object file";
    if (error) dwarf_dealloc_error(debug, error);
    return nullptr;
  }
  std::unique_ptr<DwarfFile> file(new DwarfFile(debug, path));
  file->read_units(false);
  file->read_units(true);
  return file;
}

DwarfFile::~DwarfFile() { finish(debug_); }

struct DwarfFile::Header {
  Dwarf_Half version = 0;
  Dwarf_Half unit_type = 0;
  Dwarf_Sig8 signature{};
  std::uint64_t type_offset = 0;  // from the unit's begin
  std::uint64_t next = 0;         // offset of the next unit
};

// Moves libdwarf's iterator, which the Dwarf_Debug holds, to the next unit; at
// the end back to before the first.
int DwarfFile::read_header(bool in_types, Header& header) const {
  Dwarf_Unsigned length = 0, type_offset = 0, next = 0;
  Dwarf_Off abbreviations = 0;
  Dwarf_Half address_size = 0, offset_size = 0, extension_size = 0;
  DwarfError error(debug_);
  const int result =
      dwarf_next_cu_header_d(debug_, !in_types, &length, &header.version, &abbreviations, &address_size, &offset_size,
                             &extension_size, &header.signature, &type_offset, &next, &header.unit_type, error.out());
  header.type_offset = type_offset;
  header.next = next;
  return result;
}

void DwarfFile::read_units(bool in_types) {
  std::uint64_t begin = 0;
  while (true) {
    Header header;
    const int result = read_header(in_types, header);
    if (result == DW_DLV_ERROR) ++damaged_units_;
    if (result != DW_DLV_OK || header.next <= begin) break;
    DwarfUnit unit;
    unit.begin = begin;
    unit.end = header.next;
    unit.version = header.version;
    unit.die.in_types = in_types;
    if (read_unit(unit)) {
      units_.push_back(std::move(unit));
    } else {
      ++damaged_units_;
    }
    if (header.unit_type == DW_UT_type) {
      types_by_signature_.emplace(signature_number(header.signature), DieKey{begin + header.type_offset, in_types});
    }
    begin = header.next;
  }
}

// libdwarf looks for an offset from its iterator's unit on before it goes
// through all units: with 1,700 units that made up a third of the time.
void DwarfFile::make_current(const DwarfUnit& unit) const {
  std::uint64_t& end = current_end_[unit.die.in_types ? 1 : 0];
  if (unit.end < end) end = 0;
  for (int restarts = 0; end < unit.end && restarts < 2;) {
    Header header;
    if (read_header(unit.die.in_types, header) == DW_DLV_OK && header.next > end) {
      end = header.next;
    } else {
      end = 0;
      ++restarts;
    }
  }
}

bool DwarfFile::read_unit(DwarfUnit& unit) {
  Dwarf_Die raw = nullptr;
  DwarfError error(debug_);
  if (dwarf_siblingof_b(debug_, nullptr, !unit.die.in_types, &raw, error.out()) != DW_DLV_OK) return false;
  Die die(debug_, raw);
  unit.die = die.key();
  unit.tag = die.tag();
  unit.language = die.number(DW_AT_language).value_or(0);
  unit.producer = die.text(DW_AT_producer);
  unit.base = die.address(DW_AT_low_pc).value_or(0);
  unit.line_offset = die.attribute(DW_AT_stmt_list).section_offset();
  unit.comp_dir = die.text(DW_AT_comp_dir);
  unit.is_split = die.has(DW_AT_dwo_name) || die.has(DW_AT_GNU_dwo_name);
  return true;
}

Die DwarfFile::die_at(DieKey key) const {
  Dwarf_Die raw = nullptr;
  DwarfError error(debug_);
  if (dwarf_offdie_b(debug_, key.offset, !key.in_types, &raw, error.out()) != DW_DLV_OK) return {};
  return {debug_, raw};
}

const DwarfUnit* DwarfFile::unit_of(DieKey key) const {
  auto after = std::upper_bound(units_.begin(), units_.end(), key, [](const DieKey& wanted, const DwarfUnit& unit) {
    return std::tuple(wanted.in_types, wanted.offset) < std::tuple(unit.die.in_types, unit.begin);
  });
  if (after == units_.begin()) return nullptr;
  const DwarfUnit& unit = *std::prev(after);
  return unit.die.in_types == key.in_types && key.offset < unit.end ? &unit : nullptr;
}

std::optional<DieKey> DwarfFile::reference(const Die& die, Dwarf_Half name) const {
  DieAttribute attribute = die.attribute(name);
  if (!attribute) return std::nullopt;
  switch (attribute.form()) {
    case DW_FORM_GNU_ref_alt:
    case DW_FORM_ref_sup4:
    case DW_FORM_ref_sup8:
      return std::nullopt;
    case DW_FORM_ref_sig8: {
      Dwarf_Sig8 signature{};
      DwarfError error(debug_);
      if (dwarf_formsig8(attribute.raw(), &signature, error.out()) != DW_DLV_OK) return std::nullopt;
      auto found = types_by_signature_.find(signature_number(signature));
      if (found == types_by_signature_.end()) return std::nullopt;
      return found->second;
    }
    default:
      break;
  }
  const auto offset = attribute.section_offset();
  if (!offset) return std::nullopt;
  const bool crosses_units = attribute.form() == DW_FORM_ref_addr;
  return DieKey{*offset, !crosses_units && die.key().in_types};
}

std::vector<CodeRange> DwarfFile::ranges(const Die& die, const DwarfUnit& unit) const {
  if (DieAttribute list = die.attribute(DW_AT_ranges)) return listed_ranges(list, die, unit);
  const auto low = die.address(DW_AT_low_pc);
  if (!low) return {};
  Dwarf_Addr high = 0;
  Dwarf_Half form = 0;
  Dwarf_Form_Class form_class = DW_FORM_CLASS_UNKNOWN;
  DwarfError error(debug_);
  if (dwarf_highpc_b(die.raw(), &high, &form, &form_class, error.out()) != DW_DLV_OK) return {};
  return {{*low, form_class == DW_FORM_CLASS_CONSTANT ? *low + high : high}};
}

void DwarfFile::place_units() const {
  code_.emplace();
  for (std::size_t u = 0; u < units_.size(); ++u) {
    const std::size_t known = code_->size();
    visit_unit(units_[u], [&](const DwarfUnit& unit) {
      for (const CodeRange& r : ranges(die_at(unit.die), unit))
        if (r.begin < r.end) code_->push_back({r, 0, u});
    });
    if (code_->size() == known && units_[u].tag != DW_TAG_type_unit) unplaced_units_.push_back(u);
  }
  std::sort(code_->begin(), code_->end(), [](const UnitCode& a, const UnitCode& b) {
    return std::tuple(a.range.begin, a.unit) < std::tuple(b.range.begin, b.unit);
  });
  std::uint64_t reach = 0;
  for (UnitCode& c : *code_) c.reach = reach = std::max(reach, c.range.end);
}

std::vector<std::size_t> DwarfFile::placed_units_at(std::uint64_t address) const {
  if (!code_) place_units();
  std::vector<std::size_t> found;
  auto after = std::upper_bound(code_->begin(), code_->end(), address,
                                [](std::uint64_t wanted, const UnitCode& c) { return wanted < c.range.begin; });
  for (; after != code_->begin() && std::prev(after)->reach > address; --after)
    if (std::prev(after)->range.end > address) found.push_back(std::prev(after)->unit);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::vector<CodeRange> DwarfFile::listed_ranges(const DieAttribute& list, const Die& die, const DwarfUnit& unit) const {
  return unit.version >= 5 ? new_ranges(list) : old_ranges(list, die, unit);
}

std::vector<CodeRange> DwarfFile::old_ranges(const DieAttribute& list, const Die& die, const DwarfUnit& unit) const {
  const auto offset = list.section_offset();
  if (!offset) return {};
  Dwarf_Off real_offset = 0;
  Dwarf_Ranges* entries = nullptr;
  Dwarf_Signed count = 0;
  Dwarf_Unsigned bytes = 0;
  DwarfError error(debug_);
  if (dwarf_get_ranges_b(debug_, *offset, die.raw(), &real_offset, &entries, &count, &bytes, error.out()) !=
      DW_DLV_OK) {
    return {};
  }
  std::vector<CodeRange> ranges;
  std::uint64_t base = unit.base;
  for (Dwarf_Signed i = 0; i < count && entries[i].dwr_type != DW_RANGES_END; ++i) {
    if (entries[i].dwr_type == DW_RANGES_ADDRESS_SELECTION) {
      base = entries[i].dwr_addr2;
    } else {
      ranges.push_back({base + entries[i].dwr_addr1, base + entries[i].dwr_addr2});
    }
  }
  free_ranges(debug_, entries, count);
  return ranges;
}

std::vector<CodeRange> DwarfFile::new_ranges(const DieAttribute& list) const {
  const Dwarf_Half form = list.form();
  const auto where = form == DW_FORM_rnglistx ? list.number() : list.section_offset();
  if (!where) return {};
  Dwarf_Rnglists_Head head = nullptr;
  Dwarf_Unsigned count = 0;
  Dwarf_Unsigned offset = 0;
  DwarfError error(debug_);
  if (dwarf_rnglists_get_rle_head(list.raw(), form, *where, &head, &count, &offset, error.out()) != DW_DLV_OK) {
    return {};
  }
  std::vector<CodeRange> ranges;
  for (Dwarf_Unsigned i = 0; i < count; ++i) {
    unsigned length = 0, kind = 0;
    Dwarf_Unsigned raw1 = 0, raw2 = 0, begin = 0, end = 0;
    Dwarf_Bool unavailable = 0;
    DwarfError entry_error(debug_);
    if (dwarf_get_rnglists_entry_fields_a(head, i, &length, &kind, &raw1, &raw2, &unavailable, &begin, &end,
                                          entry_error.out()) != DW_DLV_OK) {
      break;
    }
    if (kind == DW_RLE_base_address || kind == DW_RLE_base_addressx || kind == DW_RLE_end_of_list) continue;
    if (!unavailable) ranges.push_back({begin, end});
  }
  dwarf_dealloc_rnglists_head(head);
  return ranges;
}

}  // namespace cdr::symbols
