// SPDX-License-Identifier: GPL-2.0-or-later
// The session in helper processes, seen from the recorded one, which never waits for them without end: when one is
// gone, or stands still, then the process goes on without a recorder, the trace is marked as cut, and one line says so.
#ifndef CDRGRIND_TOOL_HELPER_CONSUMER_H
#define CDRGRIND_TOOL_HELPER_CONSUMER_H

#include <span>
#include <vector>

#include "cdrgrind/tool/consumer.h"
#include "cdrgrind/tool/ring.h"
#include "cdrgrind/tool/trace_path.h"

namespace cdr::tool {

class HelperConsumer final : public Consumer {
 public:
  // `sockets`: ours, of the helpers that start_helpers has started. `name`: the trace's, also that of a child, as far
  // as it is known.
  HelperConsumer(Ring& ring, std::span<const Int> sockets, const TraceName& name)
      : ring_(ring), sockets_(sockets.begin(), sockets.end()), name_(name) {}

  uint64_t* take(uint64_t* buffer, uint64_t words) override;
  drain::SessionStatus settle() override;
  drain::SessionState state() const override;

  uint64_t* before_fork() override;
  void after_fork_in_parent() override;
  uint64_t* after_fork_in_child() override;

 private:
  void publish(uint64_t words, bool split);
  // Until the helpers have consumed so many slots. False if they will not.
  bool await(uint32_t consumed);
  bool reached(uint32_t consumed) const;
  std::span<const int32_t> helpers() const { return {ring_.control().helpers, ring_.helpers()}; }
  uint64_t time_of_helpers_behind(uint32_t consumed) const;
  void give_up(const HChar* what);
  bool offer_child();
  void close_child();

  Ring& ring_;
  std::vector<Int> sockets_;  // by helper
  const TraceName& name_;
  uint32_t published_ = 0;
  bool alive_ = true;
  bool is_child_ = false;
  // For the next child: its memory and its end.
  Int child_memory_ = -1;
  std::vector<Int> child_sockets_;
};

}  // namespace cdr::tool

#endif
