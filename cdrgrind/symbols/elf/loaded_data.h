// SPDX-License-Identifier: GPL-2.0-or-later
//
// What an ELF file puts into memory besides code that we name: the size of its
// thread-local block, variables that it took over from libraries, and those that
// it gives.
// Each question opens the file again; missing or damaged files answer nothing.
#ifndef CDRGRIND_SYMBOLS_ELF_LOADED_DATA_H
#define CDRGRIND_SYMBOLS_ELF_LOADED_DATA_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cdrgrind/symbols/elf/elf_image.h"

namespace cdr::symbols {

// Variables of the C and C++ libraries that stand in the program itself (copy
// relocations), as std::cout: addresses in the file. The version that a symbol
// is wanted in tells whose it is.
std::vector<ElfSegment> copied_variables(const std::string& path);

// Variables that other objects may name (dynamic symbols): addresses in the file.
std::vector<ElfSegment> exported_variables(const std::string& path);

// The program's thread-local variables end where a thread's control block
// begins, and begin so many bytes before it. 0: it has none.
std::uint64_t thread_local_bytes(const std::string& path);

}  // namespace cdr::symbols

#endif
