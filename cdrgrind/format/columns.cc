// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/format/columns.h"

#include <zstd.h>

#include "cdrgrind/format/byte_model.h"

namespace cdr {

void Compressor::Free::operator()(ZSTD_CCtx_s* context) const { ZSTD_freeCCtx(context); }

Compressor::Compressor(int level, bool models) : level_(level), models_(models), context_(ZSTD_createCCtx()) {}
Compressor::~Compressor() = default;

std::span<const uint8_t> Compressor::compress(std::span<const uint8_t> bytes) {
  if (!context_ || bytes.empty()) return bytes;
  const size_t bound = ZSTD_compressBound(bytes.size());
  if (buffer_.size() < bound) buffer_.resize(bound);
  const size_t n =
      ZSTD_compressCCtx(context_.get(), buffer_.data(), buffer_.size(), bytes.data(), bytes.size(), level_);
  if (ZSTD_isError(n) || n >= bytes.size()) return bytes;
  return {buffer_.data(), n};
}

std::span<const uint8_t> Compressor::compress_column(std::span<const uint8_t> bytes) {
  const auto compressed = compress(bytes);
  if (!models_ || bytes.size() > kMostModelled) return compressed;
  modelled_ = modelled(bytes);
  return modelled_.size() < compressed.size() ? modelled_ : compressed;
}

std::vector<std::span<const uint8_t>> spans_of(std::span<const ByteWriter> columns) {
  std::vector<std::span<const uint8_t>> spans;
  for (const ByteWriter& c : columns) spans.push_back(c.bytes());
  return spans;
}

void write_columns(std::span<const std::span<const uint8_t>> columns, Compressor& compressor, ByteWriter& to,
                   bool model) {
  ByteWriter bodies;
  to.varint(columns.size());
  for (const auto& column : columns) {
    const auto stored = model ? compressor.compress_column(column) : compressor.compress(column);
    to.varint(column.size());
    to.varint(stored.data() == column.data() ? 0 : stored.size());
    bodies.raw(stored.data(), stored.size());
  }
  to.raw(bodies.bytes().data(), bodies.size());
}

size_t stored_size(std::span<const ByteWriter> columns, Compressor& compressor) {
  size_t n = 0;
  for (const ByteWriter& c : columns) n += compressor.compress_column(c.bytes()).size();
  return n;
}

}  // namespace cdr
