// SPDX-License-Identifier: GPL-2.0-or-later
//
// Names for the stubs of the procedure linkage table, which have no symbols:
// "puts@plt". Each x86-64 stub jumps through one slot of the global offset
// table, and the relocation of that slot names the function.
#ifndef CDRGRIND_SYMBOLS_ELF_PLT_NAMES_H
#define CDRGRIND_SYMBOLS_ELF_PLT_NAMES_H

#include <libelf.h>

#include <cstdint>
#include <string>
#include <vector>

namespace cdr::symbols {

struct PltName {
  std::uint64_t begin = 0;  // address in the file
  std::uint64_t end = 0;
  std::string name;
};

std::vector<PltName> read_plt_names(Elf* elf);

}  // namespace cdr::symbols

#endif
