// SPDX-License-Identifier: GPL-2.0-or-later
// Strings of varints that grow side by side, thousands of them, each a little at a time. Where one goes on, the caller
// keeps beside what else it knows of the string, so that adding a number touches no memory but the string's last piece.
// Pieces never move.
#ifndef CDRGRIND_ENCODE_BYTE_STRINGS_H
#define CDRGRIND_ENCODE_BYTE_STRINGS_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/base/arena.h"
#include "cdrgrind/base/bytes.h"

namespace cdr {

class ByteStrings {
 public:
  uint32_t open() {
    strings_.emplace_back();
    return static_cast<uint32_t>(strings_.size() - 1);
  }
  // Room for one number: the string goes on at `at`, with `room` bytes; null and 0 at first. Both are kept up.
  void make_room(uint32_t string, uint8_t*& at, uint16_t& room);
  static bool has_room(uint16_t room) { return room >= kLongestVarint; }
  static void put(int64_t v, uint8_t*& at, uint16_t& room) {
    uint8_t* const end = write_varint(at, zigzag(v));
    room = static_cast<uint16_t>(room - (end - at));
    at = end;
  }
  size_t size(uint32_t string, const uint8_t* at) const;
  void write(uint32_t string, const uint8_t* at, ByteWriter& to) const;
  // Of memory, as it grows.
  size_t bytes() const { return taken_ + strings_.capacity() * sizeof(String); }
  void clear() { *this = ByteStrings(); }

 private:
  struct Piece {
    Piece* next = nullptr;
    uint32_t used = 0;  // bytes, when it is full
    uint8_t* bytes() { return reinterpret_cast<uint8_t*>(this + 1); }
    const uint8_t* bytes() const { return reinterpret_cast<const uint8_t*>(this + 1); }
  };
  struct String {
    Piece* first = nullptr;
    Piece* last = nullptr;
    uint32_t next_size = kLeast;
  };
  // Of pieces, what tells of them included.
  static constexpr uint32_t kLeast = 64, kMost = 4096;

  // f(bytes) for each piece.
  template <class F>
  void for_each_piece(uint32_t string, const uint8_t* at, F f) const {
    const String& s = strings_[string];
    for (const Piece* p = s.first; p; p = p->next)
      f(std::span(p->bytes(), p == s.last ? static_cast<size_t>(at - p->bytes()) : p->used));
  }

  Arena arena_;
  std::vector<String> strings_;
  size_t taken_ = 0;
};

}  // namespace cdr

#endif
