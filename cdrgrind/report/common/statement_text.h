// SPDX-License-Identifier: GPL-2.0-or-later
// Statements in the text of C and C++, as far as parentheses, braces and semicolons tell. What macros hide is not seen.
#ifndef CDRGRIND_REPORT_COMMON_STATEMENT_TEXT_H
#define CDRGRIND_REPORT_COMMON_STATEMENT_TEXT_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cdr::report {

// The text with blanks in place of comments and literals; everything stands where it stood.
std::string plain_code(std::string_view text);

// The same, by lines.
std::vector<std::string> plain_lines(std::string_view text);

// Of the preprocessor.
bool is_directive(std::string_view line);
bool continues_directive(std::string_view line);

// Line and column, from 1 on.
using TextPosition = std::pair<uint32_t, uint32_t>;

// The text from one place to before another, as far as the lines go, '\n' behind each line.
std::string text_between(std::span<const std::string> lines, TextPosition begin, TextPosition end);

// Reads statements from a place in lines without comments and literals; directives are passed over.
class Statement {
 public:
  Statement(std::span<const std::string> lines, size_t line, size_t column = 0)
      : lines_(lines), line_(line), column_(column) {
    skip();
  }
  bool at_word(std::string_view word) const;
  // Where it stands; line and column are indices.
  size_t line() const { return line_; }
  size_t column() const { return column_; }
  TextPosition here() const { return {static_cast<uint32_t>(line_ + 1), static_cast<uint32_t>(column_ + 1)}; }
  // Right behind what was read last.
  TextPosition behind() const { return behind_; }
  // Whether all that was looked for was there.
  bool complete() const { return complete_; }
  // Of the innermost of so many loops that make one, what head_end() says.
  size_t heads_end(size_t loops);
  // Index of the line in which the parenthesis behind its word ends.
  size_t head_end();
  // Index of the line in which it ends.
  size_t end();

 private:
  bool over() const { return line_ >= lines_.size(); }
  std::string_view rest() const { return std::string_view(lines_[line_]).substr(column_); }
  void skip();
  void next(size_t count = 1);
  // The character there is the last of something.
  void take_last();
  size_t match(char open, char close);
  size_t simple_end();

  std::span<const std::string> lines_;
  size_t line_, column_;
  TextPosition behind_;
  bool complete_ = true;
};

// A `for' or `while': its parenthesis, where its body begins, and behind it.
struct TextLoop {
  TextPosition head, begin, end;
};

// The one whose word stands at that place, or the innermost one whose parentheses, or what they hold in that line, do.
// None if there is no such loop in the lines, or its end is missing. Lines as of Statement.
std::optional<TextLoop> loop_with_head(std::span<const std::string> lines, TextPosition in_head);
// The innermost one in which both places are, of those that begin in one of the last so many lines up to the first.
std::optional<TextLoop> loop_around(std::span<const std::string> lines, TextPosition first, TextPosition last,
                                    uint32_t most_up);

}  // namespace cdr::report

#endif
