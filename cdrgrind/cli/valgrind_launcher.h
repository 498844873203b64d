// SPDX-License-Identifier: GPL-2.0-or-later
// The Valgrind that records: `valgrind` of PATH, else the one of the build. Debian's /usr/bin/valgrind is a
// shell script that changes the client's environment; valgrind.bin beside it is the program.
#ifndef CDRGRIND_CLI_VALGRIND_LAUNCHER_H
#define CDRGRIND_CLI_VALGRIND_LAUNCHER_H

#include <string>

namespace cdr::cli {

// Its path. Throws with status 3 if there is none, or one of another version than the tool's.
std::string find_valgrind();

// The program beside a launcher's script, or the launcher itself.
std::string program_beside(const std::string& launcher);

// What `launcher --version` says without "valgrind-"; empty if it says nothing.
std::string version_of_valgrind(const std::string& launcher);

}  // namespace cdr::cli

#endif
