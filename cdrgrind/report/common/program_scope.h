// SPDX-License-Identifier: GPL-2.0-or-later
// Which modules are the program: the executable, wherever it lies, and what does not lie in the system's folders of
// libraries. For reports that speak of the program and leave out, and count, what is others' (--scope).
#ifndef CDRGRIND_REPORT_COMMON_PROGRAM_SCOPE_H
#define CDRGRIND_REPORT_COMMON_PROGRAM_SCOPE_H

#include <string>
#include <string_view>
#include <vector>

#include "cdrgrind/base/module_table.h"

namespace cdr::report {

class ProgramScope {
 public:
  // `globs`: shell patterns of paths, or of names of files, that are the program's, too.
  ProgramScope(const ModuleTable& modules, const std::vector<std::string>& globs);

  // Code in no module is made by the program while it runs.
  bool has(ModuleId m) const { return !m || m.value >= inside_.size() || inside_[m.value]; }
  // By module: what is not the program's.
  std::vector<bool> libraries() const;
  bool has_any(const std::vector<CodeAddr>& stack) const;

 private:
  std::vector<bool> inside_;  // by module
};

}  // namespace cdr::report

#endif
