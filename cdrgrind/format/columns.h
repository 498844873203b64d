// SPDX-License-Identifier: GPL-2.0-or-later
// A payload made of columns: byte strings of one kind each, so that each compresses on its own.
//
//     varint count; per column: varint bytes, varint stored bytes (0: stored as they are); then the columns
//
// A stored column is one zstd frame, or, from version 8 on, a modelled one (byte_model.h).
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
  // `level` 1..19, or negative: faster and larger. `models`: short columns become what a model makes of them, where
  // that is smaller.
  explicit Compressor(int level, bool models = false);
  ~Compressor();
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;

  // One zstd frame, valid until the next call; or `bytes` if that is not smaller, or zstd cannot run.
  std::span<const uint8_t> compress(std::span<const uint8_t> bytes);
  // The same of a column.
  std::span<const uint8_t> compress_column(std::span<const uint8_t> bytes);

 private:
  struct Free {
    void operator()(ZSTD_CCtx_s* context) const;
  };
  int level_;
  bool models_;
  std::unique_ptr<ZSTD_CCtx_s, Free> context_;
  std::vector<uint8_t> buffer_, modelled_;
};

// Valid as long as the columns are.
std::vector<std::span<const uint8_t>> spans_of(std::span<const ByteWriter> columns);
// `model`: whether short ones may be modelled; not what is read whenever a file is opened.
void write_columns(std::span<const std::span<const uint8_t>> columns, Compressor& compressor, ByteWriter& to,
                   bool model = true);
// What the columns themselves take there.
size_t stored_size(std::span<const ByteWriter> columns, Compressor& compressor);

}  // namespace cdr

#endif
