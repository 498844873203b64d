// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/interrupt.h"

namespace cdr::cli {

namespace {

volatile std::sig_atomic_t interrupted = 0;

void note(int) {
  if (interrupted) {
    std::signal(SIGINT, SIG_DFL);
    std::raise(SIGINT);
  }
  interrupted = 1;
}

}  // namespace

Interrupt::Interrupt() {
  interrupted = 0;
  struct sigaction action = {};
  action.sa_handler = note;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, nullptr, &before_);
  if (before_.sa_handler != SIG_IGN) sigaction(SIGINT, &action, nullptr);
}

Interrupt::~Interrupt() { sigaction(SIGINT, &before_, nullptr); }

bool Interrupt::take() {
  if (!interrupted) return false;
  interrupted = 0;
  return true;
}

}  // namespace cdr::cli
