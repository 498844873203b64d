// SPDX-License-Identifier: GPL-2.0-or-later
// Data-flow summaries as text, for tests and for those who read traces: per superblock its address, then what it
// puts out, each with what goes in. Offsets are those of instructions in the superblock:
//
//     superblock 0x401000
//       +0 load 0: 8 bytes; address {rdi}
//       +3 store 1: 4 bytes; address {rsp}; value {rax[0:4], load 0}
//       +6 exit 0: condition {cc_dep1}
//          rax = {load 0}
//
// `r[b:e]` are bytes b to e - 1 of r; a weak set ends with `?`.
#ifndef CDRGRIND_REPORT_DUMP_DATAFLOW_LINES_H
#define CDRGRIND_REPORT_DUMP_DATAFLOW_LINES_H

#include "cdrgrind/base/block_table.h"
#include "cdrgrind/base/dataflow.h"
#include "cdrgrind/report/common/output.h"

namespace cdr::report {

void write_dataflow_lines(const BlockTable& blocks, const DataflowTable& flows, Output& out);

}  // namespace cdr::report

#endif
