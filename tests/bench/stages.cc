// SPDX-License-Identifier: GPL-2.0-or-later
// stages CAPTURE [RUNS]: what each stage behind the recorder's buffer takes, alone, over the records of a program that
// --cdr-capture-raw wrote, with the options that it was recorded with. One line of JSON: seconds of processor time, the
// least of RUNS (3), and what there was to do. The records lie in memory, so nothing waits.
//
//   drain        records to events
//   encode       besides: paths, address streams, log, turns in memory
//   write        besides: tables, columns, compression; the file goes nowhere
//   dependences  besides the drain: the engine
//   floor        besides the drain: the engine without rows and sets of readers (floor_engine.h)
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <optional>
#include <vector>

#include "cdrgrind/depend/engine.h"
#include "cdrgrind/drain/drain.h"
#include "cdrgrind/drain/stream_start.h"
#include "cdrgrind/encode/recording.h"
#include "tests/bench/floor_engine.h"
#include "tests/programs/traces/captured.h"

namespace {

using namespace cdr;
using Batches = std::vector<std::vector<uint64_t>>;

double processor_seconds() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

struct Counts {
  uint64_t blocks = 0, words = 0, accesses = 0;
};

class NoSink final : public RunSink {
 public:
  void block(ThreadId, BlockId, std::span<const uint64_t>) override {}
  void run(ThreadId, Steps) override {}
  void event(const Event&) override {}
};

class CountingSink final : public RunSink {
 public:
  explicit CountingSink(const BlockTable& blocks) : blocks_(blocks) {}
  void block(ThreadId, BlockId id, std::span<const uint64_t> words) override {
    ++counts.blocks;
    counts.words += words.size();
    counts.accesses += blocks_.exit_of(id).accesses;
  }
  void run(ThreadId thread, Steps run) override {
    for (const RunStep& s : run)
      if (s.block) block(thread, s.block, {s.words, s.count});
  }
  void event(const Event&) override {}

  Counts counts;

 private:
  const BlockTable& blocks_;
};

// Epochs in memory, which are forgotten when they are full.
class EpochSink final : public RunSink {
 public:
  EpochSink(const BlockTable& blocks, const EpochOptions& options, uint64_t epoch_blocks)
      : encoder_(blocks, options), bytes_(options.bytes), epoch_blocks_(epoch_blocks) {}
  void block(ThreadId thread, BlockId id, std::span<const uint64_t> words) override {
    look();
    encoder_.block(thread, id, words);
  }
  void run(ThreadId thread, Steps run) override {
    look();
    encoder_.run(thread, run);
  }
  void event(const Event& e) override {
    look();
    encoder_.event(e);
  }

 private:
  void look() {
    if (++calls_ % 64 != 0) return;
    if (encoder_.longest_path() >= epoch_blocks_ || encoder_.bytes() >= bytes_) encoder_.begin();
  }
  EpochEncoder encoder_;
  size_t bytes_;
  uint64_t epoch_blocks_, calls_ = 0;
};

class NoOutput final : public Output {
 public:
  bool write(std::span<const uint8_t> b) override {
    bytes += b.size();
    return true;
  }
  uint64_t bytes = 0;
};

// The records of one process, up to its first fork or exec.
class Stage : drain::RecordSink {
 public:
  enum Which { kDrain, kCount, kEncode, kWrite, kDependences, kFloor };
  // Of kDependences `part` of so many that share the memory.
  explicit Stage(Which which, uint32_t parts = 1, uint32_t part = 0)
      : which_(which), parts_(parts), part_(part), drain_(modules_, blocks_, flows_, sink_, *this) {}

  double run(const Batches& batches) {
    const double begin = processor_seconds();
    for (const auto& b : batches) drain_.consume(b);
    if (recording_) recording_->close({.exit = "exit 0"});
    return processor_seconds() - begin;
  }
  Counts counts() const { return counting_->counts; }
  uint64_t bytes() const { return output_.bytes; }

 private:
  // What the drain passes on to: known when the options are.
  class Switch final : public RunSink {
   public:
    void block(ThreadId thread, BlockId id, std::span<const uint64_t> words) override { to->block(thread, id, words); }
    void run(ThreadId thread, Steps run) override { to->run(thread, run); }
    void event(const Event& e) override { to->event(e); }
    RunSink* to = nullptr;
  };

  void record(drain::RecordKind kind, std::span<const uint64_t> payload) override {
    if (kind == drain::RecordKind::kStart) start(drain::unpack_start(payload));
  }
  void start(const drain::StreamStart& s) {
    drain_.start(s.options.drain);
    switch (which_) {
      case kDrain:
        sink_.to = &nothing_;
        break;
      case kCount:
        sink_.to = &counting_.emplace(blocks_);
        break;
      case kEncode:
        sink_.to =
            &epochs_.emplace(blocks_, EpochOptions{s.options.epoch_bytes, s.options.control}, s.options.epoch_blocks);
        break;
      case kWrite: {
        RecordingOptions o = s.options.recording();
        o.dataflow = &flows_;
        sink_.to = &recording_.emplace(output_, modules_, blocks_, s.process.run, s.meta, o);
        break;
      }
      case kDependences: {
        depend::Options o = s.options.dependences();
        o.parts = parts_;
        o.part = part_;
        sink_.to = &engine_.emplace(modules_, blocks_, o);
        break;
      }
      case kFloor: {
        const depend::Options o = s.options.dependences();
        floor_ = make_floor_engine(modules_, blocks_, o.granularity, o.memory_bytes);
        sink_.to = floor_.get();
        break;
      }
    }
  }

  Which which_;
  uint32_t parts_, part_;
  ModuleTable modules_;
  BlockTable blocks_;
  DataflowTable flows_;
  NoOutput output_;
  NoSink nothing_;
  std::optional<CountingSink> counting_;
  std::optional<EpochSink> epochs_;
  std::optional<Recording> recording_;
  std::optional<depend::Engine> engine_;
  std::shared_ptr<RunSink> floor_;
  Switch sink_;
  drain::Drain drain_;
};

bool read(const char* path, Batches& to) {
  std::FILE* const from = std::fopen(path, "rb");
  if (!from) return false;
  for (std::vector<uint64_t> words; read_batch(from, words);) to.push_back(words);
  std::fclose(from);
  return true;
}

double least(Stage::Which which, const Batches& batches, int runs, uint32_t parts = 1, uint32_t part = 0) {
  double best = 1e9;
  for (int i = 0; i < runs; ++i) best = std::min(best, Stage(which, parts, part).run(batches));
  return best;
}

// Seconds of the slowest of so many engines, less what the drain takes.
double slowest_part(const Batches& batches, int runs, uint32_t parts, double drain) {
  double slowest = 0;
  for (uint32_t p = 0; p < parts; ++p) slowest = std::max(slowest, least(Stage::kDependences, batches, runs, parts, p));
  return slowest - drain;
}

}  // namespace

int main(int argc, char** argv) {
  Batches batches;
  if (argc < 2 || !read(argv[1], batches)) {
    std::fprintf(stderr, "stages: usage: stages CAPTURE [RUNS]\n");
    return 2;
  }
  const int runs = argc > 2 ? std::atoi(argv[2]) : 3;
  Stage count(Stage::kCount);
  count.run(batches);
  const Counts c = count.counts();
  Stage write(Stage::kWrite);
  write.run(batches);
  const double drain = least(Stage::kDrain, batches, runs);
  const double encode = least(Stage::kEncode, batches, runs);
  const auto parts = [&](uint32_t n) { return c.words == 0 ? 0.0 : slowest_part(batches, runs, n, drain); };
  std::printf(
      "{\"blocks\": %llu, \"words\": %llu, \"accesses\": %llu, \"bytes\": %llu, \"drain\": %.4f, \"encode\": %.4f, "
      "\"write\": %.4f, \"dependences\": %.4f, \"floor\": %.4f, \"parts\": {\"2\": %.4f, \"4\": %.4f, \"8\": %.4f}}\n",
      static_cast<unsigned long long>(c.blocks), static_cast<unsigned long long>(c.words),
      static_cast<unsigned long long>(c.accesses), static_cast<unsigned long long>(write.bytes()), drain,
      encode - drain, least(Stage::kWrite, batches, runs) - encode,
      c.words == 0 ? 0.0 : least(Stage::kDependences, batches, runs) - drain,
      c.words == 0 ? 0.0 : least(Stage::kFloor, batches, runs) - drain, parts(2), parts(4), parts(8));
  return 0;
}
