// SPDX-License-Identifier: GPL-2.0-or-later
// The cost file's grammar: https://valgrind.org/docs/manual/cl-format.html. One event, Ir.
#include <map>

#include "cdrgrind/config.h"
#include "cdrgrind/report/paths/hot_paths.h"

namespace cdr::report {

using analysis::LineRef;
using paths::HotPath;

namespace {

struct Function {
  std::string_view object, file, name;
  auto operator<=>(const Function&) const = default;
};
using Costs = std::map<Function, std::map<LineRef, uint64_t>>;

// How often the shown paths executed each basic block.
std::map<uint32_t, uint64_t> executions(const HotPathReport& report) {
  std::map<uint32_t, uint64_t> counts;
  for (const HotPath& p : report.paths)
    for (const uint32_t block : p.blocks) counts[block] += p.trips;
  return counts;
}

// A reader would take the module's file for source.
LineRef known(LineRef line) { return line.line == 0 ? LineRef{"???", 0} : line; }

Costs costs_of(const HotPathReport& report, SymbolNames& names) {
  Costs costs;
  for (const auto& [block, count] : executions(report)) {
    const Superblock& sb = report.blocks.superblock(block);
    const std::string_view object = report.modules.has(sb.module) ? report.modules[sb.module].path : "???";
    for (uint32_t i = 0; i < report.blocks[block].insns; ++i) {
      const CodeAddr at = {sb.module, sb.insn_addr(i)};
      const LineRef home = known(names.beginning_of(at));
      costs[{object, home.file, names.function_of(at)}][known(names.line_of(at))] += count;
    }
  }
  return costs;
}

void put_lines(const Function& function, const std::map<LineRef, uint64_t>& lines, CallgrindNames& names, Output& out) {
  std::string_view file = function.file;
  for (const auto& [line, count] : lines) {
    if (line.file != file) out.print("{}={}\n", line.file == function.file ? "fe" : "fi", names.file(line.file));
    file = line.file;
    out.print("{} {}\n", line.line, count);
  }
  if (file != function.file) out.print("fe={}\n", names.file(function.file));
}

}  // namespace

void write_hot_paths_callgrind(const HotPathReport& report, SymbolNames& names, Output& out) {
  uint64_t total = 0;
  for (const HotPath& p : report.paths) total += p.trips * p.insns;
  out.print("# callgrind format\nversion: 1\ncreator: cdrgrind-{}\ncmd: {}\n", PACKAGE_VERSION,
            visible(report.command));
  out.print("desc: Trigger: {} of {} paths\npositions: line\nevents: Ir\nsummary: {}\n", report.paths.size(),
            report.profile.paths(), total);
  CallgrindNames written;
  std::string_view object;
  for (const auto& [function, lines] : costs_of(report, names)) {
    out.put('\n');
    if (function.object != object) out.print("ob={}\n", written.object(function.object));
    object = function.object;
    out.print("fl={}\n", written.file(function.file));
    out.print("fn={}\n", written.function(function.name));
    put_lines(function, lines, written, out);
  }
  out.print("\ntotals: {}\n", total);
}

}  // namespace cdr::report
