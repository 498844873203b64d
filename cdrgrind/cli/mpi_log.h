// SPDX-License-Identifier: GPL-2.0-or-later
// Logs of MPI calls as Xu and Subhlok (2008, table 2) take them with PMPI, one call a line, fields between `#`:
// operation, running number, the call's own fields, error, start, end. What makes a symbol is the operation and
// those of its fields that say what is communicated with whom: not addresses, tags and requests. Symbols are
// called M (collective), P (point to point) or O (others) and a number by first appearance.
#ifndef CDRGRIND_CLI_MPI_LOG_H
#define CDRGRIND_CLI_MPI_LOG_H

#include <functional>
#include <string>
#include <vector>

#include "cdrgrind/analysis/common/name_table.h"
#include "cdrgrind/analysis/common/progress.h"
#include "cdrgrind/cli/input_file.h"

namespace cdr::cli {

// Fields that are not part of a symbol unless asked for.
std::vector<std::string> optional_mpi_fields();

struct MpiLogOptions {
  std::vector<std::string> more_fields;  // of optional_mpi_fields()
  std::function<void(const std::string&)> warn;
};

// A line that is no call is a Failure (kBadInput) that names it. An operation that is not known is warned of
// once; all its fields count.
analysis::SymbolSequence read_mpi_log(InputFile& file, const MpiLogOptions& options,
                                      const analysis::Progress& progress);

}  // namespace cdr::cli

#endif
