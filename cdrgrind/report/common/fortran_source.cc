// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/fortran_source.h"

#include <algorithm>
#include <cctype>

#include "cdrgrind/report/common/source_words.h"
#include "cdrgrind/report/common/trimmed.h"

namespace cdr::report {
namespace {

constexpr size_t kFixedColumns = 72, kFixedCode = 6;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(std::string_view text) { return trimmed(text).empty(); }

std::string without_blanks(std::string_view text) {
  std::string squeezed;
  for (const char c : text)
    if (!std::isspace(static_cast<unsigned char>(c))) squeezed += c;
  return squeezed;
}

std::string with_single_blanks(std::string_view text) {
  std::string single;
  for (const char c : trimmed(text)) {
    const bool is_space = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!is_space)
      single += c;
    else if (!single.ends_with(' '))
      single += ' ';
  }
  return single;
}

// One line in small letters: what it has of a statement.
struct Line {
  std::string code;  // without comment; literals blank
  bool is_directive = false;
  bool continues = false;  // the statement before
  bool goes_on = false;    // in the next line
};

// Without a comment at its end; literals become blanks.
std::string plain(std::string_view text) {
  std::string code;
  char quote = 0;
  for (const char c : text) {
    if (quote == 0 && c == '!') break;
    const bool is_quote = c == '\'' || c == '"';
    if (quote == 0 && is_quote)
      quote = c;
    else if (quote == c)
      quote = 0;
    else if (quote == 0) {
      code += c;
      continue;
    }
    code += ' ';
  }
  return code;
}

constexpr std::string_view kSentinel = "$omp";

// A line that only compilers with OpenMP see begins with `!$'.
Line free_line(std::string_view text) {
  Line line;
  std::string_view code = trimmed(text);
  if (code.starts_with('#')) return line;
  if (code.starts_with('!') && code.substr(1).starts_with(kSentinel)) {
    line.is_directive = true;
    code.remove_prefix(1 + kSentinel.size());
  } else if (code.starts_with("!$ ")) {
    code.remove_prefix(2);
  }
  line.code = plain(code);
  std::string_view rest = trimmed(line.code);
  if (rest.starts_with('&')) {
    line.continues = true;
    rest.remove_prefix(1);
  }
  if (rest.ends_with('&')) {
    line.goes_on = true;
    rest.remove_suffix(1);
  }
  return line.code = std::string(rest), line;
}

Line fixed_line(std::string_view text) {
  Line line;
  text = text.substr(0, kFixedColumns);
  if (text.empty() || text[0] == '#') return line;
  const bool is_comment = std::string_view("c*!d").find(text[0]) != std::string_view::npos;
  line.is_directive = is_comment && text.substr(1).starts_with(kSentinel);
  if (is_comment && !line.is_directive && !text.starts_with("!$ ")) return line;
  if (text.size() < kFixedCode || text.find('\t') < kFixedCode) {
    line.code = plain(line.is_directive ? text.substr(1 + kSentinel.size()) : text);
    return line;
  }
  line.continues = text[kFixedCode - 1] != ' ' && text[kFixedCode - 1] != '0';
  std::string code(text);
  if (is_comment) std::fill_n(code.begin(), line.is_directive ? 1 + kSentinel.size() : 2, ' ');
  code[kFixedCode - 1] = ' ';
  line.code = plain(code);
  return line;
}

// Reads an unsigned number and blanks at the front away.
uint32_t take_label(std::string& text) {
  const std::string_view code = trimmed(text);
  size_t digits = 0;
  while (digits < code.size() && is_digit(code[digits])) ++digits;
  if (digits == 0 || digits > 5) return 0;
  const auto label = static_cast<uint32_t>(std::stoul(std::string(code.substr(0, digits))));
  text = std::string(trimmed(code.substr(digits)));
  return label;
}

class StatementReader {
 public:
  explicit StatementReader(std::vector<FortranStatement>& to) : to_(to) {}
  void line(const Line& l, uint32_t number) {
    if (is_blank(l.code) && !l.continues) return;
    if ((l.continues || goes_on_) && !to_.empty() && l.is_directive == to_.back().is_directive) {
      to_.back().text += l.continues ? l.code : " " + l.code;
      to_.back().last = number;
    } else {
      to_.push_back({number, number, 0, l.is_directive, l.code});
    }
    goes_on_ = l.goes_on;
  }
  // Those of one line get one each, labels are told apart.
  void finish() {
    std::vector<FortranStatement> all;
    for (FortranStatement& s : to_) {
      if (s.is_directive) {
        s.text = with_single_blanks(s.text);
        all.push_back(std::move(s));
        continue;
      }
      std::string_view rest = s.text;
      while (!is_blank(rest)) {
        const size_t end = std::min(rest.find(';'), rest.size());
        FortranStatement one{s.first, s.last, 0, false, std::string(trimmed(rest.substr(0, end)))};
        one.label = take_label(one.text);
        if (!one.text.empty()) all.push_back(std::move(one));
        rest.remove_prefix(std::min(end + 1, rest.size()));
      }
    }
    to_ = std::move(all);
  }

 private:
  std::vector<FortranStatement>& to_;
  bool goes_on_ = false;
};

struct DoHead {
  uint32_t label = 0;  // where it ends; 0: at its `end do'
  std::string counter;
};

bool has_comma(std::string_view text) {
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' || c == '[';
    depth -= c == ')' || c == ']';
    if (c == ',' && depth == 0) return true;
  }
  return false;
}

// `name: do 10 i = 1, n', without its blanks.
std::optional<DoHead> do_head(std::string_view statement) {
  const std::string squeezed = without_blanks(statement);
  std::string_view text = squeezed;
  if (const size_t colon = text.find(':');
      colon != text.npos && text.substr(colon + 1).starts_with("do") &&
      std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(colon), is_word))
    text.remove_prefix(colon + 1);
  if (!text.starts_with("do")) return std::nullopt;
  text.remove_prefix(2);
  DoHead head;
  size_t digits = 0;
  while (digits < text.size() && is_digit(text[digits])) ++digits;
  if (digits > 0 && digits < 6) head.label = static_cast<uint32_t>(std::stoul(std::string(text.substr(0, digits))));
  text.remove_prefix(digits);
  if (digits > 0 && text.starts_with(',')) text.remove_prefix(1);
  if (text.empty() || text.starts_with("while(") || text.starts_with("concurrent(")) return head;
  size_t end = 0;
  while (end < text.size() && is_word(text[end])) ++end;
  if (end == 0 || is_digit(text[0]) || end >= text.size() || text[end] != '=' || !has_comma(text.substr(end + 1)))
    return std::nullopt;
  head.counter = std::string(text.substr(0, end));
  return head;
}

bool ends_do(const FortranStatement& s) {
  const std::string squeezed = without_blanks(s.text);
  if (!squeezed.starts_with("enddo")) return false;
  return std::all_of(squeezed.begin(), squeezed.end(), is_word);
}

class LoopReader {
 public:
  LoopReader(const std::vector<FortranStatement>& statements, std::vector<FortranLoop>& to)
      : statements_(statements), to_(to) {}
  void read() {
    for (size_t i = 0; i < statements_.size(); ++i) {
      const FortranStatement& s = statements_[i];
      if (s.is_directive) continue;
      if (const auto head = do_head(s.text))
        begin(i, *head);
      else if (ends_do(s) && !open_.empty() && open_.back().label == 0)
        end(i);
      while (s.label != 0 && !open_.empty() && open_.back().label == s.label) end(i);
      if (ends_program_unit(s)) open_.clear();
    }
    std::erase_if(to_, [](const FortranLoop& l) { return l.last == 0; });
  }

 private:
  struct Open {
    size_t loop;
    uint32_t label;
  };
  void begin(size_t at, const DoHead& head) {
    const FortranStatement& s = statements_[at];
    FortranLoop l{s.first, s.last, 0, head.counter, 0, {}, at + 1, at + 1};
    if (at > 0 && statements_[at - 1].is_directive) {
      l.pragma = statements_[at - 1].first;
      l.directive = statements_[at - 1].text;
    }
    open_.push_back({to_.size(), head.label});
    to_.push_back(std::move(l));
  }
  // A label's statement is part of the loop.
  void end(size_t at) {
    FortranLoop& l = to_[open_.back().loop];
    l.last = statements_[at].last;
    l.end = open_.back().label != 0 ? at + 1 : at;
    open_.pop_back();
  }

  const std::vector<FortranStatement>& statements_;
  std::vector<FortranLoop>& to_;
  std::vector<Open> open_;
};

}  // namespace

bool ends_program_unit(const FortranStatement& s) {
  const std::string squeezed = s.is_directive ? std::string() : without_blanks(s.text);
  if (squeezed == "end") return true;
  for (const std::string_view word : {"endsubroutine", "endfunction", "endprogram", "endmodule"})
    if (squeezed.starts_with(word)) return true;
  return false;
}

// Behind `subroutine', or behind `function' and what may stand before that: its type, `pure' and the like.
bool begins_procedure(const FortranStatement& s) {
  if (s.is_directive || s.text.starts_with("end")) return false;
  const auto words = words_of(s.text);
  if (!words.contains("subroutine") && !words.contains("function")) return false;
  const size_t at = std::min(find_word(s.text, "subroutine"), find_word(s.text, "function"));
  const std::string_view before = std::string_view(s.text).substr(0, at);
  const std::string_view behind = trimmed(std::string_view(s.text).substr(s.text.find_first_of(" (", at) + 1));
  return before.find_first_of("=,") == before.npos && before.find("::") == before.npos && !behind.empty() &&
         behind[0] != '=' && behind[0] != '(';
}

std::optional<FortranForm> fortran_form(std::string_view file) {
  const size_t dot = file.rfind('.');
  if (dot == file.npos) return std::nullopt;
  const std::string ending = small_letters(file.substr(dot + 1));
  for (const std::string_view one : {"f90", "f95", "f03", "f08", "f18"})
    if (ending == one) return FortranForm::kFree;
  for (const std::string_view one : {"f", "for", "ftn", "fpp"})
    if (ending == one) return FortranForm::kFixed;
  return std::nullopt;
}

FortranSource::FortranSource(std::string_view text, FortranForm form) {
  StatementReader reader(statements);
  uint32_t number = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string line = small_letters(text.substr(0, end));
    reader.line(form == FortranForm::kFree ? free_line(line) : fixed_line(line), ++number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  reader.finish();
  LoopReader(statements, loops).read();
  read_procedures();
}

void FortranSource::read_procedures() {
  for (size_t i = 0; i < statements.size(); ++i) {
    if (!begins_procedure(statements[i])) continue;
    const std::string_view text = statements[i].text;
    const size_t word = std::min(find_word(text, "subroutine"), find_word(text, "function"));
    const std::string_view behind = trimmed(text.substr(std::min(text.find(' ', word), text.size())));
    size_t length = 0;
    while (length < behind.size() && is_word(behind[length])) ++length;
    size_t last = i + 1;
    while (last < statements.size() && !ends_program_unit(statements[last])) ++last;
    procedures.push_back({std::string(behind.substr(0, length)), i + 1, last});
  }
}

const FortranLoop* FortranSource::loop_of(uint32_t line) const {
  const auto found =
      std::find_if(loops.begin(), loops.end(), [&](const FortranLoop& l) { return l.first <= line && line <= l.head; });
  return found == loops.end() ? nullptr : &*found;
}

bool FortranSource::may_nest(const FortranLoop& loop) const {
  for (const FortranLoop& l : loops)
    if (l.begin > loop.begin && l.end <= loop.end) return true;
  for (size_t i = loop.begin; i < loop.end; ++i) {
    const FortranStatement& s = statements[i];
    if (s.is_directive) continue;
    if (const size_t open = s.text.find('('); open != s.text.npos && s.text.find(':', open) != s.text.npos) return true;
    const auto words = words_of(s.text);
    for (const std::string_view word : {"goto", "where", "forall", "sum", "product", "matmul", "dot_product", "maxval",
                                        "minval", "maxloc", "minloc", "any", "all", "count"})
      if (words.contains(word)) return true;
  }
  return false;
}

bool is_fortran_loop(std::string_view line) {
  std::string code = plain(small_letters(line));
  if (code.ends_with('&')) code.pop_back();
  take_label(code);
  return do_head(code).has_value();
}

bool is_fortran_directive(std::string_view line) {
  const std::string code = small_letters(trimmed(line));
  return code.size() > 1 && std::string_view("!c*").find(code[0]) < 3 && code.substr(1).starts_with(kSentinel);
}

}  // namespace cdr::report
