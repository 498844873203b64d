// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/read/file_bytes.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cdrgrind/trace/read/trace_error.h"
#include "cdrgrind/trace/read/write_lock.h"

namespace cdr::trace {
namespace {

struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

[[noreturn]] void fail(const std::string& path, const char* what, int error) {
  throw TraceError(Problem::kCannotOpen, path + ": " + what + ": " + std::strerror(error));
}

std::vector<uint8_t> read_all(int fd, const std::string& path) {
  std::vector<uint8_t> bytes;
  for (size_t used = 0;;) {
    bytes.resize(used + (1 << 16));
    const ssize_t n = ::read(fd, bytes.data() + used, bytes.size() - used);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(path, "cannot be read", errno);
    used += static_cast<size_t>(n);
    if (n == 0) {
      bytes.resize(used);
      return bytes;
    }
  }
}

}  // namespace

FileBytes::~FileBytes() {
  if (mapped_) ::munmap(const_cast<uint8_t*>(bytes_.data()), bytes_.size());
}

std::unique_ptr<FileBytes> FileBytes::open(const std::string& path) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.fd < 0) fail(path, "cannot be opened", errno);
  // Asked before the size: who writes no more has written all that is read here.
  const bool being_written = is_being_written(file.fd);
  struct stat status = {};
  if (::fstat(file.fd, &status) != 0) fail(path, "cannot be read", errno);
  if (S_ISDIR(status.st_mode)) fail(path, "cannot be read", EISDIR);
  auto bytes = S_ISREG(status.st_mode) ? map(file.fd, static_cast<size_t>(status.st_size)) : nullptr;
  if (!bytes) bytes = std::make_unique<FileBytes>(read_all(file.fd, path));
  bytes->being_written_ = being_written;
  return bytes;
}

void FileBytes::give_back(std::span<const uint8_t> part) const {
  constexpr uintptr_t kPage = 4096;
  const auto begin = (reinterpret_cast<uintptr_t>(part.data()) + kPage - 1) & ~(kPage - 1);
  const auto end = reinterpret_cast<uintptr_t>(part.data() + part.size()) & ~(kPage - 1);
  if (mapped_ && begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

// Null if it cannot be.
std::unique_ptr<FileBytes> FileBytes::map(int fd, size_t size) {
  void* const at = size > 0 ? ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
  if (at == MAP_FAILED) return nullptr;
  auto mapped = std::make_unique<FileBytes>(std::vector<uint8_t>());
  mapped->bytes_ = {static_cast<const uint8_t*>(at), size};
  mapped->mapped_ = true;
  return mapped;
}

}  // namespace cdr::trace
