// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "cdrgrind/cli/failure.h"
#include "cdrgrind/trace/read/write_lock.h"

namespace cdr::cli {

namespace {

namespace fs = std::filesystem;

constexpr int kMaxLinks = 40;
constexpr size_t kLongestName = 240;  // so that there is room for the random letters
constexpr int kEnding[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

// The unfinished file, for a signal that ends the command.
char unfinished[4096];

void end_by_signal(int signal_number) {
  unlink(unfinished);
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

// What nohup ignores stays ignored.
void handle_endings() {
  for (const int s : kEnding) {
    struct sigaction now = {};
    sigaction(s, nullptr, &now);
    if (now.sa_handler == SIG_DFL) signal(s, end_by_signal);
  }
}

// While it lives none of these signals arrives.
class NoEndings {
 public:
  NoEndings() {
    sigset_t set;
    sigemptyset(&set);
    for (const int s : kEnding) sigaddset(&set, s);
    sigprocmask(SIG_BLOCK, &set, &before_);
  }
  ~NoEndings() { sigprocmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

bool same_file(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

// 1 or 2 if it is the file, whatever it is, that they go to: the shell has it open and goes on writing there.
int standard_stream(const struct stat& state) {
  for (const int fd : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat stream = {};
    if (fstat(fd, &stream) == 0 && same_file(stream, state)) return fd;
  }
  return -1;
}

std::string temporary_folder() {
  const char* const folder = std::getenv("TMPDIR");
  return folder && *folder ? folder : "/tmp";
}

int nameless_file() {
  const std::string folder = temporary_folder();
  if (const int fd = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600); fd >= 0) return fd;
  std::string name = folder + "/cdrgrind.XXXXXX";
  const int fd = mkostemp(name.data(), O_CLOEXEC);
  if (fd >= 0) unlink(name.c_str());
  return fd;
}

mode_t mode_of_new_files() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

bool write_whole(int fd, std::span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes = bytes.subspan(static_cast<size_t>(n));
  }
  return true;
}

}  // namespace

std::string followed(const std::string& path) {
  fs::path at = path;
  std::error_code error;
  for (int links = 0; links < kMaxLinks && fs::is_symlink(fs::symlink_status(at, error)); ++links) {
    const fs::path to = fs::read_symlink(at, error);
    if (error) break;
    at = at.parent_path() / to;
  }
  const fs::path folder = fs::canonical(at.has_parent_path() ? at.parent_path() : ".", error);
  return error ? at.string() : (folder / at.filename()).string();
}

OutputFile::OutputFile(const std::string& path, const Options& options)
    : path_(path), target_(followed(path)), options_(options) {
  open_target();
  stage();
}

OutputFile::~OutputFile() {
  if (fd_ >= 0) ::close(fd_);
  if (old_ >= 0) ::close(old_);
  if (name_.empty()) return;
  unlink(name_.c_str());
  unfinished[0] = 0;
}

void OutputFile::fail(const char* what) const {
  throw Failure(kBadInput, fmt::format("{}: {}: {}", path_, what, std::strerror(errno)));
}

// ---- what is there

void OutputFile::open_target() {
  old_ = ::open(path_.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
  const int error = errno;
  if (old_ < 0 && error == EISDIR) throw Failure(kWrongUse, path_ + ": is a folder; name a file");
  if (old_ < 0 && error == ENOENT && !path_.ends_with('/')) {
    replaces_ = true;
    return;
  }
  if (old_ < 0 && !(error == ENXIO && open_socket())) {
    errno = error;
    fail("cannot be written");
  }
  if (fstat(old_, &old_state_) != 0) fail("cannot be written");
  if (const int stream = standard_stream(old_state_); stream >= 0) {
    ::close(old_);
    if ((old_ = fcntl(stream, F_DUPFD_CLOEXEC, 0)) < 0) fail("cannot be written");
    return;
  }
  if (!S_ISREG(old_state_.st_mode)) return;
  if (!trace::lock_for_writing(old_))
    throw Failure(kBadInput, path_ + ": is still being written by a recording; name another file");
  struct stat named = {};  // /dev/fd/3 may be a file that has no name
  replaces_ = stat(target_.c_str(), &named) == 0 && same_file(named, old_state_);
}

bool OutputFile::open_socket() {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (path_.size() >= sizeof address.sun_path) return false;
  std::memcpy(address.sun_path, path_.c_str(), path_.size());
  old_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (old_ < 0) return false;
  return connect(old_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

// ---- the unfinished file

void OutputFile::stage() {
  if (replaces_ && stage_beside()) return;
  if (old_ < 0) fail("cannot be created");
  if (options_.only_replace) fail("cannot be replaced");
  replaces_ = false;
  if ((fd_ = nameless_file()) < 0)
    throw Failure(kBadInput, fmt::format("{}: no temporary file can be created in {}: {}", path_, temporary_folder(),
                                         std::strerror(errno)));
}

bool OutputFile::stage_beside() {
  const fs::path target = target_;
  std::string name = (target.parent_path() / target.filename().string().substr(0, kLongestName)).string() + ".XXXXXX";
  const NoEndings none;
  if ((fd_ = mkostemp(name.data(), O_CLOEXEC)) < 0) return false;
  name_ = name;
  if (name.size() >= sizeof unfinished) return true;
  std::memcpy(unfinished, name.c_str(), name.size() + 1);
  handle_endings();
  return true;
}

std::string OutputFile::written_path() const { return name_.empty() ? fmt::format("/proc/self/fd/{}", fd_) : name_; }

bool OutputFile::write(std::span<const uint8_t> bytes) {
  if (!write_whole(fd_, bytes)) fail("cannot be written");
  return true;
}

void OutputFile::mark_cut() {
  if (pwrite(fd_, kCutMark.data(), kCutMark.size(), kCutMarkOffset) != static_cast<ssize_t>(kCutMark.size()))
    fail("cannot be written");
}

// ---- put in place

void OutputFile::put_in_place() {
  if (replaces_ && replace()) return;
  if (options_.only_replace) fail("cannot be replaced");
  overwrite();
}

// False if it is not permitted, and the old file can be overwritten.
bool OutputFile::replace() {
  struct stat now = {};
  const bool is_there = stat(target_.c_str(), &now) == 0;
  if (is_there && (old_ < 0 || !same_file(now, old_state_)))
    throw Failure(kBadInput, path_ + ": has become another file meanwhile; nothing was written");
  if (is_there) {
    if (fchown(fd_, now.st_uid, now.st_gid) != 0) return false;
    if (fchmod(fd_, now.st_mode & 07777) != 0) return false;
  } else if (fchmod(fd_, options_.mode.value_or(mode_of_new_files()) & 07777) != 0) {
    fail("cannot be written");
  }
  if (fsync(fd_) != 0) fail("cannot be written");
  const NoEndings none;
  if (rename(name_.c_str(), target_.c_str()) != 0) {
    if (old_ >= 0 && (errno == EPERM || errno == EACCES || errno == EBUSY)) return false;
    fail("cannot be put in its place");
  }
  name_.clear();
  unfinished[0] = 0;
  return true;
}

// The one way in which an old file can be left half written, so what can be known before is.
void OutputFile::overwrite() {
  struct stat kept = {}, written = {};
  if (!options_.keep.empty() && stat(options_.keep.c_str(), &kept) == 0 && same_file(kept, old_state_))
    throw Failure(kWrongUse, fmt::format("{}: is {}, which would change; name another file", path_, options_.keep));
  if (fstat(fd_, &written) != 0) fail("cannot be written");
  const bool regular = S_ISREG(old_state_.st_mode) && standard_stream(old_state_) < 0;
  if (regular && written.st_size > old_state_.st_size) {
    const int error = posix_fallocate(old_, 0, written.st_size);
    errno = error;
    if (error == ENOSPC || error == EFBIG || error == EDQUOT) {
      if (ftruncate(old_, old_state_.st_size) != 0) errno = error;
      fail("cannot be written");
    }
  }
  copy_to_target();
  if (regular && (ftruncate(old_, written.st_size) != 0 || fsync(old_) != 0)) fail("cannot be written");
}

void OutputFile::copy_to_target() {
  std::array<uint8_t, 1 << 16> piece;
  if (lseek(fd_, 0, SEEK_SET) != 0) fail("cannot be written");
  for (;;) {
    const ssize_t n = read(fd_, piece.data(), piece.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 || !write_whole(old_, {piece.data(), static_cast<size_t>(n)})) fail("cannot be written");
    if (n == 0) return;
  }
}

}  // namespace cdr::cli
