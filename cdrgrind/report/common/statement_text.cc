// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/statement_text.h"

#include <string>
#include <vector>

#include "cdrgrind/report/common/source_words.h"

namespace cdr::report {
namespace {

constexpr size_t kNone = std::string_view::npos;

// Blanks in place of comments and of what literals hold.
std::string bare(std::string_view text) {
  std::string to(text);
  const auto blank = [&](size_t from, size_t until) {
    for (size_t i = from; i < until && i < to.size(); ++i)
      if (to[i] != '\n') to[i] = ' ';
  };
  for (size_t i = 0; i < text.size(); ++i) {
    size_t end = i;
    if (text.substr(i, 2) == "//") {
      end = std::min(text.find('\n', i), text.size());
    } else if (text.substr(i, 2) == "/*") {
      const size_t close = text.find("*/", i + 2);
      end = close == kNone ? text.size() : close + 2;
    } else if (text[i] == '"' || (text[i] == '\'' && (i == 0 || !is_word(text[i - 1])))) {
      end = i + 1;
      while (end < text.size() && text[end] != text[i] && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
      ++end;
    }
    if (end == i) continue;
    blank(i, end);
    i = end - 1;
  }
  return to;
}

class Text {
 public:
  explicit Text(std::string_view text) : bare_(bare(text)), text_(bare_) {}

  size_t skip_blanks(size_t at) const { return std::min(text_.find_first_not_of(" \t\r\n\\", at), text_.size()); }
  // Behind what closes the parenthesis or brace there; kNone: nothing does.
  size_t behind_closing(size_t open) const {
    const char opens = text_[open], closes = opens == '(' ? ')' : '}';
    int depth = 0;
    for (size_t i = open; i < text_.size(); ++i) {
      depth += text_[i] == opens;
      if (text_[i] == closes && --depth == 0) return i + 1;
    }
    return kNone;
  }
  std::string_view word_at(size_t at) const {
    size_t end = at;
    while (end < text_.size() && is_word(text_[end])) ++end;
    return text_.substr(at, end - at);
  }
  // Behind the statement that begins there.
  size_t behind_statement(size_t at) const {
    at = skip_blanks(at);
    if (at == text_.size()) return kNone;
    if (text_[at] == '{') return behind_closing(at);
    const std::string_view word = word_at(at);
    if (word == "for" || word == "while" || word == "if" || word == "switch") {
      const size_t open = text_.find('(', at);
      const size_t head = open == kNone ? kNone : behind_closing(open);
      size_t end = head == kNone ? kNone : behind_statement(head);
      if (word == "if" && end != kNone)
        if (const size_t next = skip_blanks(end); word_at(next) == "else") end = behind_statement(next + 4);
      return end;
    }
    if (word == "do") {
      const size_t end = behind_statement(at + 2);
      const size_t semicolon = end == kNone ? kNone : text_.find(';', end);
      return semicolon == kNone ? kNone : semicolon + 1;
    }
    return behind_semicolon(at);
  }
  // Of the parentheses around the place those of a loop; kNone: there are none.
  size_t head_around(size_t place) const {
    if (const std::string_view word = word_at(std::min(place, text_.size())); word == "for" || word == "while")
      return text_.find('(', place);
    std::vector<size_t> open;
    for (size_t i = 0; i < text_.size() && i <= place; ++i) {
      if (text_[i] == '(') open.push_back(i);
      if (text_[i] == ')' && !open.empty()) open.pop_back();
    }
    while (!open.empty()) {
      if (is_head(open.back())) return open.back();
      open.pop_back();
    }
    return kNone;
  }
  std::optional<TextLoop> loop_at(size_t head) const {
    const size_t body = behind_closing(head);
    const size_t end = body == kNone ? kNone : behind_statement(body);
    if (end == kNone) return std::nullopt;
    return TextLoop{head, body, end};
  }
  std::optional<TextLoop> loop_around(size_t first, size_t last) const {
    for (size_t open = text_.rfind('(', first); open != kNone; open = open == 0 ? kNone : text_.rfind('(', open - 1)) {
      if (!is_head(open)) continue;
      const auto loop = loop_at(open);
      if (loop && last < loop->end) return loop;
    }
    return std::nullopt;
  }

 private:
  bool is_head(size_t open) const {
    size_t end = open;
    while (end > 0 && (text_[end - 1] == ' ' || text_[end - 1] == '\t')) --end;
    size_t begin = end;
    while (begin > 0 && is_word(text_[begin - 1])) --begin;
    const std::string_view word = text_.substr(begin, end - begin);
    return word == "for" || word == "while";
  }
  size_t behind_semicolon(size_t at) const {
    for (size_t i = at; i < text_.size(); ++i) {
      if (text_[i] == ';') return i + 1;
      if (text_[i] == '}') return i;
      if (text_[i] != '(' && text_[i] != '{') continue;
      const size_t end = behind_closing(i);
      if (end == kNone) return kNone;
      i = end - 1;
    }
    return kNone;
  }

  std::string bare_;
  std::string_view text_;
};

}  // namespace

std::optional<TextLoop> loop_with_head(std::string_view text, size_t in_head) {
  const Text t(text);
  const size_t head = t.head_around(in_head);
  return head == kNone ? std::nullopt : t.loop_at(head);
}

std::optional<TextLoop> loop_around(std::string_view text, size_t first, size_t last) {
  return Text(text).loop_around(first, last);
}

}  // namespace cdr::report
