// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/hot_paths.h"

#include "cdrgrind/report/path_code.h"
#include "cdrgrind/symbols/paths.h"

namespace cdr::report {

using analysis::HotPath;

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
  HotPathText(const HotPathReport& report, SymbolNames& names, const Style& style, Output& out)
      : report_(report), code_(report.blocks, names), style_(style), out_(out) {}

  void write() {
    header();
    for (size_t i = 0; i < report_.paths.size(); ++i) path(i);
  }

 private:
  void header() {
    const analysis::PathProfile& all = report_.profile;
    out_.put(section("Hot paths", style_));
    for (const auto& [name, value] : report_.header) line(name, value);
    line("Instructions", with_separators(all.instructions()));
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
    if (p.thread) title += fmt::format(", thread {}", p.thread.value);
    out_.put('\n').put(section(title, style_));
    last_.clear();
    for (const uint32_t block : p.blocks) {
      for (const NamedInsn& insn : code_.instructions(block)) instruction(insn);
    }
  }
  // A heading wherever the line, the function or what is inlined changes.
  void instruction(const NamedInsn& insn) {
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
};

class HotPathJson {
 public:
  HotPathJson(const HotPathReport& report, SymbolNames& names, Output& out)
      : report_(report), code_(report.blocks, names), out_(out) {}

  void write() {
    const analysis::PathProfile& all = report_.profile;
    out_.print("{{\"schema\":\"cdrgrind.paths/1\",\"program\":{},\n", json_string(report_.program));
    put_binaries(report_.binaries, out_);
    out_.print("\"instructions\":{},\"paths_executed\":{},\"paths_different\":{},\n\"paths\":[", all.instructions(),
               all.executions(), all.paths());
    list(report_.paths, [this](const HotPath& p) { path(p); });
    out_.put("]}\n");
  }

 private:
  template <class Values, class F>
  void list(const Values& values, F f) {
    bool first = true;
    for (const auto& v : values) {
      if (!first) out_.put(",\n");
      first = false;
      f(v);
    }
  }
  void path(const HotPath& p) {
    out_.put('{');
    if (p.thread) out_.print("\"thread\":{},", p.thread.value);
    out_.print("\"instructions\":{},\"percent\":{:.6g},\"trips\":{},\"length\":{},\"blocks\":[", p.instructions(),
               percent_of(p.instructions(), report_.profile.instructions()), p.trips, p.insns);
    list(p.blocks, [this](uint32_t b) { block(b); });
    out_.put("]}");
  }
  void block(uint32_t number) {
    const Superblock& sb = report_.blocks.superblock(number);
    out_.print("{{\"addr\":{},\"module\":{},\"insns\":[", sb.addr, sb.module.value);
    list(code_.instructions(number), [this](const NamedInsn& insn) { instruction(insn); });
    out_.put("]}");
  }
  void instruction(const NamedInsn& insn) {
    out_.print("{{\"ip\":{},\"file\":{},\"line\":{},\"function\":{}", insn.at.addr, json_string(insn.line.file),
               insn.line.line, json_string(insn.function));
    if (!insn.inlined.empty()) {
      out_.put(",\"inlined\":[");
      list(insn.inlined, [this](const symbols::InlineFrame& f) { out_.put(json_string(f.function)); });
      out_.put(']');
    }
    if (!insn.text.empty()) out_.print(",\"text\":{}", json_string(insn.text));
    out_.put('}');
  }

  const HotPathReport& report_;
  PathCode code_;
  Output& out_;
};

}  // namespace

double percent_of(uint64_t part, uint64_t all) {
  return all == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(all);
}

void write_hot_paths(const HotPathReport& report, SymbolNames& names, const Style& style, Output& out) {
  HotPathText(report, names, style, out).write();
}

void write_hot_paths_json(const HotPathReport& report, SymbolNames& names, Output& out) {
  HotPathJson(report, names, out).write();
}

}  // namespace cdr::report
