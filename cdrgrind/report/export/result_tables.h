// SPDX-License-Identifier: GPL-2.0-or-later
// What commands report as tables: the same rows as in their JSON, a row for each entry of the list.
#ifndef CDRGRIND_REPORT_EXPORT_RESULT_TABLES_H
#define CDRGRIND_REPORT_EXPORT_RESULT_TABLES_H

#include <span>
#include <vector>

#include "cdrgrind/analysis/dependence/rows.h"
#include "cdrgrind/analysis/sync/steps.h"
#include "cdrgrind/report/advise/advise_report.h"
#include "cdrgrind/report/common/source_place.h"
#include "cdrgrind/report/export/table_writer.h"
#include "cdrgrind/report/races/race_report.h"
#include "cdrgrind/report/sync/sync_report.h"

namespace cdr::report {

std::span<const Column> dependence_columns();
void export_dependences(const std::vector<analysis::DependenceRow>& rows, TableWriter& to);

std::span<const Column> race_columns();
void export_races(const RaceReport& report, TableWriter& to);

std::span<const Column> loop_columns();
void export_loops(const AdviseReport& report, const ModuleTable& modules, TableWriter& to);

std::span<const Column> sync_columns();
// Some steps, with the calls from which they come (call_sites_at).
void export_sync(std::span<const sync::SyncStep> steps, const std::map<uint64_t, std::vector<CodeAddr>>& sites,
                 const SyncNames& names, TableWriter& to);

}  // namespace cdr::report

#endif
