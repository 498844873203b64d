// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/bare_name.h"

#include <algorithm>

namespace cdr::report {

namespace {

constexpr std::string_view kOperator = "operator";

// Behind an operator's sign, if a name of one begins at `at`; else `at`.
size_t behind_operator(std::string_view text, size_t at) {
  const auto is_word = [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  if (!text.substr(at).starts_with(kOperator) || (at > 0 && is_word(text[at - 1]))) return at;
  size_t end = at + kOperator.size();
  if (end < text.size() && is_word(text[end])) return at;
  if (text.substr(end).starts_with("()")) return end + 2;
  if (end < text.size() && text[end] == ' ') return std::min(text.find('(', end), text.size());  // new, a conversion
  end = std::min(text.find_first_not_of("<>=!+-*/%&|^~,[]", end), text.size());
  return end + text.substr(end).starts_with(" <");
}

// Behind the parenthesis that closes the one at `open`.
size_t behind_parenthesis(std::string_view text, size_t open) {
  int depth = 0;
  for (size_t at = open; at < text.size(); ++at) {
    depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
    if (depth == 0) return at + 1;
  }
  return text.size();
}

// "(anonymous namespace)::f", "main.(*Tree).Add", "f(int) const::{lambda()#1}": the name goes on.
bool goes_on(std::string_view rest) {
  if (rest.starts_with(" const")) rest.remove_prefix(6);
  return rest.starts_with("::") || rest.starts_with(".(") || (rest.starts_with('.') && rest.size() > 1);
}

}  // namespace

std::string_view bare_name(std::string_view function) {
  size_t begin = 0, at = 0;
  int depth = 0;  // of template arguments, brackets, braces
  while (at < function.size()) {
    if (depth == 0)
      if (const size_t behind = behind_operator(function, at); behind != at) {
        at = behind;
        continue;
      }
    const char c = function[at];
    if (depth == 0 && c == '(') {
      const size_t behind = behind_parenthesis(function, at);
      if (at > begin && !goes_on(function.substr(behind))) return function.substr(begin, at - begin);
      at = behind;
      continue;
    }
    if (c == '<' || c == '{' || c == '[')
      ++depth;
    else if ((c == '>' && (at == 0 || function[at - 1] != '-')) || c == '}' || c == ']')
      depth -= depth > 0;
    else if (depth == 0 && c == ' ' && at + 1 < function.size() && function.find('(', at) != std::string_view::npos)
      begin = at + 1;  // what stood before is the result's type
    ++at;
  }
  return function;
}

std::string brief_name(std::string_view function) {
  constexpr size_t kLongest = 64;
  if (function.size() <= kLongest) return std::string(function);
  const std::string_view bare = bare_name(function);
  if (bare.size() <= kLongest) return std::string(bare);
  constexpr std::string_view kAs = " as ";  // Rust's: "<T as Trait>::f"
  std::string brief;
  int depth = 0;
  size_t trait = 0;
  for (size_t at = 0; at < bare.size();) {
    if (depth == 0)
      if (const size_t behind = behind_operator(bare, at); behind != at) {
        brief += bare.substr(at, behind - at);
        at = behind;
        continue;
      }
    const char c = bare[at++];
    const bool closes = c == '>' && depth > 0 && bare[at - 2] != '-';
    if (depth == 0) brief += c;
    if (depth == 1 && brief == "<" && bare.substr(at - 1).starts_with(kAs)) trait = at - 1;
    depth += c == '<' ? 1 : closes ? -1 : 0;
    if (closes && depth == 0) {
      brief += "...";
      if (trait != 0) brief += bare.substr(trait, at - 1 - trait);
      trait = 0;
      brief += '>';
    }
  }
  return brief;
}

}  // namespace cdr::report
