// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind patterns`: how source lines walk through memory, and what could be done about it.
#ifndef CDRGRIND_REPORT_PATTERNS_PATTERNS_REPORT_H
#define CDRGRIND_REPORT_PATTERNS_PATTERNS_REPORT_H

#include <string>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/patterns/patterns.h"
#include "cdrgrind/report/common/binaries.h"
#include "cdrgrind/report/common/output.h"
#include "cdrgrind/report/common/source_place.h"
#include "cdrgrind/report/common/style.h"

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
};

struct PatternsReport {
  std::string program;
  BinaryNotes binaries;
  std::vector<std::pair<std::string, std::string>> header;
  std::vector<patterns::AccessPattern> patterns;
  std::vector<PatternLine> lines;  // most accesses first
  uint64_t most = 10;              // lines in text
  Style style;
};

// Fills in the lines; `patterns` must stay where they are.
void group_patterns(PatternsReport& report, const ModuleTable& modules, symbols::Symbols& symbols);

std::vector<PatternAdvice> advice_of(const patterns::AccessPattern& p);

void write_patterns(const PatternsReport& report, Output& out);
// Schema cdrgrind.patterns/1.
void write_patterns_json(const PatternsReport& report, Output& out);

}  // namespace cdr::report

#endif
