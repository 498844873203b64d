// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/loops/thread_loops.h"

#include <algorithm>
#include <vector>

#include "cdrgrind/report/loops/loop_tree.h"

namespace cdr::report {

namespace {

void put_head(const LoopReport& report, std::string_view units, Output& out) {
  put_loop_line("Input", fmt::format("{}, {}", report.input, units), out);
  for (const std::string& sentence : sentences_of(report.binaries)) put_loop_line("Binaries", sentence, out);
  if (const std::string left = left_out_text(report.scope, "instruction", "instructions"); !left.empty())
    put_loop_line("Left out", left, out);
  for (const std::string& what : report.scope.missing) put_loop_line("Incomplete", what, out);
  put_loop_line("Algorithm", spelled_algorithm(report), out);
  put_loop_line("Time",
                fmt::format("{:.3f} s reading, {:.3f} s finding loops", report.reading_seconds, report.finding_seconds),
                out);
}

// Of the first loops inside, where there are many.
std::string cut(std::string text, const Style& style) {
  constexpr size_t kMost = 60;
  if (text.size() > kMost) text = text.substr(0, kMost) + (style.utf8 ? " …" : " ...");
  return text;
}

void put_numbers(const LoopReport& report, std::string_view units, const Style& style, Output& out) {
  const loops::LoopNest& nest = report.nest;
  put_loop_line("Trace length",
                fmt::format("{} {}, {} different", with_separators(nest.length), units,
                            with_separators(report.sequence.names.size())),
                out);
  put_loop_line("Compressed length",
                fmt::format("{}, by {:.2f}", with_separators(nest.compressed_length()), compression_ratio(nest)), out);
  put_loop_line("All loops",
                fmt::format("{:.2f} % in {} outermost loops, {} loops in all", percent_covered(nest, nest.covered()),
                            with_separators(nest.top_count), with_separators(nest.loops.size())),
                out);
  const loops::Loop* major = nest.major();
  put_loop_line("Major loop", major ? cut(loop_structure(nest, *major), style) : "none", out);
}

std::string title_of(const LoopReport& report) {
  std::string title = spelled_threads(report.threads);
  title[0] = 'T';
  return title + (report.threads.size() > 1 ? ", alike" : "");
}

bool did_nothing(const LoopReport& report) { return report.nest.length == 0; }

bool has_loops(const LoopReport& report) { return report.nest.top_count != 0; }

// Those that did anything; those with loops first.
std::vector<const LoopReport*> in_order(std::span<const LoopReport> reports) {
  std::vector<const LoopReport*> all;
  for (const LoopReport& report : reports)
    if (!did_nothing(report)) all.push_back(&report);
  std::stable_partition(all.begin(), all.end(), [](const LoopReport* r) { return has_loops(*r); });
  return all;
}

void put_idle(std::span<const LoopReport> reports, std::string_view units, Output& out) {
  std::vector<ThreadId> idle;
  for (const LoopReport& report : reports)
    if (did_nothing(report)) idle.insert(idle.end(), report.threads.begin(), report.threads.end());
  std::sort(idle.begin(), idle.end());
  if (!idle.empty()) put_loop_line("Without any", fmt::format("{}: no {}", spelled_threads(idle), units), out);
}

}  // namespace

void write_thread_loops(std::span<const LoopReport> reports, std::string_view units, const Style& style, Output& out) {
  out.put(section("Loop nests", style));
  put_head(reports.front(), units, out);
  put_idle(reports, units, out);
  for (const LoopReport* report : in_order(reports)) {
    out.put('\n').put(section(title_of(*report), style));
    put_numbers(*report, units, style, out);
    if (has_loops(*report)) LoopTree(*report, units, style, out).write();
  }
}

std::string spelled_threads(const std::vector<ThreadId>& threads) {
  std::string text;
  for (size_t i = 0; i < threads.size();) {
    size_t last = i;
    while (last + 1 < threads.size() && threads[last + 1].value == threads[last].value + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", threads[i].value);
    if (last > i) text += fmt::format("{}{}", last > i + 1 ? "-" : ", ", threads[last].value);
    i = last + 1;
  }
  return fmt::format("thread{} {}", threads.size() == 1 ? "" : "s", text);
}

}  // namespace cdr::report
