// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/pager.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "cdrgrind/cli/terminal.h"

namespace cdr::cli {

namespace {

std::string wanted_pager() {
  for (const char* name : {"CDRGRIND_PAGER", "PAGER"})
    if (const char* value = std::getenv(name)) return value;
  return "less";
}

}  // namespace

void Pager::start() {
  const std::string pager = wanted_pager();
  int ends[2];
  if (!isatty(STDOUT_FILENO) || pager.empty() || pager == "cat" || pipe2(ends, O_CLOEXEC) != 0) return;
  const int terminal = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
  child_ = fork();
  if (child_ == 0) {
    dup2(ends[0], STDIN_FILENO);
    setenv("LESS", "FRX", 0);
    execl("/bin/sh", "sh", "-c", pager.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  if (child_ > 0) {
    if (terminal >= 0) terminal_is(terminal);
    dup2(ends[1], STDOUT_FILENO);
  } else {
    child_ = 0;
  }
  close(ends[0]);
  close(ends[1]);
}

void Pager::finish() {
  if (child_ == 0) return;
  std::fflush(stdout);
  close(STDOUT_FILENO);
  // Ctrl-C is the pager's now.
  signal(SIGINT, SIG_IGN);
  while (waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
  }
  child_ = 0;
}

}  // namespace cdr::cli
