// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/compressed_file.h"

#include <fmt/format.h>
#include <zstd.h>

#include <new>

#include "cdrgrind/cli/failure.h"

namespace cdr::cli {

struct CompressedFile::Stream {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ~Stream() { ZSTD_freeCCtx(context); }
};

CompressedFile::CompressedFile(const std::string& path, const std::string& keep)
    : file_(path, {.keep = keep}), stream_(std::make_unique<Stream>()), out_(ZSTD_CStreamOutSize()) {
  if (!stream_->context) throw std::bad_alloc();
  ZSTD_CCtx_setParameter(stream_->context, ZSTD_c_compressionLevel, 3);
  ZSTD_CCtx_setParameter(stream_->context, ZSTD_c_checksumFlag, 1);
}
CompressedFile::~CompressedFile() = default;

bool CompressedFile::write(std::span<const uint8_t> bytes) {
  compress(bytes, false);
  return true;
}

void CompressedFile::finish() {
  compress({}, true);
  file_.put_in_place();
}

void CompressedFile::compress(std::span<const uint8_t> bytes, bool end) {
  ZSTD_inBuffer in = {bytes.data(), bytes.size(), 0};
  for (;;) {
    ZSTD_outBuffer out = {out_.data(), out_.size(), 0};
    const size_t left = ZSTD_compressStream2(stream_->context, &out, &in, end ? ZSTD_e_end : ZSTD_e_continue);
    if (ZSTD_isError(left)) throw Failure(kBadInput, fmt::format("zstd: {}", ZSTD_getErrorName(left)));
    file_.write(std::span(out_).first(out.pos));
    if (end ? left == 0 : in.pos == in.size) return;
  }
}

}  // namespace cdr::cli
