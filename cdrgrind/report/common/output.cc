// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/output.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace cdr::report {

Output::Output(int fd) : fd_(fd), buffer_(std::make_unique<char[]>(kSize)) {}

Output& Output::hex(uint64_t v, unsigned width) {
  char digits[24];
  const auto n = static_cast<size_t>(std::to_chars(digits, digits + sizeof digits, v, 16).ptr - digits);
  char* p = room(24 + width);
  const size_t zeros = n < width ? width - n : 0;
  std::memset(p, '0', zeros);
  std::memcpy(p + zeros, digits, n);
  used_ += zeros + n;
  return *this;
}

Output& Output::put_long(std::string_view s) {
  for (; !s.empty(); s.remove_prefix(std::min(kRoom, s.size()))) put(s.substr(0, kRoom));
  return *this;
}

void Output::make_room() {
  if (fd_ >= 0) return flush();
  kept_.append(buffer_.get(), used_);
  used_ = 0;
}

void Output::flush() {
  if (fd_ < 0) return;
  const char* p = buffer_.get();
  size_t left = std::exchange(used_, 0);
  while (left > 0) {
    const ssize_t n = ::write(fd_, p, left);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EPIPE) throw ClosedPipe();
    if (n < 0)
      throw OutputError(fmt::format("{}: cannot be written: {}", fd_ == STDOUT_FILENO ? "standard output" : "an output",
                                    std::strerror(errno)));
    p += n;
    left -= static_cast<size_t>(n);
  }
}

std::string Output::text() const { return kept_ + std::string(buffer_.get(), used_); }

std::string with_separators(uint64_t v) {
  std::string digits = std::to_string(v);
  for (size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

std::string percent_text(uint64_t part, uint64_t whole) {
  return fmt::format("{:.1f} %", whole ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0.0);
}

std::string plural(uint64_t n, std::string_view noun) {
  return fmt::format("{} {}{}", with_separators(n), noun, n == 1 ? "" : "s");
}

}  // namespace cdr::report
