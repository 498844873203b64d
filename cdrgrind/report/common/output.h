// SPDX-License-Identifier: GPL-2.0-or-later
// Buffered output to a file descriptor, with the number formats that a trace needs in bulk. A reader that
// goes away (`| head`) is no error: ClosedPipe says so, and ends the command quietly.
// Invariant: what was appended is written in order; flush() at the end is the caller's.
#ifndef CDRGRIND_REPORT_COMMON_OUTPUT_H
#define CDRGRIND_REPORT_COMMON_OUTPUT_H

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "cdrgrind/report/common/escape.h"

namespace cdr::report {

// Not an error: nobody reads any more.
struct ClosedPipe {};
// The system does not take it; says why, and names the output.
struct OutputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Not thread-safe.
class Output {
 public:
  // Without a descriptor (-1) the text is kept: see text().
  explicit Output(int fd = -1);

  Output& put(char c) {
    *room(1) = c;
    ++used_;
    return *this;
  }
  Output& put(std::string_view s) {
    if (s.size() > kRoom) return put_long(s);
    used_ += s.copy(room(s.size()), s.size());
    return *this;
  }
  Output& dec(uint64_t v) { return number(v, 10); }
  Output& dec(int64_t v) { return number(v, 10); }
  Output& hex(uint64_t v) { return number(v, 16); }
  // At least `width` digits.
  Output& hex(uint64_t v, unsigned width);

  template <class... Args>
  Output& print(fmt::format_string<Args...> format, Args&&... args) {
    return put(fmt::format(format, std::forward<Args>(args)...));
  }

  void flush();
  // What was put and not yet flushed; everything when there is no descriptor.
  std::string text() const;

 private:
  static constexpr size_t kSize = 256 * 1024;
  static constexpr size_t kRoom = 4096;  // the largest piece that is not cut

  char* room(size_t n) {
    if (kSize - used_ < n) make_room();
    return buffer_.get() + used_;
  }
  template <class T>
  Output& number(T v, int base) {
    char* p = room(24);
    used_ += static_cast<size_t>(std::to_chars(p, p + 24, v, base).ptr - p);
    return *this;
  }
  Output& put_long(std::string_view s);
  void make_room();

  int fd_;
  std::unique_ptr<char[]> buffer_;
  size_t used_ = 0;
  std::string kept_;
};

// 1234567 as "1,234,567".
std::string with_separators(uint64_t v);
// "12.0 %"
std::string percent_text(uint64_t part, uint64_t whole);
// "1 row", "1,200 rows".
std::string plural(uint64_t n, std::string_view noun);

}  // namespace cdr::report

#endif
