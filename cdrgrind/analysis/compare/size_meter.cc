// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/compare/size_meter.h"

#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <stdexcept>
#include <string>

namespace cdr::compare {

// One compressor. add() with `last` ends the stream.
class SizeMeter::Program {
 public:
  virtual ~Program() = default;
  virtual void add(std::span<const uint8_t> bytes, bool last) = 0;
  uint64_t written() const { return written_; }

 protected:
  [[noreturn]] static void fail(const char* library) {
    throw std::runtime_error(std::string(library) + " cannot compress (not enough memory?)");
  }
  std::vector<uint8_t> buffer_ = std::vector<uint8_t>(1 << 16);
  uint64_t written_ = 0;
};

namespace {

class Gzip final : public SizeMeter::Program {
 public:
  Gzip() {
    constexpr int kGzipHeader = 16, kWindowBits = 15, kMemory = 8;
    if (deflateInit2(&stream_, 9, Z_DEFLATED, kWindowBits + kGzipHeader, kMemory, Z_DEFAULT_STRATEGY) != Z_OK)
      fail("zlib");
  }
  ~Gzip() override { deflateEnd(&stream_); }

  void add(std::span<const uint8_t> bytes, bool last) override {
    constexpr size_t kMost = 1 << 30;  // avail_in has 32 bits
    for (; bytes.size() > kMost; bytes = bytes.subspan(kMost)) put(bytes.first(kMost), false);
    put(bytes, last);
  }

 private:
  void put(std::span<const uint8_t> bytes, bool last) {
    stream_.next_in = const_cast<uint8_t*>(bytes.data());
    stream_.avail_in = static_cast<unsigned>(bytes.size());
    do {
      stream_.next_out = buffer_.data();
      stream_.avail_out = static_cast<unsigned>(buffer_.size());
      if (deflate(&stream_, last ? Z_FINISH : Z_NO_FLUSH) == Z_STREAM_ERROR) fail("zlib");
      written_ += buffer_.size() - stream_.avail_out;
    } while (stream_.avail_out == 0);
  }
  z_stream stream_ = {};
};

class Xz final : public SizeMeter::Program {
 public:
  Xz() {
    if (lzma_easy_encoder(&stream_, 9, LZMA_CHECK_CRC64) != LZMA_OK) fail("liblzma");
  }
  ~Xz() override { lzma_end(&stream_); }

  void add(std::span<const uint8_t> bytes, bool last) override {
    stream_.next_in = bytes.data();
    stream_.avail_in = bytes.size();
    lzma_ret state = LZMA_OK;
    do {
      stream_.next_out = buffer_.data();
      stream_.avail_out = buffer_.size();
      state = lzma_code(&stream_, last ? LZMA_FINISH : LZMA_RUN);
      written_ += buffer_.size() - stream_.avail_out;
      // LZMA_BUF_ERROR: there was nothing to do.
      if (state != LZMA_OK && state != LZMA_STREAM_END && state != LZMA_BUF_ERROR) fail("liblzma");
    } while (last ? state == LZMA_OK : stream_.avail_in > 0 || stream_.avail_out == 0);
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
};

class Zstd final : public SizeMeter::Program {
 public:
  explicit Zstd(uint64_t raw_bytes) : context_(ZSTD_createCCtx()) {
    if (!context_) fail("zstd");
    set(ZSTD_c_compressionLevel, 19);
    set(ZSTD_c_checksumFlag, 1);
    if (raw_bytes != SizeMeter::kUnknown && ZSTD_isError(ZSTD_CCtx_setPledgedSrcSize(context_.get(), raw_bytes)))
      fail("zstd");
  }

  void add(std::span<const uint8_t> bytes, bool last) override {
    ZSTD_inBuffer in = {bytes.data(), bytes.size(), 0};
    size_t left = 0;
    do {
      ZSTD_outBuffer out = {buffer_.data(), buffer_.size(), 0};
      left = ZSTD_compressStream2(context_.get(), &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
      if (ZSTD_isError(left)) fail("zstd");
      written_ += out.pos;
    } while (last ? left != 0 : in.pos < in.size);
  }

 private:
  struct Free {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  };
  void set(ZSTD_cParameter parameter, int value) {
    if (ZSTD_isError(ZSTD_CCtx_setParameter(context_.get(), parameter, value))) fail("zstd");
  }
  std::unique_ptr<ZSTD_CCtx, Free> context_;
};

}  // namespace

SizeMeter::SizeMeter(unsigned programs, uint64_t raw_bytes) {
  if (programs & kGzip) gzip_ = std::make_unique<Gzip>();
  if (programs & kXz) xz_ = std::make_unique<Xz>();
  if (programs & kZstd) zstd_ = std::make_unique<Zstd>(raw_bytes);
}
SizeMeter::~SizeMeter() = default;
SizeMeter::SizeMeter(SizeMeter&&) noexcept = default;

void SizeMeter::add(std::span<const uint8_t> bytes) {
  raw_ += bytes.size();
  if (bytes.empty()) return;
  for (Program* p : {gzip_.get(), xz_.get(), zstd_.get()})
    if (p) p->add(bytes, false);
}

CompressedSizes SizeMeter::finish() {
  const auto end = [](Program* p) {
    if (!p) return uint64_t{0};
    p->add({}, true);
    return p->written();
  };
  return {raw_, end(gzip_.get()), end(xz_.get()), end(zstd_.get())};
}

CompressedSizes sizes_of(std::span<const uint8_t> bytes, unsigned programs) {
  SizeMeter meter(programs, bytes.size());
  meter.add(bytes);
  return meter.finish();
}

}  // namespace cdr::compare
