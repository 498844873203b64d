// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/compare/stream_words.h"

#include "cdrgrind/analysis/compare/walk.h"
#include "cdrgrind/encode/address_streams.h"
#include "cdrgrind/encode/recording.h"
#include "cdrgrind/encode/thread_model.h"

namespace cdr::compare {
namespace {

constexpr uint64_t kLong = 4096;  // words
constexpr double kWorse = 1.05;
constexpr uint64_t kBytesKept = 12;  // a word

struct Stream {
  uint64_t words = 0;
  bool guarded = false;
};

// A block with one word, guarded or not, to encode a stream alone.
BlockTable one_word_block(bool guarded) {
  BlockTable table;
  const Insn insn{0, 4};
  const Access access{0, 0, 1, 8, static_cast<uint8_t>(guarded ? kAccessGuarded : 0)};
  Exit exit;
  exit.insns = exit.accesses = exit.words = 1;
  Superblock sb;
  sb.length = 4;
  sb.insns = {&insn, 1};
  sb.accesses = {&access, 1};
  sb.exits = {&exit, 1};
  table.add_block(table.add_superblock(sb), 0);
  return table;
}

// What one stream takes, its words given in order.
class StreamSizes {
 public:
  explicit StreamSizes(const Stream& s)
      : zstd_(kZstd, 4 * s.words), long_(s.words >= kLong), table_(one_word_block(s.guarded)), alone_(table_) {}
  StreamSizes(const StreamSizes&) = delete;

  void add(std::span<const uint32_t> raw, std::span<const uint64_t> values) {
    zstd_.add({reinterpret_cast<const uint8_t*>(raw.data()), raw.size_bytes()});
    for (const uint64_t& v : values) alone_.add(ThreadId(1), BlockId(1), {&v, 1}, 0);
  }
  void finish(StreamComparison& to) {
    const uint64_t zstd = zstd_.finish().zstd;
    to.zstd_apart += zstd;
    if (!long_) return;
    Compressor compressor(RecordingOptions().zstd_level);
    uint64_t ours = 0;
    for (const ByteWriter& c : alone_.columns()) ours += compressor.compress(c.bytes()).size();
    const double ratio = static_cast<double>(ours) / static_cast<double>(zstd);
    ++to.long_streams;
    to.larger += ratio > kWorse;
    to.largest_ratio = std::max(to.largest_ratio, ratio);
  }

 private:
  SizeMeter zstd_;
  bool long_;
  BlockTable table_;
  AddressStreams alone_;
};

// What is kept of a stream until its turn comes.
struct Words {
  std::vector<uint32_t> raw;     // lower halves
  std::vector<uint64_t> values;  // of long streams: less the frame's SP, if the first one was near it
  bool started = false, relative = false;

  void add(uint64_t word, uint64_t frame_sp, const Stream& s) {
    raw.push_back(static_cast<uint32_t>(word));
    if (s.words < kLong) return;
    const bool absent = s.guarded && word == 0;
    if (!started && !absent) {
      started = true;
      relative = near_frame(word, frame_sp);
    }
    constexpr uint64_t kNeverZero = uint64_t{1} << 40;
    values.push_back(relative && !absent ? word - frame_sp + kNeverZero : word);
  }
  void clear() {
    raw.clear();
    values.clear();
  }
};

class StreamPasses {
 public:
  StreamPasses(const trace::TraceFile& file, const std::vector<std::vector<uint64_t>>& executions)
      : file_(file), models_(file.blocks()), first_(executions.size()) {
    for (size_t t = 0; t < executions.size(); ++t) {
      first_[t].resize(executions[t].size());
      for (uint32_t b = 1; b < executions[t].size(); ++b)
        if (executions[t][b] != 0) add_block(t, b, executions[t][b]);
    }
  }

  StreamComparison run(size_t batch_bytes, const analysis::Progress& progress) {
    for (const Stream& s : streams_) result_.words += s.words;
    result_.streams = streams_.size();
    SizeMeter together(kZstd, 4 * result_.words);
    for (size_t begin = 0, end = 0; begin < streams_.size(); begin = end) {
      uint64_t kept = 0;
      for (end = begin + 1; end < streams_.size(); ++end) {
        kept += kBytesKept * streams_[end].words;
        if (kept > batch_bytes) break;
      }
      pass(begin, end, progress, together);
    }
    result_.zstd_together = streams_.empty() ? 0 : together.finish().zstd;
    return result_;
  }

 private:
  void add_block(size_t thread, uint32_t block, uint64_t executions) {
    first_[thread][block] = static_cast<uint32_t>(streams_.size());
    const Exit& exit = file_.blocks().exit_of(BlockId(block));
    streams_.resize(streams_.size() + exit.words, {executions, false});
    for (const Access& a : file_.blocks().superblock_of(BlockId(block)).accesses.first(exit.accesses))
      if (a.guarded()) streams_[first_[thread][block] + a.slot - 1u].guarded = true;
  }

  // Streams [begin, end): the first goes through, the others wait for it.
  void pass(size_t begin, size_t end, const analysis::Progress& progress, SizeMeter& together) {
    std::vector<Words> waiting(end - begin);
    StreamSizes first(streams_[begin]);
    std::vector<ThreadModel> threads(first_.size());
    const auto put = [&](Words& w, StreamSizes& to) {
      to.add(w.raw, w.values);
      together.add({reinterpret_cast<const uint8_t*>(w.raw.data()), w.raw.size() * sizeof(uint32_t)});
      w.clear();
    };
    walk(file_, progress, "address streams", [&](const Event& e) {
      if (e.thread.value >= threads.size()) return;  // it executed no block
      ThreadModel& model = threads[e.thread.value];
      if (e.kind != EventKind::kBlock) return model.event(e, models_);
      const size_t stream = first_[e.thread.value][e.block.value];
      for (size_t i = 0; i < e.words.size(); ++i)
        if (stream + i >= begin && stream + i < end)
          waiting[stream + i - begin].add(e.words[i], model.frame_sp(), streams_[stream + i]);
      if (waiting[0].raw.size() >= kPiece) put(waiting[0], first);
      model.block(models_[e.block], e.block, e.words);
    });
    put(waiting[0], first);
    first.finish(result_);
    for (size_t s = begin + 1; s < end; ++s) {
      StreamSizes sizes(streams_[s]);
      put(waiting[s - begin], sizes);
      waiting[s - begin] = Words();
      sizes.finish(result_);
    }
  }

  static constexpr size_t kPiece = 1 << 18;  // words
  const trace::TraceFile& file_;
  BlockModels models_;
  std::vector<Stream> streams_;               // in the order (thread, block, slot)
  std::vector<std::vector<uint32_t>> first_;  // by thread, block: its first stream
  StreamComparison result_;
};

}  // namespace

StreamComparison compare_streams(const trace::TraceFile& file, const std::vector<std::vector<uint64_t>>& executions,
                                 size_t batch_bytes, const analysis::Progress& progress) {
  return StreamPasses(file, executions).run(batch_bytes, progress);
}

}  // namespace cdr::compare
