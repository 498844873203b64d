// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/races/suppressions.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>

#include "cdrgrind/base/text_pattern.h"
#include "cdrgrind/report/common/source_words.h"
#include "cdrgrind/report/common/trimmed.h"
#include "cdrgrind/symbols/common/paths.h"

namespace cdr::report {

namespace {

constexpr size_t kMostFrames = 24;  // of a generated one: Valgrind refuses more

// Lines of a text, without blanks around them, comments and empty ones.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}
  std::optional<std::string_view> next() {
    while (!rest_.empty()) {
      const size_t end = rest_.find('\n');
      const std::string_view line = trimmed(rest_.substr(0, end));
      rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
      ++number_;
      if (!line.empty() && line[0] != '#') return line;
    }
    return std::nullopt;
  }
  unsigned number() const { return number_; }

 private:
  std::string_view rest_;
  unsigned number_ = 0;
};

bool is_ours(std::string_view kind) {
  const size_t colon = kind.find(':');
  if (colon == std::string_view::npos) return false;
  const std::string tools = "," + small_letters(kind.substr(0, colon)) + ",";
  const std::string_view what = kind.substr(colon + 1);
  const auto has = [&](std::string_view tool) { return tools.find(tool) != std::string::npos; };
  return (what == "Race" && (has(",cdrgrind,") || has(",helgrind,"))) || (what == "ConflictingAccess" && has(",drd,"));
}

std::optional<FramePattern> frame_pattern(std::string_view line) {
  if (line == "...") return FramePattern{};
  const std::string_view text = line.substr(std::min<size_t>(4, line.size()));
  if (line.starts_with("fun:")) return FramePattern{FramePattern::kFunction, std::string(text), 0};
  if (line.starts_with("obj:")) return FramePattern{FramePattern::kObject, std::string(text), 0};
  if (!line.starts_with("src:")) return std::nullopt;
  FramePattern p{FramePattern::kSource, std::string(text), 0};
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return p;
  const std::string_view digits = text.substr(colon + 1);
  if (std::from_chars(digits.data(), digits.data() + digits.size(), p.line).ptr == digits.data() + digits.size())
    p.text = text.substr(0, colon);
  return p;
}

bool fits(const FramePattern& p, const RaceFrame& f) {
  switch (p.kind) {
    case FramePattern::kFunction:
      return matches_pattern(p.text, f.linkage_name.empty() ? f.function : f.linkage_name) ||
             matches_pattern(p.text, f.function);
    case FramePattern::kObject:
      return matches_pattern(p.text, f.module);
    case FramePattern::kSource: {
      const std::string_view base = symbols::base_name(f.pos.file);
      return (matches_pattern(p.text, base) || matches_pattern(p.text, f.pos.file)) &&
             (p.line == 0 || p.line == f.pos.line);
    }
    case FramePattern::kAny:
      return true;
  }
  return false;
}

bool fits(std::span<const FramePattern> patterns, std::span<const RaceFrame> stack) {
  size_t p = 0, s = 0, after_any = ~size_t{0}, retry = 0;
  while (p < patterns.size()) {
    if (patterns[p].kind == FramePattern::kAny) {
      after_any = ++p;
      retry = s;
    } else if (s < stack.size() && fits(patterns[p], stack[s])) {
      ++p;
      ++s;
    } else if (after_any != ~size_t{0} && retry < stack.size()) {
      p = after_any;
      s = ++retry;
    } else {
      return false;
    }
  }
  return true;
}

std::string generated_line(const RaceFrame& f) {
  const std::string_view name = f.linkage_name.empty() ? f.function : f.linkage_name;
  if (!name.empty()) return fmt::format("   fun:{}\n", suppression_pattern(name));
  return fmt::format("   obj:{}\n", suppression_pattern(f.module));
}

}  // namespace

std::string Suppressions::read(std::string_view text, const std::string& file) {
  Lines lines(text);
  const auto wrong = [&](std::string_view what) { return fmt::format("{}:{}: {}", file, lines.number(), what); };
  while (const auto open = lines.next()) {
    if (*open != "{") return wrong("'{' expected");
    Suppression s;
    s.where = fmt::format("{}:{}", file, lines.number());
    const auto name = lines.next(), kind = name ? lines.next() : std::nullopt;
    if (!kind || *kind == "}") return wrong("a suppression has a name, a kind and stack frames");
    s.name = *name;
    const bool ours = is_ours(*kind);
    for (;;) {
      const auto line = lines.next();
      if (!line) return wrong("'}' expected");
      if (*line == "}") break;
      const auto pattern = frame_pattern(*line);
      if (ours && !pattern) return wrong("a frame is fun:NAME, obj:PATH, src:FILE or ...");
      if (pattern) s.frames.push_back(*pattern);
    }
    if (ours && s.frames.empty()) return wrong("a suppression without stack frames");
    if (ours) all_.push_back(std::move(s));
  }
  return {};
}

bool Suppressions::take(const RaceFinding& f) {
  for (Suppression& s : all_) {
    if (!fits(s.frames, f.first.stack) && !fits(s.frames, f.second.stack)) continue;
    ++s.used;
    return true;
  }
  return false;
}

void write_suppressions(const std::vector<RaceFinding>& findings, Output& out) {
  for (const RaceFinding& f : findings) {
    out.print("{{\n   <race {}: {}>\n   cdrgrind:Race\n", f.id, visible(f.variable));
    for (size_t i = 0; i < std::min(f.second.stack.size(), kMostFrames); ++i)
      out.put(generated_line(f.second.stack[i]));
    out.put("}\n");
  }
}

}  // namespace cdr::report
