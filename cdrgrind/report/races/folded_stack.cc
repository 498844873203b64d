// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/races/folded_stack.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "cdrgrind/report/common/source_place.h"
#include "cdrgrind/symbols/common/paths.h"

namespace cdr::report {

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '.'; }

// Reads a demangled name from left to right, brackets as a whole.
class NameParser {
 public:
  explicit NameParser(std::string_view name) : name_(name) {}

  std::vector<std::string_view> parts() {
    while (at_ < name_.size() && !ended_) step();
    close();
    return std::move(parts_);
  }

 private:
  void step() {
    const std::string_view rest = name_.substr(at_);
    const bool begins = at_ == begin_;
    if (begins && rest.starts_with("operator") && (rest.size() == 8 || !is_word(rest[8]))) return rest_is_one_part();
    if (rest.starts_with("::")) return next_part(2);
    if (rest[0] == ' ') return forget();
    if (rest[0] == '<' || rest[0] == '[') return skip_brackets();
    if (rest[0] == '{' || (rest[0] == '(' && begins)) return bracket_is_part();
    if (rest[0] == '(') return end();
    ++at_;
    if (end_ == begin_ || end_ == at_ - 1) end_ = at_;
  }
  // What stood before was the result's type.
  void forget() {
    parts_.clear();
    begin_ = end_ = ++at_;
  }
  void rest_is_one_part() {
    end_ = begin_ + 8;
    end();
  }
  void next_part(size_t colons) {
    close();
    begin_ = end_ = at_ += colons;
  }
  void bracket_is_part() {
    skip_brackets();
    end_ = at_;
  }
  void skip_brackets() {
    int depth = 0;
    do {
      const char c = name_[at_++];
      depth += c == '<' || c == '(' || c == '{' || c == '[';
      const bool arrow = c == '>' && at_ > 1 && name_[at_ - 2] == '-';
      depth -= (c == '>' && !arrow) || c == ')' || c == '}' || c == ']';
    } while (depth > 0 && at_ < name_.size());
  }
  void end() { ended_ = true; }
  void close() {
    if (end_ > begin_) parts_.push_back(name_.substr(begin_, end_ - begin_));
  }

  std::string_view name_;
  size_t at_ = 0, begin_ = 0, end_ = 0;  // of the part under way
  bool ended_ = false;
  std::vector<std::string_view> parts_;
};

bool is_private(std::string_view part) {
  return part.starts_with('_') || part.starts_with('{') || part.starts_with('(') || part.starts_with("operator");
}

// "std::thread" of std::thread::_Invoker<…>::_M_invoke; nothing if no part is for users.
std::string public_name(const RaceFrame& f) {
  const auto parts = name_parts(f.function);
  const auto end = std::find_if(parts.begin(), parts.end(), is_private);
  if (end == parts.begin() || (end == parts.begin() + 1 && parts.front() == "std")) return {};
  return fmt::format("{}", fmt::join(parts.begin(), end, "::"));
}

// What is before main belongs to no source of the program's either.
bool is_of_others(const RaceFrame& f) {
  return !f.own || (f.pos.known() ? of_the_system(f.pos.file) : f.function == "_start");
}

std::string any_name(const RaceFrame& f) {
  const auto parts = name_parts(f.function);
  if (!parts.empty()) return fmt::format("{}", fmt::join(parts, "::"));
  const std::string_view module = symbols::base_name(f.module);
  return module.empty() ? "a library" : std::string(module);
}

// The one nearest to the program that users know: `called` by the program, outermost first; else innermost first.
std::string folded_name(std::span<const RaceFrame> frames, bool called) {
  std::vector<const RaceFrame*> order;
  for (const RaceFrame& f : frames) order.push_back(&f);
  if (called) std::reverse(order.begin(), order.end());
  for (const RaceFrame* f : order)
    if (std::string name = public_name(*f); !name.empty()) return name;
  return any_name(*order.front());
}

}  // namespace

std::vector<std::string_view> name_parts(std::string_view function) { return NameParser(function).parts(); }

std::vector<StackPart> folded_stack(std::span<const RaceFrame> stack) {
  std::vector<StackPart> parts;
  for (size_t at = 0; at < stack.size();) {
    size_t end = at;
    while (end < stack.size() && is_of_others(stack[end])) ++end;
    if (at == 0 || end - at < 2) {
      parts.push_back({at++, 1, {}});
      continue;
    }
    parts.push_back({at, end - at, folded_name(stack.subspan(at, end - at), end < stack.size())});
    at = end;
  }
  return parts;
}

}  // namespace cdr::report
