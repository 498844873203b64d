// SPDX-License-Identifier: GPL-2.0-or-later
// Strands of a parallel runtime in words.
#ifndef CDRGRIND_REPORT_RACES_STRAND_NAMES_H
#define CDRGRIND_REPORT_RACES_STRAND_NAMES_H

#include <string>

#include "cdrgrind/analysis/strands/strand.h"
#include "cdrgrind/base/module_table.h"
#include "cdrgrind/symbols/symbols.h"

namespace cdr::report {

// "task 17 of team 1 created at queue.c:12"; empty: a thread itself. `created`: the program's call that created a task.
std::string strand_name(const strands::Strand& s, CodeAddr created, const ModuleTable& modules,
                        symbols::Symbols& symbols);

}  // namespace cdr::report

#endif
