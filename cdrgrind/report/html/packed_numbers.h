// SPDX-License-Identifier: GPL-2.0-or-later
// Columns of numbers as text for JSON: each number in LEB128 (7 bits a byte, the lowest first, the highest bit set
// where more follow), all in Base64 (RFC 4648, with padding). Of a million small numbers that is a third of what their
// digits take. web/numbers.ts reads it.
#ifndef CDRGRIND_REPORT_HTML_PACKED_NUMBERS_H
#define CDRGRIND_REPORT_HTML_PACKED_NUMBERS_H

#include <cstdint>
#include <string>
#include <string_view>

namespace cdr::report {

std::string base64(std::string_view bytes);

class PackedNumbers {
 public:
  PackedNumbers& add(uint64_t v) {
    for (; v >= 0x80; v >>= 7) bytes_ += static_cast<char>(v | 0x80);
    bytes_ += static_cast<char>(v);
    return *this;
  }
  // 0, -1, 1, -2, 2 … as 0, 1, 2, 3, 4 …
  PackedNumbers& add_signed(int64_t v) { return add(static_cast<uint64_t>(v) << 1 ^ static_cast<uint64_t>(v >> 63)); }
  std::string text() const { return base64(bytes_); }

 private:
  std::string bytes_;
};

}  // namespace cdr::report

#endif
