// SPDX-License-Identifier: GPL-2.0-or-later
// Invariants of the block table (base/block_table.h) that the reader does not need for its own safety.
#ifndef CDRGRIND_TRACE_CHECK_CHECK_TABLES_H
#define CDRGRIND_TRACE_CHECK_CHECK_TABLES_H

#include "cdrgrind/trace/check/check_report.h"

namespace cdr::trace {

void check_tables(const ModuleTable& modules, const BlockTable& blocks, CheckReport& report);

}  // namespace cdr::trace

#endif
