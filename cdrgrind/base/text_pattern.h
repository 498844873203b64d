// SPDX-License-Identifier: GPL-2.0-or-later
// Text against patterns as Valgrind has them: '*' stands for any characters, '?' for one, nothing is escaped; all of
// the text must match.
#ifndef CDRGRIND_BASE_TEXT_PATTERN_H
#define CDRGRIND_BASE_TEXT_PATTERN_H

#include <string_view>

namespace cdr {

// Of a text that ends with a 0.
struct TextEnd {
  friend constexpr bool operator==(const char* at, TextEnd) { return *at == '\0'; }
};

template <class PatternEnd, class End>
constexpr bool matches_pattern(const char* pattern, PatternEnd pattern_end, const char* text, End end) {
  const char* star = nullptr;  // behind the last one, and where what it stands for ends
  const char* retry = nullptr;
  while (text != end) {
    if (pattern != pattern_end && *pattern == '*') {
      star = ++pattern;
      retry = text;
    } else if (pattern != pattern_end && (*pattern == '?' || *pattern == *text)) {
      ++pattern;
      ++text;
    } else if (star) {
      pattern = star;
      text = ++retry;
    } else {
      return false;
    }
  }
  while (pattern != pattern_end && *pattern == '*') ++pattern;
  return pattern == pattern_end;
}

constexpr bool matches_pattern(std::string_view pattern, std::string_view text) {
  return matches_pattern(pattern.data(), pattern.data() + pattern.size(), text.data(), text.data() + text.size());
}

}  // namespace cdr

#endif
