// SPDX-License-Identifier: GPL-2.0-or-later
// Which modules are the program: the executable, wherever it lies, and what does not lie in the system's folders of
// libraries.
#ifndef CDRGRIND_ANALYSIS_EVENTS_PROGRAM_MODULES_H
#define CDRGRIND_ANALYSIS_EVENTS_PROGRAM_MODULES_H

#include <string_view>
#include <vector>

#include "cdrgrind/base/module_table.h"

namespace cdr::analysis {

// Whether only recording brought the module into the program: it is one of Valgrind's own, or our wrappers.
bool is_shim(const Module& m);
// Below /lib, /usr/lib, their likes for other word sizes (lib32, lib64, libx32), or /usr/libexec.
bool in_system_library_folder(std::string_view path);
// It is mapped first. Null: nothing but the dynamic linker is.
const Module* executable_of(const ModuleTable& modules);
// By module. Neither the dynamic linker nor what only recording brought is the program's.
std::vector<bool> program_modules(const ModuleTable& modules);

}  // namespace cdr::analysis

#endif
