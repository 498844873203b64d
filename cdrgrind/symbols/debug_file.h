// SPDX-License-Identifier: GPL-2.0-or-later
//
// Finds the separate debug file of a stripped module: by build-id below the
// debug folders, else by .gnu_debuglink beside the module and in the debug
// folders. A file is taken only if it belongs to the module: equal build-id,
// or, without one, the checksum that the link names.
#ifndef CDRGRIND_SYMBOLS_DEBUG_FILE_H
#define CDRGRIND_SYMBOLS_DEBUG_FILE_H

#include <optional>

#include "cdrgrind/symbols/elf_image.h"
#include "cdrgrind/symbols/options.h"

namespace cdr::symbols {

std::optional<ElfImage> find_debug_file(const ElfImage& module, const SymbolOptions& options);

}  // namespace cdr::symbols

#endif
