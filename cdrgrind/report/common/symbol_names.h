// SPDX-License-Identifier: GPL-2.0-or-later
// The names of code for analyses, from debug information, each address asked once. What has no name is
// called by its module and the address in the module's file.
#ifndef CDRGRIND_REPORT_COMMON_SYMBOL_NAMES_H
#define CDRGRIND_REPORT_COMMON_SYMBOL_NAMES_H

#include <map>
#include <set>
#include <string>

#include "cdrgrind/analysis/dependence/rows.h"
#include "cdrgrind/base/module_table.h"
#include "cdrgrind/symbols/symbols.h"

namespace cdr::report {

// Tells `symbols` the modules of a trace, and when it was recorded (nanoseconds since the epoch, 0: not known).
void add_modules(const ModuleTable& modules, symbols::Symbols& symbols, uint64_t recorded_ns = 0);

// Both arguments must outlive it. Not thread-safe.
class SymbolNames final : public analysis::CodeNames {
 public:
  SymbolNames(const ModuleTable& modules, symbols::Symbols& symbols) : modules_(modules), symbols_(symbols) {}

  analysis::LineRef line_of(CodeAddr at) override;
  std::string_view function_of(CodeAddr at) override;

  // Where the function begins in the source: its declaration, or its first line of code.
  analysis::LineRef beginning_of(CodeAddr at);
  symbols::Symbols& symbols() { return symbols_; }

 private:
  analysis::LineRef find_line(CodeAddr at);
  std::string_view find_function(CodeAddr at);

  const ModuleTable& modules_;
  symbols::Symbols& symbols_;
  std::map<CodeAddr, analysis::LineRef> lines_;
  std::map<CodeAddr, std::string_view> functions_;
  std::set<std::string> made_up_;
};

}  // namespace cdr::report

#endif
