// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/loops_own.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>
#include <vector>

#include "cdrgrind/report/advise/assigned_names.h"
#include "cdrgrind/report/advise/assignment_text.h"
#include "cdrgrind/report/advise/exposed_names.h"
#include "cdrgrind/report/common/source_words.h"
#include "cdrgrind/report/common/statement_text.h"
#include "cdrgrind/report/common/trimmed.h"

namespace cdr::report {
namespace {

using TextLines = std::vector<std::string>;

std::string joined(std::span<const std::string> lines) {
  std::string text;
  for (const std::string& l : lines) text += l + '\n';
  return text;
}

// f(index) of each place where the name stands for itself.
template <class F>
void for_each_place(std::string_view text, std::string_view name, F f) {
  for (size_t at = text.find(name); at != text.npos; at = text.find(name, at + name.size())) {
    const bool begins = at == 0 || !is_word(text[at - 1]);
    const bool ends = at + name.size() == text.size() || !is_word(text[at + name.size()]);
    if (begins && ends && !is_part(text.substr(0, at))) f(at);
  }
}

void blank(TextLines& lines, TextPosition begin, TextPosition end) {
  for (uint32_t n = begin.first; n <= end.first; ++n) {
    std::string& line = lines[n - 1];
    const size_t from = n == begin.first ? begin.second - 1 : 0;
    const size_t to = n == end.first ? std::min<size_t>(end.second - 1, line.size()) : line.size();
    for (size_t i = from; i < to; ++i) line[i] = ' ';
  }
}

// Whether the first part of a loop's parentheses assigns the name.
bool begins_with(std::string_view head, const std::string& name) {
  const size_t open = head.find('('), first = head.find(';');
  return first != head.npos && open < first &&
         body_names(head.substr(open + 1, first - open - 1)).assigned.contains(name);
}

// Whether what a loop's body says of the name first is a statement of its own that assigns something else to it.
bool is_assigned_first(std::string_view body, const std::string& name) {
  size_t at = body.npos;
  for_each_place(body, name, [&](size_t here) { at = std::min(at, here); });
  if (at == body.npos) return false;
  const std::string_view before = body.substr(0, at);
  if (before.find('#') != before.npos) return false;
  const auto words = words_of(before);
  if (words.contains("goto") || words.contains("throw") || words.contains("try")) return false;
  const auto depth = [&](char open, char close) {
    return std::count(before.begin(), before.end(), open) - std::count(before.begin(), before.end(), close);
  };
  const bool in_braces = trimmed(body).starts_with('{');
  const size_t begin = before.find_last_of(";{}");
  if (depth('(', ')') != 0 || depth('{', '}') != in_braces || (in_braces && begin == before.npos)) return false;
  if (!trimmed(before.substr(begin == before.npos ? 0 : begin + 1)).empty()) return false;
  std::string_view rest = body.substr(at + name.size());
  rest = trimmed(rest.substr(0, rest.find(';')));
  return rest.starts_with('=') && !rest.starts_with("==") && find_word(rest, name) == rest.npos;
}

// Without the loops whose own the name's value is.
std::string without_owners(const std::string& name, TextLines lines) {
  for (uint32_t n = 1; n <= lines.size(); ++n)
    for_each_place(std::string(lines[n - 1]), "for", [&](size_t at) {
      const auto loop = loop_with_head(lines, {n, static_cast<uint32_t>(at + 1)});
      if (!loop) return;
      const std::string head = text_between(lines, loop->head, loop->begin);
      size_t in_head = 0;
      for_each_place(head, name, [&](size_t) { ++in_head; });
      if (begins_with(head, name) ||
          (in_head == 0 && is_assigned_first(text_between(lines, loop->begin, loop->end), name)))
        blank(lines, {n, static_cast<uint32_t>(at + 1)}, loop->end);
    });
  return joined(lines);
}

size_t count_of(std::string_view text, std::string_view name) {
  size_t count = 0;
  for_each_place(text, name, [&](size_t) { ++count; });
  return count;
}

// Whether a brace that opens behind that text begins a function.
bool begins_function(std::string_view before) {
  before = trimmed(before);
  for (const std::string_view word : {"const", "noexcept", "override", "mutable", "final"})
    if (before.ends_with(word)) before = trimmed(before.substr(0, before.size() - word.size()));
  if (!before.ends_with(')')) return false;
  int depth = 0;
  size_t at = before.size();
  do depth += before[--at] == ')' ? 1 : before[at] == '(' ? -1 : 0;
  while (at > 0 && depth > 0);
  before = trimmed(before.substr(0, at));
  size_t begin = before.size();
  while (begin > 0 && is_word(before[begin - 1])) --begin;
  constexpr std::string_view kStatements[] = {"for", "while", "if", "switch", "catch", "constexpr"};
  return std::find(std::begin(kStatements), std::end(kStatements), before.substr(begin)) == std::end(kStatements);
}

// From its brace to the end of that; nothing if none is seen.
std::string function_around(std::span<const std::string> lines, std::span<const FunctionSpan> functions,
                            uint32_t line) {
  const FunctionSpan f = function_at(functions, line);
  if (f.begin.first == 0) return {};
  TextLines own(lines.begin() + f.begin.first - 1, lines.begin() + f.end.first);
  bool goes_on = false;
  for (std::string& l : own) {
    const bool left_out = goes_on || is_directive(l);
    goes_on = left_out && continues_directive(l);
    if (left_out) l.clear();
  }
  return text_between(own, {1, f.begin.second}, {f.end.first - f.begin.first + 1, f.end.second});
}

// Its address is taken, or a reference to it made, somewhere; or by what a lambda captures.
bool may_have_other_names(std::string_view function, const std::string& name) {
  return function.find("[&") != function.npos || exposed_names(function).anything.contains(name);
}

// A macro of the file names it, and not as what it is given.
bool is_in_macro(std::span<const std::string> lines, std::string_view name) {
  for (size_t n = 0; n < lines.size(); ++n) {
    if (!is_directive(lines[n])) continue;
    std::string text = lines[n];
    while (continues_directive(lines[n]) && n + 1 < lines.size()) text += lines[++n];
    const size_t define = find_word(text, "define");
    if (define == text.npos) continue;
    const std::string_view rest = trimmed(std::string_view(text).substr(define + 6));
    size_t end = 0;
    while (end < rest.size() && is_word(rest[end])) ++end;
    const std::string_view parameters =
        end < rest.size() && rest[end] == '(' ? in_parentheses(rest.substr(end)) : std::string_view();
    if (!words_of(parameters).contains(name) && words_of(rest.substr(end)).contains(name)) return true;
  }
  return false;
}

}  // namespace

std::vector<FunctionSpan> functions_in(std::span<const std::string> lines) {
  std::vector<FunctionSpan> all;
  std::vector<std::pair<size_t, bool>> open;  // of those that are open: which of all, if it is a function's
  std::string before;                         // what stands before a brace, from the last one on
  int parentheses = 0;
  bool goes_on = false;
  for (uint32_t n = 1; n <= lines.size(); ++n) {
    const std::string& line = lines[n - 1];
    const bool left_out = goes_on || is_directive(line);
    goes_on = left_out && continues_directive(line);
    if (left_out) continue;
    for (uint32_t c = 1; c <= line.size(); ++c) {
      const char sign = line[c - 1];
      before += sign;
      if (sign == '{') {
        before.pop_back();
        const bool is_function = begins_function(before);
        open.emplace_back(all.size(), is_function);
        if (is_function) all.push_back({{n, c}, {}});
      } else if (sign == '}' && !open.empty()) {
        if (open.back().second) all[open.back().first].end = {n, c + 1};
        open.pop_back();
      }
      parentheses += sign == '(' ? 1 : sign == ')' ? -1 : 0;
      if (sign == '{' || sign == '}') parentheses = 0;
      if (parentheses <= 0 && (sign == '{' || sign == '}' || sign == ';')) before.clear();
    }
    before += '\n';
  }
  std::erase_if(all, [](const FunctionSpan& f) { return f.end.first == 0; });
  return all;
}

FunctionSpan function_at(std::span<const FunctionSpan> functions, uint32_t line) {
  FunctionSpan innermost;
  for (const FunctionSpan& f : functions)
    if (f.begin.first <= line && line <= f.end.first) innermost = f;
  return innermost;
}

bool is_loops_own(std::span<const std::string> lines, std::span<const FunctionSpan> functions, uint32_t line,
                  std::string_view body, const std::string& name) {
  // Behind the parenthesis of its head.
  const std::string_view own = body.substr(std::min<size_t>(body.size(), 1));
  if (count_of(without_owners(name, plain_lines(own)), name) > 0 && !is_assigned_first(own, name)) return false;
  const std::string function = function_around(lines, functions, line);
  if (may_have_other_names(function, name) || is_in_macro(lines, name)) return false;
  const std::string rest = without_owners(name, plain_lines(function));
  return count_of(rest, name) == 1 && declared_names(rest).contains(name);
}

}  // namespace cdr::report
