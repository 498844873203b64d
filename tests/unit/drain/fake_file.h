// SPDX-License-Identifier: GPL-2.0-or-later
// A session's file in memory, and what was asked of it.
#ifndef CDRGRIND_TESTS_UNIT_DRAIN_FAKE_FILE_H
#define CDRGRIND_TESTS_UNIT_DRAIN_FAKE_FILE_H

#include <string>

#include "cdrgrind/drain/session.h"
#include "tests/unit/trace/small_program.h"

namespace cdr::test {

struct FakeFile final : drain::StreamFile {
  MemoryOutput out;
  std::string created;
  bool held = false, closed = false, refuses = false;
  uint32_t number_ = 0;

  bool write(std::span<const uint8_t> bytes) override { return out.write(bytes); }
  void mark_cut() override { out.mark_cut(); }
  bool create(std::string_view path, uint32_t number) override {
    if (refuses) return false;
    created = path;
    number_ = number + 1;  // the first is somebody else's
    held = false;
    return true;
  }
  uint32_t number() const override { return number_; }
  void hold() override {
    held = true;
    out = {};
  }
  void close() override { closed = true; }
  uint64_t error() const override { return refuses ? 13 : 0; }
};

}  // namespace cdr::test

#endif
