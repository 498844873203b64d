// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/export/code_cells.h"

#include <map>

#include "cdrgrind/report/export/table_writer.h"

namespace cdr::report {

// Module by module: what was read of one is freed before the next is read.
void CodeCells::load(const std::function<std::vector<uint32_t>(const Superblock&)>& insns) {
  std::map<ModuleId, std::vector<SuperblockId>> by_module;
  for (uint32_t i = 1; i <= blocks_.superblock_count(); ++i)
    by_module[blocks_.superblock(SuperblockId(i)).module].emplace_back(i);
  for (const auto& [module, superblocks] : by_module) {
    for (const SuperblockId id : superblocks)
      for (const uint32_t insn : insns(blocks_.superblock(id))) of(id, insn);
    names_.symbols().forget_tables(module.value);
  }
}

const std::string& CodeCells::of(SuperblockId id, uint32_t insn) {
  if (id.value >= known_.size()) known_.resize(id.value + 1);
  std::vector<const std::string*>& of_block = known_[id.value];
  const Superblock& sb = blocks_.superblock(id);
  if (of_block.empty()) of_block.resize(sb.insns.size());
  const std::string*& known = of_block[insn];
  if (!known) {
    const CodeAddr at = {sb.module, sb.insn_addr(insn)};
    known = &*texts_.insert(of(names_.function_of(at), names_.line_of(at))).first;
  }
  return *known;
}

// Of code without lines the file is its module.
std::string CodeCells::of(std::string_view function, analysis::LineRef line) {
  std::string cells = TableWriter::csv_text(function) + ',' + TableWriter::csv_text(line.file) + ',';
  if (line.line != 0) cells += std::to_string(line.line);
  return cells;
}

}  // namespace cdr::report
