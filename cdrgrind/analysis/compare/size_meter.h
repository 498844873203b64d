// SPDX-License-Identifier: GPL-2.0-or-later
// What gzip -9, xz -9 and zstd -19 make of a stream of bytes, for comparison with a trace. The bytes are given piece
// by piece and the output is only counted, so nothing of either is kept. The same sizes as the programs of these names
// give, but for the few bytes in which gzip and zlib differ.
//
// Memory: xz takes about 11 times the bytes given so far, at most 700 MB; zstd at most 90 MB; gzip nothing to speak of.
#ifndef CDRGRIND_ANALYSIS_COMPARE_SIZE_METER_H
#define CDRGRIND_ANALYSIS_COMPARE_SIZE_METER_H

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace cdr::compare {

enum SizeProgram : unsigned { kGzip = 1, kXz = 2, kZstd = 4, kAllPrograms = 7 };

struct CompressedSizes {
  uint64_t raw = 0;
  uint64_t gzip = 0, xz = 0, zstd = 0;  // 0: not asked for
};

class SizeMeter {
 public:
  static constexpr uint64_t kUnknown = ~uint64_t{0};

  // `raw_bytes`: how many will be given. zstd prepares for few bytes otherwise than for many. A wrong number is an
  // error of the caller's.
  explicit SizeMeter(unsigned programs = kAllPrograms, uint64_t raw_bytes = kUnknown);
  ~SizeMeter();
  SizeMeter(SizeMeter&&) noexcept;

  void add(std::span<const uint8_t> bytes);
  // Nothing may be added after it. Throws std::runtime_error, as all functions, if a library refuses.
  CompressedSizes finish();

  class Program;

 private:
  uint64_t raw_ = 0;
  std::unique_ptr<Program> gzip_, xz_, zstd_;
};

CompressedSizes sizes_of(std::span<const uint8_t> bytes, unsigned programs = kAllPrograms);

}  // namespace cdr::compare

#endif
