// SPDX-License-Identifier: GPL-2.0-or-later
// A helper process's way through the ring, whatever it does with the records: slot after slot, until it needs no more
// or the recorded process is gone; and the fork of the helper when the process forks.
#ifndef CDRGRIND_TOOL_RING_READER_H
#define CDRGRIND_TOOL_RING_READER_H

#include <span>

#include "cdrgrind/tool/ring.h"

namespace cdr::tool {

// How often a process that waits for another one looks whether it is still there.
constexpr uint32_t kLookMilliseconds = 100;
constexpr const HChar* kHelperName = "cdrgrind-helper";

class RingReader {
 public:
  // `number` of the helper, from 0 on; `socket`: its other end is the recorded process's.
  RingReader(Ring& ring, uint32_t number, Int socket) : ring_(ring), number_(number), socket_(socket) {}

  [[noreturn]] void run();

 protected:
  ~RingReader() = default;

  virtual bool wants_more() const = 0;
  virtual void consume(std::span<const uint64_t> records) = 0;
  // The process is gone. What stands before its write pointer.
  virtual void consume_last(std::span<const uint64_t> records) = 0;
  // This process goes on as the helper of a forked child.
  virtual void become_helper_of_child() = 0;
  // Called while there is nothing to consume.
  virtual void idle() {}

  Ring& ring() const { return ring_; }
  uint32_t number() const { return number_; }
  bool process_is_gone() const;
  // Of the slots that were published: but for one all that the ring has wait, the present one included; more than this
  // one.
  bool is_full() const { return waiting() + 1 >= Ring::kSlots; }
  bool is_behind() const { return waiting() > 1; }

 private:
  uint32_t waiting() const { return __atomic_load_n(&ring_.control().published, __ATOMIC_ACQUIRE) - at_; }
  bool published() const { return waiting() != 0; }
  // False: the process is gone, and all is done.
  bool await_records();
  void consume_slot();
  void consume_unpublished();
  void split();
  void await_others();

  Ring& ring_;
  const uint32_t number_;
  Int socket_;
  uint32_t at_ = 0;  // slots consumed
};

}  // namespace cdr::tool

#endif
