// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/compare/comparison.h"

#include "cdrgrind/analysis/compare/first_pass.h"
#include "cdrgrind/analysis/compare/raw_trace.h"
#include "cdrgrind/analysis/compare/shared_data.h"
#include "cdrgrind/analysis/compare/stream_words.h"
#include "cdrgrind/trace/read/reencode.h"

namespace cdr::compare {
namespace {

double ratio(uint64_t a, uint64_t b) { return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b); }

struct InMemory final : Output {
  std::vector<uint8_t> bytes;
  bool write(std::span<const uint8_t> more) override {
    bytes.insert(bytes.end(), more.begin(), more.end());
    return true;
  }
};

// In the compact form, epochs ending where they end in the file if it has any.
FileSizes rewritten_sizes(const trace::TraceFile& file, ControlForm control, const analysis::Progress& progress) {
  InMemory out;
  trace::RewriteOptions options{.recording = {.form = RecordingForm::kCompact, .control = control}};
  if (!file.epochs().empty()) {
    options.same_frames = true;
    options.recording.epoch_blocks = options.recording.epoch_bytes = ~uint64_t{0};
  }
  if (progress) options.progress = [&](uint64_t done) { progress("compact form", done, file.event_count()); };
  trace::rewrite(file, out, options);
  return file_sizes(trace::TraceFile::from_bytes(std::move(out.bytes), file.name()));
}

bool is_compact(const trace::TraceFile& file) { return file.find(FrameType::kEvents) == nullptr; }

}  // namespace

StreamGrammars& StreamGrammars::operator+=(const StreamGrammars& o) {
  streams += o.streams;
  seq += o.seq;
  rle_seq += o.rle_seq;
  diff_rle_seq += o.diff_rle_seq;
  return *this;
}

ThreadComparison& ThreadComparison::operator+=(const ThreadComparison& o) {
  blocks += o.blocks;
  accesses += o.accesses;
  shared_accesses += o.shared_accesses;
  syncs += o.syncs;
  cor += o.cor;
  dor += o.dor;
  cor_counts += o.cor_counts;
  dor_counts += o.dor_counts;
  data += o.data;
  return *this;
}

ThreadComparison Comparison::all() const {
  ThreadComparison sum;
  for (const ThreadComparison& t : threads) sum += t;
  return sum;
}

uint64_t Comparison::compact_counts() const {
  uint64_t most = 0;
  for (const ThreadComparison& t : threads) most = std::max(most, t.syncs);
  return count_bytes(compact.grammar_symbols, most);
}

double Comparison::control_ratio() const { return ratio(compact.paths(), std::min(control.xz, control.zstd)); }

double Comparison::grammar_ratio() const {
  return ratio(compact[FrameGroup::kDictionary] + grammar_control, std::min(control.xz, control.zstd));
}

double Comparison::stream_ratio() const { return ratio(compact[FrameGroup::kAddresses], streams.zstd()); }

Comparison comparison_of(const trace::TraceFile& file, const analysis::Progress& progress,
                         const ComparisonOptions& options) {
  Comparison c;
  {
    FirstPass s = first_pass(file, progress, options);
    c.threads = std::move(s.threads);
    c.order = s.order;
    c.restarts = s.restarts + add_shared_data(file, s.shared, progress, options, c.threads);
    s.shared = SharedBytes();
    c.streams = compare_streams(file, s.executions, options.batch_bytes, progress);
  }
  c.control = raw_sizes(file, RawPart::kControl, c.threads, options.batch_bytes, progress);
  c.addresses = raw_sizes(file, RawPart::kAddresses, c.threads, options.batch_bytes, progress);
  c.file = file_sizes(file);
  c.rewritten = !is_compact(file);
  c.compact = c.rewritten ? rewritten_sizes(file, ControlForm::kAuto, progress) : c.file;
  c.grammar_control = c.compact.run_epochs + c.compact.predicted_epochs == 0
                          ? c.compact[FrameGroup::kControl]
                          : rewritten_sizes(file, ControlForm::kGrammar, progress)[FrameGroup::kControl];
  return c;
}

}  // namespace cdr::compare
