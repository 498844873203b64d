// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/data_names.h"

#include <capstone/capstone.h>

#include <algorithm>

#include "cdrgrind/analysis/common/capstone_decoder.h"
#include "cdrgrind/analysis/events/program_modules.h"

namespace cdr::report {

std::optional<symbols::DataName> static_data_at(uint64_t addr, symbols::Symbols& symbols) {
  for (const symbols::ModuleSerial m : symbols.modules_at(addr))
    if (auto name = symbols.variable_at(m, addr)) return name;
  return std::nullopt;
}

// These variables stand right before the control block, those of the program itself nearest to it.
std::optional<symbols::DataName> thread_local_data_at(uint64_t addr, uint64_t pthread, const ModuleTable& modules,
                                                      symbols::Symbols& symbols) {
  if (pthread == 0 || addr >= pthread) return std::nullopt;
  const Module* const m = analysis::executable_of(modules);
  if (!m) return std::nullopt;
  const uint64_t bytes = symbols.thread_local_bytes(m->id.value);
  if (pthread - addr > bytes) return std::nullopt;
  return symbols.tls_variable_at(m->id.value, bytes - (pthread - addr));
}

std::optional<symbols::DataName> thread_local_data_of(CodeAddr insn, const ModuleTable& modules,
                                                      symbols::Symbols& symbols) {
  const Module* const program = analysis::executable_of(modules);
  if (!program || insn.module != program->id) return std::nullopt;
  analysis::CapstoneDecoder decoder(analysis::CapstoneDecoder::Details::kYes);
  const cs_insn* const decoded = decoder.decode_from(
      [&](uint32_t size) { return symbols.code_at(insn.module.value, insn.addr, size); }, insn.addr);
  if (!decoded) return std::nullopt;
  const cs_x86& x = decoded->detail->x86;
  for (uint8_t i = 0; i < x.op_count; ++i) {
    const cs_x86_op& op = x.operands[i];
    if (op.type != X86_OP_MEM || op.mem.segment != X86_REG_FS || op.mem.base != X86_REG_INVALID ||
        op.mem.index != X86_REG_INVALID || op.mem.disp >= 0)
      continue;
    const uint64_t bytes = symbols.thread_local_bytes(program->id.value);
    const auto below = static_cast<uint64_t>(-op.mem.disp);
    if (below <= bytes) return symbols.tls_variable_at(program->id.value, bytes - below);
  }
  return std::nullopt;
}

std::string without_insides(const std::string& name) {
  return name.substr(0, std::min(name.find(".__"), name.find("._M_")));
}

}  // namespace cdr::report
