// SPDX-License-Identifier: GPL-2.0-or-later
// Sources of C and C++ by lines, without comments and literals, each read once.
#ifndef CDRGRIND_REPORT_COMMON_PLAIN_SOURCES_H
#define CDRGRIND_REPORT_COMMON_PLAIN_SOURCES_H

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cdrgrind/report/common/statement_text.h"
#include "cdrgrind/symbols/symbols.h"

namespace cdr::report {

// The argument must outlive it. Not thread-safe.
class PlainSources {
 public:
  explicit PlainSources(symbols::Symbols& symbols) : symbols_(symbols) {}
  // Stay where they are; none if the source is not there.
  std::span<const std::string> of(std::string_view file) {
    const auto [known, is_new] = lines_.try_emplace(std::string(file));
    if (is_new)
      if (const auto source = symbols_.read_source(file)) known->second = plain_lines(source->text);
    return known->second;
  }

 private:
  symbols::Symbols& symbols_;
  std::map<std::string, std::vector<std::string>, std::less<>> lines_;  // by file
};

}  // namespace cdr::report

#endif
