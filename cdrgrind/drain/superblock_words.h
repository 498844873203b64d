// SPDX-License-Identifier: GPL-2.0-or-later
// A superblock and its data flow packed into words of a record and back. Same process or same machine only: the layout
// is the compiler's.
#ifndef CDRGRIND_DRAIN_SUPERBLOCK_WORDS_H
#define CDRGRIND_DRAIN_SUPERBLOCK_WORDS_H

#include <cstdint>
#include <span>
#include <vector>

#include "cdrgrind/base/block_table.h"
#include "cdrgrind/base/dataflow.h"

namespace cdr::drain {

void pack_superblock(const Superblock& sb, std::vector<uint64_t>& to);
void pack_dataflow(const Dataflow& flow, std::vector<uint64_t>& to);
// The spans point into `from`, which goes on behind what was read.
Superblock unpack_superblock(std::span<const uint64_t>& from);
Dataflow unpack_dataflow(std::span<const uint64_t>& from);

// Text as words: the length, then the bytes.
void pack_text(std::string_view s, std::vector<uint64_t>& to);
std::string_view unpack_text(std::span<const uint64_t>& from);

}  // namespace cdr::drain

#endif
