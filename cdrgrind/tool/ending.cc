// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/ending.h"

#include "cdrgrind/tool/recorder.h"
#include "cdrgrind/tool/threads.h"

namespace cdr::tool {
namespace {

constinit bool ended = false;

// Valgrind kills itself elsewhere too; then there is nothing to finish.
void finish(const HChar* how, Int number) {
  if (!ended) return;
  ended = false;
  HChar text[32];
  const auto length = VG_(sprintf)(text, "%s %d", how, number);
  finish_recorder({text, length});
}

}  // namespace

void program_ended(Int) {
  settle_thread_state();
  ended = true;
}

}  // namespace cdr::tool

extern "C" {
[[noreturn]] void __real_vgPlain_client_exit(Int status);
[[noreturn]] void __wrap_vgPlain_client_exit(Int status);
void __real_vgPlain_kill_self(Int signal);
void __wrap_vgPlain_kill_self(Int signal);

void __wrap_vgPlain_client_exit(Int status) {
  cdr::tool::finish("exit", status & 0xff);
  __real_vgPlain_client_exit(status);
}

void __wrap_vgPlain_kill_self(Int signal) {
  cdr::tool::finish("signal", signal);
  __real_vgPlain_kill_self(signal);
}
}
