// SPDX-License-Identifier: GPL-2.0-or-later
// The result table as it is, for comparison: one key a line, fields separated by tabs: kind, class, module
// and address of the ancestor's function, 1 for a hidden ancestor, module, address and code of the source,
// of the target, the two threads, count, event of the first occurrence (from 0; - where the table does not tell).
// Addresses are hexadecimal, lines sorted by their bytes.
#ifndef CDRGRIND_REPORT_DUMP_DEPENDENCE_LINES_H
#define CDRGRIND_REPORT_DUMP_DEPENDENCE_LINES_H

#include <optional>
#include <span>

#include "cdrgrind/depend/result_table.h"
#include "cdrgrind/report/common/output.h"

namespace cdr::report {

// `first`: the events, row by row.
void write_dependence_lines(std::span<const depend::Row> table, std::span<const std::optional<uint64_t>> first,
                            Output& out);

}  // namespace cdr::report

#endif
