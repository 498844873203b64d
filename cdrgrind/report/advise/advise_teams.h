// SPDX-License-Identifier: GPL-2.0-or-later
// Of a loop that teams of a parallel runtime execute: whether it is shared out among their threads already, how evenly,
// and what only one of them does at a time.
#ifndef CDRGRIND_REPORT_ADVISE_ADVISE_TEAMS_H
#define CDRGRIND_REPORT_ADVISE_ADVISE_TEAMS_H

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cdrgrind/analysis/races/source/worksharing_place.h"
#include "cdrgrind/analysis/sync/team_counter.h"
#include "cdrgrind/report/common/json_writer.h"
#include "cdrgrind/report/common/output.h"
#include "cdrgrind/report/common/source_place.h"

namespace cdr::report {

struct AdviceExclusion {
  std::string_view kind;  // "critical"
  SourcePlace place;
  uint64_t insns = 0;
};

struct AdviceTeam {
  bool shared = false;                           // the loop is; else: it is executed in a parallel region
  std::string schedule;                          // of one that is: "dynamic, 4"
  bool as_asked = false;                         // its chunks go to whoever asks
  uint64_t regions = 0;                          // that it was executed in
  SourcePlace region;                            // where the first parallel region begins
  uint64_t threads = 0;                          // of the largest team; 0: in none
  uint64_t insns = 0;                            // of the program, not of the runtime
  uint64_t exclusive = 0;                        // of these those under locks
  uint64_t under_one = 0;                        // those under the lock that has most
  std::map<uint64_t, sync::ShareTotals> shares;  // by member; parts: chunks
  std::vector<AdviceExclusion> exclusions;       // most first

  // How many times as fast the loop can be at most, whatever the number of threads, for what only one does at a time.
  double bound() const;
};

using PlaceOfEvent = std::function<SourcePlace(uint64_t event)>;

// `shared`: null: it is not; `totals`: null: no team has executed it.
AdviceTeam advice_team(const races::WorksharingPlace* shared, const sync::TeamLoopTotals* totals,
                       const PlaceOfEvent& place);
// The same loop in another run.
void add_team(AdviceTeam& to, const AdviceTeam& from);

std::string team_text(const AdviceTeam& team);    // "team of 2, static"
std::string region_text(const AdviceTeam& team);  // "in the parallel region at sum.c:12"
std::string team_sentence(const AdviceTeam& team);
void put_team(const AdviceTeam& team, Output& out);
void put_team_json(const AdviceTeam& team, JsonWriter& to);

}  // namespace cdr::report

#endif
