// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/assignment_text.h"

#include <cctype>

#include "cdrgrind/report/common/source_words.h"

namespace cdr::report {

size_t skip_blanks(std::string_view code, size_t at) {
  while (at < code.size() && std::isspace(static_cast<unsigned char>(code[at]))) ++at;
  return at;
}

bool assigns(std::string_view rest) {
  if (rest.starts_with("++") || rest.starts_with("--")) return true;
  size_t sign = rest.find('=');
  if (sign == rest.npos || sign > 3 || rest.substr(sign, 2) == "==") return false;
  const std::string_view op = rest.substr(0, sign);
  for (const std::string_view o : {"", "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"})
    if (op == o) return true;
  return false;
}

bool is_part(std::string_view before) {
  return before.ends_with('.') || before.ends_with("->") || (!before.empty() && is_word(before.back()));
}

std::string_view behind_part(std::string_view rest) {
  if (rest.empty() || (rest[0] != '.' && rest[0] != '[')) return {};
  const bool is_member = rest[0] == '.';
  size_t end = skip_blanks(rest, 1);
  const size_t begin = end;
  while (end < rest.size() &&
         (is_member ? is_word(rest[end]) : std::isdigit(static_cast<unsigned char>(rest[end])) != 0))
    ++end;
  if (end == begin) return {};
  end = skip_blanks(rest, end);
  if (is_member) return rest.substr(end);
  return end < rest.size() && rest[end] == ']' ? rest.substr(skip_blanks(rest, end + 1)) : std::string_view();
}

std::string_view behind_elements(std::string_view rest) {
  if (!rest.starts_with('[')) return {};
  while (rest.starts_with('[')) {
    int depth = 0;
    size_t at = 0;
    do depth += rest[at] == '[' ? 1 : rest[at] == ']' ? -1 : 0;
    while (++at < rest.size() && depth > 0);
    rest = rest.substr(skip_blanks(rest, at));
  }
  return rest;
}

std::string_view in_parentheses(std::string_view code) {
  int depth = 0;
  for (size_t at = 0; at < code.size(); ++at) {
    depth += code[at] == '(' ? 1 : code[at] == ')' ? -1 : 0;
    if (depth <= 0) return at > 0 ? code.substr(1, at - 1) : std::string_view();
  }
  return {};
}

std::string_view before_parentheses(std::string_view text) {
  int depth = 0;
  size_t at = text.size();
  do depth += text[--at] == ')' ? 1 : text[at] == '(' ? -1 : 0;
  while (at > 0 && depth > 0);
  return text.substr(0, at);
}

}  // namespace cdr::report
