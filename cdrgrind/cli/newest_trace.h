// SPDX-License-Identifier: GPL-2.0-or-later
// The trace that is meant where none is named: the newest in this folder.
#ifndef CDRGRIND_CLI_NEWEST_TRACE_H
#define CDRGRIND_CLI_NEWEST_TRACE_H

#include <string>

namespace cdr::cli {

// Whether it is a file that begins as a trace does.
bool is_trace(const std::string& path);

// `named`, if it is not empty. Else the regular file of this folder that was written last and begins as a trace does:
// its name is said on standard error. Throws with status 2 if there is none.
std::string trace_or_newest(const std::string& named);

}  // namespace cdr::cli

#endif
