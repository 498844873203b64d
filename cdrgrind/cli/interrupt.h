// SPDX-License-Identifier: GPL-2.0-or-later
// Ctrl-C as a wish: a long command ends what it is doing and tells what it knows. A second one, before the first was
// noticed, ends the command at once.
#ifndef CDRGRIND_CLI_INTERRUPT_H
#define CDRGRIND_CLI_INTERRUPT_H

#include <csignal>

namespace cdr::cli {

// Takes SIGINT while it lives, unless it was ignored before. One at a time.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  // Whether there was one since it was last asked.
  bool take();

 private:
  struct sigaction before_ = {};
};

}  // namespace cdr::cli

#endif
