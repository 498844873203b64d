// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/extreme_text.h"

#include "cdrgrind/report/advise/assignment_text.h"
#include "cdrgrind/report/common/source_words.h"
#include "cdrgrind/report/common/trimmed.h"

namespace cdr::report {
namespace {

// Where one of the characters stands in no brackets.
size_t find_outside(std::string_view code, std::string_view characters) {
  int depth = 0;
  for (size_t at = 0; at < code.size(); ++at) {
    const char c = code[at];
    depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
    if (depth < 0) return code.npos;
    if (depth == 0 && characters.find(c) != characters.npos && code.substr(at > 0 ? at - 1 : at, 2) != "->") return at;
  }
  return code.npos;
}

// `(x)' is `x'.
std::string_view bare(std::string_view code) {
  code = trimmed(code);
  for (std::string_view in = in_parentheses(code); in.data() && in.size() + 2 == code.size(); in = in_parentheses(code))
    code = trimmed(in);
  return code;
}

// Of a comparison with the variable, whether it holds where the other value is greater: 1, where it is less: -1; else
// 0.
int other_is_greater(std::string_view condition, std::string_view variable) {
  condition = bare(condition);
  const size_t sign = find_outside(condition, "<>");
  if (sign == condition.npos || condition.find("&&") != condition.npos || condition.find("||") != condition.npos)
    return 0;
  const size_t behind = sign + (condition.substr(sign + 1).starts_with('=') ? 2 : 1);
  const std::string_view left = bare(condition.substr(0, sign)), right = bare(condition.substr(behind));
  const int left_is_greater = condition[sign] == '>' ? 1 : -1;
  if (condition.substr(behind).starts_with(condition[sign]) || (left == variable) == (right == variable)) return 0;
  return left == variable ? -left_is_greater : left_is_greater;
}

std::string_view name_of(int greater) { return greater > 0 ? "max" : greater < 0 ? "min" : ""; }

// `x > m ? x : m'
std::string_view by_choice(std::string_view value, std::string_view variable) {
  const size_t question = find_outside(value, "?");
  if (question == value.npos) return {};
  const std::string_view rest = value.substr(question + 1);
  const size_t colon = find_outside(rest, ":");
  if (colon == rest.npos) return {};
  const bool keeps = bare(rest.substr(0, colon)) == variable, keeps_else = bare(rest.substr(colon + 1)) == variable;
  if (keeps == keeps_else) return {};
  const int greater = other_is_greater(value.substr(0, question), variable);
  return name_of(keeps ? -greater : greater);
}

// What stands in the parentheses of an `if' that the text ends with; empty: it does not.
std::string_view condition_at_end(std::string_view before) {
  before = trimmed(before);
  if (before.ends_with('{')) before = trimmed(before.substr(0, before.size() - 1));
  if (!before.ends_with(')')) return {};
  int depth = 0;
  for (size_t at = before.size(); at-- > 0;) {
    depth += before[at] == ')' ? 1 : before[at] == '(' ? -1 : 0;
    if (depth > 0) continue;
    const std::string_view word = trimmed(before.substr(0, at));
    const bool is_if = word.ends_with("if") && (word.size() == 2 || !is_word(word[word.size() - 3]));
    return is_if ? before.substr(at + 1, before.size() - at - 2) : std::string_view();
  }
  return {};
}

std::string_view by_function(std::string_view value) {
  bool most = false, least = false;
  for (const std::string_view word : words_of(value)) {
    const std::string name = small_letters(word);
    most |= name == "max" || name == "fmax" || name == "fmaxf";
    least |= name == "min" || name == "fmin" || name == "fminf";
  }
  return most == least ? "" : most ? "max" : "min";
}

}  // namespace

std::string extreme_in(std::string_view body, std::string_view variable) {
  std::string found;
  for (size_t at = find_word(body, variable); at != body.npos; at = find_word(body, variable, at + variable.size())) {
    const std::string_view before = body.substr(0, at);
    const std::string_view behind = body.substr(std::min(skip_blanks(body, at + variable.size()), body.size()));
    if (is_part(before) || !assigns(behind)) continue;
    if (!behind.starts_with('=')) return {};
    const std::string_view value = trimmed(behind.substr(1, behind.find(';') - 1));
    std::string_view one = by_choice(bare(value), variable);
    if (one.empty()) one = by_function(value);
    if (one.empty()) one = name_of(other_is_greater(condition_at_end(before), variable));
    if (one.empty() || (!found.empty() && found != one)) return {};
    found = one;
  }
  return found;
}

}  // namespace cdr::report
