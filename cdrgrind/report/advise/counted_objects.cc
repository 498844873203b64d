// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/counted_objects.h"

#include <algorithm>
#include <cctype>

#include "cdrgrind/report/advise/assigned_names.h"
#include "cdrgrind/report/common/source_words.h"
#include "cdrgrind/report/common/trimmed.h"

namespace cdr::report {
namespace {

constexpr uint32_t kLongestFunction = 400;  // lines
constexpr uint32_t kLongestLambda = 60;

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// Behind what the bracket at `at` opens; the end if nothing closes it.
size_t behind_bracket(std::string_view code, size_t at) {
  int depth = 0;
  for (; at < code.size(); ++at) {
    const char c = code[at];
    depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
    if (depth == 0) return at + 1;
  }
  return code.size();
}

// At commas that stand in no brackets.
std::vector<std::string_view> parts_of(std::string_view list) {
  std::vector<std::string_view> parts;
  int depth = 0;
  size_t begin = 0;
  for (size_t at = 0; at < list.size(); ++at) {
    const char c = list[at];
    depth += c == '(' || c == '[' || c == '{' || c == '<' ? 1 : c == ')' || c == ']' || c == '}' || c == '>' ? -1 : 0;
    if (c != ',' || depth != 0) continue;
    parts.push_back(trimmed(list.substr(begin, at - begin)));
    begin = at + 1;
  }
  if (!trimmed(list).empty()) parts.push_back(trimmed(list.substr(begin)));
  return parts;
}

std::string_view last_word(std::string_view text) {
  size_t end = text.size();
  while (end > 0 && !is_word(text[end - 1])) --end;
  size_t begin = end;
  while (begin > 0 && is_word(text[begin - 1])) --begin;
  return text.substr(begin, end - begin);
}

Parameter parameter_of(std::string_view text) {
  text = trimmed(text.substr(0, text.find('=')));
  return {std::string(last_word(text.substr(0, text.find('[')))), text.find_first_of("&*[") != text.npos};
}

void skip_blanks_back(std::string_view code, size_t& end) {
  while (end > 0 && is_blank(code[end - 1])) --end;
}

// The object of the members that end before `end`: `a.b->`, or of the name that ends there; "" if none does.
struct Members {
  std::string root;
  size_t begin = 0;
  bool known = true;  // no index, no result of a call
};
Members object_before(std::string_view code, size_t end) {
  Members found{{}, end, true};
  for (;;) {
    skip_blanks_back(code, end);
    if (end > 0 && (code[end - 1] == ']' || code[end - 1] == ')')) return {{}, end, false};
    size_t begin = end;
    while (begin > 0 && is_word(code[begin - 1])) --begin;
    if (begin == end) return found;
    found = {std::string(code.substr(begin, end - begin)), begin, true};
    end = begin;
    skip_blanks_back(code, end);
    const std::string_view before = code.substr(0, end);
    if (before.ends_with("::")) return {{}, end, false};
    if (!before.ends_with('.') && !before.ends_with("->")) return found;
    end -= before.ends_with('.') ? 1 : 2;
  }
}

// Of `x`, `&x`, `*x`, `x.y`, `x->y`.
std::string object_of(std::string_view expression) {
  while (!expression.empty() && (expression[0] == '&' || expression[0] == '*' || is_blank(expression[0])))
    expression.remove_prefix(1);
  const Members object = object_before(expression, expression.size());
  return object.known && object.begin == 0 ? object.root : std::string();
}

// Where the name stands as a function that is called.
size_t find_call(std::string_view code, std::string_view function, size_t from) {
  for (size_t at = code.find(function, from); at != code.npos; at = code.find(function, at + 1)) {
    if (at > 0 && is_word(code[at - 1])) continue;
    size_t end = at + function.size();
    while (end < code.size() && is_blank(code[end])) ++end;
    if (end < code.size() && code[end] == '(') return at;
  }
  return code.npos;
}

// What stands behind a parameter list up to a body.
bool leads_to_body(std::string_view between) { return between.find_first_of(";}=") == between.npos; }

}  // namespace

std::optional<FunctionText> function_text(std::span<const std::string> lines, std::string_view name, uint32_t line) {
  if (line == 0 || line > lines.size() || name.empty()) return std::nullopt;
  for (uint32_t up = 0; up < kLongestFunction && up < line; ++up) {
    const uint32_t first = line - up;
    if (find_call(lines[first - 1], name, 0) == std::string::npos) continue;
    std::string text;
    for (uint32_t n = first; n <= lines.size() && n < first + kLongestFunction; ++n) text += lines[n - 1] + '\n';
    for (size_t at = find_call(text, name, 0); at < lines[first - 1].size(); at = find_call(text, name, at + 1)) {
      const size_t list = text.find('(', at), behind = behind_bracket(text, list);
      const size_t open = text.find('{', behind);
      if (open == text.npos || !leads_to_body(std::string_view(text).substr(behind, open - behind))) continue;
      const size_t end = behind_bracket(text, open);
      const auto lines_before = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end - 1), '\n');
      if (first + static_cast<uint32_t>(lines_before) < line) continue;
      FunctionText found{{}, text.substr(open, end - open)};
      for (const std::string_view p : parts_of(std::string_view(text).substr(list + 1, behind - list - 2)))
        found.parameters.push_back(parameter_of(p));
      return found;
    }
  }
  return std::nullopt;
}

std::optional<FunctionText> lambda_text(std::span<const std::string> lines, uint32_t line) {
  if (line == 0 || line > lines.size()) return std::nullopt;
  const uint32_t first = line > kLongestLambda ? line - kLongestLambda : 1;
  std::string text;
  size_t of_line = 0;
  for (uint32_t n = first; n <= lines.size() && n < line + kLongestLambda; ++n) {
    if (n == line) of_line = text.size();
    text += lines[n - 1] + '\n';
  }
  std::optional<FunctionText> found;
  for (size_t at = text.find("]("); at != text.npos && at < of_line + lines[line - 1].size();
       at = text.find("](", at + 1)) {
    const size_t behind = behind_bracket(text, at + 1), open = text.find('{', behind);
    if (open == text.npos || !leads_to_body(std::string_view(text).substr(behind, open - behind))) continue;
    const size_t end = behind_bracket(text, open);
    if (end < of_line) continue;
    found = {{}, text.substr(open, end - open)};
    for (const std::string_view p : parts_of(std::string_view(text).substr(at + 2, behind - at - 3)))
      found->parameters.push_back(parameter_of(p));
  }
  return found;
}

std::vector<ObjectCall> calls_of(std::string_view code, std::string_view function) {
  std::vector<ObjectCall> calls;
  for (size_t at = find_call(code, function, 0); at != code.npos; at = find_call(code, function, at + 1)) {
    size_t before = at;
    skip_blanks_back(code, before);
    const std::string_view sign = code.substr(0, before);
    ObjectCall call;
    if (sign.ends_with('.') || sign.ends_with("->")) {
      const Members object = object_before(code, before - (sign.ends_with('.') ? 1 : 2));
      if (object.known && object.root != "this") call.object = object.root;
      if (!object.known) continue;
    }
    const size_t list = code.find('(', at), behind = behind_bracket(code, list);
    for (const std::string_view a : parts_of(code.substr(list + 1, behind - list - 2)))
      call.arguments.push_back(object_of(a));
    calls.push_back(std::move(call));
  }
  return calls;
}

std::set<std::string> counted_names(std::string_view code) {
  std::set<std::string> found;
  const std::set<std::string> declared = declared_names(code);
  const auto add = [&](const std::string& name) {
    if (!name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) && !declared.contains(name))
      found.insert(name);
  };
  for (size_t at = 0; at + 1 < code.size(); ++at) {
    const std::string_view two = code.substr(at, 2);
    if (two == "++" || two == "--") {
      const Members before = object_before(code, at);
      if (!before.known || !before.root.empty()) {
        add(before.root);
      } else {
        size_t end = at + 2;
        while (end < code.size() &&
               (is_word(code[end]) || is_blank(code[end]) || code[end] == '.' ||
                (code[end] == '-' && code.substr(end, 2) == "->") || (code[end] == '>' && code[end - 1] == '-')))
          ++end;
        if (end == code.size() || code[end] != '[') add(object_of(trimmed(code.substr(at + 2, end - at - 2))));
      }
      ++at;
    } else if (two == "+=" || two == "-=") {
      add(object_before(code, at).root);
      ++at;
    }
  }
  return found;
}

std::string_view plain_function_name(std::string_view demangled) {
  size_t end = 0;
  for (int depth = 0; end < demangled.size() && (depth > 0 || demangled[end] != '('); ++end)
    depth += demangled[end] == '<' ? 1 : demangled[end] == '>' ? -1 : 0;
  std::string_view name = demangled.substr(0, end);
  if (name.ends_with('>')) {
    int depth = 0;
    do depth += name.back() == '>' ? 1 : name.back() == '<' ? -1 : 0, name.remove_suffix(1);
    while (depth > 0 && !name.empty());
  }
  return last_word(name);
}

}  // namespace cdr::report
