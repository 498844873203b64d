// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/constant_function.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "cdrgrind/report/common/source_words.h"
#include "cdrgrind/report/common/statement_text.h"
#include "cdrgrind/report/common/trimmed.h"

namespace cdr::report {
namespace {

struct Brace {
  std::string before;  // of its statement
  int parentheses = 0;
  bool is_constant = false;
};

bool says_constant(std::string_view text) {
  const auto words = words_of(text);
  return std::any_of(words.begin(), words.end(), [](std::string_view w) {
    const std::string small = small_letters(w);
    return small.find("constexpr") != small.npos || small.find("consteval") != small.npos;
  });
}

bool begins_constant(std::string_view before) {
  if (before.find(')') == before.npos && before.find(']') == before.npos) return false;
  const std::string_view statement = trimmed(before);
  // `if constexpr (...)'
  const bool is_if = statement.starts_with("if") || statement.starts_with("else");
  return says_constant(is_if ? statement.substr(std::min(statement.size(), statement.rfind(']'))) : statement);
}

// Whether the statement goes on behind the brace: `C() : a{1}, b{2} {', `f(T{}) {'.
bool goes_on_behind(const Brace& b) {
  const std::string_view text = b.before;
  const size_t list = text.find(')');
  const size_t colon = text.find(':', list == text.npos ? 0 : list);
  const bool initialises = list != text.npos && colon != text.npos && !text.substr(colon).starts_with("::");
  return b.parentheses > 0 || (initialises && !trimmed(text.substr(colon + 1)).empty());
}

}  // namespace

std::vector<bool> in_constant_functions(std::span<const std::string> lines) {
  std::vector<bool> constant;
  std::vector<Brace> open;
  Brace here;
  bool goes_on = false;
  for (const std::string& line : lines) {
    constant.push_back(here.is_constant);
    const bool left_out = goes_on || is_directive(line);
    goes_on = left_out && continues_directive(line);
    if (left_out) continue;
    for (const char sign : line) {
      if (sign == '{') {
        open.push_back(here);
        here = {{}, 0, here.is_constant || begins_constant(here.before)};
      } else if (sign == '}' && !open.empty()) {
        const bool whole = !goes_on_behind(open.back());
        here = std::move(open.back());
        open.pop_back();
        if (whole) here.before.clear();
      } else if (sign == ';' && here.parentheses <= 0) {
        here.before.clear();
      } else {
        here.parentheses += sign == '(' ? 1 : sign == ')' ? -1 : 0;
        here.before += sign;
      }
    }
    here.before += '\n';
  }
  return constant;
}

}  // namespace cdr::report
