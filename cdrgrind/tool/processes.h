// SPDX-License-Identifier: GPL-2.0-or-later
// System calls for work with another process that Valgrind's interface has no function for. Descriptors are
// close-on-exec.
#ifndef CDRGRIND_TOOL_PROCESSES_H
#define CDRGRIND_TOOL_PROCESSES_H

#include <cstdint>
#include <initializer_list>

#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

constexpr Int kNoDescriptor = -1;

// Closes it, if it is one.
void close_descriptor(Int& fd);

// fork without Valgrind's knowledge. `signal`: what the parent gets at the child's end, 0 for none. Negative: failed.
Int fork_process(UWord signal);
void await_process(Int pid);
[[noreturn]] void leave_process();
void kill_process(Int pid);

// As state_of_process() knows it, and those that it forks from then on.
void name_process(const HChar* name);

// This process gets a name, a session of its own and `/' as its folder, ignores signals that others may send, leaves no
// core, and closes all descriptors but these.
void disturb_nobody(const HChar* name, std::initializer_list<Int> mine);

enum class ProcessState { kGone, kStopped, kAble };
// Gone is also what has another name: in another namespace the number means another process.
ProcessState state_of_process(Int pid, const HChar* name);
// Nanoseconds of processor time that it has used; 0 if it is gone.
uint64_t processor_time(Int pid);
// How many processors this process may use.
uint32_t processors();

// Two ends that know when the other is closed. False if there is none.
bool socket_pair(Int (&ends)[2]);
// False if the other end is closed.
bool send_descriptors(Int socket, const Int (&fds)[2]);
bool receive_descriptors(Int socket, Int (&fds)[2]);
bool peer_is_gone(Int socket);

// A lock of the whole open file, for whoever has it open through this descriptor or a copy. False if another open file
// has it; where there are no locks it is as if nobody had one.
bool lock_file(Int fd);
void empty_file(Int fd);

// A signal is not delivered to this thread while this lives: as it starts, Valgrind blocks none yet.
class HeldSignal {
 public:
  explicit HeldSignal(UWord signal);
  ~HeldSignal();
  HeldSignal(const HeldSignal&) = delete;
  HeldSignal& operator=(const HeldSignal&) = delete;

  // Takes one back that came meanwhile.
  void take_back();

 private:
  uint64_t bit_ = 0;
  vki_sigset_t mask_ = {};
  bool pending_ = false;  // before
};

// Zeroes that processes can share, kNoDescriptor if there are none.
Int shared_memory(uint64_t bytes);

// While *word is `value`, at most so many milliseconds; may return early. Works between processes.
void sleep_on(const uint32_t* word, uint32_t value, uint32_t milliseconds);
// All who sleep on it.
void wake(const uint32_t* word);

}  // namespace cdr::tool

#endif
