// SPDX-License-Identifier: GPL-2.0-or-later
// Opens what the recorder writes. A regular file is emptied, but only when its lock says that nobody else is writing
// it; the lock belongs to the open file, so it goes on to a helper and ends with the last descriptor. Anything else (a
// device, a FIFO) is written to as it is. Nothing is ever unlinked or renamed.
#ifndef CDRGRIND_TOOL_OUTPUT_PLACE_H
#define CDRGRIND_TOOL_OUTPUT_PLACE_H

#include <cstdint>

#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

enum class Opened { kYes, kTaken, kNo };

struct OutputPlace {
  Int fd = -1;          // out of the client's reach
  bool regular = true;  // a regular file
  uint64_t error = 0;   // errno, for kNo
};

// kTaken: another process is writing the file, and it is as it was. Where files cannot be locked nobody is.
Opened open_output(const HChar* path, OutputPlace& place);

// Something is there that is neither a regular file nor a folder.
bool is_special(const HChar* path);
// Nothing but a regular file; links are followed.
bool is_regular(const HChar* path);

}  // namespace cdr::tool

#endif
