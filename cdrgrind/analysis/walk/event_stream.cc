// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/walk/event_stream.h"

#include "cdrgrind/trace/read/cursor.h"

namespace cdr::analysis {

uint64_t AllEvents::run(EventReader& reader, uint64_t end) {
  trace::Cursor cursor(file_);
  uint64_t index = 0;
  for (Event e; index < end && reader.goes_on(index) && cursor.next(e); ++index) reader.event(e, index);
  return index;
}

}  // namespace cdr::analysis
