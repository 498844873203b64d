// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/helper.h"

#include <utility>

#include "cdrgrind/tool/processes.h"

namespace cdr::tool {
namespace {

// Whether the process would have to wait for the helper again and again: of so many slots most were all that the ring
// has when the helper took them.
class Backlog {
 public:
  static constexpr uint32_t kWindow = 32, kMost = 24;

  bool is_lasting(bool full) {
    full_ += full;
    if (++taken_ < kWindow) return false;
    taken_ = 0;
    return std::exchange(full_, 0) >= kMost;
  }

 private:
  uint32_t taken_ = 0, full_ = 0;
};

class Helper {
 public:
  Helper(Ring& ring, FileOutput& file, Int socket) : ring_(ring), file_(file), session_(file), socket_(socket) {}

  [[noreturn]] void run() {
    ring_.control().helper = VG_(getpid)();
    while (session_.state().open && await_records()) consume(ring_.control().words[at_ % Ring::kSlots]);
    leave_process();
  }

 private:
  bool published() const { return __atomic_load_n(&ring_.control().published, __ATOMIC_ACQUIRE) != at_; }

  // False: the process is gone, and all is done.
  bool await_records() {
    Ring::Control& c = ring_.control();
    while (!published()) {
      __atomic_store_n(&c.helper_sleeps, 1, __ATOMIC_SEQ_CST);
      if (!published()) sleep_on(&c.published, at_, kLookMilliseconds);
      __atomic_store_n(&c.helper_sleeps, 0, __ATOMIC_RELAXED);
      if (published() || !peer_is_gone(socket_)) continue;
      if (published()) continue;
      consume_unpublished();
      return false;
    }
    return true;
  }

  void consume(uint32_t words) {
    Ring::Control& c = ring_.control();
    uint64_t* const slot = ring_.slot(at_);
    const uint32_t waiting = __atomic_load_n(&c.published, __ATOMIC_ACQUIRE) - at_;
    if (backlog_.is_lasting(waiting + 1 >= Ring::kSlots)) session_.leave_dependences();
    session_.consume({slot, words});
    VG_(memset)(slot, 0, words * sizeof(uint64_t));
    const bool split = c.split[at_ % Ring::kSlots];
    c.status.state = session_.state();
    if (__atomic_load_n(&c.published, __ATOMIC_ACQUIRE) == at_ + 1) c.status = session_.status();
    __atomic_store_n(&c.consumed, ++at_, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&c.process_sleeps, __ATOMIC_SEQ_CST)) wake(&c.consumed);
    if (split) serve_child();
  }

  // What stands before the write pointer is whole.
  void consume_unpublished() {
    const uint64_t* const slot = ring_.slot(at_);
    const auto* const end = reinterpret_cast<const uint64_t*>(ring_.control().write_pointer);
    const bool mine = end >= slot && end <= slot + (RecordBuffer::kBytes + RecordBuffer::kMargin) / sizeof(uint64_t);
    session_.consume_last({slot, mine ? end : slot});
  }

  // The process forks; its child goes on with what was sent, and with a copy of this process.
  void serve_child() {
    Int sent[2];
    if (!receive_descriptors(socket_, sent)) return;
    if (fork_process(VKI_SIGCHLD) == 0) return become_helper_of_child(sent);
    close_descriptor(sent[0]);
    close_descriptor(sent[1]);
  }

  // The parent's file is not this helper's to write, nor to keep locked, whatever becomes of the child.
  void become_helper_of_child(Int (&sent)[2]) {
    file_.hold();
    close_descriptor(socket_);
    socket_ = sent[1];
    at_ = 0;
    ring_.replace(sent[0]);
    close_descriptor(sent[0]);
    ring_.control().helper = VG_(getpid)();
  }

  Ring& ring_;
  FileOutput& file_;
  drain::Session session_;
  Int socket_;
  Backlog backlog_;
  uint32_t at_ = 0;  // slots consumed
};

[[noreturn]] void help(Ring& ring, FileOutput& file, Int socket) {
  disturb_nobody(kHelperName, {file.descriptor(), socket});
  (new Helper(ring, file, socket))->run();
}

}  // namespace

// The process in between makes init, or who stands for it, the helper's parent; without a signal nobody learns of its
// end.
bool start_helper(Ring& ring, FileOutput& file, Int& socket) {
  Int ends[2];
  if (!socket_pair(ends)) return false;
  const Int between = fork_process(0);
  if (between == 0) {
    close_descriptor(ends[0]);
    const Int helper = fork_process(0);
    if (helper == 0) help(ring, file, ends[1]);
    ring.control().helper = helper;
    leave_process();
  }
  close_descriptor(ends[1]);
  if (between > 0) await_process(between);
  if (ring.control().helper <= 0) {
    close_descriptor(ends[0]);
    return false;
  }
  file.close();
  socket = VG_(safe_fd)(ends[0]);
  return true;
}

}  // namespace cdr::tool
