// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/races/region_variables.h"

#include <algorithm>
#include <vector>

namespace cdr::report {

using symbols::LocalName;

std::string_view source_function(std::string_view name) {
  name = name.substr(0, name.find("._omp_fn."));
  const size_t within = name.rfind("::");
  const bool repeated = within != std::string_view::npos && name.substr(0, within).ends_with(name.substr(within + 2));
  return repeated ? name.substr(0, within) : name;
}

namespace {

// What the region's function has got at that offset. The innermost block's that has its place there; `at`: in which the
// access stands, 0 if it is in another function.
std::optional<RegionVariable> variable_of(symbols::ModuleSerial module, uint64_t function, uint64_t at, int64_t offset,
                                          symbols::Symbols& symbols) {
  const symbols::FunctionInfo info = symbols.function_of(module, function);
  if (info.entry == 0) return std::nullopt;
  const std::vector<LocalName> locals = symbols.locals_of(module, info.entry);
  const LocalName* best = nullptr;
  for (const LocalName& n : locals) {
    if (n.reg != LocalName::kBehindData || (at && (at < n.scope.begin || at >= n.scope.end))) continue;
    if (offset < n.offset || offset >= n.offset + static_cast<int64_t>(std::max<uint64_t>(n.size, 1))) continue;
    if (!best || n.scope.end - n.scope.begin < best->scope.end - best->scope.begin) best = &n;
  }
  if (!best) return std::nullopt;
  return RegionVariable{std::string(best->name), std::string(source_function(info.name))};
}

}  // namespace

// A task's own data first; then what its region has.
std::optional<RegionVariable> region_variable(const races::RaceAccess& a, symbols::Symbols& symbols) {
  const auto offset = [&](uint64_t data) { return static_cast<int64_t>(a.addr - data); };
  if (a.region_data && a.addr >= a.region_data)
    if (auto own = variable_of(a.ip.module.value, a.ip.addr, a.ip.addr, offset(a.region_data), symbols)) return own;
  if (!a.team_data || a.addr < a.team_data) return std::nullopt;
  return region_variable(a.team_function, offset(a.team_data), symbols);
}

std::optional<RegionVariable> region_variable(uint64_t function, int64_t offset, symbols::Symbols& symbols) {
  for (const symbols::ModuleSerial m : symbols.modules().with_text_at(function))
    if (auto region = variable_of(m, function, 0, offset, symbols)) return region;
  return std::nullopt;
}

}  // namespace cdr::report
