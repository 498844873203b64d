// SPDX-License-Identifier: GPL-2.0-or-later
// What a command throws becomes a message on standard error and a status: for the programs' main.
#ifndef CDRGRIND_CLI_COMPLAINT_H
#define CDRGRIND_CLI_COMPLAINT_H

#include <functional>
#include <string>

namespace cdr::cli {

// What runs, for messages that come from nowhere in particular.
struct Running {
  std::string command, file;  // empty: none, or not known yet
  bool paged = true;          // what it prints may go through a pager
};

// Says it as an error on standard error; returns `status`.
int complain(const std::string& what, int status);

// What `run` returns, or the status that belongs to what it threw.
int guarded(const Running& running, const std::function<int()>& run);

}  // namespace cdr::cli

#endif
