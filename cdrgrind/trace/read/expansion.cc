// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/read/expansion.h"

#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <memory>
#include <new>

#include "cdrgrind/format/frame.h"

namespace cdr::trace {
namespace {

constexpr uint64_t kAlways = 64 << 20;  // is allowed whatever the size of the file
constexpr uint64_t kPerByte = 1024;     // more for each byte of it
constexpr uint64_t kUsual = 64;         // bytes that are believed to come of one

struct Free {
  void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
};

bool failed(size_t result) {
  if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation) throw std::bad_alloc();
  return ZSTD_isError(result);
}

// Memory is taken as the bytes come; of what is always allowed only addresses before.
bool expand_gradually(std::span<const uint8_t> stored, uint64_t bytes, std::vector<uint8_t>& to) {
  const std::unique_ptr<ZSTD_DStream, Free> stream(ZSTD_createDStream());
  if (!stream) throw std::bad_alloc();
  ZSTD_inBuffer in = {stored.data(), stored.size(), 0};
  to.reserve(std::min(bytes, kAlways));
  to.resize(kUsual * stored.size());
  size_t done = 0;
  for (size_t left = 1; left != 0;) {
    if (done == to.size()) to.resize(std::min<uint64_t>(bytes, 2 * to.size()));
    ZSTD_outBuffer out = {to.data(), to.size(), done};
    left = ZSTD_decompressStream(stream.get(), &out, &in);
    const bool stuck = out.pos == done && out.pos < out.size && in.pos == in.size;
    if (failed(left) || (left != 0 && (out.pos == bytes || stuck))) return false;
    done = out.pos;
  }
  return done == bytes && in.pos == in.size;
}

}  // namespace

uint64_t most_expanded(uint64_t stored_bytes) {
  return std::min(kMaxColumnBytes, kAlways + kPerByte * std::min(stored_bytes, kMaxColumnBytes));
}

bool expand(std::span<const uint8_t> stored, uint64_t bytes, std::vector<uint8_t>& to) {
  if (bytes / kUsual > stored.size()) return expand_gradually(stored, bytes, to);
  to.resize(bytes);
  const size_t n = ZSTD_decompress(to.data(), to.size(), stored.data(), stored.size());
  return !failed(n) && n == bytes;
}

}  // namespace cdr::trace
