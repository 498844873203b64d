// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/annotate/annotate.h"

#include <algorithm>

#include "cdrgrind/report/annotate/dependence_table.h"
#include "cdrgrind/report/annotate/shown_functions.h"
#include "cdrgrind/symbols/common/paths.h"

namespace cdr::report {

using analysis::DependenceRows;
using analysis::RowCount;

namespace {

class Annotator {
 public:
  Annotator(const DependenceRows& rows, SymbolNames& names, const AnnotateOptions& options, Output& out)
      : rows_(rows),
        names_(names),
        options_(options),
        style_(options.style),
        out_(out),
        shown_(shown_functions(rows.rows, names, options)),
        moved_(options.carried, options.objects, names.symbols()),
        parallel_(options.carried && !options.carried->parallel.empty() ? &options.carried->parallel : nullptr) {}

  void write() {
    header();
    std::string_view file;
    for (const FunctionView& f : shown_.functions) {
      if (!any_shown_ || f.file != file) begin_file(f);
      file = f.file;
      any_shown_ = true;
      function(f);
    }
    footer();
  }

 private:
  void header() {
    out_.put(section("Dependences", style_));
    size_t widest = 0;
    for (const auto& [name, value] : options_.header) widest = std::max(widest, name.size());
    for (const auto& [name, value] : options_.header)
      out_.print("{}  {}\n", padded_right(name + ":", widest + 1), visible(value));
    out_.put("Arrows:  ");
    legend();
  }
  void legend() {
    const char* const lines_utf8[] = {"│", "┊", "║"};
    const char* const lines_ascii[] = {"|", ":", "#"};
    const char* const kinds[] = {"RAW", "WAR", "WAW"};
    for (uint8_t k = 0; k < 3; ++k) {
      const std::string sample = std::string((style_.utf8 ? lines_utf8 : lines_ascii)[k]) + " " + kinds[k];
      out_.put(painted(sample, paint_of_kind(k), style_)).put("  ");
    }
    const char* const again = style_.utf8 ? "↻" : "@";
    if (options_.carried)
      out_.print("{} from an earlier iteration of a loop  = within a line\n", again);
    else
      out_.print("{} a line on itself\n", again);
    out_.put("Letters: s stack, r recycled, o other, f false, l linkage; c in a call, h in a hidden one");
    out_.put(options_.carried ? ", ~ moved by the compiler\n" : "\n");
    if (parallel_)
      out_.print("Lines:   {} in a parallel region, {} a loop that is shared out among its threads\n",
                 sign_of(Mark::kExecuted), sign_of(Mark::kSharedLoop));
    out_.put('\n');
  }

  using Mark = ParallelLines::Mark;
  const char* sign_of(Mark m) const {
    constexpr const char *kUtf8[] = {" ", "‖", "⇉"}, *kAscii[] = {" ", "p", "P"};
    return (style_.utf8 ? kUtf8 : kAscii)[static_cast<size_t>(m)];
  }

  void begin_file(const FunctionView& f) {
    out_.put(
        section(f.has_lines() ? fmt::format("Source: {}", visible(f.file)) : fmt::format("Module: {}", visible(f.file)),
                style_));
    const symbols::SourceFile* source = f.has_lines() ? names_.symbols().source(f.file) : nullptr;
    if (!f.has_lines())
      out_.put("No line information here.\n");
    else if (!source)
      out_.put("The file is not found; -I DIR and --path-map OLD=NEW tell where sources are.\n");
    else if (source->path() != f.file)
      out_.print("Read from {}\n", visible(source->path()));
    if (source && source->newer_than_program())
      out_.put("Warning: the file is newer than the program; lines may be wrong.\n");
    out_.put('\n');
  }

  void function(const FunctionView& f) {
    out_.put(painted(visible(f.name), Paint::kTitle, style_));
    if (f.has_lines()) out_.print("  ({}:{})", visible(symbols::base_name(f.file)), f.first_line);
    out_.put('\n');
    const symbols::SourceFile* source = f.has_lines() ? names_.symbols().source(f.file) : nullptr;
    if (source) listing(f, *source);
    write_dependence_table(f, options_, out_, &moved_);
    out_.put('\n');
  }

  void listing(const FunctionView& f, const symbols::SourceFile& source) {
    const unsigned room = style_.width > 46 ? style_.width - 46 : 0;
    const Lanes lanes(arrows_of(f, options_.carried, &moved_), std::clamp(room / 3, 4u, 24u));
    uint32_t shown = 0;
    for (const LineRange& range : shown_lines(f, options_.context, static_cast<uint32_t>(source.line_count()))) {
      if (shown != 0) left_out_lines(lanes, shown, range.begin - shown - 1);
      for (shown = range.begin; shown < range.end; ++shown) {
        source_line(lanes, shown, source.line(shown), parallel_ ? parallel_->of(f.file, shown) : Mark::kNone);
        if (shown >= f.last_line && source.line(shown).starts_with('}')) break;  // what follows is not of it
      }
      shown = std::min(shown, range.end - 1);
    }
    if (lanes.left_to_table())
      out_.print("{} found no room and stand in the table only; --threshold=N shows fewer.\n",
                 plural(lanes.left_to_table(), "arrow"));
    out_.put('\n');
  }
  void source_line(const Lanes& lanes, uint32_t number, std::string_view text, Mark mark) {
    out_.put(lanes.margin(number, style_)).put(fmt::format(" {:>5} {}", number, sign_of(mark)));
    out_.put(parallel_ ? " " : "").put(visible_source(text)).put('\n');
  }
  void left_out_lines(const Lanes& lanes, uint32_t after, uint32_t count) {
    out_.put(lanes.margin_between(after, style_));
    out_.put(painted(fmt::format("   ...  ({} lines)", count), Paint::kDim, style_)).put('\n');
  }

  void footer() {
    out_.put(section("Summary", style_));
    if (rows_.rows.empty())
      out_.put("No dependences to show.\n");
    else if (!any_shown_)
      out_.put("No function with dependences has a source.\n");
    else
      out_.print("{}, {}; {} shown.\n", plural(rows_.rows.size(), "row"), plural(total(), "dependence"),
                 plural(rows_.rows.size() - shown_.without_source.rows - shown_.of_system.rows, "row"));
    write_hidden(shown_, out_);
    if (options_.objects && !options_.shares && any_shown_)
      out_.put("Variables are those of first occurrences; --objects=count counts by variable.\n");
    left_out();
  }
  uint64_t total() const {
    uint64_t sum = 0;
    for (const auto& row : rows_.rows) sum += row.count;
    return sum;
  }
  void left_out() {
    if (const std::string text = left_out_text(options_.scope, "row", "rows"); !text.empty())
      out_.print("Left out: {}.\n", text);
    const analysis::LeftOut& left = rows_.left_out;
    for (const auto& [letter, n] : left.by_class) left_out(n, fmt::format("of class {}", letter));
    left_out(left.hidden_end, "with a hidden end");
    left_out(left.hidden_ancestor, "in hidden functions");
    const bool filtered = any_left_out_;
    left_out(left.below_threshold, fmt::format("below the threshold of {}", with_separators(options_.threshold)));
    left_out(left.beyond_most, "of lower counts than these");
    if (filtered) out_.print("\nNext: cdrgrind annotate --class=all {}\n", visible(options_.trace));
  }
  void left_out(const RowCount& n, std::string_view why) {
    if (n.rows == 0) return;
    if (!any_left_out_) out_.put("Left out:\n");
    any_left_out_ = true;
    out_.print("  {} {}, {}\n", plural(n.rows, "row"), why, plural(n.dependences, "dependence"));
  }

  const DependenceRows& rows_;
  SymbolNames& names_;
  const AnnotateOptions& options_;
  const Style& style_;
  Output& out_;
  const ShownFunctions shown_;
  const MovedEnds moved_;
  const ParallelLines* const parallel_;  // null: there are none
  bool any_shown_ = false;
  bool any_left_out_ = false;
};

}  // namespace

void write_annotation(const DependenceRows& rows, SymbolNames& names, const AnnotateOptions& options, Output& out) {
  Annotator(rows, names, options, out).write();
}

}  // namespace cdr::report
