// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/diff/path_marks.h"

#include <fmt/format.h>

#include "cdrgrind/base/checksum.h"

namespace cdr::report {
namespace {

uint64_t mark_of(const std::string& text) {
  return checksum64({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

// The function that the superblock enters, if that counts.
std::string_view entered(const Superblock& sb, const CallMarks& with) {
  if (!(sb.flags & kBlockFunctionEntry)) return {};
  const std::string_view name = with.names.function_of({sb.module, sb.addr});
  return with.inlined.contains(name) ? std::string_view() : name;
}

// A line that has no counterpart is any such line.
std::string call_text(CodeAddr at, const CallMarks& with) {
  analysis::LineRef line = with.names.line_of(at);
  const std::string_view function = with.names.function_of(at);
  if (line.line == 0) return fmt::format("call {}", function);
  if (with.old_run)
    line = with.match.of(line);
  else if (!with.match.was_there(line))
    line.line = 0;
  return fmt::format("call {} {} {}", function, line.file, line.line);
}

}  // namespace

diff::BlockMarks marks_of_calls(const BlockTable& blocks, const CallMarks& with) {
  diff::BlockMarks marks(blocks.block_count());
  for (uint32_t i = 1; i <= blocks.block_count(); ++i) {
    const BlockId id(i);
    const Superblock& sb = blocks.superblock_of(id);
    if (!with.own.has(sb, {sb.module, sb.addr})) continue;
    if (const std::string_view name = entered(sb, with); !name.empty())
      marks.add(id, mark_of(fmt::format("enter {}", name)));
    if (with.lines && is_call(blocks.exit_of(id).kind))
      marks.add(id, mark_of(call_text({sb.module, exit_addr(sb, blocks.exit_of(id))}, with)));
  }
  return marks;
}

bool enters(const BlockTable& blocks, BlockId id, uint32_t mark, const CallMarks& with) {
  return mark == 0 && !entered(blocks.superblock_of(id), with).empty();
}

void add_inlined(const ExecutedCode& code, std::set<std::string_view>& to) {
  for (const auto& [key, f] : code.functions)
    if (f.inlined) to.insert(key.name);
}

}  // namespace cdr::report
