// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/shared_place.h"

#include <algorithm>
#include <vector>

#include "cdrgrind/report/advise/advise_report.h"
#include "cdrgrind/report/advise/loop_source.h"
#include "cdrgrind/report/common/fortran_source.h"
#include "cdrgrind/report/common/source_words.h"
#include "cdrgrind/report/common/trimmed.h"

namespace cdr::report {

namespace {

constexpr uint32_t kMostUp = 8;  // lines

// What lines of its language say.
class Lines {
 public:
  // `simd`: of loops under that; else of those that are shared out.
  Lines(const symbols::SourceFile& source, bool simd)
      : source_(source), is_fortran_(fortran_form(source.path()).has_value()), simd_(simd) {}
  bool is_pragma(uint32_t line) const {
    const std::string_view text = source_.line(line);
    return is_fortran_ ? is_fortran_directive(text) : text.find("#pragma") != text.npos;
  }
  bool has_loop(uint32_t line) const {
    if (is_fortran_) return is_fortran_loop(source_.line(line));
    return !is_pragma(line) && words_of(source_.line(line)).contains("for");
  }
  // The pragma there, or a part of it.
  bool says_so(uint32_t line) const {
    std::string text(source_.line(line));
    if (is_fortran_) {
      if (!is_pragma(line)) return false;
      text = small_letters(text);
      if (text.find("omp end") != text.npos) return false;
    }
    const auto words = words_of(text);
    if (!words.contains("omp")) return false;
    if (simd_) return words.contains("simd");
    return words.contains(is_fortran_ ? "do" : "for") || words.contains("taskloop") || words.contains("distribute");
  }
  bool is_blank(uint32_t line) const { return source_.line(line).find_first_not_of(" \t") == std::string_view::npos; }
  bool ends_function(uint32_t line) const { return !is_fortran_ && source_.line(line).starts_with('}'); }
  // Of loops at `line`, and right around it, the one behind a pragma; 0: there is none. The directive may go on over
  // several lines.
  uint32_t behind_pragma(uint32_t line) const {
    uint32_t outermost = line;
    for (uint32_t up = 1; up <= kMostUp && up < line; ++up) {
      const uint32_t at = line - up;
      if (says_so(at)) return outermost;
      if (has_loop(at)) outermost = at;
      const bool goes_on = source_.line(at - 1).ends_with('\\') || is_blank(at) || is_pragma(at) || has_loop(at);
      if (!goes_on) return 0;
    }
    return 0;
  }

 private:
  const symbols::SourceFile& source_;
  const bool is_fortran_, simd_;
};

// Whether the statement that begins at `head` has not ended before `line`.
bool goes_on_to(const symbols::SourceFile& source, uint32_t head, uint32_t line) {
  int parentheses = 0, braces = 0;
  for (uint32_t at = head; at > 0 && at < line; ++at)
    for (const char c : source.line(at)) {
      parentheses += c == '(';
      parentheses -= c == ')';
      if (parentheses > 0) continue;
      braces += c == '{';
      if ((c == '}' && --braces == 0) || (c == ';' && braces == 0)) return false;
    }
  return true;
}

uint32_t head_under(const symbols::SourceFile& source, uint32_t line, bool simd) {
  const Lines lines(source, simd);
  if (lines.is_pragma(line)) {
    bool shares = false;
    for (uint32_t at = line; at <= line + kMostUp && at <= source.line_count(); ++at) {
      if (shares && lines.has_loop(at)) return at;
      shares |= lines.is_pragma(at) && lines.says_so(at);
    }
    return 0;
  }
  for (uint32_t at = line; at > 0 && line - at <= kMostUp && !lines.ends_function(at); --at)
    if (const uint32_t head = lines.has_loop(at) ? lines.behind_pragma(at) : 0) return head;
  return 0;
}

}  // namespace

uint32_t shared_head(const symbols::SourceFile& source, uint32_t line) { return head_under(source, line, false); }

bool is_directive(const symbols::SourceFile& source, uint32_t line) {
  const std::string_view text = source.line(line);
  if (fortran_form(source.path())) return is_fortran_directive(text);
  return trimmed(text).starts_with("#pragma") && words_of(text).contains("omp");
}

uint32_t simd_head(const symbols::SourceFile& source, uint32_t line) {
  const uint32_t head = head_under(source, line, true);
  return head <= line && goes_on_to(source, head, line) ? head : 0;
}

std::optional<SharedPlace> shared_place(const regions::Loop& loop, symbols::Symbols& symbols) {
  using Chain = std::vector<symbols::InlineFrame>;  // innermost first
  std::vector<Chain> chains;
  size_t deepest = 0;
  for (const uint64_t addr : loop.body) {
    chains.push_back(symbols.inline_chain(loop.header.module.value, addr));
    deepest = std::max(deepest, chains.back().size());
  }
  // From the outlined function inwards.
  for (size_t level = 0; level < deepest; ++level) {
    SharedPlace found;
    for (const Chain& c : chains) {
      if (c.size() <= level) continue;
      const symbols::InlineFrame& f = c[c.size() - 1 - level];
      if (f.pos.line == 0) continue;
      if (found.place.line == 0) found.place = {f.pos.file, f.pos.line, f.function};
      if (f.pos.file != found.place.file) continue;
      found.place.line = std::min(found.place.line, f.pos.line);
      found.last_line = std::max(found.last_line, f.pos.line);
    }
    const symbols::SourceFile* const source = found.place.line ? symbols.source(found.place.file) : nullptr;
    const uint32_t head = source ? shared_head(*source, found.place.line) : 0;
    if (head == 0) continue;
    found.place.line = head;
    found.last_line = std::max(found.last_line, head);
    return found;
  }
  return std::nullopt;
}

void place_shared(AdviceLoop& loop, const regions::Loop& code, symbols::Symbols& symbols, LoopSources& sources) {
  const auto found = shared_place(code, symbols);
  if (!found) return;
  loop.place = found->place;
  loop.last_line = found->last_line;
  const LoopSource shown = sources.of(loop.place, loop.last_line);
  loop.simd = shown.simd;
  const ForHead& head = shown.head;
  std::erase_if(loop.items, [&](const AdviceItem& i) { return head.counters.contains(i.variable); });
  loop.exit_lines.clear();
  loop.exits_without_line.clear();
}

}  // namespace cdr::report
