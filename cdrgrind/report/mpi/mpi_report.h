// SPDX-License-Identifier: GPL-2.0-or-later
// How the ranks of an MPI program communicated: text, JSON (schema cdrgrind.mpi/1), a trace for Perfetto.
#ifndef CDRGRIND_REPORT_MPI_MPI_REPORT_H
#define CDRGRIND_REPORT_MPI_MPI_REPORT_H

#include <string>
#include <tuple>
#include <vector>

#include "cdrgrind/analysis/mpi/deadlock.h"
#include "cdrgrind/analysis/mpi/late_lines.h"
#include "cdrgrind/analysis/mpi/merged_nest.h"
#include "cdrgrind/analysis/mpi/summary.h"
#include "cdrgrind/report/common/binaries.h"
#include "cdrgrind/report/common/output.h"
#include "cdrgrind/report/common/style.h"

namespace cdr::report {

// A line of the source, for many ranks.
struct CallPlace {
  std::string file;  // of the module if the line is not known
  uint32_t line = 0;
  std::string function;

  auto operator<=>(const CallPlace&) const = default;
  template <class S>
  static auto fields(S& s) {
    return std::tie(s.file, s.line, s.function);
  }
};
// Ascending; the first is nowhere.
using CallPlaces = std::vector<CallPlace>;

// "lu.c:88"; the module's name without lines; empty if nothing is known.
std::string short_place(const CallPlace& p);

struct MpiReport {
  uint32_t ranks = 0;
  const mpi::RankClasses& classes;
  const mpi::NestItems& merged;
  const mpi::Summary& summary;
  const std::vector<mpi::Mismatch>& mismatches;
  const std::vector<mpi::LateLine>& late;
  const std::vector<mpi::Waiting>& waiting;
  const CallPlaces& places;
  std::string program_name;
  BinaryNotes binaries;
  uint64_t eager = 0;
  uint64_t most = 10;  // rows of a table
  Style style;
};

void write_mpi_text(const MpiReport& report, Output& out);
// `report.late` is by rank.
void write_mpi_json(const MpiReport& report, Output& out);
// Trace events as Chrome's and Perfetto's viewers read them: a process for each rank, an instruction a microsecond. All
// processes call it, the first writes.
void write_mpi_perfetto(const mpi::Program& program, const mpi::Times& times, const CallPlaces& places, Output& out);

}  // namespace cdr::report

#endif
