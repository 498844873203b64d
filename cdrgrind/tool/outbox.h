// SPDX-License-Identifier: GPL-2.0-or-later
// A stream of bytes from one process to another in memory that both have: zeroes are an empty one.
#ifndef CDRGRIND_TOOL_OUTBOX_H
#define CDRGRIND_TOOL_OUTBOX_H

#include <cstdint>
#include <span>

namespace cdr::tool {

class Outbox {
 public:
  static constexpr uint32_t kBytes = 1 << 18;

  // As many of the bytes as there is room for; returns how many.
  uint32_t put(std::span<const uint8_t> bytes);
  // While there is no room, at most so long; may return early.
  void sleep_until_room(uint32_t milliseconds);

  // What lies here without a break, until taken() is told how much of it was taken.
  std::span<const uint8_t> present() const;
  void taken(uint32_t bytes);
  // While there is nothing, as above.
  void sleep_until_present(uint32_t milliseconds);

 private:
  uint32_t written_;  // bytes in all
  uint32_t writer_sleeps_;
  alignas(64) uint32_t read_;
  uint32_t reader_sleeps_;
  uint8_t bytes_[kBytes];
};

}  // namespace cdr::tool

#endif
