// SPDX-License-Identifier: GPL-2.0-or-later
//
// Finds the file that a module was mapped from: the one place that decides
// whether a file on this machine may say anything of a recorded address.
// A file is taken if it has the recorded build-id, or the recorded checksum.
// If the one at the module's path is another one, the recorded one is looked
// for in the debug folders, also as a separate debug file. Where the trace does
// not tell files apart (before format version 5), the one at the path is taken.
// A packed trace brings its own, and nothing else is looked for.
#ifndef CDRGRIND_SYMBOLS_FILES_BINARY_FILE_H
#define CDRGRIND_SYMBOLS_FILES_BINARY_FILE_H

#include <cstdint>
#include <optional>
#include <string>

#include "cdrgrind/symbols/common/names.h"
#include "cdrgrind/symbols/common/options.h"
#include "cdrgrind/symbols/elf/elf_image.h"
#include "cdrgrind/symbols/files/module_map.h"

namespace cdr::symbols {

struct BinaryFile {
  BinaryState state = BinaryState::kRecorded;
  std::optional<ElfImage> image;  // with the code that ran
  std::optional<ElfImage> debug;  // found apart from it: names and lines without code
  // Of the file that stands at the module's path, if it is not the recorded one.
  std::string present_build_id;
  std::uint64_t present_bytes = 0;
  std::string place;  // kFound: where
};

BinaryFile find_binary(const Module& module, const SymbolOptions& options);

}  // namespace cdr::symbols

#endif
