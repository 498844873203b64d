// SPDX-License-Identifier: GPL-2.0-or-later
// What tells the file that was mapped from another one that stands at its path later. Read from the file, not from the
// mapping: a file that has become shorter since would be a signal.
#ifndef CDRGRIND_TOOL_FILE_ID_H
#define CDRGRIND_TOOL_FILE_ID_H

#include <array>

#include "cdrgrind/base/module_table.h"
#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

struct FileId {
  uint64_t file_bytes = 0;  // 0: not known
  FileIdKind kind = FileIdKind::kNone;
  std::array<uint8_t, kMaxFileIdBytes> room = {};
  uint8_t size = 0;

  std::string_view bytes() const { return {reinterpret_cast<const char*>(room.data()), size}; }
};

// Of the file at `path` if it is the one behind the mapping; else nothing is known. A few system calls; a file without
// build-id is read as a whole.
FileId file_id_of(const HChar* path, const NSegment& mapping);

}  // namespace cdr::tool

#endif
