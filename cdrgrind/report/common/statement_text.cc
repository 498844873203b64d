// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/statement_text.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "cdrgrind/report/common/source_words.h"
#include "cdrgrind/report/common/trimmed.h"

namespace cdr::report {

std::string plain_code(std::string_view text) {
  std::string code(text);
  for (size_t i = 0; i < text.size(); ++i) {
    size_t end = i;
    if (text.substr(i, 2) == "//") {
      end = text.find('\n', i);
    } else if (text.substr(i, 2) == "/*") {
      end = text.find("*/", i + 2);
      if (end != text.npos) end += 2;
    } else if (text[i] == '"' || (text[i] == '\'' && (i == 0 || !is_word(text[i - 1])))) {
      end = i + 1;
      while (end < text.size() && text[end] != text[i] && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
      ++end;
    }
    if (end == i) continue;
    end = std::min(end, text.size());
    std::replace_if(
        code.begin() + static_cast<std::ptrdiff_t>(i), code.begin() + static_cast<std::ptrdiff_t>(end),
        [](char c) { return c != '\n'; }, ' ');
    i = end - 1;
  }
  return code;
}

std::vector<std::string> plain_lines(std::string_view text) {
  const std::string code = plain_code(text);
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < code.size();) {
    const size_t end = std::min(code.find('\n', begin), code.size());
    lines.push_back(code.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

bool is_directive(std::string_view line) { return trimmed(line).starts_with('#'); }

bool continues_directive(std::string_view line) { return trimmed(line).ends_with('\\'); }

std::string text_between(std::span<const std::string> lines, TextPosition begin, TextPosition end) {
  std::string text;
  for (uint32_t n = begin.first; n <= end.first && n <= lines.size(); ++n) {
    const std::string_view line = lines[n - 1];
    const size_t from = n == begin.first ? begin.second - 1 : 0;
    const size_t to = n == end.first ? std::min<size_t>(end.second - 1, line.size()) : line.size();
    if (from < to) text += line.substr(from, to - from);
    text += '\n';
  }
  return text;
}

bool Statement::at_word(std::string_view word) const {
  return !over() && rest().starts_with(word) && words_of(rest().substr(0, word.size() + 1)).contains(word);
}

size_t Statement::heads_end(size_t loops) {
  size_t at = head_end();
  while (--loops > 0) {
    while (!over() && rest()[0] == '{') next();
    if (!at_word("for")) break;
    at = head_end();
  }
  return at;
}

size_t Statement::head_end() {
  while (!over() && rest()[0] != '(') next();
  return match('(', ')');
}

size_t Statement::end() {
  if (at_word("else")) next(4);
  for (size_t open_ifs = 0;; --open_ifs, next(4)) {
    while (at_word("for") || at_word("while") || at_word("if") || at_word("switch")) {
      open_ifs += at_word("if");
      head_end();
    }
    const size_t last = simple_end();
    if (open_ifs == 0 || !at_word("else")) return last;
  }
}

size_t Statement::simple_end() {
  if (!over() && rest()[0] == '{') return match('{', '}');
  size_t depth = 0, last = line_;
  for (; !over(); next()) {
    last = line_;
    const char c = rest()[0];
    if (depth == 0 && c == ';') break;
    if (depth == 0 && c == '}') {  // a macro's has no semicolon
      behind_ = here();
      return last;
    }
    if (c == '(' || c == '{' || c == '[') ++depth;
    if (c == ')' || c == '}' || c == ']') depth -= depth > 0;
  }
  take_last();
  return last;
}

void Statement::skip() {
  bool directive = false;
  while (!over()) {
    if (column_ == 0 && (directive || is_directive(lines_[line_]))) {
      directive = continues_directive(lines_[line_]);
      ++line_;
    } else if (column_ >= lines_[line_].size()) {
      ++line_;
      column_ = 0;
    } else if (std::isspace(static_cast<unsigned char>(lines_[line_][column_]))) {
      ++column_;
    } else {
      return;
    }
  }
}

void Statement::next(size_t count) {
  if (over()) return;
  column_ += count;
  skip();
}

size_t Statement::match(char open, char close) {
  size_t depth = 0, last = line_;
  for (; !over(); next()) {
    last = line_;
    depth += rest()[0] == open;
    if (rest()[0] == close && --depth == 0) break;
  }
  take_last();
  return last;
}

void Statement::take_last() {
  complete_ &= !over();
  behind_ = here();
  ++behind_.second;
  next();
}

namespace {

constexpr size_t kNone = std::string_view::npos;

// Whether the parenthesis there is a loop's.
bool is_head(std::string_view line, size_t open) {
  const std::string_view before = line.substr(0, open);
  const size_t end = before.find_last_not_of(" \t") + 1;
  size_t begin = end;
  while (begin > 0 && is_word(before[begin - 1])) --begin;
  const std::string_view word = before.substr(begin, end - begin);
  return word == "for" || word == "while";
}

std::optional<TextLoop> loop_at(std::span<const std::string> lines, size_t line, size_t head) {
  Statement s(lines, line, head);
  TextLoop loop;
  loop.head = s.here();
  s.head_end();
  loop.begin = s.behind();
  s.end();
  loop.end = s.behind();
  if (!s.complete()) return std::nullopt;
  return loop;
}

}  // namespace

std::optional<TextLoop> loop_with_head(std::span<const std::string> lines, TextPosition in_head) {
  const size_t line = in_head.first - 1, place = in_head.second - 1;
  if (line >= lines.size() || place >= lines[line].size()) return std::nullopt;
  const std::string_view text = lines[line];
  Statement s(lines, line, place);
  if (s.line() == line && s.column() == place && (s.at_word("for") || s.at_word("while"))) {
    const size_t head = text.find('(', place);
    return head == kNone ? std::nullopt : loop_at(lines, line, head);
  }
  std::vector<size_t> open;
  for (size_t i = 0; i <= place; ++i) {
    if (text[i] == '(') open.push_back(i);
    if (text[i] == ')' && !open.empty()) open.pop_back();
  }
  const auto head = std::find_if(open.rbegin(), open.rend(), [&](size_t at) { return is_head(text, at); });
  return head == open.rend() ? std::nullopt : loop_at(lines, line, *head);
}

std::optional<TextLoop> loop_around(std::span<const std::string> lines, TextPosition first, TextPosition last,
                                    uint32_t most_up) {
  const size_t lowest = first.first - std::min(first.first, most_up + 1);
  for (size_t line = std::min<size_t>(first.first, lines.size()); line-- > lowest;) {
    const std::string_view text = lines[line];
    const size_t from = line + 1 == first.first ? first.second - 1 : kNone;
    for (size_t open = text.rfind('(', from); open != kNone; open = open == 0 ? kNone : text.rfind('(', open - 1)) {
      const auto loop = is_head(text, open) ? loop_at(lines, line, open) : std::nullopt;
      if (loop && last < loop->end) return loop;
    }
  }
  return std::nullopt;
}

}  // namespace cdr::report
