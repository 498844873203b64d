// SPDX-License-Identifier: GPL-2.0-or-later
// The files that a packed trace brings with it, for whoever names its addresses.
#ifndef CDRGRIND_CLI_PACKED_SOURCE_H
#define CDRGRIND_CLI_PACKED_SOURCE_H

#include <memory>

#include "cdrgrind/symbols/common/packed_files.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::cli {

// Null if the trace is not packed. Reads contents from `file`, which must outlive it. Throws TraceError.
std::shared_ptr<symbols::PackedFiles> packed_files_of(const trace::TraceFile& file);

}  // namespace cdr::cli

#endif
