// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/symbol_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "cdrgrind/report/common/binaries.h"
#include "cdrgrind/symbols/common/paths.h"

namespace cdr::report {

using analysis::LineRef;

namespace {

// What the recorder has in place of a function of the C library is called as that is (preload/exact_access.h).
std::string_view without_exact(std::string_view name) {
  constexpr std::string_view kExact = "cdr_exact_";
  return name.starts_with(kExact) ? name.substr(kExact.size()) : name;
}

}  // namespace

void add_modules(const ModuleTable& modules, symbols::Symbols& symbols, uint64_t recorded_ns) {
  for (const Module& m : modules) {
    symbols::Module module;
    module.serial = m.id.value;
    module.path = m.path;
    module.text_begin = m.text.begin;
    module.text_size = m.text.size();
    module.bias = m.bias;
    module.recorded_at = static_cast<int64_t>(recorded_ns / 1'000'000'000);
    module.is_recorders = symbols::base_name(m.path).starts_with("vgpreload_");
    module.file_bytes = m.file_bytes;
    module.build_id = build_id_of(m);
    module.checksum = checksum_of(m);
    symbols.add_module(module);
  }
}

LineRef SymbolNames::line_of(CodeAddr at) {
  const auto [entry, is_new] = lines_.try_emplace(at);
  if (is_new) entry->second = find_line(at);
  return entry->second;
}

std::string_view SymbolNames::function_of(CodeAddr at) {
  const auto [entry, is_new] = functions_.try_emplace(at);
  if (is_new) entry->second = find_function(at);
  return entry->second;
}

LineRef SymbolNames::find_line(CodeAddr at) {
  if (!modules_.has(at.module)) return {};
  const symbols::SourcePos pos = symbols_.line_of(at.module.value, at.addr);
  if (pos.known()) return {pos.file, pos.line};
  return {modules_[at.module].path, 0};
}

std::string_view SymbolNames::find_function(CodeAddr at) {
  if (at == CodeAddr()) return "(nothing executed)";
  if (!modules_.has(at.module)) return *made_up_.insert(fmt::format("{:#x}", at.addr)).first;
  const symbols::FunctionInfo info = symbols_.function_of(at.module.value, at.addr);
  const Module& m = modules_[at.module];
  if (info.known()) return m.flags & kModulePreload ? without_exact(info.name) : info.name;
  const std::string_view file = symbols::base_name(m.path);
  return *made_up_.insert(fmt::format("{}+{:#x}", file, at.addr - m.bias)).first;
}

LineRef SymbolNames::beginning_of(CodeAddr at) {
  const LineRef code = line_of(at);
  if (!modules_.has(at.module) || code.line == 0) return code;
  const symbols::SourcePos decl = symbols_.function_of(at.module.value, at.addr).decl;
  if (!decl.known()) return code;
  return {decl.file, decl.file == code.file ? std::min(decl.line, code.line) : decl.line};
}

}  // namespace cdr::report
