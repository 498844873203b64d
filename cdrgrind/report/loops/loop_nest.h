// SPDX-License-Identifier: GPL-2.0-or-later
// A loop nest as one line, as text with the numbers of Xu and Subhlok's tables, as JSON (schema
// cdrgrind.loops/1), and as a DOT graph. Text of traces is thread_loops.h's.
#ifndef CDRGRIND_REPORT_LOOPS_LOOP_NEST_H
#define CDRGRIND_REPORT_LOOPS_LOOP_NEST_H

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cdrgrind/analysis/common/name_table.h"
#include "cdrgrind/analysis/loops/nest.h"
#include "cdrgrind/report/common/binaries.h"
#include "cdrgrind/report/common/output.h"
#include "cdrgrind/report/common/report_scope.h"
#include "cdrgrind/report/common/style.h"

namespace cdr::report {

// Where a loop of a trace stands in the source.
struct LoopLocation {
  std::string_view function;  // the innermost, maybe inlined
  std::string_view file;      // the module if there are no lines
  uint32_t first_line = 0;    // 0: not known
  uint32_t last_line = 0;
};

// What a symbol of a trace is, for people.
struct SymbolText {
  LoopLocation place;
  std::string what;  // "calls swap", "P17", "mutex-lock(queue.lock)"; of lines and blocks nothing
};

// What was asked, and what came of it.
struct LoopReport {
  std::string input;      // the file's name
  std::string algorithm;  // optimal, greedy
  std::string order;      // body, span
  bool strict = false;
  double reading_seconds = 0;
  double finding_seconds = 0;
  const analysis::SymbolSequence& sequence;
  const loops::LoopNest& nest;
  std::function<LoopLocation(const loops::Loop&)> place_of = {};  // of a trace
  BinaryNotes binaries = {};                                      // of a trace
  ScopeNote scope = {};                                           // of a trace: instructions that were left out
  std::optional<uint64_t> most = {};                              // so many items of each body
  std::vector<ThreadId> threads = {};                             // of a trace: those that did this, each by itself
  std::function<SymbolText(uint32_t symbol)> text_of = {};        // of a trace
};

// "lu.c:88-95"; the module's name without lines.
std::string spelled(const LoopLocation& place);

// Items separated by one blank; an item is a symbol or `(items)^N`.
void write_loop_line(const LoopReport& report, Output& out);
void write_loop_text(const LoopReport& report, const Style& style, Output& out);
void write_loop_json(const LoopReport& report, Output& out);
void write_loop_dot(const LoopReport& report, Output& out);
// Of several threads: the first is the document, the others are its list "others"; a tree for each.
void write_loops_json(std::span<const LoopReport> reports, Output& out);
void write_loops_dot(std::span<const LoopReport> reports, Output& out);

// "XYZ:          a value", as wide as the longest name of these texts.
void put_loop_line(std::string_view name, std::string_view value, Output& out);
// "optimal, longest body first, strict"
std::string spelled_algorithm(const LoopReport& report);

// "(1292)^249 = ((4)^160 + (4)^160 + 12)^249": lengths in symbols, one level of what is inside.
std::string loop_structure(const loops::LoopNest& nest, const loops::Loop& loop);

// Of the whole sequence, in percent.
double percent_covered(const loops::LoopNest& nest, uint64_t symbols);
// The sequence's length over the compressed length; 1 for an empty sequence.
double compression_ratio(const loops::LoopNest& nest);

}  // namespace cdr::report

#endif
