// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/compare/size_meter.h"

#include <zstd.h>

#include <random>

#include "tests/unit/catch.h"

using namespace cdr::compare;

namespace {

std::vector<uint8_t> text(size_t size) {
  std::mt19937 gen(1);
  std::vector<uint8_t> bytes;
  while (bytes.size() < size) bytes.push_back(static_cast<uint8_t>(gen() % 8 * (bytes.size() / 1000 % 5)));
  return bytes;
}

}  // namespace

TEST_CASE("a meter counts the same whatever the pieces") {
  const auto bytes = text(300000);
  const CompressedSizes whole = sizes_of(bytes);
  SizeMeter meter(kAllPrograms, bytes.size());
  for (size_t at = 0, n = 1; at < bytes.size(); at += n, n = n * 3 % 70001) {
    n = std::min(n, bytes.size() - at);
    meter.add(std::span(bytes).subspan(at, n));
  }
  const CompressedSizes pieces = meter.finish();
  CHECK(pieces.raw == bytes.size());
  CHECK(pieces.gzip == whole.gzip);
  CHECK(pieces.xz == whole.xz);
  CHECK(pieces.zstd == whole.zstd);
  CHECK(whole.gzip > whole.xz);
  CHECK(whole.xz > 20000);
}

TEST_CASE("zstd's size is that of one call of the library, and its checksum") {
  const auto bytes = text(50000);
  std::vector<uint8_t> room(ZSTD_compressBound(bytes.size()));
  const size_t n = ZSTD_compress(room.data(), room.size(), bytes.data(), bytes.size(), 19);
  CHECK(sizes_of(bytes, kZstd).zstd == n + 4);
}

TEST_CASE("nothing takes what the programs make of an empty file") {
  const CompressedSizes s = sizes_of({});
  CHECK(s.raw == 0);
  CHECK(s.gzip == 20);
  CHECK(s.xz == 32);
  CHECK(s.zstd == 13);
}

TEST_CASE("only the programs that are asked for run") {
  const CompressedSizes s = sizes_of(text(5000), kZstd);
  CHECK(s.gzip == 0);
  CHECK(s.xz == 0);
  CHECK(s.zstd > 100);
}
