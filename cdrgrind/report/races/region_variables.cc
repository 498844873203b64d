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

// The innermost block's that has its place there.
std::optional<RegionVariable> region_variable(const races::RaceAccess& a, symbols::Symbols& symbols) {
  if (!a.region_data || a.addr < a.region_data) return std::nullopt;
  const symbols::FunctionInfo info = symbols.function_of(a.ip.module.value, a.ip.addr);
  if (info.entry == 0) return std::nullopt;
  const auto offset = static_cast<int64_t>(a.addr - a.region_data);
  const std::vector<LocalName> locals = symbols.locals_of(a.ip.module.value, info.entry);
  const LocalName* best = nullptr;
  for (const LocalName& n : locals) {
    if (n.reg != LocalName::kBehindData || a.ip.addr < n.scope.begin || a.ip.addr >= n.scope.end) continue;
    if (offset < n.offset || offset >= n.offset + static_cast<int64_t>(std::max<uint64_t>(n.size, 1))) continue;
    if (!best || n.scope.end - n.scope.begin < best->scope.end - best->scope.begin) best = &n;
  }
  if (!best) return std::nullopt;
  return RegionVariable{std::string(best->name), std::string(source_function(info.name))};
}

}  // namespace cdr::report
