// SPDX-License-Identifier: GPL-2.0-or-later
// How text reports look: width, colours, characters. Colours are by kind of dependence, as in the legend.
#ifndef CDRGRIND_REPORT_COMMON_STYLE_H
#define CDRGRIND_REPORT_COMMON_STYLE_H

#include <cstdint>
#include <string>
#include <string_view>

namespace cdr::report {

struct Style {
  unsigned width = 80;
  bool color = false;
  bool utf8 = false;
};

enum class Paint : uint8_t { kNone, kRaw, kWar, kWaw, kTitle, kDim };

inline Paint paint_of_kind(uint8_t kind) { return static_cast<Paint>(static_cast<uint8_t>(Paint::kRaw) + kind); }

// The sequence that begins a paint, or ends all; empty without colours.
std::string_view begin_paint(Paint p, const Style& style);
std::string_view end_paint(const Style& style);
std::string painted(std::string_view text, Paint p, const Style& style);

// A dashed bar as wide as the output, and below it a title (cg_annotate's sections).
std::string section(std::string_view title, const Style& style);

// Columns that a UTF-8 text takes, one per code point.
size_t columns_of(std::string_view text);
std::string padded_left(std::string_view text, size_t columns);   // text at the right
std::string padded_right(std::string_view text, size_t columns);  // text at the left

}  // namespace cdr::report

#endif
