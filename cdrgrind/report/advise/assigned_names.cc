// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/assigned_names.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>

#include "cdrgrind/report/advise/assignment_text.h"
#include "cdrgrind/report/common/source_words.h"
#include "cdrgrind/report/common/statement_text.h"
#include "cdrgrind/report/common/trimmed.h"

namespace cdr::report {
namespace {

// What stands in the parentheses of the first `for`: from where to where; nothing if there are none.
std::pair<size_t, size_t> for_parentheses(std::string_view code) {
  size_t at = find_word(code, "for");
  if (at == code.npos) return {};
  int depth = 0;
  const size_t begin = code.find('(', at);
  for (at = begin; at < code.size(); ++at) {
    depth += code[at] == '(' ? 1 : code[at] == ')' ? -1 : 0;
    if (depth == 0) return {begin + 1, at};
  }
  return {};
}

// Whether a name is declared there: what stands before it is a type, or a part of one.
bool is_declared(std::string_view before) {
  while (!before.empty() && std::isspace(static_cast<unsigned char>(before.back()))) before.remove_suffix(1);
  if (before.empty()) return false;
  while (!before.empty() && (before.back() == '*' || before.back() == '&'))
    before = trimmed(before.substr(0, before.size() - 1));
  if (before.empty()) return false;
  if (before.back() == '>') return !before.ends_with("->");
  if (!is_word(before.back())) return false;
  size_t begin = before.size();
  while (begin > 0 && is_word(before[begin - 1])) --begin;
  const std::string_view word = before.substr(begin);
  return word != "return" && word != "else" && word != "do";
}

// `auto i{0}', `It i(begin)'
bool declares(std::string_view part, std::string_view name) {
  const size_t at = find_word(part, name);
  return at != part.npos && is_declared(part.substr(0, at));
}

// Where something else is declared, or assigned, in a part: its comma.
size_t find_another(std::string_view part) {
  int depth = 0;
  for (size_t at = 0; at < part.size(); ++at) {
    const char c = part[at];
    depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
    if (depth != 0 || c != ',') continue;
    size_t name = at + 1;
    while (name < part.size() && (std::isspace(static_cast<unsigned char>(part[name])) || part[name] == '*')) ++name;
    size_t end = name;
    while (end < part.size() && is_word(part[end])) ++end;
    end = skip_blanks(part, end);
    const bool begins = end == part.size() || part[end] == '=' || part[end] == '{' || part[end] == '(';
    if (begins || part[end] == ',') return at;
  }
  return part.npos;
}

// What a counter of that type begins with, where its source has that in `open` and its like.
std::string first_value(std::string_view type, char open, std::string_view value) {
  constexpr std::string_view kNumbers[] = {"int", "long", "short", "char", "unsigned", "signed", "size_t", "auto"};
  const bool is_pointer = type.ends_with('*');
  const bool is_number = type.find_first_of(":<") == type.npos &&
                         std::any_of(std::begin(kNumbers), std::end(kNumbers),
                                     [&](std::string_view n) { return words_of(type).contains(n); });
  if (value.empty() && (is_pointer || is_number)) return is_pointer ? "nullptr" : "0";
  if (is_pointer || is_number || type.empty()) return std::string(value);
  const bool is_whole = value.starts_with(std::string(type) + '{') || value.starts_with(std::string(type) + '(');
  if (is_whole) return std::string(value);
  return std::string(type) + open + std::string(value) + (open == '{' ? '}' : ')');
}

// How OpenMP wants a loop's first part, if it is another one: `T name = value' and nothing else.
std::string wanted_begin(std::string_view part, std::string_view name) {
  const size_t at = find_word(part, name);
  if (at == part.npos) return std::string(name) + " = …";
  const std::string_view type = trimmed(part.substr(0, at));
  if (type.find('=') != type.npos) return std::string(name) + " = …";
  const std::string begin = std::string(type) + (type.empty() || type.ends_with('*') ? "" : " ") + std::string(name);
  std::string_view rest = trimmed(part.substr(at + name.size()));
  const size_t another = find_another(rest);
  if (another != rest.npos) rest = trimmed(rest.substr(0, another));
  const bool has_sign = rest.starts_with('=') && !rest.starts_with("==");
  if (has_sign) rest = trimmed(rest.substr(1));
  if (has_sign && !rest.starts_with('{')) return another == part.npos ? "" : begin + " = " + std::string(rest);
  const bool in_parentheses =
      rest.size() > 1 && ((rest.front() == '{' && rest.back() == '}') || (rest.front() == '(' && rest.back() == ')'));
  if (!in_parentheses) return begin + " = …";
  return begin + " = " + first_value(type, rest.front(), trimmed(rest.substr(1, rest.size() - 2)));
}

std::string in_one_line(std::string_view text) {
  std::string line;
  for (const char c : text)
    if (!std::isspace(static_cast<unsigned char>(c)))
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  return line;
}

struct Names {
  std::set<std::string> assigned, declared;
  std::set<std::string_view> declared_at_all;
  std::set<std::string> in_part, kept;  // as BodyNames has them
};

// Whether the statement that begins before a name declares it: a type stands at its beginning, and the name is in no
// value of another one.
bool is_in_declaration(std::string_view before) {
  const size_t begin = before.find_last_of(";{}") + 1;
  std::string_view statement = trimmed(before.substr(begin));
  size_t end = 0;
  while (end < statement.size() && is_word(statement[end])) ++end;
  const std::string_view first = statement.substr(0, end);
  constexpr std::string_view kOthers[] = {"return", "else", "do", "case", "goto", "throw", "delete", "new", "sizeof"};
  if (statement.substr(statement.rfind(',') + 1).find_first_of("=(") != statement.npos) return false;
  if (std::count(statement.begin(), statement.end(), '(') > std::count(statement.begin(), statement.end(), ')'))
    return false;
  if (first.empty() || std::find(std::begin(kOthers), std::end(kOthers), first) != std::end(kOthers)) return false;
  statement = trimmed(statement.substr(end));
  return statement.empty() || is_word(statement[0]) || statement[0] == '*' || statement[0] == '&' ||
         (statement[0] == '<' && statement.find('>') != statement.npos) || statement.starts_with("::");
}

// Each place where elements are named: the name, what stands in brackets and behind them, and whether these are
// assigned, and read.
template <class F>
void for_elements(std::string_view all, F&& add) {
  for (size_t at = 0; at < all.size();) {
    size_t end = at;
    while (end < all.size() && is_word(all[end])) ++end;
    const std::string name(all.substr(at, end - at));
    at = std::max(end, at + 1);
    const std::string_view brackets = all.substr(skip_blanks(all, end)), rest = behind_elements(brackets);
    if (name.empty() || rest.data() == nullptr) continue;
    add(name, brackets.substr(0, brackets.size() - rest.size()), assigns(rest), !assigns(rest) || rest[0] != '=');
  }
}

std::set<std::string> arrays_assigned_and_read(std::string_view all) {
  std::set<std::string> assigned, read, both;
  for_elements(all, [&](const std::string& name, std::string_view, bool is_assigned, bool is_read) {
    if (is_assigned) assigned.insert(name);
    if (is_read) read.insert(name);
  });
  std::set_intersection(assigned.begin(), assigned.end(), read.begin(), read.end(), std::inserter(both, both.end()));
  return both;
}

// Of `(x) = 1', `(c ? x : y) += 2', `++(x)', `(x).a = 3': what may be assigned.
void add_in_parentheses(std::string_view all, Names& to) {
  for (size_t open = all.find('('); open != all.npos; open = all.find('(', open + 1)) {
    const std::string_view before = trimmed(all.substr(0, open)), held = in_parentheses(all.substr(open));
    const bool calls = !before.empty() && (is_word(before.back()) || before.back() == ')' || before.back() == ']');
    const bool is_value = before.ends_with("return") || before.ends_with("else") || before.ends_with("do");
    const bool is_head = before.ends_with(')') && !held.empty();
    // What `*(p + k) = x' assigns is elsewhere.
    if (held.empty() || (calls && !is_value && !is_head) || before.ends_with('*')) continue;
    std::string_view rest = trimmed(all.substr(open + held.size() + 2));
    const bool has_part = !behind_part(rest).empty() && rest.starts_with('.');
    for (std::string_view behind = behind_part(rest); !behind.empty(); behind = behind_part(rest)) rest = behind;
    const bool counts_behind = rest.starts_with("++") || rest.starts_with("--");
    const std::string_view next = counts_behind ? trimmed(rest.substr(2)) : std::string_view();
    const bool is_next_sign = counts_behind && !next.empty() && (is_word(next[0]) || next[0] == '(' || next[0] == '*');
    if (!before.ends_with("++") && !before.ends_with("--") && (!assigns(rest) || is_next_sign)) continue;
    if (held.find_first_of("*[=;") != held.npos || held.find("->") != held.npos) continue;
    for (const std::string_view w : words_of(held.substr(held.find('?') == held.npos ? 0 : held.find('?'))))
      if (!std::isdigit(static_cast<unsigned char>(w[0]))) (has_part ? to.in_part : to.assigned).emplace(w);
  }
}

Names names_in(std::string_view all) {
  Names names;
  for (size_t at = 0; at < all.size();) {
    if (!is_word(all[at])) {
      ++at;
      continue;
    }
    size_t end = at;
    while (end < all.size() && is_word(all[end])) ++end;
    const std::string_view name = all.substr(at, end - at), before = all.substr(0, at);
    const size_t next = skip_blanks(all, end);
    const std::string_view rest = all.substr(std::min(next, all.size()));
    const auto counts = [](std::string_view sign) { return sign == "++" || sign == "--"; };
    const bool counted =
        counts(before.substr(before.size() - std::min<size_t>(before.size(), 2))) || counts(rest.substr(0, 2));
    std::string_view part = rest;
    for (std::string_view behind = behind_part(part); !behind.empty(); behind = behind_part(part)) part = behind;
    if (!is_part(before) && is_in_declaration(before)) {
      names.declared_at_all.emplace(name);
      if (trimmed(before.substr(before.find_last_of(";{}") + 1)).starts_with("static ")) names.kept.emplace(name);
    } else if (part.size() < rest.size() && !is_part(before) && assigns(part) && !names.declared_at_all.contains(name))
      names.in_part.emplace(name);
    const bool is_scalar = next >= all.size() || (all[next] != '[' && all[next] != '.' && all.substr(next, 2) != "->");
    if (!is_part(before) && is_scalar && !std::isdigit(static_cast<unsigned char>(name[0])) &&
        (counted || assigns(all.substr(next)))) {
      const std::string_view sign = trimmed(before);
      const bool leads_elsewhere = !counted && (sign.ends_with('*') || sign.ends_with('&'));
      if (is_declared(before) && !counted)
        names.declared.insert(std::string(name));
      else if (!names.declared.count(std::string(name)) && !leads_elsewhere)
        names.assigned.insert(std::string(name));
    }
    at = end;
  }
  add_in_parentheses(all, names);
  return names;
}

std::set<std::string> all_declared(const Names& names) {
  std::set<std::string> declared = names.declared;
  for (const std::string_view n : names.declared_at_all) declared.emplace(n);
  return declared;
}

// Whether a pragma on a line of its own would stand right before the `for`.
bool stands_alone(std::string_view code) {
  const size_t at = find_word(code, "for");
  return at != code.npos && std::all_of(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(at), [](char c) {
           return c == '{' || c == '}' || std::isspace(static_cast<unsigned char>(c));
         });
}

// `i < n', `n > i': the counter alone, and something else that has no comparison.
bool is_end(std::string_view part, std::string_view counter) {
  const size_t sign = part.find_first_of("<>!");
  if (sign == part.npos || part.find("&&") != part.npos || part.find("||") != part.npos) return false;
  const size_t behind = sign + (part.substr(sign + 1).starts_with('=') ? 2 : 1);
  if (part[sign] == '!' && behind == sign + 1) return false;
  const std::string_view left = trimmed(part.substr(0, sign)), right = trimmed(part.substr(behind));
  const std::string_view other = left == counter ? right : right == counter ? left : std::string_view();
  return !other.empty() && find_word(other, counter) == other.npos;
}

// `++i', `i--', `i += 2', `i = i + 2'.
bool is_step(std::string_view part, std::string_view counter) {
  part = trimmed(part);
  const std::string_view sign = part.substr(0, 2);
  if (sign == "++" || sign == "--") return trimmed(part.substr(2)) == counter;
  if (!part.starts_with(counter)) return false;
  part = trimmed(part.substr(counter.size()));
  if (part == "++" || part == "--" || part.starts_with("+=") || part.starts_with("-=")) return true;
  if (!part.starts_with('=')) return false;
  part = trimmed(part.substr(1));
  const size_t op = part.find_first_of("+-");
  if (op == part.npos) return false;
  return trimmed(part.substr(0, op)) == counter || (part[op] == '+' && trimmed(part.substr(op + 1)) == counter);
}

std::string without_blanks(std::string_view part) {
  std::string text;
  for (const char c : part)
    if (!std::isspace(static_cast<unsigned char>(c))) text += c;
  return text;
}

// Where a step goes, by signs and numbers: 1 up, -1 down, 0 where a name tells.
int direction_of(std::string_view part, std::string_view counter) {
  const std::string text = without_blanks(part);
  for (const auto& [sign, direction] : {std::pair("++", 1), std::pair("--", -1)})
    if (text.starts_with(sign) || text.ends_with(sign)) return direction;
  const size_t sign = text.find_first_of("+-");
  if (sign == text.npos) return 0;
  std::string_view amount = std::string_view(text).substr(sign + 1);
  if (amount.starts_with('=')) amount.remove_prefix(1);
  // `i = 2 + i'.
  if (amount == counter) amount = std::string_view(text).substr(text.find('=') + 1, sign - text.find('=') - 1);
  int direction = text[sign] == '+' ? 1 : -1;
  if (amount.starts_with('-')) direction = -direction;
  if (amount.starts_with('-') || amount.starts_with('+')) amount.remove_prefix(1);
  const bool is_number = !amount.empty() && std::isdigit(static_cast<unsigned char>(amount[0])) &&
                         std::all_of(amount.begin(), amount.end(), is_word);
  return is_number ? direction : 0;
}

// Whether `i < n' stands with a step down, or `i > n' with one up: OpenMP's loop has no iteration then, that of the
// source ends where the counter wraps around.
bool goes_away(std::string_view condition, std::string_view step, std::string_view counter) {
  const size_t sign = condition.find_first_of("<>");
  if (sign == condition.npos) return false;
  const bool is_left = trimmed(condition.substr(0, sign)) == counter;
  const int wanted = (condition[sign] == '<') == is_left ? 1 : -1;
  return direction_of(step, counter) == -wanted;
}

// `++i', `i += 1', `i = i - 1': what OpenMP takes with `!='.
bool is_step_of_one(std::string_view part, std::string_view counter) {
  const std::string text = without_blanks(part);
  const std::string name(counter);
  for (const std::string& one : {"++" + name, "--" + name, name + "++", name + "--", name + "+=1", name + "-=1",
                                 name + "=" + name + "+1", name + "=" + name + "-1", name + "=1+" + name})
    if (text == one) return true;
  return false;
}

ForHead range_head(std::string_view head, bool canonical) {
  size_t colon = head.find(':');
  while (colon != head.npos && head.substr(colon, 2) == "::") colon = head.find(':', colon + 2);
  if (colon == head.npos) return {};
  ForHead found{{"__for_begin"}, true, canonical, {}, {}, {}};
  for (const std::string_view w : words_of(head.substr(0, colon))) found.elements.emplace(w);
  return found;
}

}  // namespace

std::string loop_body(std::string_view text) {
  const std::string code = plain_code(text);
  return code.substr(for_parentheses(code).second);
}

std::set<std::string> declared_names(std::string_view code) { return all_declared(names_in(code)); }

BodyNames body_names(std::string_view body) {
  const Names names = names_in(body);
  return {names.assigned, names.in_part, arrays_assigned_and_read(body), all_declared(names), names.kept, {}};
}

std::set<std::string> arrays_filled_from_others(std::string_view body, const std::set<std::string>& counters) {
  const std::set<std::string> declared = declared_names(body);
  std::set<std::string> assigned;
  bool any_read = false;
  for_elements(body, [&](const std::string& name, std::string_view brackets, bool is_assigned, bool is_read) {
    if (declared.contains(name)) return;
    if (is_assigned) assigned.insert(name);
    any_read |= is_read && std::any_of(counters.begin(), counters.end(), [&](const std::string& c) {
                  return find_word(brackets, c) != std::string_view::npos;
                });
  });
  return any_read ? assigned : std::set<std::string>();
}

ForHead for_head(std::string_view text) {
  const std::string code = plain_code(text);
  const auto [begin, end] = for_parentheses(code);
  const std::string_view head = std::string_view(code).substr(begin, end - begin);
  const size_t first = head.find(';'), last = head.rfind(';');
  if (first == head.npos) return range_head(head, stands_alone(code));
  if (first == last) return {};
  ForHead found{names_in(head.substr(last + 1)).assigned, false, false, {}, {}, {}};
  const std::string_view begin_part = head.substr(0, first);
  found.declares = !names_in(begin_part).declared.empty() ||
                   std::any_of(found.counters.begin(), found.counters.end(),
                               [&](const std::string& name) { return declares(begin_part, name); });
  found.canonical = found.counters.size() == 1 && stands_alone(code) &&
                    is_end(head.substr(first + 1, last - first - 1), *found.counters.begin()) &&
                    is_step(head.substr(last + 1), *found.counters.begin());
  const std::string_view condition = head.substr(first + 1, last - first - 1);
  if (found.canonical && condition[condition.find_first_of("<>!")] == '!' &&
      !is_step_of_one(head.substr(last + 1), *found.counters.begin()))
    found.refused = "OpenMP takes '!=' with steps of 1 and -1 only: compare by '<' or '>'";
  if (found.canonical && goes_away(condition, head.substr(last + 1), *found.counters.begin()))
    found.refused = "OpenMP takes no loop that ends where its counter wraps around: compare in the step's direction";
  if (found.counters.size() == 1)
    found.wanted = wanted_begin(in_one_line(text.substr(begin, first)), *found.counters.begin());
  return found;
}

}  // namespace cdr::report
