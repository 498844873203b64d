// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/read/write_lock.h"

#include <fcntl.h>

#include <cerrno>

namespace cdr::trace {

bool is_being_written(int fd) {
  struct flock lock = {};
  lock.l_type = F_RDLCK;
  return ::fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type == F_WRLCK;
}

bool lock_for_writing(int fd) {
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  return ::fcntl(fd, F_OFD_SETLK, &lock) == 0 || (errno != EAGAIN && errno != EACCES);
}

}  // namespace cdr::trace
