// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "cdrgrind/report/advise/advise_report.h"
#include "cdrgrind/report/advise/parallel_algorithm.h"
#include "cdrgrind/report/common/bare_name.h"
#include "cdrgrind/symbols/common/paths.h"

namespace cdr::report {
namespace {

using advise::Class;
using advise::Verdict;

constexpr uint32_t kMostLines = 12;  // of an excerpt

std::string line_or_address(uint32_t line, uint64_t addr) {
  return line ? std::to_string(line) : fmt::format("{:#x}", addr);
}

// "fft.c:12-20"; without lines the address of the code.
std::string lines_text(const SourcePlace& p, uint32_t last_line, CodeAddr code) {
  std::string text = p.line ? visible(short_place(p)) : fmt::format("{:#x}", code.addr);
  if (last_line > p.line) text += fmt::format("-{}", last_line);
  return text;
}

// "fft.c:12-20  transform"; without names of the code its module.
std::string title_of(const SourcePlace& p, uint32_t last_line, CodeAddr code) {
  const std::string text = lines_text(p, last_line, code);
  if (!p.function.empty()) return text + "  " + visible(brief_name(p.function));
  return p.file.empty() ? text : text + "  in " + visible(symbols::base_name(p.file));
}

// "use.cc:7  main, in std::transform<...> (stl_algo.h:4262-4263)", where the program's own calls for the loop.
std::string title_of(const AdviceLoop& l) {
  if (l.called_at.empty()) return title_of(l.place, l.last_line, l.header);
  const CallingPlace& call = l.called_at[0];
  return fmt::format("{}, in {} ({})", title_of(call.place, 0, l.header), visible(brief_name(call.callee)),
                     lines_text(l.place, l.last_line, l.header));
}

std::string times_text(double factor) { return fmt::format("{:.1f} times as fast", factor); }

void put_calls(const AdviceLoop& l, symbols::Symbols& symbols, Output& out) {
  if (l.called_at.empty()) return;
  const SourcePlace& first = l.called_at[0].place;
  if (const symbols::SourceFile* source = symbols.source(first.file))
    out.print("    {:>6}  {}\n", first.line, visible_source(source->line(first.line)));
  constexpr size_t kMostCalls = 4;
  for (size_t i = 1; i < std::min(l.called_at.size(), kMostCalls); ++i)
    out.print("{}{}", i == 1 ? "    and " : ", ", visible(short_place(l.called_at[i].place)));
  if (l.called_at.size() > kMostCalls) out.print(", {} more", l.called_at.size() - kMostCalls);
  if (l.called_at.size() > 1) out.put('\n');
}

void put_parallel_forms(const AdviceLoop& l, Output& out) {
  std::set<std::string_view> said;
  for (const CallingPlace& p : l.called_at) {
    const std::string_view form = parallel_algorithm(l, p);
    if (form.empty() || !said.insert(form).second) continue;
    const std::string place = l.called_at.size() > 1 ? visible(short_place(p.place)) + ": " : "";
    out.print("    {}{}(std::execution::par, ...) would do it by several threads (C++17)\n", place, form);
  }
}

void put_excerpt(const AdviceLoop& l, symbols::Symbols& symbols, Output& out) {
  const symbols::SourceFile* source = l.place.line ? symbols.source(l.place.file) : nullptr;
  if (!source) return;
  const uint32_t last = std::min(l.last_line, l.place.line + kMostLines - 1);
  for (uint32_t n = l.place.line; n <= last; ++n) out.print("    {:>6}  {}\n", n, visible_source(source->line(n)));
  if (last < l.last_line) out.print("            … {} more lines\n", l.last_line - last);
}

std::string distance_text(const regions::Distances& d) {
  if (d.least == d.greatest) return fmt::format("distance {}", with_separators(d.least));
  return fmt::format("distances {} to {}", with_separators(d.least), with_separators(d.greatest));
}

std::string_view kind_text(regions::Kind k) {
  constexpr std::string_view kNames[] = {"RAW", "WAR", "WAW"};
  return kNames[static_cast<size_t>(k)];
}

std::string end_text(const AdviceEnd& e) {
  return line_or_address(e.line, e.ip) + (!e.call ? "" : e.line ? "c" : " (c)");
}

std::string row_text(const AdviceRow& r, const Style& style) {
  const std::string text =
      fmt::format("{} {} {} {}", kind_text(r.kind), end_text(r.source), style.utf8 ? "→" : "->", end_text(r.target));
  return painted(text, paint_of_kind(static_cast<uint8_t>(r.kind)), style);
}

// What items of one name are carried as is one line, with the first one's row.
void put_item(const AdviceItem& i, size_t rows, const Style& style, Output& out) {
  const std::string what = fmt::format("{}{}", name_of(i.carried_as), i.note.empty() ? "" : " (" + i.note + ")");
  out.print("      {:<18} {}", what, visible(i.name));
  if (!i.rows.empty()) {
    const AdviceRow& r = i.rows[0];
    if (r.between)
      out.print(": {}, from one part of the loop to another", row_text(r, style));
    else
      out.print(": {}, {}, {}", row_text(r, style), plural(r.count, "time"), distance_text(r.distances));
    if (rows > 1) out.print("; {} more", rows - 1);
  }
  out.put('\n');
}

template <class Which>
void put_items(const AdviceLoop& l, const Which& which, const Style& style, Output& out) {
  const auto key_of = [](const AdviceItem& i) { return std::tie(i.carried_as, i.note, i.name); };
  std::map<decltype(key_of(l.items[0])), size_t> rows;
  for (const AdviceItem& i : l.items) rows[key_of(i)] += i.rows.size();
  for (const AdviceItem& i : l.items) {
    if (!which(i)) continue;
    const auto all = rows.extract(key_of(i));
    if (!all.empty()) put_item(i, all.mapped(), style, out);
  }
}

bool blocks(const AdviceItem& i) { return i.carried_as >= Class::kOutput; }

bool depends_on_itself(const AdviceLoop& l) {
  return std::any_of(l.items.begin(), l.items.end(), [](const AdviceItem& i) { return i.carried_as >= Class::kAnti; });
}

std::string verdict_text(const AdviceLoop& l, uint64_t threads) {
  if (l.is_shared()) return "already parallel: " + team_text(*l.team);
  std::string text(l.verdict == Verdict::kNone ? "no verdict" : name_of(l.verdict));
  if (l.verdict == Verdict::kNone) {
    if (l.starts_threads) text += ": it starts threads";
    if (l.keeps_locks) text += ": it holds a lock across iterations";
  }
  if (l.loaded_index) text += " for this data only (an index is loaded)";
  if (l.small) text += ", small";
  if (l.vectorised) text += fmt::format(", vectorised by {}", l.vectorised);
  if (l.verdict >= Verdict::kParallel && l.verdict <= Verdict::kPipeline && l.beside < l.instructions)
    text +=
        fmt::format("; with {} threads {}, the whole run {}", threads, times_text(l.speed_up), times_text(l.of_run));
  return text;
}

void put_teams(const AdviceLoop& l, Output& out) {
  if (!l.is_shared()) {
    if (l.team && l.beside)
      out.print("    {} of it {} (team of {})\n", percent_text(l.beside, l.instructions), region_text(*l.team),
                l.team->threads);
    return;
  }
  put_team(*l.team, out);
  if (depends_on_itself(l))
    out.put("    iterations depend on earlier ones of their thread; whether that is a race cdrgrind races tells\n");
}

void put_parts(const AdviceLoop& l, Output& out) {
  if (l.parts.empty()) return;
  out.print("    the compiler has made {} loops of it:\n", l.parts.size());
  for (const AdvicePart& p : l.parts) {
    std::string lines = line_or_address(p.line, p.header.addr);
    if (p.last_line > p.line) lines += fmt::format("-{}", p.last_line);
    out.print("      {:<18} {}{}; {}, {}, {}\n", lines, name_of(p.verdict),
              p.vectorised ? fmt::format(", vectorised by {}", p.vectorised) : "", plural(p.instances, "instance"),
              plural(p.iterations, "iteration"), plural(p.instructions, "instruction"));
  }
}

void put_simd(const AdviceLoop& l, const Style& style, Output& out) {
  if (!l.claims_simd() || l.verdict == Verdict::kUnseen) return;
  const std::string lanes =
      l.simd->safelen ? fmt::format("simd of {} lanes", l.simd->safelen) : std::string("simd of any number of lanes");
  const std::vector<SimdBreak> breaks = simd_breaks(l);
  if (breaks.empty()) out.print("    {}: nothing of this run is in its way\n", lanes);
  for (const SimdBreak& b : breaks)
    out.print("    {} is wrong: {}: {}, {}\n", lanes, visible(b.item->name), row_text(*b.row, style),
              distance_text(b.row->distances));
}

void put_loop(const AdviceLoop& l, const AdviseReport& report, symbols::Symbols& symbols, Output& out) {
  const std::string title = fmt::format("{}  {}", title_of(l), verdict_text(l, report.threads));
  out.print("{}\n", painted(title, Paint::kTitle, report.style));
  const double share =
      report.instructions ? 100.0 * static_cast<double>(l.instructions) / static_cast<double>(report.instructions) : 0;
  out.print("    {}, {}, {} ({:.1f} %), the longest iteration {}\n", plural(l.instances, "instance"),
            plural(l.iterations, "iteration"), plural(l.instructions, "instruction"), share,
            with_separators(l.longest));
  put_parts(l, out);
  put_teams(l, out);
  put_simd(l, report.style, out);
  if (l.headers > 1)
    out.print("    goes on by computed jumps: an iteration begins at each of the {} places they lead to\n", l.headers);
  else if (l.irregular)
    out.print("    entered elsewhere than where its iterations begin: a cycle, taken as one loop\n");
  if (l.weak) out.print("    not all code of its function is known\n");
  put_calls(l, symbols, out);
  put_excerpt(l, symbols, out);
  put_items(l, blocks, report.style, out);
  for (const uint32_t line : l.exit_lines)
    if (line) out.print("      {:<18} at line {}\n", name_of(Class::kExit), line);
  for (const uint64_t addr : l.exits_without_line) out.print("      {:<18} at {:#x}\n", name_of(Class::kExit), addr);
  for (const auto& [line, addr] : l.ends) {
    const std::string at = line ? fmt::format("line {}", line) : fmt::format("{:#x}", addr);
    out.print("      {:<18} at {}: the program may end, or throw, but did not\n", "end", at);
  }
  put_items(l, std::not_fn(blocks), report.style, out);
  for (const AdviceItem& i : l.items)
    for (const auto& [function, advice] : i.library)
      if (!advice.empty()) out.print("    {}: {}\n", visible(function), advice);
  if (l.verdict == Verdict::kParallel && !l.is_shared()) {
    // Of several parts of one variable once.
    std::set<std::pair<std::string_view, std::string_view>> said;
    for (const AdviceItem& i : l.items)
      if (!i.edit.empty() && said.insert({i.name, i.edit}).second) out.print("    {}: {}\n", visible(i.name), i.edit);
    if (!l.counter_edit.empty()) out.print("    {}: {}\n", visible(l.counter_name), visible(l.counter_edit));
    if (!l.other_copy.empty()) out.print("    no line: this loop of the source is also {}\n", visible(l.other_copy));
  }
  if (!l.is_shared())
    for (const std::string& name : l.unseen)
      out.print(
          "    {}: assigned in the source, but not seen in the code: declare it in the loop's body, or look at it "
          "without "
          "optimisation\n",
          visible(name));
  put_parallel_forms(l, out);
  for (std::string_view rest = l.pragma; !rest.empty();) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    out.print("    {}\n", visible(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  out.put('\n');
}

std::string line_text(uint32_t line, uint64_t addr) { return (line ? "line " : "") + line_or_address(line, addr); }

void put_call(const AdviceCall& c, Output& out) {
  out.print("    spawn {}: {}, {}, {}; what follows runs beside it;", line_text(c.line, c.ip),
            visible(brief_name(c.callee)), plural(c.calls, "call"), plural(c.instructions, "instruction"));
  if (c.wait_ip)
    out.print(" wait before {}\n", line_text(c.wait_line, c.wait_ip));
  else
    out.put(" nothing there needs it: wait at the end\n");
  if (c.output) out.put("      both write output: so only if it may come in any order\n");
}

void put_callers(const AdviseReport& report, Output& out) {
  if (report.callers.empty()) return;
  out.put(section("Calls", report.style));
  const size_t shown = std::min<size_t>(report.callers.size(), report.most);
  for (size_t i = 0; i < shown; ++i) {
    const AdviceCaller& c = report.callers[i];
    const std::string title = fmt::format("{}  with {} threads {}, the whole run {}", title_of(c.place, 0, c.function),
                                          report.threads, times_text(c.speed_up), times_text(c.of_run));
    out.print("{}\n", painted(title, Paint::kTitle, report.style));
    for (const AdviceCall& call : c.calls)
      if (call.is_spawn()) put_call(call, out);
    out.put('\n');
  }
  if (shown < report.callers.size())
    out.print("{} more callers (-n, --format=json)\n", with_separators(report.callers.size() - shown));
}

}  // namespace

void write_advice(const AdviseReport& report, symbols::Symbols& symbols, Output& out) {
  put_head("Loops", report, out);
  out.print("{:<14} {} loop{} executed, {} instructions, {} run{}\n", "What ran:", report.loops.size(),
            report.loops.size() == 1 ? "" : "s", with_separators(report.instructions), report.runs,
            report.runs == 1 ? "" : "s");
  if (!report.scope.all)
    out.print("{:<14} what libraries do counts where the program calls them (--scope=all looks into them)\n", "Scope:");
  if (const std::string left = left_out_text(report.scope, "loop", "loops"); !left.empty())
    out.print("{:<14} {}\n", "Left out:", left);
  out.print("{:<14} what did not happen in {} is not proved impossible\n\n",
            "Limits:", report.runs == 1 ? "this run" : "these runs");
  const size_t shown = std::min<size_t>(report.loops.size(), report.most);
  for (size_t i = 0; i < shown; ++i) put_loop(report.loops[i], report, symbols, out);
  if (shown < report.loops.size())
    out.print("{} more loops (-n, --format=json)\n", with_separators(report.loops.size() - shown));
  put_callers(report, out);
}

}  // namespace cdr::report
