// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads local variables and parameters of functions: where in the frame they
// are, or in which register, for which code. Those of which no single frame
// place or register is told are left out. A unit is read when something of it
// is asked for: of libraries that is little.
#ifndef CDRGRIND_SYMBOLS_DWARF_LOCAL_READER_H
#define CDRGRIND_SYMBOLS_DWARF_LOCAL_READER_H

#include <cstdint>
#include <memory>

#include "cdrgrind/symbols/common/string_pool.h"
#include "cdrgrind/symbols/dwarf/dwarf_file.h"
#include "cdrgrind/symbols/tables/local_table.h"

namespace cdr::symbols {

// Not thread-safe.
class LocalReader {
 public:
  // Nothing where `file` is null; what it reads goes to `locals`. The references must outlive it.
  LocalReader(std::shared_ptr<const DwarfFile> file, StringPool& pool, LocalTable& locals);
  ~LocalReader();
  LocalReader(const LocalReader&) = delete;
  LocalReader& operator=(const LocalReader&) = delete;

  // What there is of the function at `entry` and of all others of its unit; the first call reads.
  void read_function(std::uint64_t entry);
  // All variables with a fixed place, and whatever else there is.
  void read_all();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cdr::symbols

#endif
