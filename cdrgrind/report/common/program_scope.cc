// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/program_scope.h"

#include <fnmatch.h>

#include <algorithm>

#include "cdrgrind/analysis/events/call_stacks.h"
#include "cdrgrind/symbols/common/paths.h"

namespace cdr::report {

namespace {

bool matches(const std::string& glob, std::string_view path) {
  const std::string name(symbols::base_name(path)), all(path);
  return fnmatch(glob.c_str(), all.c_str(), 0) == 0 || fnmatch(glob.c_str(), name.c_str(), 0) == 0;
}

}  // namespace

bool in_system_library_folder(std::string_view path) {
  const bool in_usr = path.starts_with("/usr/");
  path.remove_prefix(in_usr ? 5 : std::min<size_t>(1, path.size()));
  const size_t slash = path.find('/');
  const std::string_view folder = path.substr(0, slash);
  if (slash == std::string_view::npos) return false;
  if (in_usr && folder == "libexec") return true;
  return folder == "lib" || folder == "lib32" || folder == "lib64" || folder == "libx32";
}

// The executable is mapped first.
ProgramScope::ProgramScope(const ModuleTable& modules, const std::vector<std::string>& globs)
    : inside_(modules.size() + 1) {
  std::string_view executable;
  for (const Module& m : modules) {
    if ((m.flags & kModuleDynamicLinker) || analysis::is_shim(m)) continue;
    if (executable.empty()) executable = m.path;
    inside_[m.id.value] =
        m.path == executable || !in_system_library_folder(m.path) ||
        std::any_of(globs.begin(), globs.end(), [&](const std::string& g) { return matches(g, m.path); });
  }
}

std::vector<bool> ProgramScope::libraries() const {
  std::vector<bool> outside = inside_;
  outside.flip();
  outside[0] = false;
  return outside;
}

bool ProgramScope::has_any(const std::vector<CodeAddr>& stack) const {
  return std::any_of(stack.begin(), stack.end(), [&](CodeAddr at) { return has(at.module); });
}

}  // namespace cdr::report
