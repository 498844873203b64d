// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs line number programs (DWARF 2 to 5, §6.2). libdwarf has them too, but
// its release of 2021 begins a DWARF 5 sequence with file 0 where the standard
// says 1: inlined code of clang and all code of g++ -flto got a wrong file.
// File tables are libdwarf's matter; here files are numbers.
#ifndef CDRGRIND_SYMBOLS_DWARF_LINE_PROGRAM_H
#define CDRGRIND_SYMBOLS_DWARF_LINE_PROGRAM_H

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace cdr::symbols {

struct ProgramRow {
  std::uint64_t address = 0;
  std::uint64_t file = 1;
  std::uint64_t line = 1;
  std::uint64_t column = 0;
  bool is_stmt = false;
  bool is_end = false;  // the first address behind the sequence
};

// Runs the program at `offset` of a .debug_line section. Calls `sequence` with
// the rows of each sequence, the last of which is its end. False when the
// program is damaged; complete sequences before the damage are delivered.
bool run_line_program(std::span<const std::uint8_t> section, std::uint64_t offset,
                      const std::function<void(const std::vector<ProgramRow>&)>& sequence);

}  // namespace cdr::symbols

#endif
