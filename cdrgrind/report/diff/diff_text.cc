// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cdrgrind/report/common/escape.h"
#include "cdrgrind/report/diff/diff_report.h"
#include "cdrgrind/symbols/common/paths.h"

namespace cdr::report {
namespace {

std::string blocks_text(const PathStep& s) { return with_separators(s.block + 1); }

std::vector<std::string_view> names_of(const std::set<DiffPart>& parts) {
  std::vector<std::string_view> names;
  for (const DiffPart p : parts) names.push_back(name_of(p));
  return names;
}

class DiffText {
 public:
  DiffText(const DiffReport& report, Output& out) : r_(report), out_(out) {}

  void write() {
    put_head();
    put_divergences();
    put_executed("Executed in the old run only", r_.only_old, true);
    put_executed("Executed in the new run only", r_.only_new, false);
    put_counts();
    put_dependences("Dependences that came", r_.came, false);
    put_dependences("Dependences that went", r_.went, true);
    put_verdicts();
    put_carried("Carried by loops now", r_.carried_came, false);
    put_carried("Carried by loops no more", r_.carried_went, true);
    put_races("Races that are new", r_.new_races, false);
    put_races("Races that are gone", r_.gone_races, true);
    put_sizes();
    put_end();
  }

 private:
  void put_head() {
    const auto run = [&](const char* name, const DiffReport::Run& from) {
      out_.print("{}  {}  {}\n", name, visible(from.trace), visible(from.command));
      for (const std::string& sentence : sentences_of(from.binaries)) out_.print("     {}\n", visible(sentence));
    };
    run("Old:", r_.before);
    run("New:", r_.after);
    if (r_.same_binary)
      out_.put("The binary is the same.\n");
    else if (r_.same_build)
      out_.put("The binary is another one, built by the same compilers with the same options; lines are matched.\n");
    else
      put_builds();
    for (const std::string& file : r_.lost_sources)
      out_.print("The old text of {} is not there: its lines are matched by their numbers.\n", visible(file));
    for (const auto& [part, why] : r_.not_compared) out_.print("Not compared: {}: {}\n", name_of(part), visible(why));
  }
  void put_builds() {
    out_.put("The binary is another one, built otherwise; which lines have code, and how often, is not compared.\n");
    for (const std::string& c : r_.before.compilers)
      if (!std::count(r_.after.compilers.begin(), r_.after.compilers.end(), c)) out_.print("  old: {}\n", visible(c));
    for (const std::string& c : r_.after.compilers)
      if (!std::count(r_.before.compilers.begin(), r_.before.compilers.end(), c)) out_.print("  new: {}\n", visible(c));
  }

  void begin(std::string_view title, size_t rows) {
    out_.put('\n').put(section(fmt::format("{} ({})", title, with_separators(rows)), r_.style));
  }
  // A section, if it has rows: put(row) for as many as are shown. `heading`: a line above them.
  template <class Row, class F>
  void put_table(std::string_view title, const std::vector<Row>& rows, F put, std::string_view heading = {}) {
    if (rows.empty()) return;
    begin(title, rows.size());
    out_.put(heading);
    const size_t shown = std::min(rows.size(), r_.most);
    for (size_t i = 0; i < shown; ++i) put(rows[i]);
    if (shown < rows.size()) out_.print("  … {} more (-n, --format=json)\n", with_separators(rows.size() - shown));
  }
  symbols::Symbols* symbols_of(bool old_run) const { return old_run ? r_.before.symbols : r_.after.symbols; }

  std::string where(const SourcePlace& p) const { return visible(short_place(p)); }
  std::string text_of(std::string_view file, uint32_t line, bool old_run) const {
    const symbols::SourceFile* source = line == 0 ? nullptr : symbols_of(old_run)->source(file);
    return source ? visible_source(source->line(line)) : std::string();
  }
  void put_line(std::string_view file, uint32_t line, bool old_run) {
    if (const std::string text = text_of(file, line, old_run); !text.empty())
      out_.print("        {:>5}  {}\n", line, text);
  }
  // The line, and those around it.
  void put_excerpt(const SourcePlace& p, bool old_run) {
    for (uint32_t line = p.line > 1 ? p.line - 1 : p.line; p.line != 0 && line <= p.line + 1; ++line)
      if (const std::string text = text_of(p.file, line, old_run); !text.empty())
        out_.print("      {} {:>5}  {}\n", line == p.line ? '>' : ' ', line, text);
  }

  void put_divergences() {
    put_table("Paths that go another way", r_.divergences, [&](const PathDivergence& d) {
      out_.print("thread {}, after {} equal steps{}\n", d.thread, with_separators(d.equal),
                 d.schedule ? "; threads had taken turns in another order before, so it may be the schedule's" : "");
      if (d.new_last) {
        out_.print("    both, last  {}  {}\n", where(d.new_last->at), visible(d.new_last->at.function));
        put_excerpt(d.new_last->at, false);
      }
      put_step("old", d, true);
      put_step("new", d, false);
    });
  }
  void put_step(const char* name, const PathDivergence& d, bool old_run) {
    const std::optional<PathStep>& step = old_run ? d.old_next : d.new_next;
    if (!step) {
      out_.print("    {}         goes no further\n", name);
      return;
    }
    out_.print("    {}, block {}  {}  {}{}{}\n", name, blocks_text(*step), where(step->at),
               step->enters ? "enters " : "", visible(step->at.function),
               !step->jumps   ? ""
               : *step->jumps ? ", the branch is taken"
                              : ", the branch is not taken");
    if (const auto& last = old_run ? d.old_last : d.new_last; !last || !(last->at == step->at))
      put_excerpt(step->at, old_run);
    for (const SourcePlace& p : step->stack) out_.print("          from {}  {}\n", where(p), visible(p.function));
  }

  void put_executed(std::string_view title, const std::vector<ExecutedDifference>& all, bool old_run) {
    put_table(title, all, [&](const ExecutedDifference& d) {
      const SourcePlace& at = old_run ? d.before : d.after;
      const uint64_t times = old_run ? d.old_times : d.new_times;
      out_.print("  {:<20} {:>12} {}  {}\n", where(at), with_separators(times), d.line ? "times" : "calls",
                 d.line ? text_of(at.file, at.line, old_run) : "function " + visible(at.function));
    });
  }
  void put_counts() {
    const auto put = [&](const ExecutedDifference& d) {
      out_.print("  {:<20} {:>12} →  {:>12}  {}\n", where(d.after), with_separators(d.old_times),
                 with_separators(d.new_times),
                 d.line ? text_of(d.after.file, d.after.line, false) : "function " + visible(d.after.function));
    };
    put_table("Executed more or less often", r_.counts, put,
              fmt::format("  {:<20} {:>12}    {:>12}\n", "", "old", "new"));
  }

  std::string end_text(const analysis::RowEnd& e) const {
    const std::string code = e.code == depend::EndpointCode::kOwn ? "" : std::string(1, letter(e.code));
    const std::string file = visible(symbols::base_name(e.at.file));
    return e.at.line == 0 ? file + code : fmt::format("{}:{}{}", file, e.at.line, code);
  }
  void put_dependences(std::string_view title, const std::vector<DependenceDifference>& rows, bool old_run) {
    put_table(title, rows, [&](const DependenceDifference& d) {
      out_.print(
          "  {} {} → {} in {}, class {}, {}{}{}\n", analysis::name_of(d.kind), end_text(d.source), end_text(d.target),
          visible(d.ancestor), d.location, plural(d.count, "time"),
          d.source_thread ? fmt::format(", threads {} and {}", d.source_thread.value, d.target_thread.value) : "",
          d.schedule ? "; of libraries, and may be the schedule's" : "");
      for (const analysis::RowEnd* e : {&d.source, &d.target}) put_line(e->at.file, e->at.line, old_run);
    });
  }

  void put_verdicts() {
    put_table("Loops with another verdict", r_.verdicts, [&](const VerdictChange& v) {
      out_.print("  {}  {}: {} → {}\n", where(v.after), visible(v.after.function), v.old_verdict, v.new_verdict);
      put_line(v.after.file, v.after.line, false);
    });
  }
  void put_carried(std::string_view title, const std::vector<CarriedItem>& items, bool old_run) {
    put_table(title, items, [&](const CarriedItem& i) {
      out_.print("  {}  {}: {} ({})\n", where(i.loop), visible(i.loop.function), visible(i.object), i.carried_as);
      put_line(i.loop.file, i.loop.line, old_run);
    });
  }

  void put_races(std::string_view title, const std::vector<RaceFinding>& races, bool old_run) {
    put_table(title, races, [&](const RaceFinding& f) {
      out_.print("  {} ({}), {}\n", visible(all_variables(f)), f.kind, counted(f.instances, "instance"));
      for (const RaceSide* s : {&f.first, &f.second}) {
        const SourcePlace at = {s->file, s->line, s->function};
        out_.print("    {} by thread {} at {}  {}\n", s->write ? "write" : "read", s->thread, where(at),
                   visible(s->function));
        put_excerpt(at, old_run);
      }
    });
  }

  void put_sizes() {
    if (r_.sizes.empty()) return;
    out_.put('\n').put(section("Sizes", r_.style));
    for (const SizeRow& s : r_.sizes)
      out_.print(
          "  {:<20} {:>16} →  {:>16}{}\n", s.name, with_separators(s.before), with_separators(s.after),
          s.before == 0 || s.before == s.after
              ? ""
              : fmt::format("  {:+.1f} %", 100 * (static_cast<double>(s.after) / static_cast<double>(s.before) - 1)));
  }
  void put_end() {
    std::vector<std::string_view> parts;
    for (uint8_t p = 0; p <= static_cast<uint8_t>(DiffPart::kRaces); ++p)
      if (r_.differs(static_cast<DiffPart>(p))) parts.push_back(name_of(static_cast<DiffPart>(p)));
    out_.put('\n');
    if (r_.compared.empty())
      out_.put("Nothing was compared.\n");
    else if (parts.empty() && !r_.not_compared.empty())
      out_.print("No difference in: {}.\n", fmt::join(names_of(r_.compared), ", "));
    else if (parts.empty())
      out_.put("No difference.\n");
    else
      out_.print("They differ in: {}.\n", fmt::join(parts, ", "));
  }

  const DiffReport& r_;
  Output& out_;
};

}  // namespace

std::string_view name_of(DiffPart p) {
  constexpr std::string_view kNames[] = {"paths", "counts", "dependences", "carried", "races", "sizes"};
  return kNames[static_cast<size_t>(p)];
}

bool DiffReport::differs(DiffPart p) const {
  switch (p) {
    case DiffPart::kPaths:
      return !only_old.empty() || !only_new.empty() ||
             std::any_of(divergences.begin(), divergences.end(), [](const PathDivergence& d) { return !d.schedule; });
    case DiffPart::kCounts:
      return !counts.empty();
    case DiffPart::kDependences:
      return std::any_of(came.begin(), came.end(), [](const DependenceDifference& d) { return !d.schedule; }) ||
             std::any_of(went.begin(), went.end(), [](const DependenceDifference& d) { return !d.schedule; });
    case DiffPart::kCarried:
      return !carried_came.empty() || !carried_went.empty() || !verdicts.empty();
    case DiffPart::kRaces:
      return !new_races.empty() || !gone_races.empty();
    case DiffPart::kSizes:
      return false;
  }
  return false;
}

void write_diff(const DiffReport& report, Output& out) { DiffText(report, out).write(); }

}  // namespace cdr::report
