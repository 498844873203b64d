// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/changed_places.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>

#include "cdrgrind/report/advise/assignment_text.h"
#include "cdrgrind/report/common/source_words.h"
#include "cdrgrind/report/common/trimmed.h"

namespace cdr::report {
namespace {

bool is_digits(std::string_view word) { return std::isdigit(static_cast<unsigned char>(word[0])) != 0; }

template <size_t N>
bool is_among(const std::string_view (&all)[N], std::string_view word) {
  return std::find(std::begin(all), std::end(all), word) != std::end(all);
}

constexpr std::string_view kNoVariables[] = {
    "if",     "else",   "for",         "while",  "do",          "switch",     "case",
    "return", "sizeof", "new",         "delete", "static_cast", "const_cast", "reinterpret_cast",
    "const",  "auto",   "double",      "float",  "int",         "long",       "unsigned",
    "char",   "struct", "short",       "signed", "static",      "typename",   "bool",
    "std",    "catch",  "dynamic_cast"};
// That change what they get.
constexpr std::string_view kChangers[] = {
    "fill",        "fill_n",       "copy",        "copy_n",      "copy_if",        "copy_backward",
    "move",        "transform",    "iota",        "generate",    "generate_n",     "sort",
    "stable_sort", "partial_sort", "nth_element", "reverse",     "rotate",         "replace",
    "replace_if",  "swap_ranges",  "iter_swap",   "partial_sum", "merge",          "adjacent_difference",
    "remove",      "remove_if",    "unique",      "partition",   "inclusive_scan", "exclusive_scan",
    "shuffle",     "memset",       "memcpy",      "memmove",     "swap",           "make_heap",
    "push_heap",   "pop_heap",     "strcpy",      "strcat",      "strncpy",        "sprintf",
    "snprintf"};
constexpr std::string_view kPlaceMembers[] = {"begin", "end", "data", "rbegin", "rend"};

// Behind what the bracket at the front opens; nothing if it is not closed.
std::string_view behind_closed(std::string_view code) {
  int depth = 0;
  for (size_t at = 0; at < code.size(); ++at) {
    const char c = code[at];
    depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
    if (depth == 0) return trimmed(code.substr(at + 1));
  }
  return {};
}

std::string_view word_at(std::string_view text) {
  size_t end = 0;
  while (end < text.size() && is_word(text[end])) ++end;
  return text.substr(0, end);
}

std::string_view word_before(std::string_view text) {
  text = trimmed(text);
  size_t begin = text.size();
  while (begin > 0 && is_word(text[begin - 1])) --begin;
  return text.substr(begin);
}

// Members, elements and calls behind a name.
struct Chain {
  std::string_view rest;    // behind them
  std::string_view member;  // the last one
  bool any = false;         // but for a call of the name itself
  bool ends_by_call = false;
  bool by_pointer = false;  // `->', or an element
};
Chain chain_behind(std::string_view rest) {
  Chain c{trimmed(rest), {}, false, false, false};
  while (!c.rest.empty()) {
    const bool by_arrow = c.rest.starts_with("->");
    if (by_arrow || (c.rest[0] == '.' && c.rest.size() > 1)) {
      const std::string_view next = trimmed(c.rest.substr(by_arrow ? 2 : 1)), word = word_at(next);
      if (word.empty() || is_digits(word)) return c;
      c.member = word;
      c.by_pointer |= by_arrow;
      c.any = true;
      c.ends_by_call = false;
      c.rest = trimmed(next.substr(word.size()));
    } else if (c.rest[0] == '[' || c.rest[0] == '(') {
      c.ends_by_call = c.rest[0] == '(';
      c.by_pointer |= c.rest[0] == '[';
      c.any |= c.rest[0] == '[';
      const std::string_view behind = behind_closed(c.rest);
      if (behind.data() == nullptr) return {{}, {}, false, false, false};
      c.rest = behind;
    } else {
      return c;
    }
  }
  return c;
}

// The bracket that is open there; nothing if the statement has none.
size_t open_bracket(std::string_view before) {
  int depth = 0;
  for (size_t at = before.size(); at-- > 0;) {
    const char c = before[at];
    if (depth == 0 && (c == ';' || c == '{' || c == '}')) return before.npos;
    depth += c == ')' || c == ']' ? 1 : c == '(' || c == '[' ? -1 : 0;
    if (depth < 0) return at;
  }
  return before.npos;
}

// Whether a statement begins behind that, or an expression of one at a comma.
bool begins_statement(std::string_view before) {
  before = trimmed(before);
  if (before.empty() || std::string_view(";{}").find(before.back()) != std::string_view::npos) return true;
  if (before.ends_with(',') || before.ends_with(':')) return open_bracket(before) == before.npos;
  if (before.ends_with(')')) {
    // The head of a statement, or a macro that makes one.
    constexpr std::string_view kHeads[] = {"if", "for", "while", "switch", "constexpr"};
    const std::string_view head = word_before(before_parentheses(before));
    return is_among(kHeads, head) || (!head.empty() && std::none_of(head.begin(), head.end(), [](unsigned char c) {
             return std::islower(c) != 0 || std::isdigit(c) != 0;
           }));
  }
  const std::string_view word = word_before(before);
  return word == "else" || word == "do";
}

// Whether the `*' that ends the text multiplies, or makes a type.
bool multiplies(std::string_view text) {
  text = trimmed(text.substr(0, text.size() - 1));
  if (text.empty()) return false;
  if (text.ends_with(')')) return !begins_statement(text);
  if (text.ends_with("++") || text.ends_with("--")) text = trimmed(text.substr(0, text.size() - 2));  // `*w++ * x'
  if (text.ends_with(']') || text.ends_with('>')) return true;
  const std::string_view word = word_before(text);
  return !word.empty() && word != "else" && word != "do" && word != "return";
}

class Places {
 public:
  Places(std::string_view body, TextPosition begin, const std::set<std::string>& declared)
      : body_(body), begin_(begin), declared_(declared) {}

  std::vector<ChangedPlace> all() {
    for (size_t at = 0; at < body_.size();) {
      const std::string_view word = word_at(body_.substr(at));
      if (word.empty()) {
        ++at;
        continue;
      }
      const std::string_view before = trimmed(body_.substr(0, at));
      const bool is_member = before.ends_with('.') || before.ends_with("->");
      if (!is_digits(word) && !is_among(kNoVariables, word) && !is_member) look_at(at, word);
      at += word.size();
    }
    return std::move(found_);
  }

 private:
  void look_at(size_t at, std::string_view word) {
    std::string_view before = trimmed(body_.substr(0, at));
    if (word == "this") return look_at_member(at);
    Chain chain = chain_behind(body_.substr(at + word.size()));
    if (chain.rest.starts_with("::")) return;
    bool by_star = false, counted = false;
    for (;;) {
      if (before.ends_with('*') && !multiplies(before)) {
        by_star = true;
        before = trimmed(before.substr(0, before.size() - 1));
      } else if (before.ends_with('(') && chain.rest.starts_with(')')) {
        before = trimmed(before.substr(0, before.size() - 1));
        if (before.ends_with(')') || (!before.empty() && is_word(before.back()) && !begins_statement(before))) break;
        const Chain next = chain_behind(chain.rest.substr(1));
        chain = {next.rest, next.member.empty() ? chain.member : next.member, chain.any || next.any, next.ends_by_call,
                 chain.by_pointer || next.by_pointer};
      } else {
        break;
      }
    }
    // `*p++ = x', `++*p'
    if (by_star && (chain.rest.starts_with("++") || chain.rest.starts_with("--")) &&
        assigns(trimmed(chain.rest.substr(2))))
      chain.rest = trimmed(chain.rest.substr(2));
    counted = before.ends_with("++") || before.ends_with("--");
    // `*(p + k) = x'
    if (!by_star && !counted && !assigns(chain.rest)) {
      if (const auto sum = behind_sum(at); sum && assigns(*sum)) {
        by_star = true;
        chain.rest = *sum;
      }
    }
    const bool by_part = chain.any || chain.ends_by_call || by_star, assigned = counted || assigns(chain.rest);
    const std::string object = object_of(word, at, by_star || chain.by_pointer);
    if (object.empty()) return;
    if (assigned && (by_part || is_reference(word))) return add(object, at, {}, chain.rest, false);
    if (assigned && !declared_.contains(std::string(word))) return add(object, at, {}, chain.rest, true);
    if (chain.any && chain.ends_by_call && !chain.member.empty() && begins_statement(before) &&
        (chain.rest.empty() || std::string_view(";,)").find(chain.rest[0]) != std::string_view::npos))
      return add(object, at, chain.member, chain.rest, false);
    look_at_argument(object, at, chain);
  }

  // The member of `this->x' stands for itself.
  void look_at_member(size_t at) {
    std::string_view rest = trimmed(body_.substr(at + 4));
    if (!rest.starts_with("->")) return;
    rest = trimmed(rest.substr(2));
    const std::string_view word = word_at(rest);
    const Chain chain = chain_behind(rest.substr(word.size()));
    if (word.empty()) return;
    if (assigns(chain.rest)) add(std::string(word), at, {}, chain.rest, !chain.any);
    if (chain.any && chain.ends_by_call && begins_statement(body_.substr(0, at)))
      add(std::string(word), at, chain.member, chain.rest, false);
  }

  // Behind the parenthesis of `*(...)' that the place stands in first.
  std::optional<std::string_view> behind_sum(size_t at) const {
    std::string_view before = trimmed(body_.substr(0, at));
    while (before.ends_with(')')) {  // a cast
      const std::string_view rest = trimmed(before_parentheses(before));
      if (rest.size() == before.size()) return std::nullopt;
      before = rest;
    }
    if (!before.ends_with('(')) return std::nullopt;
    const size_t open = before.size() - 1;
    before = trimmed(before.substr(0, open));
    if (!before.ends_with('*') || multiplies(before)) return std::nullopt;
    return behind_closed(body_.substr(open));
  }

  // `std::fill(x.begin(), ...)', `memset(x, ...)'
  void look_at_argument(const std::string& object, size_t at, const Chain& chain) {
    std::string_view before = trimmed(body_.substr(0, at));
    const bool by_address = before.ends_with('&') && !before.ends_with("&&");
    const bool is_place = chain.ends_by_call && is_among(kPlaceMembers, chain.member);
    const bool is_whole = !chain.any && !chain.ends_by_call;
    if (!by_address && !is_place && !is_whole) return;
    for (size_t open = open_bracket(before); open != before.npos; open = open_bracket(before)) {
      before = trimmed(before.substr(0, open));
      const std::string_view name = word_before(before);
      if (!is_among(kChangers, name)) {
        if (is_among(kPlaceMembers, name)) continue;
        return;
      }
      std::string_view statement = trimmed(before.substr(0, before.size() - name.size()));
      while (statement.ends_with("::")) {
        statement = trimmed(statement.substr(0, statement.size() - 2));
        statement = trimmed(statement.substr(0, statement.size() - word_before(statement).size()));
      }
      if (begins_statement(statement)) add(object, statement.size(), name, chain.rest, is_whole && !by_address);
      return;
    }
  }

  // The variable from outside; empty: there is none.
  std::string object_of(std::string_view word, size_t at, bool by_pointer) {
    std::string name(word);
    bool is_first = true;
    for (int steps = 0; declared_.contains(name) && steps < 8; ++steps) {
      const Alias a = alias_of(name);
      if (a.root.empty() || (is_first && a.at == at) || (!a.reference && !by_pointer && is_first)) return {};
      name = a.root;
      is_first = false;
    }
    return declared_.contains(name) ? std::string() : name;
  }
  bool is_reference(std::string_view word) {
    return declared_.contains(std::string(word)) && alias_of(std::string(word)).reference;
  }

  // What a name that the body declares leads to.
  struct Alias {
    std::string root;  // empty: nothing from elsewhere
    bool reference = false;
    size_t at = 0;
  };
  Alias alias_of(const std::string& name) const {
    for (size_t at = find_word(body_, name); at != body_.npos; at = find_word(body_, name, at + name.size())) {
      const std::string_view before = body_.substr(0, at);
      const std::string_view type = trimmed(before.substr(before.find_last_of(";{}(") + 1));
      if (type.empty()) continue;
      const bool reference = type.ends_with('&'), pointer = type.ends_with('*');
      const bool is_deduced = words_of(type).contains("auto") || type.find("iterator") != type.npos;
      if (!reference && !pointer && !is_deduced) continue;
      if (type.find('=') != type.npos) continue;
      const std::string_view behind = trimmed(body_.substr(at + name.size()));
      if (behind.empty() || std::string_view("=({:").find(behind[0]) == std::string_view::npos) continue;
      return {root_of(behind.substr(1)), reference, at};
    }
    return {};
  }
  // The first variable of an initial value.
  static std::string root_of(std::string_view value) {
    int depth = 0;
    for (size_t at = 0; at < value.size();) {
      const char c = value[at];
      depth += c == '(' || c == '{' || c == '[' ? 1 : c == ')' || c == '}' || c == ']' ? -1 : 0;
      if (c == ';' || depth < 0) return {};
      const std::string_view word = word_at(value.substr(at));
      if (word.empty()) {
        ++at;
        continue;
      }
      at += word.size();
      const std::string_view rest = trimmed(value.substr(at));
      if (word == "new") return {};
      if (word.ends_with("_cast") && rest.starts_with('<')) {
        at = value.find('>', at);
        if (at == value.npos) return {};
        continue;
      }
      if (is_digits(word) || is_among(kNoVariables, word) || rest.starts_with('(') || rest.starts_with("::")) continue;
      if (rest.starts_with('*') && trimmed(rest.substr(1)).starts_with(')')) continue;  // a cast
      return std::string(word);
    }
    return {};
  }

  void add(const std::string& object, size_t from, std::string_view function, std::string_view rest, bool whole) {
    const size_t to = rest.empty() ? body_.size() : static_cast<size_t>(rest.data() - body_.data());
    std::string value;
    if (function.empty() && rest.starts_with('=')) {
      const std::string_view copied = trimmed(rest.substr(1)), word = word_at(copied);
      if (!word.empty() && !is_digits(word) && trimmed(copied.substr(word.size())).starts_with(';')) value = word;
    }
    found_.push_back({object, position(skip_blanks(body_, from)), position(end_of(to, function.empty())),
                      std::string(function), whole, std::move(value), function.empty() && has_same_elements(from, to)});
  }
  // Whether that is `t[3]', or `t[k]' where k is what inner loops count by.
  bool has_same_elements(size_t from, size_t to) const {
    const std::string_view place = trimmed(body_.substr(from, to - from));
    const std::string_view behind = trimmed(place.substr(word_at(place).size()));
    if (!behind.starts_with('[')) return false;
    const std::string_view index = word_at(trimmed(behind.substr(1)));
    if (index.empty() || trimmed(behind.substr(1)).substr(index.size()).find_first_not_of(" \t\n]") != behind.npos)
      return false;
    return is_digits(index) || counts_from_number(std::string(index));
  }
  // Whether the body gives it numbers in heads of loops alone, `for (int k = 0; ...', and else steps.
  bool counts_from_number(const std::string& name) const {
    bool any = false;
    for (size_t at = find_word(body_, name); at != body_.npos; at = find_word(body_, name, at + name.size())) {
      const std::string_view before = trimmed(body_.substr(0, at)), behind = trimmed(body_.substr(at + name.size()));
      if (before.ends_with('&') && !before.ends_with("&&")) return false;
      if (!assigns(behind) || behind.starts_with("++") || behind.starts_with("--")) continue;
      const std::string_view value = trimmed(behind.substr(std::min(behind.find('=') + 1, behind.size())));
      const std::string_view number = word_at(value);
      if (number.empty() || !is_digits(number)) return false;
      if (!behind.starts_with('=')) continue;  // a step
      const size_t open = open_bracket(body_.substr(0, at));
      if (open == body_.npos || word_before(body_.substr(0, open)) != "for") return false;
      if (!trimmed(value.substr(number.size())).starts_with(';')) return false;
      any = true;
    }
    return any;
  }
  // Of the expression, or, if its value is an assignment, too, behind its own sign.
  size_t end_of(size_t at, bool is_assignment) const {
    int depth = 0;
    size_t sign = body_.npos;
    for (size_t i = at; i < body_.size(); ++i) {
      const char c = body_[i];
      depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
      if (c == ';' || depth < 0 || (c == ',' && depth == 0)) return i;
      const bool is_sign = c == '=' && depth == 0 && i > 0 && i + 1 < body_.size() && body_[i + 1] != '=' &&
                           std::string_view("=!<>").find(body_[i - 1]) == std::string_view::npos;
      if (!is_sign || !is_assignment) continue;
      if (sign != body_.npos) return sign + 1;
      sign = i;
    }
    return body_.size();
  }
  TextPosition position(size_t at) const {
    const std::string_view before = body_.substr(0, at);
    const auto lines = static_cast<uint32_t>(std::count(before.begin(), before.end(), '\n'));
    const size_t last = before.rfind('\n');
    if (last == before.npos) return {begin_.first, begin_.second + static_cast<uint32_t>(at)};
    return {begin_.first + lines, static_cast<uint32_t>(at - last)};
  }

  std::string_view body_;
  TextPosition begin_;
  const std::set<std::string>& declared_;
  std::vector<ChangedPlace> found_;
};

}  // namespace

std::vector<ChangedPlace> changed_places(std::string_view body, TextPosition begin,
                                         const std::set<std::string>& declared) {
  return Places(body, begin, declared).all();
}

}  // namespace cdr::report
