// SPDX-License-Identifier: GPL-2.0-or-later
// The payload of DATAFLOW: the summaries (base/dataflow.h) of superblocks first+1 … first+n, in columns. Counts
// that the block table knows (slots, accesses, exits) are not stored. The decoder appends to the table and
// guarantees that every set, register and load named in it exists.
#ifndef CDRGRIND_FORMAT_DATAFLOW_CODEC_H
#define CDRGRIND_FORMAT_DATAFLOW_CODEC_H

#include <cstdint>
#include <span>

#include "cdrgrind/base/block_table.h"
#include "cdrgrind/base/bytes.h"
#include "cdrgrind/base/dataflow.h"
#include "cdrgrind/format/tables.h"

namespace cdr {

// Each summary must fit its superblock.
void encode_dataflow(const DataflowTable& flows, const BlockTable& blocks, TableRange which, ByteWriter& to);
// Null, or what is wrong. `blocks` knows the superblocks.
const char* decode_dataflow(std::span<const uint8_t> payload, const BlockTable& blocks, DataflowTable& flows);

}  // namespace cdr

#endif
