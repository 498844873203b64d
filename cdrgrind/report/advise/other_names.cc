// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/other_names.h"

#include <algorithm>

#include "cdrgrind/report/advise/assignment_text.h"
#include "cdrgrind/report/common/source_words.h"
#include "cdrgrind/report/common/trimmed.h"

namespace cdr::report {
namespace {

// What stands before the innermost bracket that is open there, and with it; nothing if none is in the statement.
std::string_view up_to_open(std::string_view before) {
  int depth = 0;
  for (size_t at = before.size(); at-- > 0;) {
    const char c = before[at];
    if (depth == 0 && c == ';') return {};
    depth += c == ')' || c == ']' || c == '}' ? 1 : c == '(' || c == '[' || c == '{' ? -1 : 0;
    if (depth < 0) return before.substr(0, at + 1);
  }
  return {};
}

// Whether what stands there last, a word and a parenthesis, declares something, which may keep what it gets.
bool declares_something(std::string_view text) {
  const auto drop_word = [&] {
    text = trimmed(text);
    size_t begin = text.size();
    while (begin > 0 && is_word(text[begin - 1])) --begin;
    const std::string_view word = text.substr(begin);
    text.remove_suffix(word.size());
    return word;
  };
  text.remove_suffix(1);
  if (drop_word().empty()) return false;
  text = trimmed(text);
  if (text.ends_with('>')) return !text.ends_with("->");
  const std::string_view type = drop_word();
  return !type.empty() && type != "return" && type != "else" && type != "do";
}

// The first word of what is assigned there: `s' of `double x = 1; s.p[2]'.
std::string assigned_name(std::string_view left) {
  left = trimmed(left);
  while (left.ends_with(']')) left = trimmed(left.substr(0, left.rfind('[')));
  if (left.ends_with(')')) left = trimmed(left.substr(0, left.size() - 1));  // `T (&r)[3]'
  size_t begin = left.size();
  while (begin > 0 && (is_word(left[begin - 1]) || left[begin - 1] == '.' || left.substr(0, begin).ends_with("->") ||
                       left.substr(begin - 1).starts_with("->")))
    --begin;
  left = left.substr(begin);
  return std::string(left.substr(0, left.find_first_of(".-")));
}

// The last `=' of the statement.
size_t assignment_in(std::string_view before) {
  for (size_t at = before.size(); at-- > 0 && before[at] != ';';) {
    if (before[at] != '=') continue;
    const char left = at > 0 ? before[at - 1] : ' ', right = at + 1 < before.size() ? before[at + 1] : ' ';
    if (right != '=' && std::string_view("=!<>").find(left) == std::string_view::npos) return at;
  }
  return before.npos;
}

// What keeps what is named, or its place, behind that text.
void add_keeper(std::string_view before, std::set<std::string>& to) {
  const size_t sign = assignment_in(before);
  if (sign != before.npos) to.insert(assigned_name(before.substr(0, sign)));
  const std::string_view open = up_to_open(before);
  if ((open.ends_with('(') || open.ends_with('{')) && sign == before.npos)
    to.insert(assigned_name(open.substr(0, open.size() - 1)));
}

// Whether something keeps what is named between these, or its place.
bool is_kept(std::string_view before, std::string_view behind, bool is_array) {
  const bool by_address = before.ends_with('&') && !before.ends_with("&&");
  if (by_address) before = trimmed(before.substr(0, before.size() - 1));
  const char sign = before.empty() ? ';' : before.back();
  // `&x.all[i]': members with elements are pointers, mostly.
  const std::string_view part = behind_part(behind);
  if (behind.starts_with("->") || (behind.starts_with('.') && !part.empty() && part[0] == '[')) return false;
  if (by_address && std::string_view("=?:").find(sign) != std::string_view::npos) return true;
  const bool is_whole = !behind.empty() && std::string_view(",;)}]+-.[").find(behind[0]) != std::string_view::npos;
  if (!by_address && !is_whole) return false;
  if (sign == '=') {  // `T& r = x', `T* p = array'
    const std::string_view statement = before.substr(before.find_last_of(";{}") + 1);
    const std::string_view left = statement.substr(0, statement.find('='));
    return left.find('&') != left.npos || (is_array && behind[0] != '[' && behind[0] != '.');
  }
  if (std::string_view("([{,").find(sign) == std::string_view::npos) return false;
  if (!by_address && !is_array) return false;
  const std::string_view open = up_to_open(before);
  return (by_address && open.ends_with('[')) || (open.ends_with('{') && assignment_in(open) != open.npos) ||
         (open.ends_with('(') && declares_something(open));
}

// Lambdas that capture all that they name.
void add_lambdas(std::string_view code, const std::string& name, std::set<std::string>& to) {
  for (size_t at = code.find("[&"); at != code.npos; at = code.find("[&", at + 1)) {
    const size_t open = code.find('{', at);
    if (open == code.npos) return;
    size_t end = open;
    int depth = 0;
    do depth += code[end] == '{' ? 1 : code[end] == '}' ? -1 : 0;
    while (++end < code.size() && depth > 0);
    if (find_word(code.substr(at, end - at), name) != code.npos) add_keeper(code.substr(0, at), to);
  }
}

}  // namespace

std::set<std::string> other_names(std::string_view code, const std::string& name, bool is_array) {
  std::set<std::string> found;
  add_lambdas(code, name, found);
  for (size_t at = 0; at < code.size();) {
    const size_t place = find_word(code.substr(at), name);
    if (place == code.npos) break;
    const std::string_view before = code.substr(0, at + place);
    at += place + name.size();
    const std::string_view behind = code.substr(std::min(skip_blanks(code, at), code.size()));
    if (!is_part(before) && is_kept(trimmed(before), behind, is_array)) add_keeper(before, found);
  }
  found.erase(name);
  found.erase("");
  return found;
}

}  // namespace cdr::report
