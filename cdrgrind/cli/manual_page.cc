// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/manual_page.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cdr::cli {

namespace {

// `man -w` says where a page is, to nobody here.
bool has_page(const std::string& name) {
  const pid_t child = fork();
  if (child == 0) {
    const int nowhere = open("/dev/null", O_RDWR);
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, fd);
    execlp("man", "man", "-w", "1", name.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

void show_manual_page(const std::string& name) {
  if (isatty(STDOUT_FILENO) && has_page(name)) execlp("man", "man", "1", name.c_str(), static_cast<char*>(nullptr));
}

}  // namespace cdr::cli
