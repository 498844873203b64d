// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/compare/raw_trace.h"

#include "cdrgrind/analysis/compare/walk.h"
#include "cdrgrind/base/bytes.h"

namespace cdr::compare {
namespace {

constexpr size_t kPiece = 1 << 20;

uint64_t raw_bytes(const ThreadComparison& t, RawPart part) {
  return part == RawPart::kControl ? t.raw_control() : t.raw_addresses();
}

void append(const Event& e, const BlockTable& blocks, RawPart part, ByteWriter& to) {
  if (part == RawPart::kControl) return to.u32(e.block.value);
  for_each_access(e, blocks, [&](const Access&, uint64_t addr, uint32_t) { to.u32(static_cast<uint32_t>(addr)); });
}

}  // namespace

// The first thread of a batch goes through, the others wait for it.
void read_raw(const trace::TraceFile& file, RawPart part, const std::vector<ThreadComparison>& threads,
              size_t batch_bytes, const analysis::Progress& progress,
              const std::function<void(std::span<const uint8_t>)>& to) {
  const char* name = part == RawPart::kControl ? "raw control" : "raw addresses";
  for (size_t begin = 0, end = 0; begin < threads.size(); begin = end) {
    uint64_t kept = 0;
    for (end = begin + 1; end < threads.size(); ++end) {
      kept += raw_bytes(threads[end], part);
      if (kept > batch_bytes) break;
    }
    std::vector<ByteWriter> waiting(end - begin);
    walk(file, progress, name, [&](const Event& e) {
      const size_t t = e.thread.value - begin;
      if (!is_block(e) || e.thread.value < begin || t >= waiting.size()) return;
      append(e, file.blocks(), part, waiting[t]);
      if (t != 0 || waiting[0].size() < kPiece) return;
      to(waiting[0].bytes());
      waiting[0].clear();
    });
    for (const ByteWriter& w : waiting) to(w.bytes());
  }
}

CompressedSizes raw_sizes(const trace::TraceFile& file, RawPart part, const std::vector<ThreadComparison>& threads,
                          size_t batch_bytes, const analysis::Progress& progress) {
  uint64_t all = 0;
  for (const ThreadComparison& t : threads) all += raw_bytes(t, part);
  SizeMeter meter(kAllPrograms, all);
  read_raw(file, part, threads, batch_bytes, progress, [&](std::span<const uint8_t> piece) { meter.add(piece); });
  return meter.finish();
}

}  // namespace cdr::compare
