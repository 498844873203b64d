// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/paths/hot_paths.h"

#include <set>

#include "cdrgrind/report/common/json_writer.h"
#include "cdrgrind/report/paths/path_code.h"
#include "cdrgrind/symbols/common/paths.h"

namespace cdr::report {

using paths::HotPath;

namespace {

uint64_t shown_instructions(const HotPathReport& report) {
  uint64_t sum = 0;
  for (const HotPath& p : report.paths) sum += p.instructions();
  return sum;
}

std::string place(std::string_view file, uint32_t line) {
  const std::string_view name = symbols::base_name(file);
  return line == 0 ? visible(name) : fmt::format("{}:{}", visible(name), line);
}

class HotPathText {
 public:
  HotPathText(const HotPathReport& report, SymbolNames& names, Output& out)
      : report_(report), code_(report.blocks, names), style_(report.style), out_(out) {}

  void write() {
    header();
    for (size_t i = 0; i < report_.paths.size(); ++i) path(i);
  }

 private:
  void header() {
    const paths::PathProfile& all = report_.profile;
    put_head("Hot paths", report_, out_);
    line("Instructions", with_separators(all.instructions()));
    if (const std::string left_out = left_out_text(report_.scope, "instruction", "instructions"); !left_out.empty())
      line("Left out", left_out);
    put_missing(report_.scope.missing, out_);
    line("Paths",
         fmt::format("{} executed, {} different", with_separators(all.executions()), with_separators(all.paths())));
    line("Shown", fmt::format("{} with {:.2f} % of the instructions", report_.paths.size(),
                              percent_of(shown_instructions(report_), all.instructions())));
  }
  void line(std::string_view name, std::string_view value) {
    out_.print("{} {}\n", padded_right(std::string(name) + ":", 14), visible(value));
  }

  void path(size_t i) {
    const HotPath& p = report_.paths[i];
    std::string title = fmt::format("{}: {:.2f} %, {} instructions = {} times {} in {} block{}", i + 1,
                                    percent_of(p.instructions(), report_.profile.instructions()),
                                    with_separators(p.instructions()), with_separators(p.trips),
                                    with_separators(p.insns), p.blocks.size(), p.blocks.size() == 1 ? "" : "s");
    if (p.library) title += fmt::format(" and {} in libraries", with_separators(p.library));
    if (p.thread) title += fmt::format(", thread {}", p.thread.value);
    out_.put('\n').put(section(title, style_));
    last_.clear();
    for (const uint32_t block : p.blocks) {
      for (const NamedInsn& insn : code_.instructions(block))
        insn.system && !report_.scope.all ? fold(insn) : instruction(insn);
    }
    folded();
  }
  // What stands in headers of the system is one line, however long.
  void fold(const NamedInsn& insn) {
    ++folded_instructions_;
    folded_functions_.insert(insn.function);
  }
  void folded() {
    if (folded_instructions_ == 0) return;
    out_.print("  {} {} of {}\n", style_.utf8 ? "…" : "...", plural(folded_instructions_, "instruction"),
               folded_functions_.size() == 1
                   ? visible(*folded_functions_.begin())
                   : fmt::format("{} functions in headers of the system", folded_functions_.size()));
    folded_instructions_ = 0;
    folded_functions_.clear();
    last_.clear();
  }
  // A heading wherever the line, the function or what is inlined changes.
  void instruction(const NamedInsn& insn) {
    folded();
    const std::string where = heading(insn);
    if (where != last_) out_.put(painted(where, Paint::kTitle, style_)).put('\n');
    last_ = where;
    out_.print("    {:#x}  {}\n", insn.at.addr, insn.text);
  }
  static std::string heading(const NamedInsn& insn) {
    std::string text = fmt::format("  {}  {}", place(insn.line.file, insn.line.line), visible(insn.function));
    if (insn.inlined.empty()) return text;
    text += ": inlined";
    for (size_t i = insn.inlined.size(); i-- > 0;) text += fmt::format(" {}", visible(insn.inlined[i].function));
    return text;
  }

  const HotPathReport& report_;
  PathCode code_;
  const Style& style_;
  Output& out_;
  std::string last_;
  uint64_t folded_instructions_ = 0;
  std::set<std::string_view> folded_functions_;
};

class HotPathJson {
 public:
  HotPathJson(const HotPathReport& report, SymbolNames& names, Output& out)
      : report_(report), code_(report.blocks, names), out_(out), to_(out) {}

  void write() {
    const paths::PathProfile& all = report_.profile;
    to_.object().members("schema", "cdrgrind.paths/1", "program", report_.program).line_break();
    put_binaries(report_.binaries, to_);
    put_scope(report_.scope, to_);
    to_.members("instructions", all.instructions(), "paths_executed", all.executions());
    to_.members("paths_different", all.paths()).line_break();
    list("paths", report_.paths, [this](const HotPath& p) { path(p); });
    to_.end();
    out_.put('\n');
  }

 private:
  template <class Values, class F>
  void list(std::string_view name, const Values& values, F f) {
    to_.key(name).array();
    bool first = true;
    for (const auto& v : values) {
      if (!first) to_.line_break();
      first = false;
      f(v);
    }
    to_.end();
  }
  void path(const HotPath& p) {
    to_.object();
    if (p.thread) to_.members("thread", p.thread.value);
    to_.members("instructions", p.instructions()).key("percent");
    to_.rounded(percent_of(p.instructions(), report_.profile.instructions())).members("trips", p.trips);
    to_.members("length", p.insns, "library_instructions", p.library);
    list("blocks", p.blocks, [this](uint32_t b) { block(b); });
    to_.end();
  }
  void block(uint32_t number) {
    const Superblock& sb = report_.blocks.superblock(number);
    to_.object().members("addr", sb.addr, "module", sb.module.value);
    list("insns", code_.instructions(number), [this](const NamedInsn& insn) { instruction(insn); });
    to_.end();
  }
  void instruction(const NamedInsn& insn) {
    to_.object().members("ip", insn.at.addr, "file", insn.line.file, "line", insn.line.line);
    to_.members("function", insn.function);
    if (!insn.inlined.empty())
      list("inlined", insn.inlined, [this](const symbols::InlineFrame& f) { to_.value(f.function); });
    if (!insn.text.empty()) to_.members("text", insn.text);
    to_.end();
  }

  const HotPathReport& report_;
  PathCode code_;
  Output& out_;
  JsonWriter to_;
};

}  // namespace

double percent_of(uint64_t part, uint64_t all) {
  return all == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(all);
}

void write_hot_paths(const HotPathReport& report, SymbolNames& names, Output& out) {
  HotPathText(report, names, out).write();
}

void write_hot_paths_json(const HotPathReport& report, SymbolNames& names, Output& out) {
  HotPathJson(report, names, out).write();
}

}  // namespace cdr::report
