// SPDX-License-Identifier: GPL-2.0-or-later
// What of a program was executed, and how often: by functions, inlined ones too, and by lines.
#ifndef CDRGRIND_REPORT_DIFF_EXECUTED_CODE_H
#define CDRGRIND_REPORT_DIFF_EXECUTED_CODE_H

#include <compare>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "cdrgrind/base/block_table.h"
#include "cdrgrind/report/common/program_scope.h"
#include "cdrgrind/report/common/symbol_names.h"

namespace cdr::report {

struct FunctionKey {
  std::string_view name;
  std::string_view file;  // that its code is from; without debug information empty
  auto operator<=>(const FunctionKey&) const = default;
};

struct ExecutedFunction {
  uint32_t line = 0;          // where it begins; of one that was only inlined any
  uint64_t calls = 0;         // of its own code: how often its first instruction was executed
  uint64_t instructions = 0;  // of its own code, without callees
  bool out_of_line = false;   // it has code of its own that was executed
  bool inlined = false;       // it was executed inlined in others
};

struct ExecutedLine {
  uint64_t times = 0;         // how often that of its instructions was executed that was executed most
  std::string_view function;  // innermost, maybe inlined
  std::string_view function_file;
};

struct ExecutedCode {
  std::map<FunctionKey, ExecutedFunction> functions;
  std::map<analysis::LineRef, ExecutedLine> lines;  // those that are known
};

// Whose code is looked at.
struct CodeScope {
  const ProgramScope& modules;
  bool all = false;  // of these modules all: system headers, stubs, what the compiler adds and has no lines for, too
};

// Whether the code is the program's own. Of modules without any lines all is.
class OwnCode {
 public:
  OwnCode(const BlockTable& blocks, const CodeScope& scope, SymbolNames& names);
  bool has(const Superblock& sb, CodeAddr at);
  bool has(CodeAddr at);
  bool is_others(std::string_view file) const;

 private:
  const CodeScope scope_;
  SymbolNames& names_;
  std::vector<bool> has_lines_;  // by module
};

// `executed`: how often, by block. Texts point into the symbols of `names`.
ExecutedCode executed_code(const BlockTable& blocks, const std::vector<uint64_t>& executed, OwnCode& own,
                           SymbolNames& names);

}  // namespace cdr::report

#endif
