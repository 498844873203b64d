// SPDX-License-Identifier: GPL-2.0-or-later
// Decompression with bounds: what a file says that it holds takes no memory before it is there, and no more than a
// file of its size can mean.
#ifndef CDRGRIND_TRACE_READ_EXPANSION_H
#define CDRGRIND_TRACE_READ_EXPANSION_H

#include <cstdint>
#include <span>
#include <vector>

namespace cdr::trace {

// The most that one frame may take when decompressed in a file of so many bytes. zstd makes up to 32,768 bytes of one;
// recordings stay far below this: what repeats so much is a grammar's exponent, not bytes.
uint64_t most_expanded(uint64_t stored_bytes);

// A zstd frame that holds exactly `bytes` bytes. False if it does not.
bool expand(std::span<const uint8_t> stored, uint64_t bytes, std::vector<uint8_t>& to);

}  // namespace cdr::trace

#endif
