// SPDX-License-Identifier: GPL-2.0-or-later
// Whether a recorder, or its helper, is writing a file. It holds a lock of the open file as long. Asking takes none, so
// that nobody who reads stands in a recorder's way.
#ifndef CDRGRIND_TRACE_READ_WRITE_LOCK_H
#define CDRGRIND_TRACE_READ_WRITE_LOCK_H

namespace cdr::trace {

// False where there are no locks.
bool is_being_written(int fd);
// Until the last descriptor of the open file is closed, recorders keep away from it. False if another open file has the
// lock. `fd` can be written to.
bool lock_for_writing(int fd);

}  // namespace cdr::trace

#endif
