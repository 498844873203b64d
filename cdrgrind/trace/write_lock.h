// SPDX-License-Identifier: GPL-2.0-or-later
// Whether a recorder, or its helper, is writing a file. It holds a lock of the open file as long; asking takes none, so
// that nobody who reads stands in a recorder's way.
#ifndef CDRGRIND_TRACE_WRITE_LOCK_H
#define CDRGRIND_TRACE_WRITE_LOCK_H

namespace cdr::trace {

// False where there are no locks.
bool is_being_written(int fd);

}  // namespace cdr::trace

#endif
