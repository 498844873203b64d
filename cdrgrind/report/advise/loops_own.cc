// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/loops_own.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <vector>

#include "cdrgrind/report/advise/assigned_names.h"
#include "cdrgrind/report/advise/assignment_text.h"
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

TextLines split(std::string_view text) {
  TextLines lines;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    lines.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
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

// The text from one place to before another.
std::string between(std::span<const std::string> lines, TextPosition begin, TextPosition end) {
  std::string text;
  for (uint32_t n = begin.first; n <= end.first; ++n) {
    const std::string_view line = lines[n - 1];
    const size_t from = n == begin.first ? begin.second - 1 : 0;
    const size_t to = n == end.first ? std::min<size_t>(end.second - 1, line.size()) : line.size();
    if (from < to) text += line.substr(from, to - from);
    text += '\n';
  }
  return text;
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
      const std::string head = between(lines, loop->head, loop->begin);
      size_t in_head = 0;
      for_each_place(head, name, [&](size_t) { ++in_head; });
      if (begins_with(head, name) || (in_head == 0 && is_assigned_first(between(lines, loop->begin, loop->end), name)))
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
std::string function_around(std::span<const std::string> lines, uint32_t line) {
  std::string text;
  size_t place = 0;  // of the line
  bool goes_on = false;
  for (uint32_t n = 1; n <= lines.size(); ++n) {
    if (n == line) place = text.size();
    const bool left_out = goes_on || is_directive(lines[n - 1]);
    goes_on = left_out && continues_directive(lines[n - 1]);
    text += (left_out ? std::string() : lines[n - 1]) + '\n';
  }
  std::vector<size_t> open;
  for (size_t at = 0; at < place; ++at)
    if (text[at] == '{')
      open.push_back(at);
    else if (text[at] == '}' && !open.empty())
      open.pop_back();
  while (!open.empty() && !begins_function(std::string_view(text).substr(0, open.back()))) open.pop_back();
  if (open.empty()) return {};
  int depth = 0;
  size_t end = open.back();
  do depth += text[end] == '{' ? 1 : text[end] == '}' ? -1 : 0;
  while (++end < text.size() && depth > 0);
  return depth == 0 ? text.substr(open.back(), end - open.back()) : std::string();
}

}  // namespace

bool is_loops_own(std::span<const std::string> lines, uint32_t line, std::string_view body, const std::string& name) {
  // Behind the parenthesis of its head.
  const std::string_view own = body.substr(std::min<size_t>(body.size(), 1));
  if (count_of(without_owners(name, split(own)), name) > 0 && !is_assigned_first(own, name)) return false;
  const std::string rest = without_owners(name, split(function_around(lines, line)));
  return count_of(rest, name) == 1 && declared_names(rest).contains(name);
}

}  // namespace cdr::report
