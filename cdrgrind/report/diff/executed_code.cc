// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/diff/executed_code.h"

#include <algorithm>

#include "cdrgrind/report/common/source_place.h"

namespace cdr::report {
namespace {

// Executions of each instruction.
std::map<CodeAddr, uint64_t> by_instruction(const BlockTable& blocks, const std::vector<uint64_t>& executed,
                                            OwnCode& own) {
  std::map<CodeAddr, uint64_t> all;
  for (uint32_t i = 1; i <= blocks.block_count(); ++i) {
    const Superblock& sb = blocks.superblock_of(BlockId(i));
    if (executed[i] == 0) continue;
    for (uint32_t k = 0; k < blocks.exit_of(BlockId(i)).insns_executed(); ++k)
      if (const CodeAddr at = {sb.module, sb.insn_addr(k)}; own.has(sb, at)) all[at] += executed[i];
  }
  return all;
}

class Counter {
 public:
  Counter(SymbolNames& names, const OwnCode& own, ExecutedCode& to) : names_(names), own_(own), to_(to) {}

  void add(CodeAddr at, uint64_t times) {
    symbols::Symbols& symbols = names_.symbols();
    FunctionKey innermost = add_real(at, times);
    bool first = true;
    for (const symbols::InlineFrame& f : symbols.inline_chain(at.module.value, at.addr)) {
      if (f.inlined && !own_.is_others(f.pos.file)) {
        ExecutedFunction& inlined = to_.functions[key_of(f)];
        inlined.inlined = true;
        if (inlined.line == 0) inlined.line = f.pos.line;
        if (first) innermost = key_of(f);
      }
      first = false;
    }
    const analysis::LineRef line = names_.line_of(at);
    if (line.line == 0) return;
    ExecutedLine& counted = to_.lines[line];
    if (times < counted.times) return;
    counted = {times, innermost.name, innermost.file};
  }

 private:
  FunctionKey add_real(CodeAddr at, uint64_t times) {
    const symbols::FunctionInfo info = names_.symbols().function_of(at.module.value, at.addr);
    const CodeAddr entry = {at.module, info.entry};
    const analysis::LineRef begin = info.known() ? names_.line_of(entry) : analysis::LineRef();
    const FunctionKey key = {names_.function_of(at), begin.line == 0 ? std::string_view() : begin.file};
    ExecutedFunction& f = to_.functions[key];
    if (begin.line != 0) f.line = names_.beginning_of(entry).line;
    f.out_of_line = true;
    f.instructions += times;
    if (info.entry == at.addr) f.calls += times;
    return key;
  }
  // Its own lines, and those of calls in it, stand in its file.
  static FunctionKey key_of(const symbols::InlineFrame& f) { return {f.function, f.pos.file}; }

  SymbolNames& names_;
  const OwnCode& own_;
  ExecutedCode& to_;
};

}  // namespace

OwnCode::OwnCode(const BlockTable& blocks, const CodeScope& scope, SymbolNames& names) : scope_(scope), names_(names) {
  for (uint32_t i = 1; i <= blocks.superblock_count(); ++i) {
    const Superblock& sb = blocks.superblock(SuperblockId(i));
    if (sb.module.value >= has_lines_.size()) has_lines_.resize(sb.module.value + 1);
    if (has_lines_[sb.module.value] || !scope.modules.has(sb.module)) continue;
    has_lines_[sb.module.value] = names.line_of({sb.module, sb.addr}).line != 0;
  }
}

bool OwnCode::has(CodeAddr at) {
  if (!scope_.modules.has(at.module)) return false;
  if (scope_.all) return true;
  const analysis::LineRef line = names_.line_of(at);
  const bool lines = at.module.value < has_lines_.size() && has_lines_[at.module.value];
  return line.line == 0 ? !lines : !of_the_system(line.file);
}

bool OwnCode::has(const Superblock& sb, CodeAddr at) {
  if (sb.flags & kBlockShim) return false;
  return (scope_.all || !(sb.flags & kBlockPlt)) && has(at);
}

bool OwnCode::is_others(std::string_view file) const { return !scope_.all && of_the_system(file); }

ExecutedCode executed_code(const BlockTable& blocks, const std::vector<uint64_t>& executed, OwnCode& own,
                           SymbolNames& names) {
  ExecutedCode code;
  Counter counter(names, own, code);
  for (const auto& [at, times] : by_instruction(blocks, executed, own)) counter.add(at, times);
  return code;
}

}  // namespace cdr::report
