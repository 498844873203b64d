// SPDX-License-Identifier: GPL-2.0-or-later
// Sources of Fortran, each read once.
#ifndef CDRGRIND_REPORT_COMMON_FORTRAN_SOURCES_H
#define CDRGRIND_REPORT_COMMON_FORTRAN_SOURCES_H

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "cdrgrind/report/common/fortran_source.h"
#include "cdrgrind/symbols/symbols.h"

namespace cdr::report {

// The argument must outlive it. Not thread-safe.
class FortranSources {
 public:
  explicit FortranSources(symbols::Symbols& symbols) : symbols_(symbols) {}
  // Stays where it is; null if the source is of another language, or not there.
  const FortranSource* of(std::string_view file) {
    const auto form = fortran_form(file);
    const symbols::SourceFile* const source = form ? symbols_.source(file) : nullptr;
    if (!source) return nullptr;
    const auto [known, is_new] = sources_.try_emplace(std::string(file));
    if (is_new) {
      std::string text;
      for (uint32_t n = 1; n <= source->line_count(); ++n) text += std::string(source->line(n)) + '\n';
      known->second = std::make_unique<FortranSource>(text, *form);
    }
    return known->second.get();
  }

 private:
  symbols::Symbols& symbols_;
  std::map<std::string, std::unique_ptr<FortranSource>, std::less<>> sources_;  // by file
};

}  // namespace cdr::report

#endif
