// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/helper.h"

#include "cdrgrind/tool/part_helper.h"
#include "cdrgrind/tool/processes.h"
#include "cdrgrind/tool/ring_reader.h"

namespace cdr::tool {
namespace {

// The first one.
class SessionHelper final : public RingReader {
 public:
  SessionHelper(Ring& ring, FileOutput& file, Int socket)
      : RingReader(ring, 0, socket),
        file_(file),
        others_(ring),
        session_(file, ring.helpers() > 1 ? &others_ : nullptr) {}

 private:
  bool wants_more() const override { return session_.state().open; }

  void consume(std::span<const uint64_t> records) override {
    others_.poll();
    if (backlog_.is_lasting(is_full()) && ring().helpers() == 1) session_.leave_dependences();
    session_.consume(records);
    Ring::Control& c = ring().control();
    c.status.state = session_.state();
    if (!is_behind()) c.status = session_.status();
  }
  void consume_last(std::span<const uint64_t> records) override { session_.consume_last(records); }
  void idle() override { others_.poll(); }

  // The parent's file is not this helper's to write, nor to keep locked, whatever becomes of the child.
  void become_helper_of_child() override {
    file_.hold();
    others_.become_child();
  }

  FileOutput& file_;
  HelpersDependences others_;
  drain::Session session_;
  Backlog backlog_;
};

[[noreturn]] void help(Ring& ring, uint32_t number, FileOutput& file, Int socket) {
  if (number == 0) {
    disturb_nobody(kHelperName, {file.descriptor(), socket});
    (new SessionHelper(ring, file, socket))->run();
  }
  disturb_nobody(kHelperName, {socket});
  (new PartHelper(ring, number, socket))->run();
}

// The process in between makes init, or who stands for it, the helper's parent; without a signal nobody learns of its
// end.
bool start_helper(Ring& ring, uint32_t number, FileOutput& file, Int& socket) {
  Int ends[2];
  if (!socket_pair(ends)) return false;
  const Int between = fork_process(0);
  if (between == 0) {
    close_descriptor(ends[0]);
    name_process(kHelperName);  // whoever looks for it before it has run finds it
    const Int helper = fork_process(0);
    if (helper == 0) help(ring, number, file, ends[1]);
    ring.control().helpers[number] = helper;
    leave_process();
  }
  close_descriptor(ends[1]);
  if (between > 0) await_process(between);
  if (ring.control().helpers[number] <= 0) {
    close_descriptor(ends[0]);
    return false;
  }
  socket = ends[0];
  return true;
}

}  // namespace

bool start_helpers(Ring& ring, FileOutput& file, std::span<Int> sockets) {
  for (uint32_t n = 0; n < ring.helpers(); ++n) {
    if (start_helper(ring, n, file, sockets[n])) continue;
    for (uint32_t i = 0; i < n; ++i) {
      kill_process(ring.control().helpers[i]);
      close_descriptor(sockets[i]);
    }
    return false;
  }
  file.close();
  for (uint32_t n = 0; n < ring.helpers(); ++n) sockets[n] = VG_(safe_fd)(sockets[n]);
  return true;
}

}  // namespace cdr::tool
