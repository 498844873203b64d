// SPDX-License-Identifier: GPL-2.0-or-later
// Which threads have a path in an epoch (columns: encode/epoch.h).
#ifndef CDRGRIND_TRACE_READ_PATH_THREADS_H
#define CDRGRIND_TRACE_READ_PATH_THREADS_H

#include <cstdint>
#include <vector>

#include "cdrgrind/trace/read/columns.h"

namespace cdr::trace {

// Their serials. False if the column is damaged.
bool read_path_threads(const Columns& control, uint32_t max_serial, std::vector<uint32_t>& serials);

}  // namespace cdr::trace

#endif
