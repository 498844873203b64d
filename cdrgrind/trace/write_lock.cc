// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/write_lock.h"

#include <fcntl.h>

namespace cdr::trace {

bool is_being_written(int fd) {
  struct flock lock = {};
  lock.l_type = F_RDLCK;
  return ::fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type == F_WRLCK;
}

}  // namespace cdr::trace
