// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/thread_switch.h"

#include "cdrgrind/tool/threads.h"

namespace cdr::tool {
namespace {

constexpr int kYielding = 4;  // VgTs_Yielding: can run, but waits for its turn
constexpr const HChar* kWho = "--cdr-test-switch";

void sleep_us(long us) {
  struct {
    long s, ns;
  } time = {0, us * 1000};
  VG_(do_syscall)(__NR_nanosleep, reinterpret_cast<UWord>(&time), 0, 0, 0, 0, 0, 0, 0);
}

}  // namespace

// Threads that wait for the lock sleep in a system call. Who gives it up and asks again at once has it back, as a
// rule, before they wake up: so it stays away for a while. A thread that waits in a system call for something else
// is no candidate, but may just be coming back: hence once at least.
void test_switch(::ThreadId tid, SwitchAt here) {
  constexpr int kTries = 100;
  if (options.test_switch != here || VG_(count_living_threads)() < 2) return;
  const uint64_t before = turns_begun();
  for (int i = 0; i < kTries; ++i) {
    VG_(release_BigLock)(tid, kYielding, kWho);
    sleep_us(50);
    VG_(acquire_BigLock)(tid, kWho);
    if (turns_begun() != before || (VG_(count_runnable_threads)() < 2 && threads_starting() == 0)) break;
  }
  settle_thread_state();
}

}  // namespace cdr::tool
