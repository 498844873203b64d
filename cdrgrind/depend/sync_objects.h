// SPDX-License-Identifier: GPL-2.0-or-later
// The synchronisation objects that threads are operating on: between enter and leave of an operation what its
// thread does to the object's own bytes takes no part in dependences. The words of a lock order accesses, they
// carry no data. See docs/dependences.md.
#ifndef CDRGRIND_DEPEND_SYNC_OBJECTS_H
#define CDRGRIND_DEPEND_SYNC_OBJECTS_H

#include <cstdint>
#include <memory>
#include <vector>

#include "cdrgrind/base/event.h"

namespace cdr::depend {

class SyncObjects {
 public:
  SyncObjects() { turn_to(ThreadId()); }

  // The following calls are of this thread.
  void turn_to(ThreadId thread);
  void enter(const Sync& sync);
  void leave(const Sync& sync);
  void end_thread() { present_->clear(); }

  // Whether the thread operates on anything that has bytes.
  bool busy() const { return !present_->empty(); }
  bool touched_by(uint64_t addr, uint64_t width) const {
    for (const Open& o : *present_)
      for (const AddrRange& r : o.bytes)
        if (addr < r.end && r.begin < addr + width) return true;
    return false;
  }

 private:
  struct Open {
    SyncOp op;
    uint64_t object;
    AddrRange bytes[2];
  };
  using Operations = std::vector<Open>;  // outermost first

  std::vector<std::unique_ptr<Operations>> threads_;  // by serial
  Operations* present_ = nullptr;
};

}  // namespace cdr::depend

#endif
