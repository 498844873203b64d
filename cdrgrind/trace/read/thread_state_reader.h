// SPDX-License-Identifier: GPL-2.0-or-later
// Reads the columns of encode/thread_states.h. Trusts nothing but the table of blocks.
#ifndef CDRGRIND_TRACE_READ_THREAD_STATE_READER_H
#define CDRGRIND_TRACE_READ_THREAD_STATE_READER_H

#include <vector>

#include "cdrgrind/encode/thread_states.h"
#include "cdrgrind/trace/read/columns.h"
#include "cdrgrind/trace/read/trace_file.h"

namespace cdr::trace {

// A thread at the start of an epoch, which it does not begin in.
struct ThreadAtStart {
  ThreadId thread;
  ThreadCounts before;
  ThreadModel::State state;
};

// By ascending serials. False if the columns are damaged.
bool read_thread_states(const Columns& columns, const BlockTable& blocks, uint32_t max_serial,
                        std::vector<ThreadAtStart>& to);
// The same of an epoch.
bool read_thread_states(const TraceFile& file, const Epoch& epoch, std::vector<ThreadAtStart>& to);

}  // namespace cdr::trace

#endif
