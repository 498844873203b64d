// SPDX-License-Identifier: GPL-2.0-or-later
// The session in a helper process, seen from the recorded one, which never waits for it without end: when the helper is
// gone, or stands still, then the process goes on without a recorder, the trace is marked as cut, and one line says so.
#ifndef CDRGRIND_TOOL_HELPER_CONSUMER_H
#define CDRGRIND_TOOL_HELPER_CONSUMER_H

#include "cdrgrind/tool/consumer.h"
#include "cdrgrind/tool/ring.h"
#include "cdrgrind/tool/trace_path.h"

namespace cdr::tool {

class HelperConsumer final : public Consumer {
 public:
  // `socket`: ours, of the helper that start_helper has started. `name`: the trace's, also that of a child, as far as
  // it is known.
  HelperConsumer(Ring& ring, Int socket, const TraceName& name) : ring_(ring), socket_(socket), name_(name) {}

  uint64_t* take(uint64_t* buffer, uint64_t words) override;
  drain::SessionStatus settle() override;
  drain::SessionState state() const override;

  uint64_t* before_fork() override;
  void after_fork_in_parent() override;
  uint64_t* after_fork_in_child() override;

 private:
  void publish(uint64_t words, bool split);
  // Until the helper has consumed so many slots. False if it will not.
  bool await(uint32_t consumed);
  bool reached(uint32_t consumed) const;
  void give_up(const HChar* what);
  bool offer_child();
  void close_child();

  Ring& ring_;
  Int socket_;
  const TraceName& name_;
  uint32_t published_ = 0;
  bool alive_ = true;
  bool is_child_ = false;
  // For the next child: its memory and its end.
  Int child_memory_ = -1;
  Int child_socket_ = -1;
};

}  // namespace cdr::tool

#endif
