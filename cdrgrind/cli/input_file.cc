// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cdrgrind/cli/failure.h"

namespace cdr::cli {

namespace {
constexpr size_t kPiece = 1 << 20;
}

InputFile::InputFile(const std::string& path)
    : name_(path == "-" ? "standard input" : path),
      fd_(path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)),
      buffer_(kPiece) {
  if (fd_ < 0) fail("cannot be opened");
  struct stat status = {};
  if (::fstat(fd_, &status) == 0 && S_ISREG(status.st_mode)) expected_ = static_cast<uint64_t>(status.st_size);
}

InputFile::~InputFile() {
  if (fd_ >= 0) ::close(fd_);
}

std::string_view InputFile::next() {
  ssize_t n = 0;
  do n = ::read(fd_, buffer_.data(), buffer_.size());
  while (n < 0 && errno == EINTR);
  if (n < 0) fail("cannot be read");
  bytes_ += static_cast<uint64_t>(n);
  return {buffer_.data(), static_cast<size_t>(n)};
}

void InputFile::fail(const char* what) const {
  throw Failure(kBadInput, name_ + ": " + what + ": " + std::strerror(errno));
}

}  // namespace cdr::cli
