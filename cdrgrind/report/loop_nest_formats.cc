// SPDX-License-Identifier: GPL-2.0-or-later
// The nest for other programs: JSON and DOT. Written as the nest is walked, for it may have 10^8 symbols.
#include <algorithm>

#include "cdrgrind/analysis/loops/nest_walk.h"
#include "cdrgrind/report/loop_nest.h"

namespace cdr::report {

using analysis::Loop;
using analysis::LoopNest;

namespace {

bool is_plain(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
}

// As json_string(), which is slow for what needs no care.
void put_quoted(std::string_view name, Output& out) {
  if (is_plain(name))
    out.put('"').put(name).put('"');
  else
    out.put(json_string(name));
}

class JsonVisitor {
 public:
  JsonVisitor(const LoopReport& report, Output& out) : report_(report), sequence_(report.sequence), out_(out) {}

  void symbol(uint32_t at) {
    separate();
    put_quoted(sequence_.names.name(sequence_.symbols[at]), out_);
  }
  void open(const Loop& loop) {
    separate();
    out_.print("{{\"begin\":{},\"length\":{},\"count\":{},", loop.begin, loop.period, loop.count);
    if (report_.place_of) put_place(report_.place_of(loop));
    out_.put("\"body\":[");
    first_ = true;
  }
  void close(const Loop&) {
    out_.put("]}");
    first_ = false;
  }

 private:
  void separate() {
    if (!first_) out_.put(',');
    first_ = false;
  }
  void put_place(const LoopPlace& place) {
    out_.print("\"function\":{},\"file\":{},\"lines\":[{},{}],", json_string(place.function), json_string(place.file),
               place.first_line, place.last_line);
  }

  const LoopReport& report_;
  const analysis::SymbolSequence& sequence_;
  Output& out_;
  bool first_ = true;
};

// A loop's number in the graph is its place in the nest's array.
class DotVisitor {
 public:
  DotVisitor(const LoopReport& report, Output& out) : report_(report), out_(out) {}

  void symbol(uint32_t) {}
  void open(const Loop& loop) {
    const auto number = static_cast<uint64_t>(&loop - report_.nest.loops.data());
    out_.print("  l{} [label=\"({})^{}\\nfrom {}", number, loop.period, loop.count, loop.begin);
    words(loop);
    place(loop);
    out_.print("\"];\n  {} -> l{};\n", around_.empty() ? "top" : fmt::format("l{}", around_.back()), number);
    around_.push_back(number);
  }
  void close(const Loop&) { around_.pop_back(); }

 private:
  void place(const Loop& loop) {
    if (!report_.place_of) return;
    const LoopPlace place = report_.place_of(loop);
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
  Output& out_;
  std::vector<uint64_t> around_;
};

void put_major(const LoopNest& nest, Output& out) {
  const Loop* major = nest.major();
  if (!major) {
    out.put("null");
    return;
  }
  out.print("{{\"begin\":{},\"length\":{},\"count\":{},\"symbols\":{},\"structure\":{}}}", major->begin, major->period,
            major->count, major->span(), json_string(loop_structure(nest, *major)));
}

}  // namespace

void write_loop_json(const LoopReport& report, Output& out) {
  const LoopNest& nest = report.nest;
  const Loop* major = nest.major();
  out.print("{{\"schema\":\"cdrgrind.loops/1\",\"input\":{},\"algorithm\":\"{}\",\"order\":\"{}\",\"strict\":{},\n",
            json_string(report.input), report.algorithm, report.order, report.strict);
  put_binaries(report.binaries, out);
  out.print("\"length\":{},\"different\":{},\"compressed_length\":{},\"compression_ratio\":{:.6g},\n", nest.length,
            report.sequence.names.size(), nest.compressed_length(), compression_ratio(nest));
  out.print("\"span_covered_percent\":{:.6g},\"all_loops_percent\":{:.6g},\"outermost_loops\":{},\"loops\":{},\n",
            percent_covered(nest, major ? major->span() : 0), percent_covered(nest, nest.covered()), nest.top_count,
            nest.loops.size());
  out.put("\"major\":");
  put_major(nest, out);
  out.put(",\n\"nest\":[");
  JsonVisitor visitor(report, out);
  walk(nest, visitor);
  out.put("]}\n");
}

void write_loop_dot(const LoopReport& report, Output& out) {
  out.put("digraph loops {\n  node [shape=box];\n");
  out.print("  top [label=\"{} symbols\"];\n", report.nest.length);
  DotVisitor visitor(report, out);
  walk(report.nest, visitor);
  out.put("}\n");
}

}  // namespace cdr::report
