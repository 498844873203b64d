// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/sharing/sharing_report.h"

#include "cdrgrind/report/common/thread_texts.h"

namespace cdr::report {

using sharing::SharedLine;
using sharing::SharedVariable;

namespace {

std::string ratio_text(uint64_t a, uint64_t b) {
  return b == 0 ? "0" : fmt::format("{:.1f}", static_cast<double>(a) / static_cast<double>(b));
}

void put_rest(uint64_t left, const char* what, Output& out) {
  if (left) out.print("{} more {} (-n, --format=json)\n", with_separators(left), what);
  out.put('\n');
}

void put_variable(const SharedVariable& v, const std::string& name, const Style& style, Output& out) {
  std::vector<ThreadId> readers, writers;
  SharedVariable::Counts sum;
  for (const auto& [thread, counts] : v.threads) {
    if (counts.loads) readers.push_back(thread);
    if (counts.stores) writers.push_back(thread);
    sum.loads += counts.loads;
    sum.stores += counts.stores;
  }
  out.print("{}\n", painted(fmt::format("{}  ({})", visible(name), name_of(v.memory)), Paint::kTitle, style));
  out.print("    {} loads by threads {}; {} stores by {}\n", with_separators(sum.loads),
            readers.empty() ? "none" : threads_text(readers), with_separators(sum.stores),
            writers.empty() ? "none" : threads_text(writers));
  if (v.hand_overs) out.print("    {} hand-overs: {}\n", with_separators(v.hand_overs), hand_overs_text(v.pairs));
  if (sum.stores == 0) return;
  out.print("    {} write runs of {} stores; of {} repeated stores {} were read in between: {}\n",
            with_separators(v.write_runs), ratio_text(sum.stores, v.write_runs), with_separators(v.repeats),
            with_separators(v.read_between), protocol_of(v));
}

void put_line(const SharedLine& l, const std::vector<NamedPart>& parts, const std::string& fix, const Style& style,
              Output& out) {
  out.print("{}\n", painted(fmt::format("line {:#x}", l.addr), Paint::kTitle, style));
  out.print("    {} misses, {} of them for nothing; messages: {} to invalidate, {} to update\n",
            with_separators(l.misses), with_separators(l.false_misses), with_separators(l.invalidating()),
            with_separators(l.updating()));
  size_t width = 0;
  for (const NamedPart& p : parts) width = std::max(width, std::min<size_t>(columns_of(visible(p.name)), 40));
  for (size_t i = 0; i < parts.size(); ++i) {
    const sharing::LinePart& p = l.parts[i];
    out.print("    bytes {:>3} to {:>3}  {}  ", p.begin, p.end - 1, padded_right(visible(parts[i].name), width));
    if (!p.writers.empty()) out.print("stored by {}{}", threads_text(p.writers), p.readers.empty() ? "" : ", ");
    if (!p.readers.empty()) out.print("loaded by {}", threads_text(p.readers));
    out.put('\n');
  }
  if (!fix.empty()) out.print("    fix: {}\n", visible(fix));
}

void put_passed(const SharingReport& report, Output& out) {
  out.put(section("From line to line", report.style));
  const size_t shown = std::min<size_t>(report.passed.size(), report.most);
  for (size_t i = 0; i < shown; ++i) {
    const PassedLines& p = report.passed[i];
    out.print("{:>14} bytes  {} -> {}\n", with_separators(p.bytes), visible(short_place(p.from)),
              visible(short_place(p.to)));
  }
  if (report.passed.empty()) out.put("Nothing is passed on.\n");
  put_rest(report.passed.size() - shown, "pairs of lines", out);
}

void put_header(const SharingReport& report, Output& out) {
  const sharing::SharedMemory& m = report.memory;
  put_head("Sharing", report, out);
  const auto row = [&](std::string_view name, const std::string& value) {
    out.print("{:<14} {}\n", std::string(name) + ":", visible(value));
  };
  row("Lines", fmt::format("of {} bytes: {} touched, {} shared, {} only read by several threads", report.line_size,
                           with_separators(m.counts.touched), with_separators(m.counts.shared),
                           with_separators(m.counts.read_only)));
  row("Misses", fmt::format("{}, {} of them for nothing", with_separators(m.misses), with_separators(m.false_misses)));
  row("Messages", fmt::format("{} to invalidate copies, {} to update them", with_separators(m.invalidating),
                              with_separators(m.updating)));
  if (m.runtime)
    row("Runtime",
        with_separators(m.runtime) + " accesses of the C and C++ libraries to their own data, left out (--all)");
  if (const std::string left = left_out_text(report.scope, "variable", "variables"); !left.empty())
    row("Left out", left);
  if (m.gaps) row("Gaps", with_separators(m.gaps) + ", in which nothing was recorded");
  out.put('\n');
}

}  // namespace

void write_sharing(const SharingReport& report, Output& out) {
  const sharing::SharedMemory& m = report.memory;
  put_header(report, out);
  out.put(section("Variables", report.style));
  size_t shown = std::min<size_t>(m.variables.size(), report.most);
  for (size_t i = 0; i < shown; ++i) put_variable(m.variables[i], report.variables[i], report.style, out);
  if (m.variables.empty()) out.put("No variable is touched by several threads.\n");
  put_rest(m.variables.size() - shown, "variables", out);
  out.put(section("Lines with false sharing", report.style));
  shown = 0;
  for (size_t i = 0; i < m.lines.size() && shown < report.most; ++i) {
    if (m.lines[i].false_misses == 0) break;
    put_line(m.lines[i], report.parts[i], report.fixes[i], report.style, out);
    ++shown;
  }
  if (shown == 0) out.put("None.\n");
  out.put('\n');
  put_passed(report, out);
}

}  // namespace cdr::report
