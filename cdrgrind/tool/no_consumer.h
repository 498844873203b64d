// SPDX-License-Identifier: GPL-2.0-or-later
// Takes the records of a program that has no trace: its code writes them all the same.
#ifndef CDRGRIND_TOOL_NO_CONSUMER_H
#define CDRGRIND_TOOL_NO_CONSUMER_H

#include "cdrgrind/tool/consumer.h"
#include "cdrgrind/tool/record_buffer.h"
#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

class NoConsumer final : public Consumer {
 public:
  explicit NoConsumer(uint64_t* buffer) : buffer_(buffer) {}

  uint64_t* take(uint64_t* buffer, uint64_t words) override {
    VG_(memset)(buffer, 0, words * sizeof(uint64_t));
    return buffer;
  }
  drain::SessionStatus settle() override { return {}; }
  drain::SessionState state() const override { return {}; }

  uint64_t* before_fork() override { return buffer_; }
  void after_fork_in_parent() override {}
  uint64_t* after_fork_in_child() override {
    record_buffer.clear();
    return buffer_;
  }

 private:
  uint64_t* buffer_;
};

}  // namespace cdr::tool

#endif
