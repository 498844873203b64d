// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/strata_report.h"

namespace cdr::report {

using analysis::LayerTotals;

namespace {

class StrataText {
 public:
  StrataText(const StrataReport& report, const Style& style, Output& out) : report_(report), style_(style), out_(out) {}

  void write() {
    out_.put(section("Strata", style_));
    for (const auto& [name, value] : report_.header) line(name, value);
    line("Basic blocks", fmt::format("{} executed by {} thread{}", with_separators(report_.strata.blocks()),
                                     report_.threads, report_.threads == 1 ? "" : "s"));
    line("Instructions", with_separators(report_.instructions));
    line("Bytes", fmt::format("{}: {} for basic blocks, {} for the top", with_separators(report_.bytes()),
                              with_separators(report_.block_bytes), with_separators(report_.top_bytes)));
    line("Ratio", fmt::format("{:.1f} (instructions of {} bytes over bytes)", report_.ratio(), kInstructionBytes));
    line("Tables", fmt::format("{:.1f} MB at most", static_cast<double>(report_.strata.most_bytes()) / (1 << 20)));
    out_.put('\n').put(section("Layers", style_));
    table();
  }

 private:
  void line(std::string_view name, std::string_view value) {
    out_.print("{} {}\n", padded_right(std::string(name) + ":", 14), visible(value));
  }
  void table() {
    out_.print("{:<10}{:>16}{:>13}{:>14}{:>16}{:>13}  {}\n", "", "executions", "mean length", "unique", "consecutive",
               "bytes", "epochs");
    for (unsigned level = 0; level < report_.strata.levels(); ++level) row(level);
  }
  void row(unsigned level) {
    const LayerTotals t = report_.strata.totals(level);
    out_.print("{:<10}{:>16}{:>13.2f}{:>14}{:>16}{:>13}  {}\n", name_of_level(level), with_separators(t.executions),
               t.mean_length(), with_separators(t.unique), with_separators(t.consecutive()),
               with_separators(report_.level_bytes[level]), t.epochs);
  }

  const StrataReport& report_;
  const Style& style_;
  Output& out_;
};

}  // namespace

uint64_t StrataReport::bytes() const {
  uint64_t sum = block_bytes + top_bytes;
  for (const uint64_t b : level_bytes) sum += b;
  return sum;
}

double StrataReport::ratio() const {
  return bytes() == 0 ? 0 : static_cast<double>(instructions) * kInstructionBytes / static_cast<double>(bytes());
}

std::string name_of_level(unsigned level) { return level == 0 ? "paths" : fmt::format("strata {}", level - 1); }

void write_strata(const StrataReport& report, const Style& style, Output& out) {
  StrataText(report, style, out).write();
}

void write_strata_json(const StrataReport& report, Output& out) {
  out.print("{{\"schema\":\"cdrgrind.paths/1\",\"program\":{},\"threads\":{},\n", json_string(report.program),
            report.threads);
  out.print(
      "\"basic_blocks\":{},\"instructions\":{},\"bytes\":{},\"block_bytes\":{},\"top_bytes\":{},\"ratio\":{:.6g},\n",
      report.strata.blocks(), report.instructions, report.bytes(), report.block_bytes, report.top_bytes,
      report.ratio());
  out.put("\"strata\":[");
  for (unsigned level = 0; level < report.strata.levels(); ++level) {
    const LayerTotals t = report.strata.totals(level);
    out.print("{}{{\"level\":\"{}\",\"executions\":{},\"repeated\":{},\"consecutive\":{},\"elements\":{},",
              level ? ",\n" : "", name_of_level(level), t.executions, t.repeated, t.consecutive(), t.elements);
    out.print("\"mean_length\":{:.6g},\"unique\":{},\"epochs\":{},\"bytes\":{}}}", t.mean_length(), t.unique, t.epochs,
              report.level_bytes[level]);
  }
  out.put("]}\n");
}

}  // namespace cdr::report
