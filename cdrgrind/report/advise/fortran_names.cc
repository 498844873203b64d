// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/fortran_names.h"

#include <algorithm>
#include <cctype>

#include "cdrgrind/report/common/source_words.h"
#include "cdrgrind/report/common/trimmed.h"

namespace cdr::report {
namespace {

// Behind the parenthesis that closes the one at the front.
std::string_view behind_parentheses(std::string_view text) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(';
    depth -= text[i] == ')';
    if (depth == 0) return trimmed(text.substr(i + 1));
  }
  return {};
}

// `if (...) x = 1' is `x = 1'.
std::string_view without_condition(std::string_view text) {
  if (!text.starts_with("if")) return text;
  const std::string_view rest = trimmed(text.substr(2));
  return rest.starts_with('(') ? behind_parentheses(rest) : text;
}

// The scalar that the statement assigns to; empty: none.
std::string_view assigned(std::string_view statement) {
  const std::string_view text = without_condition(statement);
  size_t end = 0;
  while (end < text.size() && is_word(text[end])) ++end;
  if (end == 0 || std::isdigit(static_cast<unsigned char>(text[0]))) return {};
  const std::string_view rest = trimmed(text.substr(end));
  if (!rest.starts_with('=') || rest.starts_with("==") || rest.starts_with("=>")) return {};
  return text.substr(0, end);
}

bool is_declaration(const FortranStatement& s) {
  if (s.text.find("::") != s.text.npos) return true;
  for (const std::string_view word : {"integer", "implicit"})
    if (s.text.starts_with(word)) return true;
  return false;
}

bool ends_program_unit(const FortranStatement& s) {
  if (s.is_directive) return false;
  if (s.text == "end" || s.text == "contains") return true;
  for (const std::string_view word : {"subroutine", "function", "program", "module"}) {
    if (s.text.starts_with("end") && trimmed(std::string_view(s.text).substr(3)).starts_with(word)) return true;
    if (s.text.starts_with(word)) return true;
  }
  return false;
}

// Whether all of the unit's words of that name stand in loops that count by it.
bool is_used_in_loops_alone(const FortranSource& source, const FortranLoop& loop) {
  const auto& all = source.statements;
  const auto in_loop = [&](size_t i) {
    return std::any_of(source.loops.begin(), source.loops.end(), [&](const FortranLoop& l) {
      return l.counter == loop.counter && i + 1 >= l.begin && i < l.end;
    });
  };
  const auto is_other_use = [&](size_t i) {
    return !all[i].is_directive && !is_declaration(all[i]) && words_of(all[i].text).contains(loop.counter) &&
           !in_loop(i);
  };
  for (size_t i = loop.end; i < all.size() && !ends_program_unit(all[i]); ++i)
    if (is_other_use(i)) return false;
  for (size_t i = loop.begin; i-- > 0 && !ends_program_unit(all[i]);)
    if (is_other_use(i)) return false;
  return true;
}

}  // namespace

ForHead fortran_head(const FortranSource& source, uint32_t line) {
  const FortranLoop* const loop = source.loop_of(line);
  if (!loop || loop->counter.empty()) return {};
  return {{loop->counter}, is_used_in_loops_alone(source, *loop), true, {}, {}};
}

std::set<std::string> fortran_assigned_names(const FortranSource& source, const FortranLoop& loop) {
  std::set<std::string> names;
  for (size_t i = loop.begin; i < loop.end; ++i)
    if (const FortranStatement& s = source.statements[i]; !s.is_directive)
      if (const std::string_view name = assigned(s.text); !name.empty()) names.emplace(name);
  for (const FortranLoop& l : source.loops)
    if (l.begin >= loop.begin && l.end <= loop.end) names.erase(l.counter);
  return names;
}

std::string fortran_operator(std::string_view sign, const FortranSource& source, const FortranLoop& loop) {
  const bool bits =
      std::any_of(source.statements.begin() + static_cast<std::ptrdiff_t>(loop.begin),
                  source.statements.begin() + static_cast<std::ptrdiff_t>(loop.end), [](const FortranStatement& s) {
                    const auto words = words_of(s.text);
                    return words.contains("iand") || words.contains("ior") || words.contains("ieor");
                  });
  if (sign == "&" || sign == "&&") return bits ? "iand" : ".and.";
  if (sign == "|" || sign == "||") return bits ? "ior" : ".or.";
  if (sign == "^") return bits ? "ieor" : ".neqv.";
  return std::string(sign);
}

}  // namespace cdr::report
