// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/loops/loop_nest.h"

#include <algorithm>
#include <vector>

#include "cdrgrind/analysis/loops/nest_walk.h"
#include "cdrgrind/symbols/common/paths.h"

namespace cdr::report {

using loops::Loop;
using loops::LoopNest;

namespace {

class LineVisitor {
 public:
  LineVisitor(const analysis::SymbolSequence& sequence, Output& out) : sequence_(sequence), out_(out) {}

  void symbol(uint32_t at) {
    separate();
    out_.put(sequence_.names.name(sequence_.symbols[at]));
  }
  void open(const Loop&) {
    separate();
    out_.put('(');
    first_ = true;
  }
  void close(const Loop& loop) { out_.put(")^").dec(uint64_t{loop.count}); }

 private:
  void separate() {
    if (!first_) out_.put(' ');
    first_ = false;
  }

  const analysis::SymbolSequence& sequence_;
  Output& out_;
  bool first_ = true;
};

// The lengths of the parts of a body; neighbouring symbols are one part.
std::string parts_of(const LoopNest& nest, const Loop& loop) {
  std::string parts;
  const auto add = [&parts](const std::string& part) { parts += (parts.empty() ? "" : " + ") + part; };
  uint32_t at = loop.begin;
  for (const Loop& inner : nest.children(loop)) {
    if (inner.begin > at) add(std::to_string(inner.begin - at));
    add(fmt::format("({})^{}", inner.period, inner.count));
    at = inner.end();
  }
  const uint32_t end = loop.begin + loop.period;
  if (end > at) add(std::to_string(end - at));
  return parts;
}

class LoopText {
 public:
  LoopText(const LoopReport& report, const Style& style, Output& out) : report_(report), style_(style), out_(out) {}

  void write() {
    out_.put(section("Loop nest", style_));
    numbers();
    if (report_.nest.top_count == 0) return;
    out_.put('\n').put(section("Outermost loops", style_));
    table();
  }

 private:
  void numbers() {
    const LoopNest& nest = report_.nest;
    const Loop* major = nest.major();
    line("Input", report_.input);
    for (const std::string& what : report_.scope.missing) line("Incomplete", what);
    line("Algorithm", spelled_algorithm(report_));
    line("Trace length", fmt::format("{} symbols, {} different", with_separators(nest.length),
                                     with_separators(report_.sequence.names.size())));
    line("Compressed length", with_separators(nest.compressed_length()));
    line("Compression ratio", fmt::format("{:.2f}", compression_ratio(nest)));
    line("Span covered", fmt::format("{:.2f} %", percent_covered(nest, major ? major->span() : 0)));
    line("All loops",
         fmt::format("{:.2f} % in {} outermost loops, {} loops in all", percent_covered(nest, nest.covered()),
                     with_separators(nest.top_count), with_separators(nest.loops.size())));
    line("Major loop", major ? loop_structure(nest, *major) : "none");
    line("Time",
         fmt::format("{:.3f} s reading, {:.3f} s finding loops", report_.reading_seconds, report_.finding_seconds));
  }
  void line(std::string_view name, std::string_view value) { put_loop_line(name, value, out_); }

  // Those with most symbols.
  void table() {
    constexpr size_t kRows = 20;
    std::vector<const Loop*> loops;
    for (const Loop& loop : report_.nest.top()) loops.push_back(&loop);
    const size_t shown = std::min(kRows, loops.size());
    std::partial_sort(loops.begin(), loops.begin() + static_cast<ptrdiff_t>(shown), loops.end(), larger);
    out_.print("{:>13}{:>9}{:>13}{:>13}  {}\n", "symbols", "", "from", "iterations", "body");
    for (size_t i = 0; i < shown; ++i) row(*loops[i]);
    if (shown < loops.size()) out_.print("and {} smaller ones\n", with_separators(loops.size() - shown));
  }
  static bool larger(const Loop* a, const Loop* b) {
    return a->span() != b->span() ? a->span() > b->span() : a->begin < b->begin;
  }
  void row(const Loop& loop) {
    out_.print("{:>13}{:>7.2f} %{:>13}{:>13}  {}\n", with_separators(loop.span()),
               percent_covered(report_.nest, loop.span()), with_separators(loop.begin), with_separators(loop.count),
               body(loop));
  }
  // Its words if it is short and without loops, else its parts.
  std::string body(const Loop& loop) {
    constexpr size_t kWords = 60;
    std::string words;
    for (uint32_t at = loop.begin; loop.children == 0 && at < loop.begin + loop.period; ++at) {
      if (at > loop.begin) words += ' ';
      words += visible(report_.sequence.names.name(report_.sequence.symbols[at]));
      if (words.size() > kWords) break;
    }
    if (loop.children == 0 && words.size() <= kWords) return words;
    const std::string parts = parts_of(report_.nest, loop);
    return parts.size() <= kWords || loop.children == 0 ? parts
                                                        : parts.substr(0, kWords) + (style_.utf8 ? " …" : " ...");
  }

  const LoopReport& report_;
  const Style& style_;
  Output& out_;
};

}  // namespace

void write_loop_line(const LoopReport& report, Output& out) {
  LineVisitor visitor(report.sequence, out);
  walk(report.nest, visitor);
  out.put('\n');
}

void write_loop_text(const LoopReport& report, const Style& style, Output& out) {
  LoopText(report, style, out).write();
}

void put_loop_line(std::string_view name, std::string_view value, Output& out) {
  out.print("{} {}\n", padded_right(std::string(name) + ":", 18), visible(value));
}

std::string spelled_algorithm(const LoopReport& report) {
  if (report.algorithm == "greedy") return "greedy, shortest body first";
  return fmt::format("{}, longest {} first{}", report.algorithm, report.order, report.strict ? ", strict" : "");
}

std::string spelled(const LoopLocation& place) {
  const std::string_view name = symbols::base_name(place.file);
  if (place.first_line == 0) return std::string(name);
  if (place.first_line == place.last_line) return fmt::format("{}:{}", name, place.first_line);
  return fmt::format("{}:{}-{}", name, place.first_line, place.last_line);
}

std::string loop_structure(const LoopNest& nest, const Loop& loop) {
  return fmt::format("({0})^{1} = ({2})^{1}", loop.period, loop.count, parts_of(nest, loop));
}

double percent_covered(const LoopNest& nest, uint64_t symbols) {
  return nest.length == 0 ? 0 : 100.0 * static_cast<double>(symbols) / nest.length;
}

double compression_ratio(const LoopNest& nest) {
  return nest.length == 0 ? 1 : nest.length / static_cast<double>(nest.compressed_length());
}

}  // namespace cdr::report
