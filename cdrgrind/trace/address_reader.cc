// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/address_reader.h"

#include "cdrgrind/encode/event_codec.h"

namespace cdr::trace {

struct AddressReader::DirectoryReaders {
  explicit DirectoryReaders(const Columns& c)
      : threads(c[kAddrThreads]),
        blocks(c[kAddrBlocks]),
        forms(c[kAddrForms]),
        firsts(c[kAddrFirsts]),
        few_counts(c[kAddrFewCounts]),
        few_diffs(c[kAddrFewDiffs]),
        few_lengths(c[kAddrFewLengths]),
        residual_sizes(c[kAddrResidualSizes]),
        residuals(c[kAddrResiduals]) {}
  ByteReader threads, blocks, forms, firsts, few_counts, few_diffs, few_lengths, residual_sizes, residuals;
  uint64_t last_first = 0;
  std::vector<uint32_t> with_values, with_presence;  // streams, in the order of their strings

  bool all_read() const {
    for (const ByteReader* r :
         {&threads, &blocks, &forms, &firsts, &few_counts, &few_diffs, &few_lengths, &residual_sizes, &residuals})
      if (!r->ok() || !r->at_end()) return false;
    return true;
  }
};

bool AddressReader::begin(const Columns& columns) {
  streams_.clear();
  few_.clear();
  first_.clear();
  DirectoryReaders in(columns);
  in_ = &in;
  const bool directory = read_directory() && in.all_read() && read_diffs(columns);
  in_ = nullptr;
  const auto strings = [](const std::vector<uint32_t>& streams) { return static_cast<uint32_t>(streams.size()); };
  if (!directory ||
      !read_columns(columns.part<kGrammarColumns>(kAddrGrammar), strings(in.with_values),
                    static_cast<uint32_t>(diffs_.size()), values_) ||
      !read_columns(columns.part<kGrammarColumns>(kAddrPresence), strings(in.with_presence), 2, presence_))
    return false;
  for (uint32_t i = 0; i < in.with_values.size(); ++i) streams_[in.with_values[i]].values.emplace_back(values_, i);
  for (uint32_t i = 0; i < in.with_presence.size(); ++i)
    streams_[in.with_presence[i]].presence.emplace_back(presence_, i);
  return true;
}

bool AddressReader::read_diffs(const Columns& columns) {
  diffs_.clear();
  ByteReader in(columns[kAddrDiffs]);
  while (in.ok() && !in.at_end()) diffs_.push_back(in.svarint());
  return in.ok();
}

bool AddressReader::read_directory() {
  uint64_t thread = 0;
  while (!in_->threads.at_end()) {
    thread += in_->threads.bounded(kMaxSerial);
    if (!in_->threads.ok() || thread > kMaxSerial) return false;
    if (thread >= first_.size()) first_.resize(thread + 1);
    uint64_t block = 0;
    for (uint64_t n = in_->threads.bounded(in_->blocks.left()); n > 0; --n) {
      block += in_->blocks.bounded(blocks_.block_count());
      const BlockId id(static_cast<uint32_t>(block));
      if (!in_->blocks.ok() || block > blocks_.block_count() || !blocks_.has(id)) return false;
      auto& first = first_[thread];
      if (block >= first.size()) first.resize(block + 1);
      if (first[block] != 0) return false;
      first[block] = static_cast<uint32_t>(streams_.size()) + 1;
      const Exit& exit = blocks_.exit_of(id);
      std::vector<bool> guarded(exit.words);
      for (const Access& a : blocks_.superblock_of(id).accesses.first(exit.accesses))
        if (a.guarded()) guarded[a.slot - 1] = true;
      for (uint32_t i = 0; i < exit.words; ++i)
        if (!read_stream(streams_.emplace_back(), guarded[i])) return false;
    }
  }
  return true;
}

bool AddressReader::read_stream(Stream& s, bool guarded) {
  s.flags = in_->forms.u8();
  if (!in_->forms.ok() || s.form() > StreamForm::kResidual || s.flags >= 2 * kStreamStarted) return false;
  if (guarded != bool(s.flags & kStreamGuarded)) return false;
  const auto index = static_cast<uint32_t>(&s - streams_.data());
  if (s.flags & kStreamStarted) s.last = in_->last_first = in_->firsts.delta(in_->last_first);
  if (guarded) in_->with_presence.push_back(index);
  if (s.form() == StreamForm::kFew) return read_few(s);
  in_->with_values.push_back(index);
  if (s.form() == StreamForm::kResidual) s.residual = ByteReader(in_->residuals.raw(in_->residual_sizes.varint()));
  return in_->residuals.ok() && in_->residual_sizes.ok();
}

bool AddressReader::read_few(Stream& s) {
  s.few = static_cast<uint32_t>(few_.size());
  const uint64_t n = in_->few_counts.bounded(in_->few_diffs.left());
  for (uint64_t i = 0; i < n; ++i) {
    DiffRun r{in_->few_diffs.svarint(), ~uint64_t{0}};
    if (i + 1 < n) r.length = in_->few_lengths.varint();
    few_.push_back(r);
  }
  s.few_end = static_cast<uint32_t>(few_.size());
  return in_->few_counts.ok() && in_->few_diffs.ok() && in_->few_lengths.ok();
}

bool AddressReader::words(ThreadId thread, BlockId id, uint64_t frame_sp, std::span<uint64_t> to) {
  if (to.empty()) return true;
  if (thread.value >= first_.size() || id.value >= first_[thread.value].size()) return false;
  uint32_t s = first_[thread.value][id.value];
  if (s == 0) return false;
  for (uint64_t& w : to)
    if (!next_word(streams_[s++ - 1], frame_sp, w)) return false;
  return true;
}

bool AddressReader::next_word(Stream& s, uint64_t frame_sp, uint64_t& word) {
  if (s.flags & kStreamGuarded) {
    bool present = false;
    if (!next_present(s, present)) return false;
    word = 0;
    if (!present) return true;
  }
  if (!next_value(s, word)) return false;
  if (s.flags & kStreamRelative) word += frame_sp;
  return true;
}

bool AddressReader::next_value(Stream& s, uint64_t& value) {
  if (!s.read_first) {
    s.read_first = true;
    value = s.last;
    return s.flags & kStreamStarted;
  }
  if (s.open.length == 0 && !next_run(s)) return false;
  --s.open.length;
  value = s.last += static_cast<uint64_t>(s.open.diff);
  return true;
}

bool AddressReader::next_run(Stream& s) {
  if (s.form() == StreamForm::kFew) {
    if (s.few == s.few_end) return false;
    s.open = few_[s.few++];
    return s.open.length > 0;
  }
  Run r;
  if (!s.values.empty() && s.values[0].next(r)) {
    s.open = {diffs_[r.symbol], r.count};
    return true;
  }
  if (s.form() != StreamForm::kResidual || s.residual.at_end()) return false;
  s.open = {s.residual.svarint(), 1};
  return s.residual.ok();
}

bool AddressReader::next_present(Stream& s, bool& present) {
  if (s.present_length == 0) {
    Run r;
    if (s.presence.empty() || !s.presence[0].next(r)) return false;
    s.present = r.symbol != 0;
    s.present_length = r.count;
  }
  --s.present_length;
  present = s.present;
  return true;
}

}  // namespace cdr::trace
