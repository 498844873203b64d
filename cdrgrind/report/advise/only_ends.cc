// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/only_ends.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "cdrgrind/report/advise/assigned_names.h"
#include "cdrgrind/report/advise/exposed_names.h"
#include "cdrgrind/report/common/source_words.h"
#include "cdrgrind/report/common/statement_text.h"
#include "cdrgrind/report/common/trimmed.h"

namespace cdr::report {
namespace {

// `end=10' and the like: where a statement of input goes on.
bool has_label(const std::string& text) {
  std::string all = text;
  std::erase_if(all, [](char c) { return c == ' '; });
  return all.find(",end=") != all.npos || all.find(",err=") != all.npos || all.find(",eor=") != all.npos;
}

bool may_leave(const FortranStatement& s) {
  const std::set<std::string_view> words = words_of(s.text);
  for (const std::string_view w : {"exit", "return", "goto", "go", "stop"})
    if (words.contains(w)) return true;
  return has_label(s.text) || s.text.find("cycle ") != s.text.npos;
}

bool may_leave(std::string_view body) {
  const std::set<std::string_view> words = words_of(body);
  for (const std::string_view w : {"break", "return", "goto", "throw", "co_return", "asm", "__asm__"})
    if (words.contains(w)) return true;
  return false;
}

// Whether a counter is surely a number: it is declared as one, or compared by less and greater, as which C++ has other
// classes, but seldom without a declaration.
bool counts_numbers(std::string_view begin, std::string_view condition) {
  constexpr std::string_view kNumbers[] = {"int",      "long",     "short",    "char",      "unsigned", "signed",
                                           "size_t",   "int8_t",   "int16_t",  "int32_t",   "int64_t",  "uint8_t",
                                           "uint16_t", "uint32_t", "uint64_t", "ptrdiff_t", "ssize_t"};
  const std::set<std::string_view> words = words_of(begin);
  if (std::any_of(std::begin(kNumbers), std::end(kNumbers), [&](std::string_view n) { return words.contains(n); }))
    return true;
  const std::string_view before = trimmed(begin.substr(0, begin.find('=')));
  const bool is_declared = before.find_first_of(" *&<:{(") != before.npos;
  return !is_declared && condition.find("!=") == condition.npos;
}

}  // namespace

uint32_t end_of_closed_do(const FortranSource& source, uint32_t line) {
  const FortranLoop* const loop = source.loop_of(line);
  if (!loop || loop->counter.empty()) return 0;
  const auto statements = std::span(source.statements).subspan(loop->begin, loop->end - loop->begin);
  const bool leaves = std::any_of(statements.begin(), statements.end(), [](const auto& s) { return may_leave(s); });
  return leaves ? 0 : loop->last;
}

uint32_t end_of_closed_for(std::span<const std::string> lines, uint32_t line) {
  if (line == 0 || line > lines.size() || is_directive(lines[line - 1])) return 0;
  const std::string_view first = lines[line - 1];
  const size_t at = find_word(first, "for");
  if (at == first.npos || find_word(first.substr(at + 3), "for") != first.npos) return 0;
  const auto loop = loop_with_head(lines, {line, static_cast<uint32_t>(at + 1)});
  if (!loop) return 0;
  const std::string text = text_between(lines, {line, 1}, loop->end);
  const ForHead head = for_head(text);
  const std::string body = loop_body(text);
  if (!head.canonical || !head.elements.empty() || may_leave(body)) return 0;
  // What it ends by has names, numbers and operators alone, and the body leaves these as they are.
  const size_t open = text.find('(', at), begin = text.find(';'), end = text.find(';', begin + 1);
  const std::string_view condition = std::string_view(text).substr(begin + 1, end - begin - 1);
  if (!counts_numbers(std::string_view(text).substr(open + 1, begin - open - 1), condition)) return 0;
  if (condition.find("->") != condition.npos || condition.find_first_of("([.&") != condition.npos) return 0;
  const BodyNames names = body_names(body);
  const ExposedNames exposed = exposed_names(body);
  for (const std::string_view w : words_of(condition))
    if (names.assigned.contains(std::string(w)) || exposed.anything.contains(std::string(w))) return 0;
  return loop->end.first;
}

uint32_t OnlyEnds::end_of(const std::string& file, uint32_t line) {
  const auto [known, is_new] = ends_.try_emplace({file, line}, 0);
  if (!is_new) return known->second;
  if (!fortran_form(file)) return known->second = end_of_closed_for(plain_.of(file), line);
  const FortranSource* const source = fortran_.of(file);
  return known->second = source ? end_of_closed_do(*source, line) : 0;
}

bool OnlyEnds::has(ModuleId module, std::span<const uint64_t> body, uint64_t branch) {
  const symbols::SourcePos head = symbols_.line_of(module.value, branch);
  if (!head.known()) return false;
  const std::string file(head.file);
  const uint32_t end = end_of(file, head.line);
  if (end == 0) return false;
  const auto is_within = [&](const symbols::SourcePos& pos) {
    return pos.file == file && head.line <= pos.line && pos.line <= end;
  };
  return std::all_of(body.begin(), body.end(), [&](uint64_t addr) {
    const symbols::SourcePos pos = symbols_.line_of(module.value, addr);
    if (!pos.known() || is_within(pos)) return true;
    const auto chain = symbols_.inline_chain(module.value, addr);
    return std::any_of(chain.begin(), chain.end(), [&](const auto& f) { return is_within(f.pos); });
  });
}

}  // namespace cdr::report
