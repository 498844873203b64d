// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/ring_reader.h"

#include "cdrgrind/tool/processes.h"

namespace cdr::tool {

void RingReader::run() {
  ring_.control().helpers[number_] = VG_(getpid)();
  while (wants_more() && await_records()) consume_slot();
  await_others();
  leave_process();
}

// Who goes before all have consumed what this one has is taken for dead. They may have something for it still, and wait
// until it takes that.
void RingReader::await_others() {
  const uint32_t& consumed = ring_.control().consumed;
  while (!process_is_gone()) {
    idle();
    const uint32_t now = __atomic_load_n(&consumed, __ATOMIC_ACQUIRE);
    if (Ring::is_reached(now, at_)) return;
    sleep_on(&consumed, now, kLookMilliseconds);
  }
}

bool RingReader::process_is_gone() const { return peer_is_gone(socket_); }

bool RingReader::await_records() {
  Ring::Control& c = ring_.control();
  while (!published()) {
    idle();
    __atomic_fetch_add(&c.helpers_asleep, 1, __ATOMIC_SEQ_CST);
    if (!published()) sleep_on(&c.published, at_, kLookMilliseconds);
    __atomic_fetch_sub(&c.helpers_asleep, 1, __ATOMIC_SEQ_CST);
    if (published() || !process_is_gone()) continue;
    if (published()) continue;
    consume_unpublished();
    return false;
  }
  return true;
}

// Who is the last one clears the slot: all others have consumed it, and all slots before it.
void RingReader::consume_slot() {
  Ring::Control& c = ring_.control();
  const uint32_t i = at_ % Ring::kSlots;
  const uint32_t words = c.words[i];
  const bool forks = c.split[i];
  consume({ring_.slot(at_), words});
  __atomic_store_n(&c.consumed_by[number_], ++at_, __ATOMIC_RELEASE);
  if (__atomic_add_fetch(&c.done[i], 1, __ATOMIC_ACQ_REL) == ring_.helpers()) {
    VG_(memset)(ring_.slot(i), 0, words * sizeof(uint64_t));
    c.done[i] = 0;
    __atomic_store_n(&c.consumed, at_, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&c.process_sleeps, __ATOMIC_SEQ_CST)) wake(&c.consumed);
  }
  if (forks) split();
}

// What stands before the write pointer is whole.
void RingReader::consume_unpublished() {
  const uint64_t* const slot = ring_.slot(at_);
  const auto* const end = reinterpret_cast<const uint64_t*>(ring_.control().write_pointer);
  const bool mine = end >= slot && end <= slot + Ring::kSlotWords;
  consume_last({slot, mine ? end : slot});
}

// The process forks; its child goes on with what was sent, and with a copy of this process.
void RingReader::split() {
  Int sent[2];
  if (!receive_descriptors(socket_, sent)) return;
  const bool is_copy = fork_process(VKI_SIGCHLD) == 0;
  if (is_copy) {
    close_descriptor(socket_);
    socket_ = sent[1];
    at_ = 0;
    ring_.replace(sent[0]);
    close_descriptor(sent[0]);
    ring_.control().helpers[number_] = VG_(getpid)();
    become_helper_of_child();
  } else {
    close_descriptor(sent[0]);
    close_descriptor(sent[1]);
  }
}

}  // namespace cdr::tool
