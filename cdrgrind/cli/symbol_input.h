// SPDX-License-Identifier: GPL-2.0-or-later
// Sequences of symbols from text: words between white space. For logs of MPI calls see mpi_log.h.
#ifndef CDRGRIND_CLI_SYMBOL_INPUT_H
#define CDRGRIND_CLI_SYMBOL_INPUT_H

#include "cdrgrind/analysis/common/name_table.h"
#include "cdrgrind/analysis/common/progress.h"
#include "cdrgrind/cli/input_file.h"

namespace cdr::cli {

// Positions and ids of loops share 32 bits.
constexpr uint32_t kMostSymbols = (uint32_t{1} << 31) - 2;

// Appends; a Failure when there are more than `most`.
void append_symbol(analysis::SymbolSequence& sequence, std::string_view word, const InputFile& from,
                   uint32_t most = kMostSymbols);

analysis::SymbolSequence read_symbols(InputFile& file, const analysis::Progress& progress,
                                      uint32_t most = kMostSymbols);

}  // namespace cdr::cli

#endif
