// SPDX-License-Identifier: GPL-2.0-or-later
//
// One file's debug information while it is being read: its units and the
// references between DIEs.
#ifndef CDRGRIND_SYMBOLS_DWARF_DWARF_FILE_H
#define CDRGRIND_SYMBOLS_DWARF_DWARF_FILE_H

#include <libdwarf/libdwarf.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "cdrgrind/symbols/dwarf/dwarf_die.h"
#include "cdrgrind/symbols/tables/code_table.h"

namespace cdr::symbols {

// A compile, partial or type unit.
struct DwarfUnit {
  DieKey die;
  std::uint64_t begin = 0;  // offsets of its header and of the next one's
  std::uint64_t end = 0;
  std::uint16_t version = 0;
  Dwarf_Half tag = 0;
  std::uint64_t language = 0;
  std::uint64_t base = 0;  // what its DWARF 4 range lists are relative to
  std::optional<std::uint64_t> line_offset;
  std::string comp_dir;
  std::string producer;   // the compiler and, of some, its options
  bool is_split = false;  // its content is in a .dwo file

  bool is_c() const;  // C, not C++
  bool is_fortran() const;
  bool is_ada() const;
};

// From DIEs to those that they complete or copy.
constexpr int kMaxLinks = 8;

class DwarfFile {
 public:
  // Null, with the reason, when libdwarf cannot read the file.
  static std::unique_ptr<DwarfFile> open(const std::string& path, std::string& reason);
  ~DwarfFile();
  DwarfFile(const DwarfFile&) = delete;
  DwarfFile& operator=(const DwarfFile&) = delete;

  const std::string& path() const { return path_; }
  Dwarf_Debug raw() const { return debug_; }
  const std::vector<DwarfUnit>& units() const { return units_; }
  // How many units the file has that could not be read.
  std::size_t damaged_units() const { return damaged_units_; }

  // Calls `visit(unit)` for every unit, in order. Meanwhile die_at() finds what
  // is in that unit or soon behind it at once, and else looks through a list of
  // all units: everything that walks over a whole file goes this way. Must not
  // be nested.
  template <class Visit>
  void for_each_unit(Visit visit) const {
    for (const DwarfUnit& unit : units_) visit_unit(unit, visit);
  }
  // The same for one of them.
  template <class Visit>
  void visit_unit(const DwarfUnit& unit, Visit visit) const {
    make_current(unit);
    visit(unit);
  }

  // Calls `visit(unit)` for those whose code has the address, in order, until it returns false; where there are none,
  // for those that do not say where their code is.
  template <class Visit>
  void for_units_at(std::uint64_t address, Visit visit) const {
    bool any = false;
    for (const std::size_t u : placed_units_at(address)) {
      any = true;
      if (!visit(units_[u])) return;
    }
    if (any) return;
    for (const std::size_t u : unplaced_units_)
      if (!visit(units_[u])) return;
  }

  Die die_at(DieKey key) const;
  const DwarfUnit* unit_of(DieKey key) const;

  // The DIE that an attribute refers to, in this unit or another one; nothing
  // if it stands in another file.
  std::optional<DieKey> reference(const Die& die, Dwarf_Half name) const;

  // The code of a DIE; the first range is the one with its entry.
  std::vector<CodeRange> ranges(const Die& die, const DwarfUnit& unit) const;

 private:
  DwarfFile(Dwarf_Debug debug, const std::string& path) : path_(path), debug_(debug) {}
  struct Header;
  int read_header(bool in_types, Header& header) const;
  void make_current(const DwarfUnit& unit) const;
  void read_units(bool in_types);
  bool read_unit(DwarfUnit& unit);
  std::vector<CodeRange> listed_ranges(const DieAttribute& list, const Die& die, const DwarfUnit& unit) const;
  std::vector<CodeRange> old_ranges(const DieAttribute& list, const Die& die, const DwarfUnit& unit) const;
  std::vector<CodeRange> new_ranges(const DieAttribute& list) const;
  void place_units() const;
  std::vector<std::size_t> placed_units_at(std::uint64_t address) const;

  std::string path_;
  Dwarf_Debug debug_;
  std::vector<DwarfUnit> units_;  // of .debug_info, then of .debug_types; each by offset
  std::unordered_map<std::uint64_t, DieKey> types_by_signature_;
  std::size_t damaged_units_ = 0;
  struct UnitCode {
    CodeRange range;
    std::uint64_t reach = 0;  // the farthest end of this and those before
    std::size_t unit = 0;
  };
  // Once units are looked for by address.
  mutable std::optional<std::vector<UnitCode>> code_;  // by begin
  mutable std::vector<std::size_t> unplaced_units_;
  mutable std::uint64_t current_end_[2] = {};  // where libdwarf's iterators stand, by in_types
};

}  // namespace cdr::symbols

#endif
