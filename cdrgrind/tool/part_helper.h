// SPDX-License-Identifier: GPL-2.0-or-later
// A helper process that computes dependences, or a part of them, beside the one that writes the trace; and what that
// one sees of all of these.
#ifndef CDRGRIND_TOOL_PART_HELPER_H
#define CDRGRIND_TOOL_PART_HELPER_H

#include <optional>

#include "cdrgrind/drain/part_session.h"
#include "cdrgrind/drain/parts_dependences.h"
#include "cdrgrind/drain/session.h"
#include "cdrgrind/tool/ring_reader.h"

namespace cdr::tool {

// Whether the process would have to wait for the helper again and again: of so many slots most were all that the ring
// has when the helper took them.
class Backlog {
 public:
  bool is_lasting(bool full);

 private:
  static constexpr uint32_t kWindow = 32, kMost = 24;

  uint32_t taken_ = 0, full_ = 0;
};

// Number 1 and on.
class PartHelper final : public RingReader, drain::PartSession::Mail {
 public:
  PartHelper(Ring& ring, uint32_t number, Int socket)
      : RingReader(ring, number, socket), session_(ring.helpers() - 1, number - 1, *this) {}

 private:
  bool wants_more() const override { return session_.open(); }
  void consume(std::span<const uint64_t> records) override;
  void consume_last(std::span<const uint64_t> records) override { session_.consume_last(records); }
  void become_helper_of_child() override;
  void send(std::span<const uint8_t> bytes) override;

  drain::PartSession session_;
  Backlog backlog_;
  bool left_ = false;
};

// In the helper that writes the trace.
class HelpersDependences final : public drain::OtherDependences {
 public:
  explicit HelpersDependences(Ring& ring) : ring_(ring), dependences_(parts()) {}

  // Takes what the helpers have sent, lest they wait for that.
  void poll();
  std::optional<depend::ResultTable> results(uint32_t granularity) override;
  void become_child() { dependences_ = drain::PartsDependences(parts()); }

 private:
  uint32_t parts() const { return ring_.helpers() - 1; }
  bool await(uint32_t part);

  Ring& ring_;
  drain::PartsDependences dependences_;
};

}  // namespace cdr::tool

#endif
