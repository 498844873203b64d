// SPDX-License-Identifier: GPL-2.0-or-later
// The instructions of a path, named: function, line, what was inlined into what, disassembly.
#ifndef CDRGRIND_REPORT_PATHS_PATH_CODE_H
#define CDRGRIND_REPORT_PATHS_PATH_CODE_H

#include <string>
#include <vector>

#include "cdrgrind/analysis/paths/basic_blocks.h"
#include "cdrgrind/report/common/disassembler.h"
#include "cdrgrind/report/common/symbol_names.h"

namespace cdr::report {

struct NamedInsn {
  CodeAddr at;
  analysis::LineRef line;                     // the innermost
  std::string_view function;                  // the real one
  std::vector<symbols::InlineFrame> inlined;  // innermost first, without the real function
  std::string text;                           // disassembly, or empty
  bool system = false;                        // all of these stand in headers that came with the system
};

// Not thread-safe.
class PathCode {
 public:
  PathCode(const paths::BasicBlocks& blocks, SymbolNames& names) : blocks_(blocks), names_(names) {}

  // Of a basic block.
  std::vector<NamedInsn> instructions(uint32_t block);

 private:
  NamedInsn name(CodeAddr at, unsigned length);

  const paths::BasicBlocks& blocks_;
  SymbolNames& names_;
  Disassembler disassembler_;
};

}  // namespace cdr::report

#endif
