// SPDX-License-Identifier: GPL-2.0-or-later
//
// Finds the separate debug file of a stripped module: by build-id below the
// debug folders, else by .gnu_debuglink beside the module and in the debug
// folders. A file is taken only if it belongs to the module: equal build-id,
// or, without one, the checksum that the link names.
#ifndef CDRGRIND_SYMBOLS_FILES_DEBUG_FILE_H
#define CDRGRIND_SYMBOLS_FILES_DEBUG_FILE_H

#include <optional>
#include <string>
#include <vector>

#include "cdrgrind/symbols/common/options.h"
#include "cdrgrind/symbols/elf/elf_image.h"

namespace cdr::symbols {

// Where debug files may be, in the order in which they are looked for.
std::vector<std::string> debug_folders(const SymbolOptions& options);

// "FOLDER/.build-id/12/34567890abcdef", for an id of more than two digits.
std::string build_id_path(const std::string& folder, const std::string& id);

std::optional<ElfImage> find_debug_file(const ElfImage& module, const SymbolOptions& options);

}  // namespace cdr::symbols

#endif
