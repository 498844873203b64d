// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind advise`: loops with their verdicts, named; as text, and as JSON (schema cdrgrind.advice/1).
#ifndef CDRGRIND_REPORT_ADVISE_ADVISE_REPORT_H
#define CDRGRIND_REPORT_ADVISE_ADVISE_REPORT_H

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/advise/advice.h"
#include "cdrgrind/report/advise/advise_facts.h"
#include "cdrgrind/report/advise/advise_teams.h"
#include "cdrgrind/report/advise/calling_places.h"
#include "cdrgrind/report/advise/simd_claim.h"
#include "cdrgrind/report/common/report_head.h"
#include "cdrgrind/report/common/report_scope.h"
#include "cdrgrind/report/common/source_place.h"

namespace cdr::report {

// One end of what is carried: a line in the loop's function, and what is called there.
struct AdviceEnd {
  uint64_t ip = 0;
  bool call = false;
  uint32_t line = 0;
};

struct AdviceRow {
  regions::Kind kind = regions::Kind::kRaw;
  AdviceEnd source, target;
  uint64_t count = 0;
  regions::Distances distances;
  bool between = false;  // from one part of the loop to another (AdviceLoop::parts): neither counted nor measured
};

struct AdviceItem {
  advise::Class carried_as = advise::Class::kRecurrence;
  std::string name;                // "s", "a[…]", "register xmm0", "heap block of main.c:12"
  std::string variable;            // that it is; empty: none, or not known
  std::string clause;              // what an OpenMP line needs: "reduction(+:s)"; empty: nothing
  std::string note;                // for people
  std::string edit;                // what is to be done to the source where no clause can say it
  bool of_all_iterations = false;  // memory that the source does not declare in the body
  bool of_body = false;  // what lies in the frame is a variable of the loop's body, or of what is inlined there
  bool in_register = false;
  bool made_ahead = false;  // in a register, by the iteration before, of what this one has, too
  // It is a part of its variable, whose clause stands for all of them.
  bool shares_clause = false;
  // Of a private variable what this is a part of, where no clause can name the part: bytes, from the variable's first
  // on.
  struct Part {
    int64_t begin = 0, end = 0, whole = 0;
    bool of_descriptor = false;   // of a pointer of Fortran's, which is always assigned as a whole
    bool of_frame_array = false;  // and is C's, of one name: `first' is where it begins
    int64_t first = 0;
  };
  std::optional<Part> part;
  // Of a library's state: what keeps it, and what several threads would use instead.
  std::vector<std::pair<std::string, std::string>> library;
  std::vector<AdviceRow> rows;  // by instructions of the loop's function, most first
};

// One of several loops that the compiler has made of one of the source's.
struct AdvicePart {
  CodeAddr header;
  uint32_t line = 0, last_line = 0;
  uint32_t vectorised = 0;
  advise::Verdict verdict = advise::Verdict::kNone;
  uint64_t instances = 0, iterations = 0, instructions = 0;
};

struct AdviceLoop {
  SourcePlace place;
  uint32_t last_line = 0;
  std::vector<CallingPlace> called_at;  // of a loop in a source of the system's: where the program's calls for it
  uint32_t number = 0, parent = 0;      // of the loop, and of the one around it
  CodeAddr header;
  uint32_t depth = 1;
  bool irregular = false, weak = false;
  uint32_t headers = 1;     // addresses at which iterations begin
  uint32_t vectorised = 0;  // by so many; 0: it is not
  advise::Verdict verdict = advise::Verdict::kNone;
  bool loaded_index = false, small = false, starts_threads = false, keeps_locks = false;
  uint64_t instances = 0, iterations = 0, instructions = 0, longest = 0, interval = 0;
  double speed_up = 1, of_run = 1;
  std::vector<uint32_t> exit_lines;          // 0: one of those behind
  std::vector<uint64_t> exits_without_line;  // their addresses
  // Where the program may end, or throw, which it did not: (line, 0), or (0, address) if it has none.
  std::set<std::pair<uint32_t, uint64_t>> ends;
  std::vector<AdviceItem> items;    // the worst first
  std::vector<std::string> unseen;  // assigned in the source: clauses would have to name them, too
  bool in_registers = false;        // elements of arrays among these go from iteration to iteration there
  // Variables of which nothing was seen, and whose values are each iteration's own by the source.
  std::set<std::string> own_names;
  std::string counter;  // of a `for` that OpenMP takes: the clause that its counter needs
  // What is to be done to its counter, and that one's name, if OpenMP takes the `for` only then.
  std::string counter_edit, counter_name;
  // Another loop of the code that is the same one of the source, put in line or made elsewhere, which a line for OpenMP
  // must not stand above; empty: there is none.
  std::string other_copy;
  bool is_counted_for = false;     // it is one
  std::string pragma;              // a line for the source, or empty
  std::optional<SimdClaim> simd;   // the source says that iterations are lanes
  std::optional<AdviceTeam> team;  // it is shared out, or executed in parallel regions
  uint64_t beside = 0;             // of the instructions those in parallel regions
  // Loops have been joined (loop_parts.h): those of which there are several, most instructions first. Of these are
  // instances, iterations and vectors, the instructions are of all.
  std::vector<AdvicePart> parts;
  // Vectorised, the compiler has kept what there is.
  bool claims_simd() const { return simd && !vectorised; }
  bool is_shared() const { return team && team->shared; }
  // What tells it in other runs: the module's path, and the header in its file.
  std::string module;
  uint64_t offset = 0;
  // Its statement: loops are parts of one if that is the same, and one of the columns, in the head's line. Empty: not
  // known. No branch of code without a head leaves it there, but all of it stands in the source in that statement.
  std::string statement;
  uint32_t head_line = 0;
  std::set<uint32_t> head_columns;
  bool has_head = true;
  bool exceeds_head = false;       // code of it stands behind the end of that statement
  std::set<std::string> assigned;  // in the source's lines
};
class LoopSources;
// It is shared out: its `for', whose counter is nobody's dependence.
void place_shared(AdviceLoop& loop, const regions::Loop& code, symbols::Symbols& symbols, LoopSources& sources);
// Empty if there is none for it.
std::string openmp_line(const AdviceLoop& loop);
// What has the line of a loop around it is not the statement that a directive there would be of, unless that one has
// code behind it.
void forget_inner_heads(std::vector<AdviceLoop>& loops);

// A long call, beside which something could run.
struct AdviceCall {
  uint64_t ip = 0;
  uint32_t line = 0;
  std::string callee;
  uint64_t calls = 0, instructions = 0;  // of all of them
  uint64_t beside = 0;                   // of them, beside what follows
  uint64_t wait_ip = 0;                  // before it something needs the call; 0: nothing in its region does
  uint32_t wait_line = 0;
  bool output = false;  // both write some
  bool is_spawn() const { return calls > 0 && beside / calls >= regions::kLongCall; }
};

struct AdviceCaller {
  SourcePlace place;  // the function
  CodeAddr function;
  std::string module;   // its path
  uint64_t offset = 0;  // of the function in its file
  uint64_t instructions = 0;
  double speed_up = 1, of_run = 1;
  std::vector<AdviceCall> calls;  // in the order of their instructions
};

struct AdviseReport : ReportHead {
  std::vector<AdviceLoop> loops;      // those that bring most first
  std::vector<AdviceCaller> callers;  // the same; those of which a call could run beside others
  ScopeNote scope;                    // loops that were left out
  uint64_t instructions = 0, threads = 8;
  uint64_t most = 10;  // loops in text
  uint64_t runs = 1;
};

std::string_view name_of(advise::Class c);
std::string_view name_of(advise::Verdict v);

// Names what was found.
std::vector<AdviceCaller> name_calls(const regions::Regions& regions, uint64_t threads, const ModuleTable& modules,
                                     symbols::Symbols& symbols);
std::vector<AdviceLoop> name_loops(const std::vector<advise::LoopAdvice>& advice, const advise::Advisor& with,
                                   AdviseFacts& facts, const ModuleTable& modules, symbols::Symbols& symbols);

void write_advice(const AdviseReport& report, symbols::Symbols& symbols, Output& out);
void write_advice_sarif(const AdviseReport& report, Output& out);
void write_advice_json(const AdviseReport& report, Output& out);

}  // namespace cdr::report

#endif
