// SPDX-License-Identifier: GPL-2.0-or-later
// Where code is in the source, as cells of a table: function, file and line. One text for each place.
#ifndef CDRGRIND_REPORT_EXPORT_CODE_CELLS_H
#define CDRGRIND_REPORT_EXPORT_CODE_CELLS_H

#include <functional>
#include <string>
#include <unordered_set>
#include <vector>

#include "cdrgrind/base/block_table.h"
#include "cdrgrind/report/common/symbol_names.h"

namespace cdr::report {

class CodeCells {
 public:
  CodeCells(const BlockTable& blocks, SymbolNames& names) : blocks_(blocks), names_(names) {}

  // Looks up these instructions of all superblocks, `of(superblock)`, while memory is not taken by other things; then
  // debug information is not needed any more.
  void load(const std::function<std::vector<uint32_t>(const Superblock&)>& of);
  // Of an instruction of a superblock; each is looked up once.
  const std::string& of(SuperblockId id, uint32_t insn);
  static std::string of(std::string_view function, analysis::LineRef line);
  static constexpr const char* kNone = ",,";

 private:
  const BlockTable& blocks_;
  SymbolNames& names_;
  std::vector<std::vector<const std::string*>> known_;  // by superblock and instruction
  std::unordered_set<std::string> texts_;
};

}  // namespace cdr::report

#endif
