// SPDX-License-Identifier: GPL-2.0-or-later
// A payload made of columns: byte strings of one kind each, so that each compresses on its own.
//
//     varint count; per column: varint bytes, varint stored bytes (0: stored as they are); then the columns
//
// A stored column is one zstd frame.
#ifndef CDRGRIND_FORMAT_COLUMNS_H
#define CDRGRIND_FORMAT_COLUMNS_H

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cdrgrind/base/bytes.h"

struct ZSTD_CCtx_s;

namespace cdr {

// zstd with a context of its own; works in the tool, too.
class Compressor {
 public:
  // `level` 1..19, or negative: faster and larger.
  explicit Compressor(int level);
  ~Compressor();
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;

  // One zstd frame, valid until the next call; or `bytes` if that is not smaller, or zstd cannot run.
  std::span<const uint8_t> compress(std::span<const uint8_t> bytes);

 private:
  struct Free {
    void operator()(ZSTD_CCtx_s* context) const;
  };
  int level_;
  std::unique_ptr<ZSTD_CCtx_s, Free> context_;
  std::vector<uint8_t> buffer_;
};

// Valid as long as the columns are.
std::vector<std::span<const uint8_t>> spans_of(std::span<const ByteWriter> columns);
void write_columns(std::span<const std::span<const uint8_t>> columns, Compressor& compressor, ByteWriter& to);
// What the columns themselves take there.
size_t stored_size(std::span<const ByteWriter> columns, Compressor& compressor);

}  // namespace cdr

#endif
