// SPDX-License-Identifier: GPL-2.0-or-later
// The session in the recorded process itself.
#ifndef CDRGRIND_TOOL_OWN_CONSUMER_H
#define CDRGRIND_TOOL_OWN_CONSUMER_H

#include "cdrgrind/tool/consumer.h"
#include "cdrgrind/tool/record_buffer.h"
#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

class OwnConsumer final : public Consumer {
 public:
  OwnConsumer(drain::StreamFile& file, uint64_t* buffer) : file_(file), session_(file), buffer_(buffer) {}

  uint64_t* take(uint64_t* buffer, uint64_t words) override {
    session_.consume({buffer, words});
    VG_(memset)(buffer, 0, words * sizeof(uint64_t));
    return buffer;
  }
  drain::SessionStatus settle() override { return session_.status(); }
  drain::SessionState state() const override { return session_.state(); }

  uint64_t* before_fork() override { return buffer_; }
  void after_fork_in_parent() override {}
  // The parent's file is given up at once, and its lock with it: the session learns of the fork later.
  uint64_t* after_fork_in_child() override {
    file_.hold();
    record_buffer.clear();
    return buffer_;
  }

 private:
  drain::StreamFile& file_;
  drain::Session session_;
  uint64_t* buffer_;
};

}  // namespace cdr::tool

#endif
