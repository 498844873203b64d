// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/loop_source.h"

#include <algorithm>

#include "cdrgrind/report/advise/fortran_names.h"
#include "cdrgrind/report/advise/shared_place.h"
#include "cdrgrind/report/common/source_words.h"
#include "cdrgrind/report/common/statement_text.h"

namespace cdr::report {
namespace {

constexpr std::string_view kPragma = "#pragma omp ", kFortranPragma = "!$omp ";

std::string text_of(const symbols::SourceFile& source, uint32_t first, uint32_t last) {
  std::string text;
  for (uint32_t n = first; n <= last; ++n) text += std::string(source.line(n)) + '\n';
  return text;
}

// The directives that stand right above the line, in one.
std::string directive_above(const symbols::SourceFile& source, uint32_t line) {
  constexpr uint32_t kMostUp = 8;
  std::string text;
  for (uint32_t at = line - 1; at > 0 && line - at <= kMostUp; --at) {
    const std::string_view here = source.line(at);
    const bool goes_on = at > 1 && source.line(at - 1).ends_with('\\');
    if (!goes_on && !is_directive(source, at)) break;
    text = std::string(here) + " " + text;
  }
  return text;
}

// `ordered simd' keeps in order what stands under it.
std::optional<SimdClaim> claim(std::string_view directive, const LoopSource& loop) {
  return loop.words.contains("ordered") ? std::nullopt : simd_claim_of(directive);
}

void add_words(std::string_view text, LoopSource& to) {
  for (const std::string_view w : words_of(text)) to.words.emplace(w);
}

}  // namespace

LoopSource LoopSources::of(const SourcePlace& place, uint32_t last_line) {
  LoopSource found;
  const symbols::SourceFile* const source = place.line ? symbols_.source(place.file) : nullptr;
  if (!source) return found;
  if (const FortranSource* const f = fortran(place.file)) {
    found.head = fortran_head(*f, place.line);
    if (const FortranLoop* const loop = f->loop_of(place.line)) {
      found.assigned = fortran_assigned_names(*f, *loop);
      for (size_t i = loop->begin; i < loop->end; ++i) add_words(f->statements[i].text, found);
      found.simd = claim(loop->directive, found);
    }
    return found;
  }
  const std::string text = text_of(*source, place.line, last_line);
  add_words(text, found);
  if (!words_of(source->line(place.line)).contains("for")) return found;
  found.head = for_head(text);
  found.assigned = assigned_names(text);
  found.simd = claim(directive_above(*source, place.line), found);
  return found;
}

uint32_t LoopSources::head(const SourcePlace& place, uint32_t last_line, uint32_t depth) {
  const FortranSource* const f = fortran(place.file);
  if (!f) {
    const symbols::SourceFile* const source = place.line ? symbols_.source(place.file) : nullptr;
    if (!source || words_of(source->line(place.line)).contains("for")) return place.line;
    const uint32_t under = simd_head(*source, place.line);
    return under ? under : place.line;
  }
  if (f->loop_of(place.line)) return place.line;
  const FortranLoop* found = nullptr;
  uint32_t around = 0;
  for (const FortranLoop& l : f->loops)
    if (l.first <= place.line && last_line <= l.last) {
      found = &l;
      ++around;
    }
  return found && around == depth && !f->may_nest(*found) ? found->first : place.line;
}

bool LoopSources::is_in_loop(const SourcePlace& place, uint32_t last_line, uint32_t line) {
  if (line == 0 || line < place.line) return false;
  if (line <= last_line) return true;
  if (const FortranSource* const f = fortran(place.file)) {
    const FortranLoop* const loop = f->loop_of(place.line);
    return loop && line <= loop->last;
  }
  const symbols::SourceFile* const source = symbols_.source(place.file);
  return source && goes_on_to(*source, place.line, line);
}

namespace {

// Some lines of a source as one text.
class Excerpt {
 public:
  Excerpt(const symbols::SourceFile& source, uint32_t first, uint32_t last)
      : first_(first), text_(text_of(source, first, std::min(last, static_cast<uint32_t>(source.line_count())))) {}
  std::string_view text() const { return text_; }
  size_t offset_of(LoopSources::Position at) const {
    size_t begin = 0;
    for (uint32_t line = first_; line < at.first && begin < text_.size(); ++line)
      begin = std::min(text_.find('\n', begin), text_.size()) + 1;
    return begin + at.second - 1;
  }
  LoopSources::Range range_of(const TextLoop& l) const {
    return {position_of(l.head), position_of(l.body), position_of(l.end)};
  }

 private:
  LoopSources::Position position_of(size_t at) const {
    const auto here = text_.begin() + static_cast<std::ptrdiff_t>(at);
    const size_t start = at == 0 ? 0 : text_.rfind('\n', at - 1) + 1;
    return {first_ + static_cast<uint32_t>(std::count(text_.begin(), here, '\n')),
            static_cast<uint32_t>(at - start + 1)};
  }

  uint32_t first_;
  std::string text_;
};

constexpr uint32_t kLongestLoop = 1000;  // lines

}  // namespace

bool LoopSources::shows_c(std::string_view file) { return !fortran_form(file) && symbols_.source(file); }

std::optional<LoopSources::Range> LoopSources::body_of(const SourcePlace& place, uint32_t column) {
  if (!shows_c(place.file) || place.line == 0 || column == 0) return std::nullopt;
  const Excerpt lines(*symbols_.source(place.file), place.line, place.line + kLongestLoop);
  const auto loop = loop_with_head(lines.text(), column - 1);
  if (!loop) return std::nullopt;
  return lines.range_of(*loop);
}

std::optional<LoopSources::Range> LoopSources::loop_around(std::string_view file, Position first, Position last) {
  if (!shows_c(file) || first.first == 0 || first.second == 0) return std::nullopt;
  const Excerpt lines(*symbols_.source(file), first.first - std::min(first.first - 1, kLongestLoop / 4),
                      last.first + kLongestLoop);
  const auto loop = report::loop_around(lines.text(), lines.offset_of(first), lines.offset_of(last));
  if (!loop) return std::nullopt;
  return lines.range_of(*loop);
}

std::string LoopSources::operator_of(std::string_view sign, const SourcePlace& place) {
  const FortranSource* const f = fortran(place.file);
  const FortranLoop* const loop = f ? f->loop_of(place.line) : nullptr;
  return loop ? fortran_operator(sign, *f, *loop) : std::string(sign);
}

const FortranSource* LoopSources::fortran(std::string_view file) {
  const auto form = fortran_form(file);
  const symbols::SourceFile* const source = form ? symbols_.source(file) : nullptr;
  if (!source) return nullptr;
  const auto [known, is_new] = fortran_.try_emplace(std::string(file));
  if (is_new)
    known->second =
        std::make_unique<FortranSource>(text_of(*source, 1, static_cast<uint32_t>(source->line_count())), *form);
  return known->second.get();
}

std::string parallel_loop_line(std::string_view file, const std::vector<std::string>& clauses) {
  const auto form = fortran_form(file);
  if (!form) {
    std::string line = std::string(kPragma) + "parallel for";
    for (const std::string& c : clauses) line += " " + c;
    return line;
  }
  const bool is_fixed = *form == FortranForm::kFixed;
  const size_t most = is_fixed ? 72 : 130;
  std::string line = std::string(kFortranPragma) + "parallel do";
  size_t begin = 0;  // of its last line
  for (const std::string& c : clauses) {
    if (line.size() + 1 + c.size() - begin > most) {
      line += is_fixed ? "\n" : " &\n";
      begin = line.size();
      line += "!$omp&";
    }
    line += " " + c;
  }
  return line;
}

std::string directive_text(std::string_view file, std::string_view words) {
  return std::string(fortran_form(file) ? kFortranPragma : kPragma).append(words);
}

}  // namespace cdr::report
