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
#include "cdrgrind/report/advise/other_names.h"
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
  for (size_t at = find_word(text, name); at != text.npos; at = find_word(text, name, at + name.size()))
    if (!is_part(text.substr(0, at))) f(at);
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
  before = trimmed(before_parentheses(before));
  size_t begin = before.size();
  while (begin > 0 && is_word(before[begin - 1])) --begin;
  constexpr std::string_view kStatements[] = {"for", "while", "if", "switch", "catch", "constexpr"};
  return std::find(std::begin(kStatements), std::end(kStatements), before.substr(begin)) == std::end(kStatements);
}

// With signs in place of directives that choose lines, or bring others in, and nothing in place of others.
TextLines without_directives(std::span<const std::string> lines) {
  constexpr std::string_view kOthers[] = {"pragma", "define", "undef", "error", "warning", "line"};
  TextLines all(lines.begin(), lines.end());
  bool goes_on = false;
  for (std::string& l : all) {
    const bool begins = !goes_on && is_directive(l), left_out = goes_on || begins;
    goes_on = left_out && continues_directive(l);
    if (!left_out) continue;
    const auto words = words_of(l);
    const bool is_other =
        std::any_of(std::begin(kOthers), std::end(kOthers), [&](auto w) { return words.contains(w); });
    l = begins && !is_other ? "#" : "";
  }
  return all;
}

// Macros of the file that name it, and not as what they are given, or name another one that does.
std::set<std::string> macros_with(std::span<const std::string> lines, const std::string& name) {
  std::vector<std::pair<std::string, std::set<std::string>>> macros;  // with what they name
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
    std::set<std::string> named;
    for (const std::string_view w : words_of(rest.substr(end))) named.emplace(w);
    for (const std::string_view w : words_of(parameters)) named.erase(std::string(w));
    macros.emplace_back(rest.substr(0, end), std::move(named));
  }
  std::set<std::string> found = {name};
  for (size_t before = 0; before < found.size();) {
    before = found.size();
    for (const auto& [macro, named] : macros)
      if (std::any_of(found.begin(), found.end(), [&](const std::string& f) { return named.contains(f); }))
        found.insert(macro);
  }
  found.erase(name);
  return found;
}

// With the name, not assigned, in place of the macro.
void expand(const std::string& macro, const std::string& name, TextLines& lines) {
  for (std::string& l : lines)
    for (size_t at = find_word(l, macro); at != l.npos; at = find_word(l, macro))
      l.replace(at, macro.size(), "(" + name + ")");
}

struct Region {
  TextPosition begin, end;
  bool has(TextPosition at) const { return begin <= at && at < end; }
};
// In the lines of a function.
struct Owners {
  std::vector<Region> all;                     // loops and blocks that give the name a value first
  std::vector<std::pair<Region, bool>> loops;  // all; whether each iteration does
};

void add_loops(const TextLines& lines, const std::string& name, Owners& to) {
  for (uint32_t n = 1; n <= lines.size(); ++n)
    for (const std::string_view word : {"for", "while"})
      for_each_place(lines[n - 1], word, [&](size_t at) {
        const TextPosition here{n, static_cast<uint32_t>(at + 1)};
        const auto loop = loop_with_head(lines, here);
        if (!loop) return;
        const std::string head = text_between(lines, loop->head, loop->begin);
        const bool in_body =
            count_of(head, name) == 0 && is_assigned_first(text_between(lines, loop->begin, loop->end), name);
        to.loops.emplace_back(Region{here, loop->end}, in_body);
        if (in_body || (word == "for" && begins_with(head, name))) to.all.push_back({here, loop->end});
      });
}

// A label of a `switch' may lead into the middle.
void add_blocks(const TextLines& lines, const std::string& name, Owners& to) {
  std::vector<TextPosition> open;
  for (uint32_t n = 1; n <= lines.size(); ++n)
    for (uint32_t c = 1; c <= lines[n - 1].size(); ++c) {
      const char sign = lines[n - 1][c - 1];
      if (sign == '{') open.emplace_back(n, c);
      if (sign != '}' || open.empty()) continue;
      const Region block{open.back(), {n, c + 1}};
      open.pop_back();
      const std::string text = text_between(lines, block.begin, block.end);
      const auto words = words_of(text);
      if (words.contains("case") || words.contains("default") || !is_assigned_first(text, name)) continue;
      to.all.push_back(block);
    }
}

Owners owners_of(const TextLines& lines, const std::string& name) {
  Owners found;
  add_loops(lines, name, found);
  const std::string text = joined(lines);
  if (!words_of(text).contains("goto")) add_blocks(lines, name, found);
  return found;
}

// Of a declaration up to a name: it is a reference, or one of `[a, b]'.
bool may_be_bound(std::string_view declaration) {
  int depth = 0;
  size_t declarator = 0;
  for (size_t i = 0; i < declaration.size(); ++i) {
    const char c = declaration[i];
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (c == ',' && depth == 0) declarator = i + 1;
  }
  return depth != 0 || declaration.find('&', declarator) != declaration.npos;
}

// Takes away what declares it before that place, for all up to there; whether that is so, and nothing else declares it.
bool take_declaration(TextLines& lines, const std::string& name, TextPosition before) {
  for (uint32_t n = 1; n <= before.first; ++n) {
    size_t at = std::string::npos;
    for_each_place(lines[n - 1], name, [&](size_t here) { at = std::min(at, here); });
    if (at == std::string::npos) continue;
    const TextPosition here{n, static_cast<uint32_t>(at + 1)}, behind{n, static_cast<uint32_t>(at + 1 + name.size())};
    const std::string up_to = text_between(lines, {1, 1}, behind);
    if (here >= before || !declared_names(up_to).contains(name)) return false;
    const std::string statement = up_to.substr(up_to.find_last_of(";{}") + 1);
    if (words_of(statement).contains("extern") || may_be_bound(statement)) return false;
    int depth = 0;
    for (const char c : text_between(lines, behind, before)) {
      depth += c == '{' ? 1 : c == '}' ? -1 : 0;
      if (depth < 0) return false;
    }
    blank(lines, here, behind);
    return !declared_names(joined(lines)).contains(name);
  }
  return false;
}

// Whether nothing reads what the loop leaves in it: besides its declaration the name stands in other owners alone, or
// before the loop where the innermost loop that holds both assigns it first.
bool is_left_to_nobody(const TextLines& lines, const std::string& name, const Region& loop) {
  const Owners owners = owners_of(lines, name);
  TextLines rest = lines;
  for (const Region& r : owners.all)
    if (!r.has(loop.begin)) blank(rest, r.begin, r.end);
  blank(rest, loop.begin, loop.end);
  if (!take_declaration(rest, name, loop.begin)) return false;
  const std::string text = joined(lines);
  const auto words = words_of(text);
  const bool may_go_back = words.contains("goto") || words.contains("do");
  const auto is_assigned_between = [&](TextPosition here) {
    const std::pair<Region, bool>* innermost = nullptr;
    for (const auto& l : owners.loops)
      if (l.first.has(here) && l.first.has(loop.begin) && (!innermost || innermost->first.begin < l.first.begin))
        innermost = &l;
    return !innermost || innermost->second;
  };
  bool is_left = false;
  for (uint32_t n = 1; n <= rest.size(); ++n)
    for_each_place(rest[n - 1], name, [&](size_t at) {
      const TextPosition here{n, static_cast<uint32_t>(at + 1)};
      is_left |= may_go_back || here > loop.begin || !is_assigned_between(here);
    });
  return !is_left;
}

// Whether each iteration gives it a value before it does anything else with it.
bool is_iterations_own(std::string_view body, const std::string& name) {
  if (is_assigned_first(body, name)) return true;
  if (count_of(body, name) == 0) return false;
  TextLines rest = plain_lines(body);
  for (const Region& r : owners_of(rest, name).all) blank(rest, r.begin, r.end);
  return count_of(joined(rest), name) == 0;
}

// Its address is taken, or a reference to it made, somewhere; or by what a lambda captures.
bool may_have_other_names(std::string_view function, const std::string& name) {
  return function.find("[&") != function.npos || exposed_names(function).anything.contains(name) ||
         !other_names(function, name, false).empty();
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
                  const std::string& name) {
  const FunctionSpan function = function_at(functions, line);
  if (function.begin.first == 0) return false;
  const uint32_t first = function.begin.first - 1;
  TextLines own = without_directives(lines.subspan(first, function.end.first - first));
  own.front().replace(0, function.begin.second - 1, function.begin.second - 1, ' ');
  own.back().resize(std::min<size_t>(own.back().size(), function.end.second - 1));
  for (const std::string& macro : macros_with(lines, name)) expand(macro, name, own);
  const size_t at = find_word(own[line - first - 1], "for");
  if (at == std::string::npos) return false;
  const TextPosition here{line - first, static_cast<uint32_t>(at + 1)};
  const auto loop = loop_with_head(own, here);
  return loop && is_iterations_own(text_between(own, loop->begin, loop->end), name) &&
         !may_have_other_names(joined(own), name) && is_left_to_nobody(own, name, {here, loop->end});
}

}  // namespace cdr::report
