// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/style.h"

#include <algorithm>

namespace cdr::report {

std::string_view begin_paint(Paint p, const Style& style) {
  if (!style.color) return "";
  switch (p) {
    case Paint::kRaw:
      return "\033[31m";
    case Paint::kWar:
      return "\033[32m";
    case Paint::kWaw:
      return "\033[34m";
    case Paint::kTitle:
      return "\033[1m";
    case Paint::kDim:
      return "\033[2m";
    case Paint::kNone:
      break;
  }
  return "";
}

std::string_view end_paint(const Style& style) { return style.color ? "\033[0m" : ""; }

std::string painted(std::string_view text, Paint p, const Style& style) {
  const std::string_view begin = begin_paint(p, style);
  if (begin.empty() || text.empty()) return std::string(text);
  return std::string(begin).append(text).append(end_paint(style));
}

std::string section(std::string_view title, const Style& style) {
  const std::string bar(std::min(style.width, 80u), '-');
  return bar + "\n" + painted(std::string("-- ").append(title), Paint::kTitle, style) + "\n" + bar + "\n";
}

size_t columns_of(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string padded_left(std::string_view text, size_t columns) {
  const size_t has = columns_of(text);
  return std::string(has < columns ? columns - has : 0, ' ').append(text);
}

std::string padded_right(std::string_view text, size_t columns) {
  const size_t has = columns_of(text);
  return std::string(text).append(has < columns ? columns - has : 0, ' ');
}

}  // namespace cdr::report
