// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/races/local_data.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace cdr::report {

namespace {

using symbols::LocalName;

bool holds(const symbols::DataRange& range, uint64_t addr) { return range.begin <= addr && addr < range.end; }

// gcc names what it makes of a region of main `main._omp_fn.0`, a function within main.
std::string source_function(std::string_view name) {
  name = name.substr(0, name.find("._omp_fn."));
  const size_t within = name.rfind("::");
  const bool repeated = within != std::string_view::npos && name.substr(0, within).ends_with(name.substr(within + 2));
  return std::string(repeated ? name.substr(0, within) : name);
}

// The innermost block's that has its place there; `at` is where the function stands.
LocalData find(CodeAddr function, CodeAddr at, uint8_t place, int64_t offset, symbols::Symbols& symbols) {
  const symbols::FunctionInfo info = symbols.function_of(function.module.value, function.addr);
  if (info.entry == 0) return {};
  const std::vector<LocalName> locals = symbols.locals_of(function.module.value, info.entry);
  const LocalName* best = nullptr;
  for (const LocalName& n : locals) {
    if (n.reg != place || !holds(n.scope, at.addr)) continue;
    if (place == LocalName::kInFrame && !holds(n.code, at.addr)) continue;
    if (offset < n.offset || offset >= n.offset + static_cast<int64_t>(std::max<uint64_t>(n.size, 1))) continue;
    if (!best || n.scope.end - n.scope.begin < best->scope.end - best->scope.begin) best = &n;
  }
  return best ? LocalData{std::string(best->name), source_function(info.name), best->decl_line} : LocalData();
}

}  // namespace

LocalData local_data_of(const races::RaceAccess& a, symbols::Symbols& symbols) {
  if (a.region_data && a.addr >= a.region_data) {
    const auto offset = static_cast<int64_t>(a.addr - a.region_data);
    LocalData shared = find(a.ip, a.ip, LocalName::kBehindData, offset, symbols);
    if (!shared.name.empty()) return shared;
  }
  if (a.frame.function == CodeAddr()) return {};
  return find(a.frame.function, a.frame.at, LocalName::kInFrame, a.frame.from_base, symbols);
}

}  // namespace cdr::report
