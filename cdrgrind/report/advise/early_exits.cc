// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/early_exits.h"

#include <algorithm>
#include <set>

#include "cdrgrind/report/common/source_words.h"
#include "cdrgrind/report/common/statement_text.h"

namespace cdr::report {
namespace {

bool leaves(std::string_view text) {
  const std::set<std::string_view> words = words_of(text);
  if (words.contains("return") || words.contains("goto")) return true;
  const bool may_be_inner =
      words.contains("for") || words.contains("while") || words.contains("do") || words.contains("switch");
  return words.contains("break") && !may_be_inner;
}

}  // namespace

bool leaves_loop(std::span<const std::string> lines, uint32_t line) {
  if (line == 0 || line > lines.size()) return false;
  const std::string& text = lines[line - 1];
  for (size_t at = text.find("if"); at != text.npos; at = text.find("if", at + 1)) {
    Statement statement(lines, line - 1, at);
    if ((at > 0 && is_word(text[at - 1])) || !statement.at_word("if")) continue;
    const TextPosition begin = statement.here();
    statement.end();
    if (statement.complete() && leaves(text_between(lines, begin, statement.behind()))) return true;
  }
  return false;
}

}  // namespace cdr::report
