// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/program_scope.h"

#include <fnmatch.h>

#include <algorithm>

#include "cdrgrind/analysis/events/program_modules.h"
#include "cdrgrind/symbols/common/paths.h"

namespace cdr::report {

namespace {

bool matches(const std::string& glob, std::string_view path) {
  const std::string name(symbols::base_name(path)), all(path);
  return fnmatch(glob.c_str(), all.c_str(), 0) == 0 || fnmatch(glob.c_str(), name.c_str(), 0) == 0;
}

}  // namespace

ProgramScope::ProgramScope(const ModuleTable& modules, const std::vector<std::string>& globs)
    : inside_(analysis::program_modules(modules)) {
  for (const Module& m : modules) {
    if ((m.flags & kModuleDynamicLinker) || analysis::is_shim(m)) continue;
    if (std::any_of(globs.begin(), globs.end(), [&](const std::string& g) { return matches(g, m.path); }))
      inside_[m.id.value] = true;
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
