// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/encode/byte_strings.h"

#include <algorithm>

namespace cdr {

void ByteStrings::make_room(uint32_t string, uint8_t*& at, uint16_t& room) {
  String& s = strings_[string];
  auto* const piece = new (arena_.allocate<std::byte>(s.next_size).data()) Piece;
  if (s.last) {
    s.last->used = static_cast<uint32_t>(at - s.last->bytes());
    s.last->next = piece;
  } else {
    s.first = piece;
  }
  s.last = piece;
  at = piece->bytes();
  room = static_cast<uint16_t>(s.next_size - sizeof(Piece));
  taken_ += s.next_size;
  s.next_size = std::min(2 * s.next_size, kMost);
}

size_t ByteStrings::size(uint32_t string, const uint8_t* at) const {
  size_t n = 0;
  for_each_piece(string, at, [&](std::span<const uint8_t> bytes) { n += bytes.size(); });
  return n;
}

void ByteStrings::write(uint32_t string, const uint8_t* at, ByteWriter& to) const {
  for_each_piece(string, at, [&](std::span<const uint8_t> bytes) { to.raw(bytes.data(), bytes.size()); });
}

}  // namespace cdr
