// SPDX-License-Identifier: GPL-2.0-or-later
// Counted loops of the source, in C and Fortran, that nothing but their heads ends: no statement within leaves them.
#ifndef CDRGRIND_REPORT_ADVISE_ONLY_ENDS_H
#define CDRGRIND_REPORT_ADVISE_ONLY_ENDS_H

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "cdrgrind/base/block_table.h"
#include "cdrgrind/report/common/fortran_sources.h"
#include "cdrgrind/report/common/plain_sources.h"
#include "cdrgrind/symbols/symbols.h"

namespace cdr::report {

// C's counted loop that begins in the line, if it is such a one: its last line. Else 0. Lines as of Statement
// (statement_text.h).
uint32_t end_of_closed_for(std::span<const std::string> lines, uint32_t line);
// The same of Fortran's.
uint32_t end_of_closed_do(const FortranSource& source, uint32_t line);

// The arguments must outlive it. Not thread-safe.
class OnlyEnds {
 public:
  OnlyEnds(symbols::Symbols& symbols, PlainSources& plain) : symbols_(symbols), plain_(plain), fortran_(symbols) {}
  // Whether the branch stands in the head's line of such a loop, in whose lines all of the body does.
  bool has(ModuleId module, std::span<const uint64_t> body, uint64_t branch);

 private:
  uint32_t end_of(const std::string& file, uint32_t line);

  symbols::Symbols& symbols_;
  PlainSources& plain_;
  FortranSources fortran_;
  std::map<std::pair<std::string, uint32_t>, uint32_t> ends_;  // by file and line
};

}  // namespace cdr::report

#endif
