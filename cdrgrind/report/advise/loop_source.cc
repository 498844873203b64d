// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/loop_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "cdrgrind/report/advise/constant_function.h"
#include "cdrgrind/report/advise/extreme_text.h"
#include "cdrgrind/report/advise/fortran_names.h"
#include "cdrgrind/report/advise/loops_own.h"
#include "cdrgrind/report/advise/other_names.h"
#include "cdrgrind/report/advise/shared_place.h"
#include "cdrgrind/report/common/source_words.h"
#include "cdrgrind/report/common/trimmed.h"

namespace cdr::report {
namespace {

constexpr std::string_view kPragma = "#pragma omp ", kFortranPragma = "!$omp ";

std::string text_of(const symbols::SourceFile& source, uint32_t first, uint32_t last) {
  std::string text;
  for (uint32_t n = first; n <= last; ++n) text += std::string(source.line(n)) + '\n';
  return text;
}

// The directives that stand right above the line, in one.
std::string directive_above(const symbols::SourceFile& source, uint32_t line) {
  constexpr uint32_t kMostUp = 8;
  std::string text;
  for (uint32_t at = line - 1; at > 0 && line - at <= kMostUp; --at) {
    const std::string_view here = source.line(at);
    const bool goes_on = at > 1 && source.line(at - 1).ends_with('\\');
    if (!goes_on && !is_directive(source, at)) break;
    text = std::string(here) + " " + text;
  }
  return text;
}

// Whether gcc or clang knows such a pragma, and wants it right before a loop.
bool is_known_before_loops(std::string_view pragma) {
  for (const std::string_view first : {"GCC", "clang", "unroll", "nounroll", "unroll_and_jam", "nounroll_and_jam"})
    if (pragma.starts_with(first) && (pragma.size() == first.size() || !is_word(pragma[first.size()]))) return true;
  return false;
}

// What stands right above the line, if it is a pragma of others than OpenMP, or may be: those want to stand right
// before the loop, too.
std::string other_pragma_above(std::span<const std::string> lines, uint32_t line) {
  std::string_view text;
  // Other directives may stand in between, as those that choose which pragma it is: mostly one that others know.
  bool is_chosen = false;
  while (--line > 0) {
    while (line > 1 && continues_directive(lines[line - 2])) --line;
    text = trimmed(lines[line - 1]);
    if (text.empty()) continue;
    if (!text.starts_with('#')) break;
    const std::string_view rest = trimmed(text.substr(1));
    const bool is_pragma = rest.starts_with("pragma");
    const std::string_view pragma = is_pragma ? trimmed(rest.substr(6)) : std::string_view();
    is_chosen |= !is_pragma;
    if (!is_pragma || (is_chosen && !is_known_before_loops(pragma) && !pragma.starts_with("omp"))) continue;
    return pragma.starts_with("omp") ? std::string() : std::string(text);
  }
  if (line == 0) return {};
  if (text.starts_with("_Pragma")) return "_Pragma";
  // A macro that is nothing but a name.
  const bool is_macro = std::all_of(text.begin(), text.end(), [](char c) { return is_word(c) && !std::islower(c); });
  return is_macro ? std::string(text) : std::string();
}

// `ordered simd' keeps in order what stands under it.
std::optional<SimdClaim> claim(std::string_view directive, const LoopSource& loop) {
  return loop.words.contains("ordered") ? std::nullopt : simd_claim_of(directive);
}

// Where the body, its end, begins in the text that begins in that line.
TextPosition body_position(std::string_view text, std::string_view body, uint32_t line) {
  const std::string_view before = text.substr(0, text.size() - body.size());
  const auto lines = static_cast<uint32_t>(std::count(before.begin(), before.end(), '\n'));
  return {line + lines, static_cast<uint32_t>(before.size() - before.rfind('\n'))};
}

void add_words(std::string_view text, LoopSource& to) {
  for (const std::string_view w : words_of(text)) to.words.emplace(w);
}

}  // namespace

std::string LoopSource::unqualified(const std::string& name) const {
  const size_t sign = name.rfind("::");
  if (sign == name.npos || body.find(name.substr(sign)) != body.npos) return name;
  return name.substr(sign + 2);
}

LoopSource LoopSources::of(const SourcePlace& place, uint32_t last_line) {
  LoopSource found;
  const symbols::SourceFile* const source = place.line ? symbols_.source(place.file) : nullptr;
  if (!source) return found;
  if (const FortranSource* const f = fortran_.of(place.file)) {
    found.head = fortran_head(*f, place.line);
    if (const FortranLoop* const loop = f->loop_of(place.line)) {
      found.names.assigned = fortran_assigned_names(*f, *loop);
      found.names.declared = fortran_declared_names(*f, *loop);
      found.names.by_calls = fortran_called_assignments(*f, *loop);
      found.exposed = fortran_exposed_names(*f, *loop);
      found.changed = fortran_changed_places(*f, *loop);
      for (size_t i = loop->begin; i < loop->end; ++i) add_words(f->statements[i].text, found);
      found.simd = claim(loop->directive, found);
    }
    return found;
  }
  const bool is_for = has_for(place.file, place.line);
  const TextPosition end = is_for ? end_of(place) : TextPosition();
  std::string text = text_of(*source, place.line, end.first ? end.first : last_line);
  // What stands behind the statement in its last line is another's.
  if (end.first) text.resize(std::min(text.size(), text.size() - source->line(end.first).size() - 1 + end.second));
  if (!is_for) {
    add_words(text, found);
    return found;
  }
  add_words(plain_code(text), found);
  found.head = for_head(text);
  if (const std::string other = other_pragma_above(lines_to(place.file, place.line), place.line); !other.empty())
    found.head.refused =
        fmt::format("OpenMP's line may not stand above '{}', which is there: remove one of both", other);
  if (is_in_constant_function(place)) found.head.refused = "OpenMP takes no loop in a constexpr function";
  found.body = loop_body(text);
  found.function_line = function_at(functions_of(place.file), place.line).begin.first;
  found.names = body_names(found.body);
  for (const std::string_view w : {"asm", "__asm__", "__asm"})
    if (found.words.contains(w)) found.head.refused = "assembly in the loop's body may change anything";
  found.exposed = exposed_names(found.body);
  std::set<std::string> declared = found.names.declared;
  for (const std::string& kept : found.names.kept) declared.erase(kept);
  found.changed = changed_places(found.body, body_position(text, found.body, place.line), declared);
  for (const std::string& macro : found.exposed.macros)
    found.exposed.anything.merge(assigned_by_macro(lines_to(place.file, place.line), macro));
  found.simd = claim(directive_above(*source, place.line), found);
  return found;
}

bool LoopSources::is_in_constant_function(const SourcePlace& place) {
  if (!shows_c(place.file)) return false;
  const auto [known, is_new] = constant_.try_emplace(std::string(place.file));
  if (is_new) known->second = in_constant_functions(plain_.of(place.file));
  return place.line > 0 && place.line <= known->second.size() && known->second[place.line - 1];
}

bool LoopSources::has_for(std::string_view file, uint32_t line) {
  const std::span<const std::string> lines = lines_to(file, line);
  return line > 0 && line <= lines.size() && !is_directive(lines[line - 1]) &&
         words_of(lines[line - 1]).contains("for");
}

// Where the first `for' of the place's line ends; 0: not known.
TextPosition LoopSources::end_of(const SourcePlace& place) {
  const std::span<const std::string> lines = lines_to(place.file, place.line);
  if (place.line > lines.size()) return {};
  const size_t at = find_word(lines[place.line - 1], "for");
  if (at == std::string::npos) return {};
  const auto loop = report::loop_with_head(lines, {place.line, static_cast<uint32_t>(at + 1)});
  return loop ? loop->end : TextPosition();
}

uint32_t LoopSources::head(const SourcePlace& place, uint32_t last_line, uint32_t depth) {
  const FortranSource* const f = fortran_.of(place.file);
  if (!f) {
    const symbols::SourceFile* const source = place.line ? symbols_.source(place.file) : nullptr;
    if (!source || has_for(place.file, place.line)) return place.line;
    const uint32_t under = simd_head(*source, place.line);
    return under ? under : place.line;
  }
  if (f->loop_of(place.line)) return place.line;
  const FortranLoop* found = nullptr;
  uint32_t around = 0;
  for (const FortranLoop& l : f->loops)
    if (l.first <= place.line && last_line <= l.last) {
      found = &l;
      ++around;
    }
  return found && around == depth && !f->may_nest(*found) ? found->first : place.line;
}

bool LoopSources::is_in_loop(const SourcePlace& place, uint32_t last_line, uint32_t line) {
  if (line == 0 || line < place.line) return false;
  if (line <= last_line) return true;
  const FortranSource* const f = fortran_.of(place.file);
  const FortranLoop* const loop = f ? f->loop_of(place.line) : nullptr;
  return loop && line <= loop->last;
}

bool LoopSources::is_loops_own(const SourcePlace& place, const LoopSource& shown, const std::string& name) {
  if (const FortranSource* const f = fortran_.of(place.file)) {
    const FortranLoop* const loop = f->loop_of(place.line);
    return loop && fortran_is_loops_own(*f, *loop, name);
  }
  return shows_c(place.file) && !shown.exposed.anything.contains(name) &&
         report::is_loops_own(plain_.of(place.file), functions_of(place.file), place.line, name);
}

std::set<std::string> LoopSources::other_names_in(const SourcePlace& place, const LoopSource& shown,
                                                  const std::string& name, bool is_array) {
  if (!shows_c(place.file) || shown.body.empty()) return {};
  const FunctionSpan function = function_at(functions_of(place.file), place.line);
  const TextPosition end = end_of(place);
  if (function.begin.first == 0 || end.first == 0) return {};
  const std::span<const std::string> lines = plain_.of(place.file);
  std::set<std::string> found = other_names(text_between(lines, function.begin, {place.line, 1}), name, is_array);
  found.merge(other_names(text_between(lines, end, function.end), name, is_array));
  std::erase_if(found,
                [&](const std::string& n) { return !shown.words.contains(n) || shown.names.declared.contains(n); });
  return found;
}

std::span<const FunctionSpan> LoopSources::functions_of(std::string_view file) {
  const auto [known, is_new] = functions_.try_emplace(std::string(file));
  if (is_new) known->second = functions_in(plain_.of(file));
  return known->second;
}

bool LoopSources::shows_c(std::string_view file) { return !fortran_form(file) && symbols_.source(file); }

std::span<const std::string> LoopSources::lines_to(std::string_view file, uint32_t line) {
  constexpr size_t kLongestLoop = 1000;
  if (!shows_c(file)) return {};
  const std::span<const std::string> lines = plain_.of(file);
  return lines.first(std::min(lines.size(), line + kLongestLoop));
}

std::optional<TextLoop> LoopSources::loop_with_head(std::string_view file, uint32_t line,
                                                    const std::set<uint32_t>& columns) {
  if (line == 0 || columns.empty() || *columns.begin() == 0) return std::nullopt;
  return report::loop_with_head(lines_to(file, line), {line, *columns.begin()});
}

std::optional<TextLoop> LoopSources::loop_around(std::string_view file, TextPosition first, TextPosition last) {
  constexpr uint32_t kMostUp = 250;  // lines
  if (first.first == 0 || first.second == 0) return std::nullopt;
  return report::loop_around(lines_to(file, last.first), first, last, kMostUp);
}

std::string LoopSources::operator_of(std::string_view sign, const SourcePlace& place, const LoopSource& shown,
                                     const std::string& variable) {
  const FortranSource* const f = fortran_.of(place.file);
  const FortranLoop* const loop = f ? f->loop_of(place.line) : nullptr;
  if (!loop) return sign.empty() && !variable.empty() ? extreme_in(shown.body, variable) : std::string(sign);
  return sign.empty() ? fortran_extreme(*f, *loop, variable) : fortran_operator(sign, *f, *loop);
}

std::string parallel_loop_line(std::string_view file, const std::vector<std::string>& clauses) {
  const auto form = fortran_form(file);
  if (!form) {
    std::string line = std::string(kPragma) + "parallel for";
    for (const std::string& c : clauses) line += " " + c;
    return line;
  }
  const bool is_fixed = *form == FortranForm::kFixed;
  const size_t most = is_fixed ? 72 : 130;
  std::string line = std::string(kFortranPragma) + "parallel do";
  size_t begin = 0;  // of its last line
  for (const std::string& c : clauses) {
    if (line.size() + 1 + c.size() - begin > most) {
      line += is_fixed ? "\n" : " &\n";
      begin = line.size();
      line += "!$omp&";
    }
    line += " " + c;
  }
  return line;
}

bool has_openmp(std::string_view file) {
  constexpr std::string_view kOthers[] = {".rs", ".go", ".adb", ".ads", ".d", ".swift", ".zig", ".java"};
  return std::none_of(std::begin(kOthers), std::end(kOthers), [&](std::string_view o) { return file.ends_with(o); });
}

std::string directive_text(std::string_view file, std::string_view words) {
  return std::string(fortran_form(file) ? kFortranPragma : kPragma).append(words);
}

}  // namespace cdr::report
