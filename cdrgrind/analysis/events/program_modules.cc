// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/events/program_modules.h"

#include <algorithm>

namespace cdr::analysis {
namespace {

bool is_of_recording_or_linker(const Module& m) { return (m.flags & kModuleDynamicLinker) || is_shim(m); }

}  // namespace

bool is_shim(const Module& m) {
  return (m.flags & kModulePreload) || m.path.find("/vgpreload_") != std::string_view::npos;
}

bool in_system_library_folder(std::string_view path) {
  const bool in_usr = path.starts_with("/usr/");
  path.remove_prefix(in_usr ? 5 : std::min<size_t>(1, path.size()));
  const size_t slash = path.find('/');
  const std::string_view folder = path.substr(0, slash);
  if (slash == std::string_view::npos) return false;
  if (in_usr && folder == "libexec") return true;
  return folder == "lib" || folder == "lib32" || folder == "lib64" || folder == "libx32";
}

const Module* executable_of(const ModuleTable& modules) {
  for (const Module& m : modules)
    if (!is_of_recording_or_linker(m)) return &m;
  return nullptr;
}

// The executable may be mapped again, as a module of its own.
std::vector<bool> program_modules(const ModuleTable& modules) {
  std::vector<bool> inside(modules.size() + 1);
  const Module* const executable = executable_of(modules);
  for (const Module& m : modules)
    inside[m.id.value] =
        !is_of_recording_or_linker(m) && (m.path == executable->path || !in_system_library_folder(m.path));
  return inside;
}

}  // namespace cdr::analysis
