// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/paths/path_code.h"

#include "cdrgrind/report/common/source_place.h"

namespace cdr::report {

std::vector<NamedInsn> PathCode::instructions(uint32_t block) {
  const Superblock& sb = blocks_.superblock(block);
  std::vector<NamedInsn> insns;
  for (uint32_t i = 0; i < blocks_[block].insns; ++i)
    insns.push_back(name({sb.module, sb.insn_addr(i)}, sb.insns[i].length));
  return insns;
}

NamedInsn PathCode::name(CodeAddr at, unsigned length) {
  symbols::Symbols& symbols = names_.symbols();
  NamedInsn insn{at, names_.line_of(at), names_.function_of(at), symbols.inline_chain(at.module.value, at.addr), {}};
  insn.system = of_the_system(insn.line.file);
  for (const symbols::InlineFrame& f : insn.inlined) insn.system &= of_the_system(f.pos.file);
  if (!insn.inlined.empty()) insn.inlined.pop_back();
  insn.text = disassembler_.text(symbols.code_at(at.module.value, at.addr, length), at.addr);
  return insn;
}

}  // namespace cdr::report
