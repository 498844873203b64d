// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/paths/strata_report.h"

#include "cdrgrind/report/common/json_writer.h"

namespace cdr::report {

using paths::LayerTotals;

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
  JsonWriter to(out);
  to.object().members("schema", "cdrgrind.paths/1", "program", report.program, "threads", report.threads).line_break();
  to.members("basic_blocks", report.strata.blocks(), "instructions", report.instructions, "bytes", report.bytes());
  to.members("block_bytes", report.block_bytes, "top_bytes", report.top_bytes);
  to.key("ratio").rounded(report.ratio()).line_break().key("strata").array();
  for (unsigned level = 0; level < report.strata.levels(); ++level) {
    const LayerTotals t = report.strata.totals(level);
    if (level) to.line_break();
    to.object().members("level", name_of_level(level), "executions", t.executions, "repeated", t.repeated);
    to.members("consecutive", t.consecutive(), "elements", t.elements).key("mean_length").rounded(t.mean_length());
    to.members("unique", t.unique, "epochs", t.epochs, "bytes", report.level_bytes[level]).end();
  }
  to.end().end();
  out.put('\n');
}

}  // namespace cdr::report
