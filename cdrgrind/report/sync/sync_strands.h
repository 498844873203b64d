// SPDX-License-Identifier: GPL-2.0-or-later
// The chart of a program with a parallel runtime: its lanes by name, and what rows of strands say.
#ifndef CDRGRIND_REPORT_SYNC_SYNC_STRANDS_H
#define CDRGRIND_REPORT_SYNC_SYNC_STRANDS_H

#include <cstdint>
#include <string>

#include "cdrgrind/analysis/sync/chart.h"
#include "cdrgrind/report/common/json_writer.h"
#include "cdrgrind/report/common/output.h"

namespace cdr::report {

class SyncNames;
struct SyncReport;

// "thread 1", "thread 0 of team 2", "thread 0 of 7 teams", "task at tree.c:24 × 240"
std::string lane_name(const sync::SyncChart& chart, uint32_t lane, const SyncNames& names, bool utf8);

// What a row of the runtime's operations says: "begins: task 17 of team 1". Without its numbers rows of equal strands
// are equal.
std::string team_label(const sync::ChartRow& row);
sync::ChartRow without_numbers(const sync::ChartRow& row);

void put_lane_names(const SyncReport& report, const SyncNames& names, Output& out);
void put_lanes_json(const SyncReport& report, const SyncNames& names, JsonWriter& to);

}  // namespace cdr::report

#endif
