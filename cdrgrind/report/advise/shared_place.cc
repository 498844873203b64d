// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/shared_place.h"

#include <algorithm>
#include <vector>

#include "cdrgrind/report/common/source_words.h"

namespace cdr::report {

namespace {

constexpr uint32_t kMostUp = 8;  // lines

bool shares_out(std::string_view text) {
  const auto words = words_of(text);
  return words.contains("omp") && (words.contains("for") || words.contains("taskloop") || words.contains("distribute"));
}

// The directive may go on over several lines.
bool is_behind_pragma(const symbols::SourceFile& source, uint32_t line) {
  for (uint32_t up = 1; up <= kMostUp && up < line; ++up) {
    const std::string_view text = source.line(line - up);
    if (shares_out(text)) return true;
    const bool goes_on = source.line(line - up - 1).ends_with('\\') || text.find_first_not_of(" \t") == text.npos ||
                         text.find("#pragma") != text.npos || words_of(text).contains("for");
    if (!goes_on) return false;
  }
  return false;
}

}  // namespace

uint32_t shared_head(const symbols::SourceFile& source, uint32_t line) {
  const auto is_pragma = [&](uint32_t at) { return source.line(at).find("#pragma") != std::string_view::npos; };
  const auto has_for = [&](uint32_t at) { return !is_pragma(at) && words_of(source.line(at)).contains("for"); };
  if (is_pragma(line)) {
    bool shares = false;
    for (uint32_t at = line; at <= line + kMostUp && at <= source.line_count(); ++at) {
      if (shares && has_for(at)) return at;
      shares |= is_pragma(at) && shares_out(source.line(at));
    }
    return 0;
  }
  for (uint32_t at = line; at > 0 && line - at <= kMostUp && !source.line(at).starts_with('}'); --at)
    if (has_for(at) && is_behind_pragma(source, at)) return at;
  return 0;
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

}  // namespace cdr::report
