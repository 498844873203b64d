// SPDX-License-Identifier: GPL-2.0-or-later
// Races as they are reported: one finding per variable (whatever its index) and pair of source lines, with names
// for everything. The writers below print them; suppressions.h takes some away first.
#ifndef CDRGRIND_REPORT_RACES_RACE_FINDINGS_H
#define CDRGRIND_REPORT_RACES_RACE_FINDINGS_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cdrgrind/analysis/races/evidence/verdicts.h"
#include "cdrgrind/analysis/races/races.h"
#include "cdrgrind/report/common/binaries.h"
#include "cdrgrind/report/common/program_scope.h"
#include "cdrgrind/report/common/report_scope.h"
#include "cdrgrind/symbols/symbols.h"

namespace cdr::report {

struct RaceFrame {
  std::string_view function;      // demangled
  std::string_view linkage_name;  // as suppressions have it
  std::string_view module;        // path
  symbols::SourcePos pos;
  bool inlined = false;
  bool own = false;  // neither a library of the system nor the recorder's
  uint64_t ip = 0;
  uint64_t in_file = 0;  // the same address in the module's file
};

struct RaceSide {
  uint32_t thread = 0;
  bool write = false;
  bool free = false;
  std::string_view operation;  // of synchronisation, on the object: "mutex-destroy"; "return": the frame was left
  bool atomic = false;
  uint64_t ip = 0;
  uint64_t addr = 0, width = 0;
  std::string_view file;  // of the program's own code, if it is known; else of the module
  uint32_t line = 0, column = 0;
  std::string_view function;
  std::vector<RaceFrame> stack;  // innermost first
  std::vector<std::string> locks;
  std::string strand;               // "task 17 of team 1"; empty: the thread itself
  std::vector<RaceFrame> creation;  // of a task that uses a frame that was open there, and was left
};

struct InstructionPair {
  uint64_t first_ip = 0, second_ip = 0;
  uint64_t instances = 0;
};

struct RaceFinding {
  uint32_t id = 0;                     // from 1, in the order of the report
  std::string variable;                // "grid[3].left"; over several elements "grid[…].left"
  std::vector<std::string> variables;  // all that both accesses cover, if they are several; the first is `variable`
  std::string kind;                    // global, heap, stack, tls, unknown
  std::string name;                    // the variable alone: "grid"
  std::string type;
  symbols::SourcePos declared;
  std::vector<RaceFrame> allocated;  // of a heap block
  uint32_t allocated_by = 0;         // thread
  RaceSide first, second;            // of the example, in the order observed
  uint64_t instances = 0;
  std::vector<InstructionPair> pairs;
  races::Progression addresses;
  bool schedulable = false, mixed = false, adhoc = false, after_free = false, lock_order = false, iteration = false;
  uint32_t only_chunk = 0;  // iterations: of a loop that had one chunk in this run, of up to so many; 0: it had several
  bool after_return = false;  // no race alone: a task may use a frame that was left
  bool object = false;        // of synchronisation
  bool ordered = false;       // no race: a use after free, in order
  bool unread = false;        // a store is atomic for all that is known, and its source was not there
  bool outside = false;       // on neither stack is any of the program's code
  std::vector<std::string> notes;
  std::vector<slice::RacePair> places;                               // instances to be judged, by time
  std::vector<std::pair<races::StreamId, races::StreamId>> streams;  // that raced with each other

  // See race_verdicts.h.
  races::Verdict::Status status = races::Verdict::Status::kRoot;
  uint32_t of = 0;                 // id of the nearest race that it follows from; of a tangle: of its root; 0: none
  uint32_t root = 0;               // id of the root at the end of that chain; of a root its own
  uint32_t tangle = 0;             // id of the tangle's earliest race
  uint32_t followers = 0;          // artifacts whose root it is
  std::vector<uint32_t> possibly;  // ids: it may follow from these, by flow that is known only weakly
  uint64_t judged = 0;
  bool undecided = false;
  bool stays = false;               // an artifact that a lock at its root alone would leave
  std::vector<std::string> reason;  // of an artifact, step by step from the access back to the race
};

struct RaceReport {
  std::string program;
  BinaryNotes binaries;
  std::vector<RaceFinding> findings;
  races::RaceSummary summary;
  uint64_t suppressed = 0;  // findings
  bool all_modules = true;  // --scope=all
  ScopeOptions scope;       // files and functions that were asked for
  uint64_t elsewhere = 0;   // findings with neither access in these
  uint64_t outside = 0;     // findings without code of the program
  uint64_t left_out = 0;    // of these
  uint64_t roots = 0, artifacts = 0, tangles = 0, undecided = 0;
  std::string unjudged;              // why event control did not judge; empty if it did
  bool artifacts_wanted = true;      // not --no-artifacts
  std::vector<std::string> missing;  // what is not in it, as it was interrupted
  bool control_ended = false;        // event control was
  bool with_baseline = false;        // findings are those that it does not have
  uint64_t known = 0;                // those that it has
};

// A stack by names, inlined frames included.
std::vector<RaceFrame> frames_of(const std::vector<CodeAddr>& stack, const ModuleTable& modules,
                                 symbols::Symbols& symbols);

// In the order of the races. Texts point into `symbols`.
std::vector<RaceFinding> findings_of(const std::vector<races::Race>& races, const ModuleTable& modules,
                                     const ProgramScope& scope, symbols::Symbols& symbols);

// One of a tangle that another one stands for.
inline bool is_behind_head(const RaceFinding& f) { return f.tangle && f.tangle != f.id; }

// "write", "free", "mutex-destroy"
std::string_view access_name(const RaceSide& s);
// "written", "freed", "destroyed"
std::string_view done_to(const RaceSide& s);

// "tnow, tout": what the finding is about.
std::string all_variables(const RaceFinding& f);

}  // namespace cdr::report

#endif
