// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/exposed_names.h"

#include <algorithm>
#include <cctype>

#include "cdrgrind/report/advise/assigned_names.h"
#include "cdrgrind/report/advise/assignment_text.h"
#include "cdrgrind/report/common/source_words.h"
#include "cdrgrind/report/common/trimmed.h"

namespace cdr::report {
namespace {

bool is_number(std::string_view word) { return std::isdigit(static_cast<unsigned char>(word[0])) != 0; }

// f(word, what stands before it, what stands behind it) of each name that is no member.
template <class F>
void for_each_name(std::string_view code, F f) {
  for (size_t at = 0; at < code.size();) {
    size_t end = at;
    while (end < code.size() && is_word(code[end])) ++end;
    if (end == at) {
      ++at;
      continue;
    }
    const std::string_view word = code.substr(at, end - at), before = code.substr(0, at);
    if (!is_number(word) && !is_part(before))
      f(word, before, code.substr(std::min(skip_blanks(code, end), code.size())));
    at = end;
  }
}

// `&x', where that is no operator between two values; or `T& y = x'.
bool is_referred_to(std::string_view before) {
  before = trimmed(before);
  if (before.ends_with('&') && !before.ends_with("&&")) {
    before = trimmed(before.substr(0, before.size() - 1));
    return before.empty() || (!is_word(before.back()) && before.back() != ')' && before.back() != ']');
  }
  const std::string_view statement = before.substr(before.find_last_of(";{}") + 1);
  const size_t reference = statement.find('&');
  if (reference == statement.npos || statement.find_first_of("[(=") < reference || !before.ends_with('=')) return false;
  const size_t behind = statement.find_first_not_of('&', reference);
  const std::string_view name = trimmed(statement.substr(behind, statement.size() - behind - 1));
  return !name.empty() && std::all_of(name.begin(), name.end(), is_word);
}

// A whole argument, an initial value, or the like; no operand.
bool is_handed_on(std::string_view before, std::string_view behind) {
  before = trimmed(before);
  if (before.ends_with("sizeof(") || before.ends_with("sizeof (")) return false;
  return !before.empty() && !behind.empty() && std::string_view("(,={").find(before.back()) != std::string_view::npos &&
         std::string_view(",;)}").find(behind[0]) != std::string_view::npos;
}

bool is_in_capitals(std::string_view word) {
  return word.size() > 1 &&
         std::none_of(word.begin(), word.end(), [](unsigned char c) { return std::islower(c) != 0; });
}

bool is_last_word(std::string_view text, std::string_view word) {
  return text.ends_with(word) && (text.size() == word.size() || !is_word(text[text.size() - word.size() - 1]));
}

// Whether a statement begins behind that, or casts have begun it: what is no operand, and no value.
bool ends_before_statement(std::string_view before) {
  before = trimmed(before);
  while (before.ends_with(')')) {
    before = trimmed(before_parentheses(before));
    // The head of a statement, or a macro.
    if (!before.empty() && is_word(before.back())) return !is_last_word(before, "return");
  }
  return before.empty() || std::string_view(";{}").find(before.back()) != std::string_view::npos ||
         is_last_word(before, "else") || is_last_word(before, "do");
}

// Whether the sign that ends the text multiplies, or makes a type.
bool is_product(std::string_view text) {
  text = trimmed(text.substr(0, text.size() - 1));
  if (text.empty()) return false;
  if (text.ends_with(']') || text.ends_with('>')) return true;
  if (text.ends_with(')')) return !ends_before_statement(text);
  return is_word(text.back()) && !is_last_word(text, "else") && !is_last_word(text, "do") &&
         !is_last_word(text, "return");
}

// What is called in a statement of its own: `NAME(...)'.
bool is_statement(std::string_view before, std::string_view behind) {
  return behind.starts_with('(') && ends_before_statement(before);
}

}  // namespace

ExposedNames exposed_names(std::string_view body) {
  ExposedNames found;
  for_each_name(body, [&](std::string_view word, std::string_view before, std::string_view behind) {
    const std::string name(word);
    std::string_view rest = behind;
    bool has_elements = false, has_members = false;
    while (rest.starts_with('[') || !behind_part(rest).empty()) {
      has_members |= rest.starts_with('.');
      has_elements |= rest.starts_with('[');
      rest = rest.starts_with('[') ? behind_elements(rest) : behind_part(rest);
    }
    const std::string_view sign = trimmed(before);
    const bool counted = sign.ends_with("++") || sign.ends_with("--");
    if (behind.starts_with('[') && (counted || assigns(rest))) found.arrays.insert(name);
    if (is_handed_on(before, behind)) found.arrays.insert(name);
    // A member is called for what it does.
    if (has_members && !has_elements && rest.starts_with('(') && is_statement(before, rest))
      found.anything.insert(name);
    if (is_referred_to(before)) found.anything.insert(name);
    if (!behind.starts_with('(')) return;
    const std::string_view arguments = in_parentheses(behind);
    const std::string_view rest_of_it = trimmed(behind.substr(std::min(behind.size(), arguments.size() + 2)));
    const bool may_be_macro = is_statement(before, behind) && !assigns(rest_of_it);
    if (may_be_macro) found.macros.insert(name);
    // `SWAP(x, y);', `std::tie(x, y) = ...'
    if ((may_be_macro && is_in_capitals(word)) || (word == "tie" && assigns(rest_of_it)))
      for_each_name(arguments, [&](std::string_view argument, std::string_view, std::string_view) {
        found.anything.emplace(argument);
      });
  });
  return found;
}

std::set<std::string> assigned_through_pointers(std::string_view body) {
  std::set<std::string> found;
  for_each_name(body, [&](std::string_view word, std::string_view before, std::string_view behind) {
    before = trimmed(before);
    std::string_view rest = behind;
    bool is_behind = false;
    while (true) {
      if (rest.starts_with("->") || rest.starts_with('.')) {
        is_behind |= rest[0] == '-';
        rest = trimmed(rest.substr(rest[0] == '-' ? 2 : 1));
        while (!rest.empty() && is_word(rest[0])) rest.remove_prefix(1);
        rest = trimmed(rest);
      } else if (rest.starts_with('[')) {
        rest = behind_elements(rest);
      } else {
        break;
      }
    }
    bool counted = false;
    while (true) {  // `(*p)'
      if (before.ends_with('*') && !is_product(before)) {
        is_behind = true;
        before = trimmed(before.substr(0, before.size() - 1));
      } else if (before.ends_with('(') && rest.starts_with(')')) {
        before = trimmed(before.substr(0, before.size() - 1));
        rest = trimmed(rest.substr(1));
      } else if (before.ends_with("++") || before.ends_with("--")) {
        counted = true;
        break;
      } else {
        break;
      }
    }
    if (is_behind && (counted || assigns(rest))) found.emplace(word);
  });
  return found;
}

std::set<std::string> assigned_by_macro(std::span<const std::string> lines, std::string_view macro) {
  for (size_t n = 0; n < lines.size(); ++n) {
    std::string_view line = trimmed(lines[n]);
    if (!line.starts_with('#')) continue;
    line = trimmed(line.substr(1));
    if (!line.starts_with("define") || find_word(line, macro) == line.npos) continue;
    line = trimmed(line.substr(line.find("define") + 6));
    if (!line.starts_with(macro) || line.size() == macro.size() || is_word(line[macro.size()])) continue;
    std::string text(line.substr(macro.size()));
    while (text.ends_with('\\') && ++n < lines.size()) text.back() = ' ', text += lines[n];
    const std::string_view parameters = text.starts_with('(') ? in_parentheses(text) : std::string_view();
    const std::string body = "{" + text.substr(parameters.empty() ? 0 : parameters.size() + 2) + "}";
    const BodyNames names = body_names(body);
    std::set<std::string> assigned = names.assigned;
    assigned.insert(names.in_part.begin(), names.in_part.end());
    for (const std::string_view p : words_of(parameters)) assigned.erase(std::string(p));
    return assigned;
  }
  return {};
}

}  // namespace cdr::report
