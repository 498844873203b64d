// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/symbols/common/packed_files.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace cdr::symbols {

namespace {

void write_all(int fd, const PackedFiles::Bytes& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = ::write(fd, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw std::system_error(errno, std::generic_category(), "a packed file cannot be held in memory");
    done += static_cast<std::size_t>(n);
  }
}

}  // namespace

PackedFiles::~PackedFiles() {
  for (const auto& [file, fd] : open_) ::close(fd);
}

const PackedFiles::Binary* PackedFiles::binary(const std::string& key) const {
  const auto found = binaries_.find(key);
  return found == binaries_.end() ? nullptr : &found->second;
}

std::string PackedFiles::open(const File& file) {
  const auto [place, is_new] = open_.try_emplace({file.content, file.modified_at}, -1);
  if (is_new) {
    try {
      const Bytes bytes = content_(file.content);
      place->second = ::memfd_create("cdrgrind-packed", MFD_CLOEXEC);
      if (place->second < 0)
        throw std::system_error(errno, std::generic_category(), "a packed file cannot be held in memory");
      write_all(place->second, bytes);
    } catch (...) {
      if (place->second >= 0) ::close(place->second);
      open_.erase(place);
      throw;
    }
    const timespec times[2] = {{file.modified_at, 0}, {file.modified_at, 0}};
    ::futimens(place->second, times);
  }
  return "/proc/self/fd/" + std::to_string(place->second);
}

std::string binary_key(const std::string& path, const std::string& build_id,
                       const std::optional<std::uint64_t>& checksum) {
  return path + '\n' + (checksum ? std::to_string(*checksum) : build_id);
}

}  // namespace cdr::symbols
