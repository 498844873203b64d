// SPDX-License-Identifier: GPL-2.0-or-later
// How the ranks of an MPI program communicated: text, JSON (schema cdrgrind.mpi/1), a trace for Perfetto.
#ifndef CDRGRIND_REPORT_MPI_MPI_REPORT_H
#define CDRGRIND_REPORT_MPI_MPI_REPORT_H

#include <map>
#include <string>
#include <vector>

#include "cdrgrind/analysis/mpi/deadlock.h"
#include "cdrgrind/analysis/mpi/merged_nest.h"
#include "cdrgrind/analysis/mpi/waits.h"
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
};

// Of the addresses that calls return to.
class CallPlaces {
 public:
  // By rank.
  explicit CallPlaces(size_t ranks) : by_rank_(ranks) {}

  uint32_t add(CallPlace place) {
    places_.push_back(std::move(place));
    return static_cast<uint32_t>(places_.size() - 1);
  }
  void set(uint32_t rank, uint64_t site, uint32_t place) { by_rank_[rank][site] = place; }
  const CallPlace& of(uint32_t rank, const mpi::Call& call) const {
    static const CallPlace nowhere;
    const auto found = by_rank_[rank].find(call.site);
    return found == by_rank_[rank].end() ? nowhere : places_[found->second];
  }

 private:
  std::vector<CallPlace> places_;
  std::vector<std::map<uint64_t, uint32_t>> by_rank_;
};

// "lu.c:88"; the module's name without lines; empty if nothing is known.
std::string short_place(const CallPlace& p);

struct MpiReport {
  const mpi::Program& program;
  const mpi::RankClasses& classes;
  const mpi::NestItems& merged;
  const mpi::Collectives& collectives;
  const mpi::Times& times;
  const std::vector<mpi::Waiting>& waiting;
  const CallPlaces& places;
  std::string program_name;
  BinaryNotes binaries;
  uint64_t eager = 0;
  uint64_t most = 10;  // rows of a table
  Style style;
};

void write_mpi_text(const MpiReport& report, Output& out);
void write_mpi_json(const MpiReport& report, Output& out);
// Trace events as Chrome's and Perfetto's viewers read them: a process for each rank, an instruction a microsecond.
void write_mpi_perfetto(const MpiReport& report, Output& out);

}  // namespace cdr::report

#endif
