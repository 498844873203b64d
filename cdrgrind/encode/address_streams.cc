// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/encode/address_streams.h"

#include <algorithm>

#include "cdrgrind/encode/thread_model.h"

namespace cdr {
namespace {

// A stream in the grammar is judged by so many runs at a time, the first time by fewer.
constexpr uint32_t kFirstJudgeRuns = 32, kJudgeRuns = 128;
// Of runs with fewer values than that the grammar saves little, and each takes it ten times as long as a value takes a
// residual.
constexpr uint32_t kShortRun = 4;

// Whether runs repeat too little for the grammar, which they made so much longer.
bool repeat_little(uint32_t runs, int32_t growth, uint64_t values) {
  const auto grown = static_cast<uint32_t>(std::max(growth, 0));
  const bool are_short = values < kShortRun * runs;
  if (runs < kJudgeRuns) return are_short && grown >= runs * 3 / 4;
  return grown > (are_short ? runs / 8 : runs / 2);
}

}  // namespace

uint32_t AddressStreams::add_block(ThreadId thread, BlockId id) {
  if (thread.value >= threads_.size()) threads_.resize(thread.value + 1);
  auto& first = threads_[thread.value].first;
  if (id.value >= first.size()) first.resize(id.value + 1);
  first[id.value] = static_cast<uint32_t>(streams_.size()) + 1;
  const Superblock& sb = blocks_.superblock_of(id);
  streams_.resize(streams_.size() + blocks_.exit_of(id).words);
  rests_.resize(streams_.size());
  Stream* const added = streams_.data() + first[id.value] - 1;
  for (const Access& a : sb.accesses.first(blocks_.exit_of(id).accesses)) {
    if (!a.guarded()) continue;
    added[a.slot - 1].flags |= kStreamGuarded;
    rest_of(added[a.slot - 1]).presence = presence_.open_string();
  }
  if (const uint16_t slot = push_of(blocks_, id).slot) added[slot - 1].push = true;
  return first[id.value] - 1;
}

size_t AddressStreams::even(uint32_t stream, const RunStep* run, size_t step, size_t times, uint64_t frame_sp) const {
  const Stream* s = &streams_[stream];
  for (uint32_t i = 0; i < run->count && times > 0; ++i, ++s) {
    if (s->flags & kStreamGuarded || s->length == 0) return 0;
    times = std::min<size_t>(times, ~0u - s->length);
    uint64_t word = s->last + (s->flags & kStreamRelative ? frame_sp : 0);
    size_t n = 0;
    while (n < times && run[n * step].words[i] == (word += static_cast<uint64_t>(s->stride))) ++n;
    times = n;
  }
  return times;
}

void AddressStreams::break_run(Stream& s, int64_t diff, uint64_t word, uint64_t frame_sp) {
  if (s.form() == StreamForm::kResidual) return put_residual(s, diff);
  if (!(s.flags & kStreamStarted)) {
    s.flags |= kStreamStarted;
    if (!s.push && near_frame(word, frame_sp)) {
      s.flags |= kStreamRelative;
      s.last = word - frame_sp;
    }
    rest_of(s).first = s.last;
    return;
  }
  close_run(s);
  if (s.form() == StreamForm::kResidual) return put_residual(s, diff);
  s.stride = diff;
  s.length = 1;
}

void AddressStreams::close_run(Stream& s) {
  if (s.length == 0) return;
  const DiffRun r{s.stride, s.length};
  s.length = 0;
  if (s.form() == StreamForm::kGrammar) return append(s, r);
  uint32_t& number = rest_of(s).few;
  if (number == 0) {
    few_.emplace_back();
    number = static_cast<uint32_t>(few_.size());
  }
  auto& few = few_[number - 1];
  few.push_back(r);
  if (few.size() > kFewRuns) leave_few(s);
}

void AddressStreams::leave_few(Stream& s) {
  Rest& rest = rest_of(s);
  s.set_form(StreamForm::kGrammar);
  rest.string = values_.open_string();
  std::vector<DiffRun> few;
  few.swap(few_[rest.few - 1]);
  for (const DiffRun& r : few) append(s, r);
}

void AddressStreams::append(Stream& s, DiffRun r) {
  Rest& rest = rest_of(s);
  const size_t before = values_.symbols();
  values_.append(rest.string, terminal_of(r.diff), r.length);
  rest.growth += static_cast<int32_t>(values_.symbols() - before);
  rest.values += r.length;
  if (++rest.runs < (rest.judged ? kJudgeRuns : kFirstJudgeRuns)) return;
  if (repeat_little(rest.runs, rest.growth, rest.values)) {
    s.set_form(StreamForm::kResidual);
    s.at = nullptr;
    rest.residual = residuals_.open();
  }
  rest.judged = true;
  rest.runs = 0;
  rest.growth = 0;
  rest.values = 0;
}

uint32_t AddressStreams::terminal_of(int64_t diff) {
  const auto [terminal, added] = terminals_.insert(diff);
  if (added) {
    *terminal = static_cast<uint32_t>(diffs_.size());
    diffs_.push_back(diff);
  }
  return *terminal;
}

size_t AddressStreams::bytes() const {
  size_t n = values_.bytes() + presence_.bytes() + 2 * residuals_.bytes() + grown_bytes(streams_) +
             grown_bytes(rests_) + terminals_.grown_bytes() + grown_bytes(diffs_) +
             few_.size() * (sizeof(few_[0]) + kFewRuns / 2 * sizeof(DiffRun));
  for (const ThreadTable& t : threads_) n += t.first.capacity() * sizeof(uint32_t);
  return n;
}

std::vector<ByteWriter> AddressStreams::columns() {
  std::vector<ByteWriter> to(kAddrColumns);
  std::vector<uint32_t> strings, presences;
  uint64_t last_first = 0;
  const auto put_few = [&](const Stream& s) {
    const uint32_t number = rest_of(s).few;
    const std::span<const DiffRun> few = number == 0 ? std::span<const DiffRun>() : few_[number - 1];
    to[kAddrFewCounts].varint(few.size());
    for (size_t i = 0; i < few.size(); ++i) {
      to[kAddrFewDiffs].svarint(few[i].diff);
      if (i + 1 < few.size()) to[kAddrFewLengths].varint(few[i].length);
    }
  };
  const auto put_stream = [&](Stream& s) {
    close_run(s);
    const Rest& rest = rest_of(s);
    to[kAddrForms].u8(s.flags);
    if (s.flags & kStreamStarted) to[kAddrFirsts].next_delta(rest.first, last_first);
    if (s.flags & kStreamGuarded) presences.push_back(rest.presence);
    if (s.form() == StreamForm::kFew) return put_few(s);
    strings.push_back(rest.string);
    if (s.form() != StreamForm::kResidual) return;
    to[kAddrResidualSizes].varint(residuals_.size(rest.residual, s.at));
    residuals_.write(rest.residual, s.at, to[kAddrResiduals]);
  };
  uint32_t last_thread = 0;
  for (uint32_t t = 0; t < threads_.size(); ++t) {
    const auto& first = threads_[t].first;
    uint32_t blocks = 0, last_block = 0;
    for (uint32_t id = 1; id < first.size(); ++id) {
      if (first[id] == 0) continue;
      ++blocks;
      to[kAddrBlocks].varint(id - last_block);
      last_block = id;
      for (uint32_t i = 0; i < blocks_.exit_of(BlockId(id)).words; ++i) put_stream(streams_[first[id] - 1 + i]);
    }
    if (blocks == 0) continue;
    to[kAddrThreads].varint(t - last_thread);
    to[kAddrThreads].varint(blocks);
    last_thread = t;
  }
  for (const int64_t d : diffs_) to[kAddrDiffs].svarint(d);
  write_columns(values_.grammar(strings), 0, std::span(to).subspan<kAddrGrammar, kGrammarColumns>());
  write_columns(presence_.grammar(presences), 0, std::span(to).subspan<kAddrPresence, kGrammarColumns>());
  return to;
}

void AddressStreams::clear() {
  threads_ = {};
  streams_ = {};
  few_ = {};
  rests_ = {};
  residuals_.clear();
  terminals_ = {};
  diffs_ = {};
  values_.clear();
  presence_.clear();
}

}  // namespace cdr
