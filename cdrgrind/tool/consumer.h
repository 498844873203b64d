// SPDX-License-Identifier: GPL-2.0-or-later
// Who takes the records: a session in this process, or one in helper processes.
#ifndef CDRGRIND_TOOL_CONSUMER_H
#define CDRGRIND_TOOL_CONSUMER_H

#include <cstdint>

#include "cdrgrind/drain/session.h"
#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

class Consumer {
 public:
  // Takes what was written into `buffer` and gives the buffer to go on with; it is all zero.
  virtual uint64_t* take(uint64_t* buffer, uint64_t words) = 0;
  // Waits until everything that was taken is consumed.
  virtual drain::SessionStatus settle() = 0;
  // Cheap, and may be late. What is not open will never be again.
  virtual drain::SessionState state() const = 0;

  // Around a fork; everything recorded was taken. Give the buffer to go on with, all zero.
  virtual uint64_t* before_fork() = 0;
  virtual void after_fork_in_parent() = 0;
  virtual uint64_t* after_fork_in_child() = 0;

 protected:
  ~Consumer() = default;
};

}  // namespace cdr::tool

#endif
