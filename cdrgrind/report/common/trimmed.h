// SPDX-License-Identifier: GPL-2.0-or-later
// A text without the blanks around it.
#ifndef CDRGRIND_REPORT_COMMON_TRIMMED_H
#define CDRGRIND_REPORT_COMMON_TRIMMED_H

#include <string_view>

namespace cdr::report {

constexpr std::string_view trimmed(std::string_view s) {
  constexpr std::string_view blanks = " \t\n\v\f\r";
  const size_t first = s.find_first_not_of(blanks);
  return first == s.npos ? std::string_view() : s.substr(first, s.find_last_not_of(blanks) + 1 - first);
}

}  // namespace cdr::report

#endif
