// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/data_names.h"

#include <algorithm>

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
  for (const Module& m : modules) {
    if (m.flags & (kModuleDynamicLinker | kModulePreload)) continue;
    const uint64_t bytes = symbols.thread_local_bytes(m.id.value);
    if (pthread - addr <= bytes) return symbols.tls_variable_at(m.id.value, bytes - (pthread - addr));
    break;
  }
  return std::nullopt;
}

std::string without_insides(const std::string& name) {
  return name.substr(0, std::min(name.find(".__"), name.find("._M_")));
}

}  // namespace cdr::report
