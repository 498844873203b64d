// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/races/source_fences.h"

#include <algorithm>
#include <utility>

#include "cdrgrind/report/common/source_words.h"
#include "cdrgrind/report/common/statement_text.h"
#include "cdrgrind/report/races/atomic_words.h"

namespace cdr::report {

namespace {

constexpr std::string_view kFence = "atomic_thread_fence";
constexpr size_t kLinesOfArgument = 4;

// Behind the name, if it is called there; else nothing.
std::string argument_at(const std::vector<std::string>& lines, size_t line, size_t behind_name) {
  std::string text = lines[line].substr(behind_name);
  for (size_t i = line + 1; i < lines.size() && i <= line + kLinesOfArgument && text.find(')') == std::string::npos;
       ++i)
    text += "\n" + lines[i];
  const size_t open = text.find_first_not_of(" \t\r\n");
  if (open == std::string::npos || text[open] != '(') return {};
  return text.substr(open, text.find(')', open) - open);
}

// memory_order_acquire, memory_order::acquire, __ATOMIC_ACQUIRE
bool says(std::string_view argument, std::string_view order) {
  for (const std::string_view word : words_of(argument)) {
    const std::string name = small_letters(word);
    if (name == order || name.ends_with("_" + std::string(order))) return true;
  }
  return false;
}

FenceCall call(size_t line, std::string_view argument) {
  const bool gets = says(argument, "acquire") || says(argument, "consume"), gives = says(argument, "release"),
             neither = says(argument, "relaxed") && !gets && !gives, one = gets != gives;
  return {static_cast<uint32_t>(line + 1), !neither && (gets || !one), !neither && (gives || !one)};
}

}  // namespace

std::vector<FenceCall> fence_calls(const std::vector<std::string>& lines) {
  std::vector<FenceCall> found;
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    if (is_directive(line)) continue;
    for (size_t at = 0; (at = line.find(kFence, at)) != std::string::npos;) {
      at += kFence.size();
      if (const std::string argument = argument_at(lines, i, at); !argument.empty()) found.push_back(call(i, argument));
    }
  }
  return found;
}

std::vector<FenceCall> SourceFences::around(ModuleId module, std::span<const uint64_t> insns) {
  struct Lines {
    uint32_t first = ~0u, last = 0;
  };
  std::map<std::pair<std::string_view, std::string_view>, Lines> of;  // by function and file
  for (const uint64_t addr : insns)
    for (const symbols::InlineFrame& f : symbols_.inline_chain(module.value, addr)) {
      // What a fence is made of is handed its order.
      if (!f.pos.known() || f.function.find(kFence) != std::string_view::npos) continue;
      Lines& l = of[{f.function, f.pos.file}];
      l = {std::min(l.first, f.pos.line), std::max(l.last, f.pos.line)};
    }
  std::vector<FenceCall> found;
  for (const auto& [where, lines] : of)
    for (const FenceCall& c : calls_in(where.second))
      if (c.line >= lines.first && c.line <= lines.last) found.push_back(c);
  return found;
}

const std::vector<FenceCall>& SourceFences::calls_in(std::string_view file) {
  const auto [known, is_new] = files_.try_emplace(std::string(file));
  if (is_new)
    if (const auto source = symbols_.read_source(file); source && source->text.find(kFence) != std::string::npos)
      known->second = fence_calls(code_lines(source->text));
  return known->second;
}

}  // namespace cdr::report
