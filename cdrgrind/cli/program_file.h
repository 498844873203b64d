// SPDX-License-Identifier: GPL-2.0-or-later
// The program to be recorded, looked at before Valgrind is started: found as the shell would find it, and
// of a kind that can be recorded. What Valgrind itself refuses with a good message is left to it.
#ifndef CDRGRIND_CLI_PROGRAM_FILE_H
#define CDRGRIND_CLI_PROGRAM_FILE_H

#include <string>

namespace cdr::cli {

// The first executable file `name` in PATH, or `name` itself if it has a slash. Throws with status 127 if
// there is none, 126 if it cannot be executed.
std::string find_program(const std::string& name);

// Throws with status 3 if the file, or the interpreter of a script, is a program that cannot be recorded.
void check_recordable(const std::string& path);

}  // namespace cdr::cli

#endif
