// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/races/atomic_words.h"

#include <algorithm>
#include <cctype>

#include "cdrgrind/report/common/source_words.h"
#include "cdrgrind/report/common/statement_text.h"
#include "cdrgrind/report/common/trimmed.h"

namespace cdr::report {

namespace {

constexpr size_t kMostLines = 12;  // of a statement, before and behind its line

// Behind the literal that begins at `i`; `i` itself if none does. 'a is no character but a lifetime.
size_t behind_literal(std::string_view text, size_t i) {
  const char quote = text[i];
  if (quote != '"' && quote != '\'') return i;
  constexpr size_t kLongest = 12;
  const size_t end = quote == '"' ? text.size() : std::min(text.size(), i + kLongest);
  for (size_t at = i + 1; at < end && text[at] != '\n'; ++at) {
    if (text[at] == quote) return at + 1;
    if (text[at] == '\\') ++at;
    if (quote == '\'' && at == i + 1 && (at + 1 >= end || text[at + 1] != quote)) return i;
  }
  return quote == '"' ? std::min(text.find('\n', i), text.size()) : i;
}

size_t behind_comment(std::string_view text, size_t i) {
  if (text.substr(i).starts_with("//")) return std::min(text.find('\n', i), text.size());
  if (text.substr(i).starts_with("/*")) return std::min(text.find("*/", i + 2), text.size() - 2) + 2;
  return i;
}

// Whether an expression that stops there goes on in the next line.
bool goes_on(std::string_view line) {
  const std::string_view code = trimmed(line);
  return !code.empty() && !is_directive(code) && std::string_view("(,=+-*/&|^%?<!.\\").find(code.back()) < 99;
}
bool continues(std::string_view line) {
  const std::string_view code = trimmed(line);
  if (code.starts_with("->") || code.starts_with("&&")) return true;
  return !code.empty() && std::string_view(".=?,)|<").find(code.front()) < 99;
}

bool has_word(std::string_view name, std::string_view word) {
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  return std::search(name.begin(), name.end(), word.begin(), word.end(), same) != name.end();
}

template <size_t N>
bool is_one_of(std::string_view name, const std::string_view (&words)[N]) {
  return std::find(std::begin(words), std::end(words), name) != std::end(words);
}

constexpr std::string_view kStores[] = {"WRITE_ONCE",         "ACCESS_ONCE",      "smp_store_release", "smp_store_mb",
                                        "rcu_assign_pointer", "CMM_STORE_SHARED", "CMM_ACCESS_ONCE"};
constexpr std::string_view kLoads[] = {"READ_ONCE",       "ACCESS_ONCE",     "smp_load_acquire",
                                       "rcu_dereference", "CMM_LOAD_SHARED", "CMM_ACCESS_ONCE"};
constexpr std::string_view kMembers[] = {"store",         "Store",        "store_relaxed",
                                         "store_release", "storeRelaxed", "storeRelease"};

struct Word {
  std::string_view name;
  char before = 0, after = 0;  // the nearest characters that are no blanks
};

// `atomic_load_explicit', `g_atomic_int_set'; not `atomic_flag_test_and_set'.
bool is_named_for(std::string_view name, AtomicPart part) {
  const auto has_one = [name](auto... words) { return (has_word(name, words) || ...); };
  if (part == AtomicPart::kLoad) return has_one("load", "read", "get");
  if (has_one("store", "write", "clear", "init")) return true;
  return has_word(name.substr(name.size() - std::min<size_t>(name.size(), 3)), "set") && !has_one("and_set", "andset");
}

// Of loads and stores alone those count that leave their instruction in the statement: members of classes and what has
// a namespace are functions.
bool is_operation(const Word& w, const MacroNames& macros, AtomicPart part) {
  if (w.after != '(' && w.after != '<' && w.after != '{') return false;
  const bool any = part == AtomicPart::kAny, is_member = w.before == '.' || w.before == '>';
  if (!any && (is_member || w.before == ':')) return false;
  if (has_word(w.name, "atomic")) return any || is_named_for(w.name, part);
  if (w.after != '(') return false;
  if (macros.contains(w.name)) return true;
  if (part == AtomicPart::kLoad) return is_one_of(w.name, kLoads);
  if (w.name.starts_with("__sync_")) return any || w.name == "__sync_lock_release";
  return is_one_of(w.name, kStores) || (is_member && is_one_of(w.name, kMembers));
}

// It stores by itself, too.
bool assigns(std::string_view text) {
  for (size_t i = text.find('='); i != text.npos; i = text.find('=', i + 1)) {
    const char before = i > 0 ? text[i - 1] : ' ';
    const bool is_shift = (before == '<' || before == '>') && i > 1 && text[i - 2] == before;
    if (i + 1 < text.size() && text[i + 1] == '=')
      ++i;
    else if (is_shift || (before != '!' && before != '<' && before != '>'))
      return true;
  }
  return text.find("++") != text.npos || text.find("--") != text.npos;
}

// f(Word) until it returns true.
template <class F>
bool any_word(std::string_view text, F f) {
  char before = 0;
  for (size_t i = 0; i < text.size();) {
    if (!is_word(text[i])) {
      if (!std::isspace(static_cast<unsigned char>(text[i]))) before = text[i];
      ++i;
      continue;
    }
    size_t end = i;
    while (end < text.size() && is_word(text[end])) ++end;
    const size_t next = text.find_first_not_of(" \t\r\n", end);
    if (f(Word{text.substr(i, end - i), before, next == std::string_view::npos ? '\0' : text[next]})) return true;
    before = 'a';
    i = end;
  }
  return false;
}

// `#pragma omp atomic write'
bool is_atomic_pragma(std::string_view line) {
  if (!trimmed(line).starts_with('#')) return false;
  size_t found = 0;
  constexpr std::string_view kWords[] = {"pragma", "omp", "atomic"};
  return any_word(line, [&](const Word& w) { return w.name == kWords[found] && ++found == 3; });
}

}  // namespace

std::vector<std::string> code_lines(std::string_view text) {
  std::vector<std::string> lines(1);
  const auto keep = [&](char c) {
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back() += c;
  };
  for (size_t i = 0; i < text.size();) {
    const bool header = is_directive(lines.back()) && lines.back().find("include") != std::string::npos;
    const size_t comment = behind_comment(text, i), literal = header ? i : behind_literal(text, i);
    if (comment == i && literal == i) {
      keep(text[i++]);
      continue;
    }
    const char instead = literal > comment ? text[i] : ' ';
    keep(instead);
    for (const size_t end = std::max(comment, literal); i < end; ++i)
      if (text[i] == '\n') keep('\n');
    if (literal > comment) keep(instead);
  }
  return lines;
}

std::string statement_around(const std::vector<std::string>& lines, size_t line) {
  if (line == 0 || line > lines.size()) return {};
  size_t begin = line - 1, end = line - 1;
  while (begin > 0 && line - begin < kMostLines && !is_directive(lines[begin - 1]) &&
         (goes_on(lines[begin - 1]) || continues(lines[begin])))
    --begin;
  while (end + 1 < lines.size() && end + 1 - line < kMostLines &&
         lines[end].find_first_of(";{}") == std::string::npos && !is_directive(lines[end + 1]))
    ++end;
  std::string statement;
  if (begin > 0 && is_atomic_pragma(lines[begin - 1])) statement = lines[begin - 1];
  for (size_t i = begin; i <= end; ++i) statement += "\n" + lines[i];
  return statement;
}

std::string atomic_pragma_of(const std::vector<std::string>& lines, size_t line) {
  if (line > 0 && line <= lines.size() && is_atomic_pragma(lines[line - 1])) return lines[line - 1];
  std::string statement = statement_around(lines, line);
  statement.resize(std::min(statement.find('\n'), statement.size()));
  return is_atomic_pragma(statement) ? statement : std::string();
}

bool names_atomic_operation(std::string_view statement, const MacroNames& macros, AtomicPart part) {
  const std::string_view first = statement.substr(0, statement.find('\n'));
  if (is_atomic_pragma(first))
    return part == AtomicPart::kAny || words_of(first).contains(part == AtomicPart::kLoad ? "read" : "write");
  if (part == AtomicPart::kStore && assigns(statement)) return false;
  return any_word(statement, [&](const Word& w) { return is_operation(w, macros, part); });
}

void add_macros(const std::vector<std::string>& lines, Macros& to) {
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!is_directive(lines[i])) continue;
    size_t seen = 0;
    std::string name;
    any_word(lines[i], [&](const Word& w) {
      if (seen == 1) name = w.name;
      return (seen == 0 && w.name != "define") || ++seen == 2;
    });
    if (name.empty()) continue;
    std::string body = lines[i].substr(lines[i].find(name) + name.size());
    while (body.ends_with('\\') && i + 1 < lines.size()) body = body.substr(0, body.size() - 1) + "\n" + lines[++i];
    to.try_emplace(std::move(name), std::move(body));
  }
}

MacroNames atomic_macros(const Macros& all, AtomicPart part) {
  MacroNames found;
  for (bool more = true; more;) {
    more = false;
    for (const auto& [name, body] : all)
      if (!found.contains(name) && names_atomic_operation(body, found, part)) more = found.insert(name).second;
  }
  return found;
}

std::vector<std::string> included_headers(const std::vector<std::string>& lines) {
  std::vector<std::string> headers;
  for (const std::string& line : lines) {
    if (!is_directive(line) || line.find("include") == std::string::npos) continue;
    const size_t open = line.find('"'), close = line.find('"', open + 1);
    if (open != std::string::npos && close != std::string::npos)
      headers.push_back(line.substr(open + 1, close - open - 1));
  }
  return headers;
}

}  // namespace cdr::report
