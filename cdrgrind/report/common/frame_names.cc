// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/frame_names.h"

#include <algorithm>
#include <vector>

namespace cdr::report {

using symbols::LocalName;

namespace {

bool lies_in(const symbols::DataRange& range, uint64_t addr) { return range.begin <= addr && addr < range.end; }

// From where the local variable lies on; nothing if that is told by a register that is not known.
std::optional<int64_t> from_local(const LocalName& n, const analysis::FramePlace& p) {
  if (n.reg == LocalName::kInFrame) return p.from_base - n.offset;
  if (n.reg == LocalName::kByStackPointer && p.from_stack_pointer) return *p.from_stack_pointer - n.offset;
  return std::nullopt;
}

// The innermost block's that has its place there.
const LocalName* local_at(const std::vector<LocalName>& locals, const analysis::FramePlace& p) {
  const LocalName* best = nullptr;
  for (const LocalName& n : locals) {
    if (!lies_in(n.code, p.at.addr) || !lies_in(n.scope, p.at.addr)) continue;
    const auto from = from_local(n, p);
    if (!from || *from < 0 || *from >= static_cast<int64_t>(std::max<uint64_t>(n.size, 1))) continue;
    if (!best || n.scope.end - n.scope.begin < best->scope.end - best->scope.begin) best = &n;
  }
  return best;
}

}  // namespace

std::optional<FrameName> frame_name(const analysis::FramePlace& place, symbols::Symbols& symbols) {
  const symbols::ModuleSerial module = place.function.module.value;
  const symbols::FunctionInfo function = symbols.function_of(module, place.function.addr);
  if (function.entry == 0) return std::nullopt;
  const std::vector<LocalName> locals = symbols.locals_of(module, function.entry);
  const LocalName* const n = local_at(locals, place);
  if (!n) return std::nullopt;
  const int64_t from = *from_local(*n, place);
  const symbols::TypePart part = symbols.type_part(module, n->type, static_cast<uint64_t>(from));
  const std::string variable(n->name);
  return FrameName{variable, variable + part.path, variable + part.pattern, function.name, place.from_base - from};
}

}  // namespace cdr::report
