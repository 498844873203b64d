// SPDX-License-Identifier: GPL-2.0-or-later
//
// Where the Valgrind tool is: the folder that VALGRIND_LIB must name.

#ifndef CDRGRIND_CLI_PLUGIN_DIR_H
#define CDRGRIND_CLI_PLUGIN_DIR_H

#include <string>

namespace cdr {

// Absolute. In the build tree its vglib/; once installed, the folder that has
// the tool: seen from this program as at configure time (the installation may
// have been moved), else the configured place. Empty if the tool is nowhere.
std::string find_plugin_dir();

// The same for a program at `executable` (an absolute path); for tests.
std::string find_plugin_dir(const std::string& executable);

}  // namespace cdr

#endif
