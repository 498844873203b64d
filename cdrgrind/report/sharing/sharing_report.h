// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind sharing`: variables, lines of memory and the instructions that pass bytes on, named and printed.
#ifndef CDRGRIND_REPORT_SHARING_SHARING_REPORT_H
#define CDRGRIND_REPORT_SHARING_SHARING_REPORT_H

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/sharing/shared_memory.h"
#include "cdrgrind/report/common/report_head.h"
#include "cdrgrind/report/common/report_scope.h"
#include "cdrgrind/report/common/source_place.h"
#include "cdrgrind/report/sharing/sharing_entries.h"
#include "cdrgrind/report/sharing/sharing_facts.h"

namespace cdr::report {

struct PassedLines {
  SourcePlace from, to;
  uint64_t bytes = 0;
  std::vector<sharing::Passed> instructions;
};

struct SharingReport : ReportHead {
  uint32_t line_size = 64;
  sharing::SharedMemory memory;
  std::vector<std::string> variables;               // names of memory.variables
  std::vector<std::vector<NamedPart>> parts;        // of memory.lines
  std::vector<std::vector<NamedPart>> false_names;  // of false_parts(), by line
  std::vector<FalseSharing> false_sharing;
  std::vector<TrueSharing> true_sharing;
  std::map<ThreadId, std::string> strands;  // that take part in what may happen, by their numbers
  std::vector<PassedLines> passed;          // by source lines, most bytes first
  uint64_t most = 10;                       // entries of each list in text
  ScopeNote scope;                          // variables that were left out
};

// Takes away, and counts, the variables and lines of memory that are others' than the program's, and what only others
// pass on; and what is passed on elsewhere than in the files and functions asked for.
void keep_program(SharingReport& report, const ModuleTable& modules, const ScopeOptions& scope,
                  symbols::Symbols& symbols);

// "thread 2", or the strand's name.
std::string who_text(ThreadId id, const SharingReport& report);

// Fills in the names.
void name_shared_memory(SharingReport& report, const ModuleTable& modules, symbols::Symbols& symbols,
                        SharingFacts& facts);

// "update" or "invalidate": what suits a variable, or the line.
std::string_view protocol_of(const sharing::SharedVariable& v);
std::string_view protocol_of(const sharing::SharedLine& l);
std::string_view name_of(const sharing::MemoryGroup& g);  // "global", "heap", …

void write_sharing(const SharingReport& report, Output& out);
// Schema cdrgrind.sharing/2.
void write_sharing_json(const SharingReport& report, Output& out);

}  // namespace cdr::report

#endif
