// SPDX-License-Identifier: GPL-2.0-or-later
// The nest for other programs: JSON and DOT. Written as the nest is walked, for it may have 10^8 symbols.
#include <algorithm>

#include "cdrgrind/analysis/loops/nest_walk.h"
#include "cdrgrind/report/common/json_writer.h"
#include "cdrgrind/report/loops/loop_nest.h"
#include "cdrgrind/report/loops/thread_loops.h"

namespace cdr::report {

using loops::Loop;
using loops::LoopNest;

namespace {

class JsonVisitor {
 public:
  JsonVisitor(const LoopReport& report, JsonWriter& to) : report_(report), sequence_(report.sequence), to_(to) {}

  void symbol(uint32_t at) {
    if (take()) to_.value(sequence_.names.name(sequence_.symbols[at]));
  }
  void open(const Loop& loop) {
    if (!take()) {
      ++skipped_;
      return;
    }
    bodies_.emplace_back();
    to_.object().members("begin", loop.begin, "length", loop.period, "count", loop.count);
    if (report_.place_of) put_place(report_.place_of(loop));
    to_.key("body").array();
  }
  void close(const Loop&) {
    if (skipped_ > 0) {
      --skipped_;
      return;
    }
    end_body();
    to_.end();
  }
  // The innermost that is open; the nest itself, when the walk is over.
  void end_body() {
    to_.end();
    if (report_.most.value_or(0) != 0)
      to_.members("left_out", bodies_.back().items - std::min(bodies_.back().items, *report_.most));
    bodies_.pop_back();
  }

 private:
  struct Body {
    uint64_t items = 0;  // symbols and loops, written or not
  };
  uint64_t most() const { return report_.most.value_or(0) == 0 ? ~uint64_t{0} : *report_.most; }
  // Whether the next item is written.
  bool take() { return skipped_ == 0 && (++bodies_.back().items <= most()); }
  void put_place(const LoopLocation& place) {
    to_.members("function", place.function, "file", place.file);
    to_.key("lines").array().value(place.first_line).value(place.last_line).end();
  }

  const LoopReport& report_;
  const analysis::SymbolSequence& sequence_;
  JsonWriter& to_;
  std::vector<Body> bodies_ = {{}};
  uint64_t skipped_ = 0;  // loops that are open and not written
};

// A loop's number in the graph is its place in the nest's array; `prefix` tells threads apart.
class DotVisitor {
 public:
  DotVisitor(const LoopReport& report, const std::string& prefix, Output& out)
      : report_(report), prefix_(prefix), out_(out) {}

  void symbol(uint32_t) {}
  void open(const Loop& loop) {
    const auto number = static_cast<uint64_t>(&loop - report_.nest.loops.data());
    out_.print("  {}l{} [label=\"({})^{}\\nfrom {}", prefix_, number, loop.period, loop.count, loop.begin);
    words(loop);
    place(loop);
    const std::string around = around_.empty() ? "top" : fmt::format("l{}", around_.back());
    out_.print("\"];\n  {0}{1} -> {0}l{2};\n", prefix_, around, number);
    around_.push_back(number);
  }
  void close(const Loop&) { around_.pop_back(); }

 private:
  void place(const Loop& loop) {
    if (!report_.place_of) return;
    const LoopLocation place = report_.place_of(loop);
    out_.put("\\n").put(dot_text(fmt::format("{}, {}", place.function, spelled(place))));
  }
  // A short body without loops is spelled out.
  void words(const Loop& loop) {
    constexpr uint32_t kMost = 8;
    if (loop.children != 0 || loop.period > kMost) return;
    out_.put("\\n");
    for (uint32_t at = loop.begin; at < loop.begin + loop.period; ++at) {
      if (at > loop.begin) out_.put(' ');
      out_.put(dot_text(report_.sequence.names.name(report_.sequence.symbols[at])));
    }
  }

  const LoopReport& report_;
  const std::string& prefix_;
  Output& out_;
  std::vector<uint64_t> around_;
};

void put_major(const LoopNest& nest, JsonWriter& to) {
  const Loop* major = nest.major();
  to.key("major");
  if (!major) return void(to.null());
  to.object().members("begin", major->begin, "length", major->period, "count", major->count);
  to.members("symbols", major->span(), "structure", loop_structure(nest, *major)).end();
}

void put_nest(const LoopReport& report, JsonWriter& to) {
  const LoopNest& nest = report.nest;
  const Loop* major = nest.major();
  if (!report.threads.empty()) {
    to.key("threads").array();
    for (const ThreadId t : report.threads) to.value(t.value);
    to.end();
  }
  to.members("length", nest.length, "different", report.sequence.names.size());
  to.members("compressed_length", nest.compressed_length()).key("compression_ratio").rounded(compression_ratio(nest));
  to.line_break().key("span_covered_percent").rounded(percent_covered(nest, major ? major->span() : 0));
  to.key("all_loops_percent").rounded(percent_covered(nest, nest.covered()));
  to.members("outermost_loops", nest.top_count, "loops", nest.loops.size()).line_break();
  put_major(nest, to);
  to.line_break().key("nest").array();
  JsonVisitor visitor(report, to);
  walk(nest, visitor);
  visitor.end_body();
}

void put_tree(const LoopReport& report, const std::string& prefix, const std::string& who, Output& out) {
  out.print("  {}top [label=\"{}{} symbols\"];\n", prefix, who, report.nest.length);
  DotVisitor visitor(report, prefix, out);
  walk(report.nest, visitor);
}
std::string who_did(const LoopReport& report) { return fmt::format("{}\\n", spelled_threads(report.threads)); }

}  // namespace

void write_loop_json(const LoopReport& report, Output& out) { write_loops_json(std::span(&report, 1), out); }
void write_loop_dot(const LoopReport& report, Output& out) { write_loops_dot(std::span(&report, 1), out); }

void write_loops_json(std::span<const LoopReport> reports, Output& out) {
  const LoopReport& report = reports.front();
  const std::span<const LoopReport> others = reports.subspan(1);
  JsonWriter to(out);
  to.object().members("schema", "cdrgrind.loops/1", "input", report.input, "algorithm", report.algorithm);
  to.members("order", report.order, "strict", report.strict).line_break();
  put_binaries(report.binaries, to);
  if (report.place_of) {
    put_scope(report.scope, to);
    to.line_break();
  } else if (!report.scope.missing.empty()) {
    to.list("incomplete", report.scope.missing);
  }
  put_nest(report, to);
  if (!others.empty()) {
    to.line_break().key("others").rows();
    for (const LoopReport& other : others) {
      to.object();
      put_nest(other, to);
      to.end();
    }
    to.end();
  }
  to.end();
  out.put('\n');
}

void write_loops_dot(std::span<const LoopReport> reports, Output& out) {
  out.put("digraph loops {\n  node [shape=box];\n");
  put_tree(reports.front(), "", reports.size() == 1 ? "" : who_did(reports.front()), out);
  for (const LoopReport& other : reports.subspan(1))
    put_tree(other, fmt::format("t{}_", other.threads.front().value), who_did(other), out);
  out.put("}\n");
}

}  // namespace cdr::report
