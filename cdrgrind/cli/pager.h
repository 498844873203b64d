// SPDX-License-Identifier: GPL-2.0-or-later
// On a terminal a long report goes through a pager, as git's do: $CDRGRIND_PAGER, else $PAGER, else less. An empty one,
// or cat, is none. What less is to do with short texts and colours is said in $LESS unless that is set.
#ifndef CDRGRIND_CLI_PAGER_H
#define CDRGRIND_CLI_PAGER_H

#include <sys/types.h>

namespace cdr::cli {

class Pager {
 public:
  Pager() = default;
  ~Pager() { finish(); }
  Pager(const Pager&) = delete;
  Pager& operator=(const Pager&) = delete;

  // From now on standard output goes to the pager, if it is a terminal and there is one.
  void start();
  // Ends standard output, and waits until the pager is left. May be called without start().
  void finish();

 private:
  pid_t child_ = 0;
};

}  // namespace cdr::cli

#endif
