// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/files/module_map.h"

#include <utility>

namespace cdr::symbols {

void ModuleMap::add(Module module) {
  const ModuleSerial serial = module.serial;
  modules_.insert_or_assign(serial, std::move(module));
}

const Module* ModuleMap::find(ModuleSerial serial) const {
  auto found = modules_.find(serial);
  return found == modules_.end() ? nullptr : &found->second;
}

std::optional<std::uint64_t> ModuleMap::file_address(ModuleSerial serial, std::uint64_t runtime) const {
  const Module* module = find(serial);
  if (!module) return std::nullopt;
  return module->file_address(runtime);
}

std::vector<ModuleSerial> ModuleMap::with_text_at(std::uint64_t runtime) const {
  std::vector<ModuleSerial> found;
  for (auto module = modules_.rbegin(); module != modules_.rend(); ++module) {
    const Module& m = module->second;
    if (runtime - m.text_begin < m.text_size) found.push_back(m.serial);
  }
  return found;
}

}  // namespace cdr::symbols
