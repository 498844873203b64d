// SPDX-License-Identifier: GPL-2.0-or-later
// Adds the recording to a superblock: inline stores into the record buffer.
#ifndef CDRGRIND_TOOL_INSTRUMENT_H
#define CDRGRIND_TOOL_INSTRUMENT_H

#include "cdrgrind/tool/superblock_scan.h"
#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

// `first_record` is the rec id of the first exit; the others follow.
IRSB* add_recording(const IRSB& in, const SuperblockScan& scan, uint32_t first_record);

}  // namespace cdr::tool

#endif
