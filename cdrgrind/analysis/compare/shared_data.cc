// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/compare/shared_data.h"

#include "cdrgrind/analysis/compare/walk.h"

namespace cdr::compare {

// --- streams ---

uint32_t StreamEncoder::number_of(FlatMap<uint64_t, uint32_t>& numbers, uint64_t value) {
  const auto next = static_cast<uint32_t>(numbers.size());
  const auto [number, added] = numbers.insert(value);
  if (added) *number = next;
  return *number;
}

void StreamEncoder::add(uint32_t stream, uint64_t addr) {
  if (stream >= streams_.size()) streams_.resize(stream + 1);
  Stream& s = streams_[stream];
  const uint64_t value = way_ == kDiffRleSeq ? addr - s.last : addr;
  s.last = addr;
  if (way_ == kSeq) return grammars_.append(stream, number_of(values_, value));
  if (s.count != 0 && s.value == value && s.count != ~0u) {
    ++s.count;
    return;
  }
  end_run(stream, s);
  s.value = value;
  s.count = 1;
}

void StreamEncoder::end_run(uint32_t stream, Stream& s) {
  if (s.count == 0) return;
  grammars_.append(stream, number_of(runs_, uint64_t{number_of(values_, s.value)} << 32 | s.count));
  s.count = 0;
}

void StreamEncoder::close() {
  for (uint32_t i = 0; i < streams_.size(); ++i) end_run(i, streams_[i]);
  grammars_.close();
}

// --- the pass ---

namespace {

class SharedData {
 public:
  SharedData(const trace::TraceFile& file, const SharedBytes& shared, const ComparisonOptions& options,
             std::vector<ThreadComparison>& threads)
      : blocks_(file.blocks()),
        shared_(shared),
        threads_(threads),
        sequences_(options.grammar_memory),
        ways_{StreamEncoder(StreamEncoder::kSeq, options.grammar_memory),
              StreamEncoder(StreamEncoder::kRleSeq, options.grammar_memory),
              StreamEncoder(StreamEncoder::kDiffRleSeq, options.grammar_memory)},
        first_stream_(threads.size()) {}

  void take(const Event& e) {
    if (e.kind == EventKind::kSyncEnter) sequences_.append(e.thread.value, static_cast<uint32_t>(e.sync.op));
    if (!is_block(e)) return;
    for_each_access(e, blocks_, [&](const Access& a, uint64_t addr, uint32_t index) {
      if (shared_.shared(addr, a.width)) access(e, a, addr, index);
    });
  }

  // Returns how often grammars were begun anew.
  uint32_t finish() {
    sequences_.close();
    for (uint32_t t = 0; t < threads_.size(); ++t) {
      threads_[t].dor = sequences_.size(t);
      threads_[t].dor_counts = count_bytes(threads_[t].dor.symbols, threads_[t].syncs);
    }
    uint32_t restarts = sequences_.restarts();
    for (StreamEncoder& w : ways_) {
      w.close();
      restarts += w.restarts();
    }
    for (uint32_t s = 0; s < stream_threads_.size(); ++s) add_stream(s, threads_[stream_threads_[s]].data);
    return restarts;
  }

 private:
  void access(const Event& e, const Access& a, uint64_t addr, uint32_t index) {
    ++threads_[e.thread.value].shared_accesses;
    const auto next = static_cast<uint32_t>(letters_.size());
    const auto [letter, added] = letters_.insert(addr << 1 | a.store());  // addresses have fewer than 63 bits
    if (added) *letter = next;
    sequences_.append(e.thread.value, kFirstOtherTerminal + *letter);
    const uint32_t stream = stream_of(e.thread, blocks_.block(e.block).superblock, index);
    for (StreamEncoder& w : ways_) w.add(stream, addr);
  }

  // Streams of a superblock's accesses are numbered when the thread first executes it.
  uint32_t stream_of(ThreadId thread, SuperblockId superblock, uint32_t index) {
    auto& first = first_stream_[thread.value];
    if (superblock.value >= first.size()) first.resize(superblock.value + 1);
    uint32_t& f = first[superblock.value];
    if (f == 0) {
      f = static_cast<uint32_t>(stream_threads_.size()) + 1;
      stream_threads_.resize(stream_threads_.size() + blocks_.superblock(superblock).accesses.size(), thread.value);
    }
    return f - 1 + index;
  }

  void add_stream(uint32_t stream, StreamGrammars& to) {
    const GrammarSize seq = ways_[StreamEncoder::kSeq].size(stream);
    to.streams += seq.rules != 0;
    to.seq += seq;
    to.rle_seq += ways_[StreamEncoder::kRleSeq].size(stream);
    to.diff_rle_seq += ways_[StreamEncoder::kDiffRleSeq].size(stream);
  }

  const BlockTable& blocks_;
  const SharedBytes& shared_;
  std::vector<ThreadComparison>& threads_;
  PlainGrammars sequences_;              // by thread
  FlatMap<uint64_t, uint32_t> letters_;  // address << 1 | store
  std::array<StreamEncoder, 3> ways_;
  std::vector<std::vector<uint32_t>> first_stream_;  // by thread, superblock: + 1
  std::vector<uint32_t> stream_threads_;             // by stream
};

}  // namespace

uint32_t add_shared_data(const trace::TraceFile& file, const SharedBytes& shared, const analysis::Progress& progress,
                         const ComparisonOptions& options, std::vector<ThreadComparison>& threads) {
  SharedData data(file, shared, options, threads);
  walk(file, progress, "shared data", [&](const Event& e) { data.take(e); });
  return data.finish();
}

}  // namespace cdr::compare
