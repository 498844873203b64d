// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/read/address_reader.h"

#include <algorithm>

namespace cdr::trace {

bool AddressReader::begin(const Columns& columns) {
  progress_.clear();
  rest_.clear();
  if (!directory_.read(columns)) return false;
  progress_.resize(directory_.streams().size());
  rest_.resize(progress_.size());
  for (size_t i = 0; i < progress_.size(); ++i) {
    const AddressStream& s = directory_.streams()[i];
    Rest& r = rest_[i];
    progress_[i].last = s.first;
    progress_[i].relative = s.relative() ? ~uint64_t{0} : 0;
    r.residual = ByteReader(s.residual);
    if (s.guarded()) r.presence.emplace_back(directory_.presence(), s.presence);
    if (s.form() != StreamForm::kFew) r.values.emplace_back(directory_.values(), s.string);
  }
  return true;
}

bool AddressReader::words(ThreadId thread, BlockId id, uint64_t frame_sp, uint64_t* to, size_t count, size_t times) {
  if (count == 0) return true;
  const uint32_t first = directory_.first_stream(thread, id);
  if (first == 0) return false;
  for (size_t slot = 0; slot < count; ++slot) {
    Progress& p = progress_[first - 1 + slot];
    const uint64_t base = p.relative & frame_sp;
    uint64_t* w = to + slot;
    for (size_t done = 0; done < times;) {
      const uint64_t here = std::min<uint64_t>(p.left, times - done);
      const auto diff = static_cast<uint64_t>(p.diff);
      uint64_t last = p.last;
      for (uint64_t i = 0; i < here; ++i, w += count) *w = base + (last += diff);
      p.last = last;
      p.left -= here;
      done += here;
      if (done == times) break;
      if (!next_word(p, frame_sp, *w)) return false;
      w += count;
      ++done;
    }
  }
  return true;
}

bool AddressReader::skip(ThreadId thread, BlockId id, size_t count, uint64_t times) {
  if (count == 0) return true;
  const uint32_t first = directory_.first_stream(thread, id);
  if (first == 0) return false;
  for (size_t slot = 0; slot < count; ++slot) {
    Progress& p = progress_[first - 1 + slot];
    for (uint64_t rest = times; rest > 0;) {
      const uint64_t here = std::min(p.left, rest);
      p.last += static_cast<uint64_t>(p.diff) * here;
      p.left -= here;
      rest -= here;
      uint64_t unread = 0;
      if (rest == 0) break;
      if (!next_word(p, 0, unread)) return false;
      --rest;
    }
  }
  return true;
}

uint64_t AddressReader::same(ThreadId thread, BlockId id, size_t count, uint64_t most) const {
  if (count == 0) return most;
  const uint32_t first = directory_.first_stream(thread, id);
  for (size_t slot = 0; first != 0 && slot < count; ++slot) {
    const Progress& p = progress_[first - 1 + slot];
    most = p.diff == 0 ? std::min(most, p.left) : 0;
  }
  return first == 0 ? 0 : most;
}

bool AddressReader::next_word(Progress& p, uint64_t frame_sp, uint64_t& word) {
  const auto index = static_cast<size_t>(&p - progress_.data());
  const AddressStream& s = directory_.streams()[index];
  Rest& r = rest_[index];
  if (s.guarded()) {
    bool present = false;
    if (!next_present(r, present)) return false;
    word = 0;
    if (!present) return true;
  }
  if (!next_value(s, p, r, word)) return false;
  word += p.relative & frame_sp;
  return true;
}

bool AddressReader::next_value(const AddressStream& s, Progress& p, Rest& r, uint64_t& value) {
  if (!r.read_first) {
    r.read_first = true;
    value = p.last;
    return s.started();
  }
  if (r.open.length == 0 && !next_run(s, r, r.open)) return false;
  --r.open.length;
  value = p.last += static_cast<uint64_t>(r.open.diff);
  if (s.guarded()) return true;
  p.diff = r.open.diff;
  p.left = r.open.length;
  r.open.length = 0;
  return true;
}

bool AddressReader::next_run(const AddressStream& s, Rest& r, DiffRun& run) {
  if (s.form() == StreamForm::kFew) {
    if (r.few == directory_.few(s).size()) return false;
    run = directory_.few(s)[r.few++];
    return run.length > 0;
  }
  Run next;
  if (!r.values.empty() && r.values[0].next(next)) {
    run = {directory_.diff(next.symbol), next.count};
    return true;
  }
  if (s.form() != StreamForm::kResidual || r.residual.at_end()) return false;
  run = {r.residual.svarint(), 1};
  return r.residual.ok();
}

bool AddressReader::next_present(Rest& r, bool& present) {
  if (r.present_length == 0) {
    Run run;
    if (r.presence.empty() || !r.presence[0].next(run)) return false;
    r.present = run.symbol != 0;
    r.present_length = run.count;
  }
  --r.present_length;
  present = r.present;
  return true;
}

}  // namespace cdr::trace
