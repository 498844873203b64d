// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind stats --control`: the control flow of a trace in several forms, what each takes in bytes, time and memory.
#ifndef CDRGRIND_REPORT_STATS_CONTROL_TABLE_H
#define CDRGRIND_REPORT_STATS_CONTROL_TABLE_H

#include <string>
#include <vector>

#include "cdrgrind/report/common/output.h"
#include "cdrgrind/report/common/style.h"

namespace cdr::report {

struct ControlRow {
  std::string form;
  bool done = false;  // else there was not enough memory, as a rule
  uint64_t bytes = 0;
  double seconds = 0;         // processor time
  uint64_t memory_bytes = 0;  // at most, beside the blocks
};

struct ControlTable {
  std::string trace, program;
  uint64_t blocks = 0;
  size_t threads = 0;
  std::vector<ControlRow> rows;
};

void write_control_table(const ControlTable& table, const Style& style, Output& out);
void write_control_json(const ControlTable& table, Output& out);  // schema cdrgrind.stats/1

}  // namespace cdr::report

#endif
