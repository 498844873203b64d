// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind patterns`: how source lines walk through memory, and what could be done about it.
#ifndef CDRGRIND_REPORT_PATTERNS_PATTERNS_REPORT_H
#define CDRGRIND_REPORT_PATTERNS_PATTERNS_REPORT_H

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/patterns/charged_accesses.h"
#include "cdrgrind/report/common/report_head.h"
#include "cdrgrind/report/common/report_scope.h"
#include "cdrgrind/report/common/source_place.h"
#include "cdrgrind/report/patterns/walked_objects.h"

namespace cdr::report {

struct PatternAdvice {
  std::string_view kind;  // prefetch, layout, irregular
  std::string text;
};

struct PatternLine {
  SourcePlace place;
  uint64_t accesses = 0, stack = 0;
  uint64_t bytes = 0, lines = 0;  // footprint of all its instructions
  std::vector<const patterns::AccessPattern*> patterns;
  uint64_t libraries = 0;                                     // accesses of libraries, for this line
  std::vector<std::pair<uint64_t, std::string_view>> called;  // their functions, most accesses first

  uint64_t all() const { return accesses + libraries; }
};

// What instructions walk over, for those that were looked at.
class Walks {
 public:
  void add(const patterns::AccessPattern* p, NamedWalk walk) { walks_[p] = std::move(walk); }
  const NamedWalk* of(const patterns::AccessPattern* p) const {
    const auto walk = walks_.find(p);
    return walk == walks_.end() ? nullptr : &walk->second;
  }

 private:
  std::map<const patterns::AccessPattern*, NamedWalk> walks_;
};

struct PatternsReport : ReportHead {
  std::vector<patterns::AccessPattern> patterns;
  std::vector<PatternLine> lines;  // most accesses first, those of libraries for them included
  ScopeNote scope;                 // accesses that were left out
  uint64_t most = 10;              // lines
  Walks walks;
};

// Which of them are the program's, and what libraries do for it.
struct ProgramPatterns {
  const analysis::CodeOwners& owners;
  const patterns::ChargedAccesses& charged;
};

// Fills in the lines; `patterns` must stay where they are. Without `program` all code counts where it stands.
void group_patterns(PatternsReport& report, const ScopeOptions& scope, const ProgramPatterns* program,
                    const trace::TraceFile& file, SymbolNames& names);

// Names what the instructions of the lines that are shown walk over. `frames`: those that only reach into their frames,
// too.
void name_objects(PatternsReport& report, const trace::TraceFile& file, const ProgramScope& scope, bool frames,
                  symbols::Symbols& symbols, analysis::WatchedPart& part);

std::vector<PatternAdvice> advice_of(const patterns::AccessPattern& p);

void write_patterns(const PatternsReport& report, Output& out);
// Schema cdrgrind.patterns/1.
void write_patterns_json(const PatternsReport& report, Output& out);

}  // namespace cdr::report

#endif
