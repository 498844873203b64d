// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/read/address_reader.h"

namespace cdr::trace {

bool AddressReader::begin(const Columns& columns) {
  progress_.clear();
  if (!directory_.read(columns)) return false;
  progress_.resize(directory_.streams().size());
  for (size_t i = 0; i < progress_.size(); ++i) {
    const AddressStream& s = directory_.streams()[i];
    Progress& p = progress_[i];
    p.last = s.first;
    p.residual = ByteReader(s.residual);
    if (s.guarded()) p.presence.emplace_back(directory_.presence(), s.presence);
    if (s.form() != StreamForm::kFew) p.values.emplace_back(directory_.values(), s.string);
  }
  return true;
}

bool AddressReader::words(ThreadId thread, BlockId id, uint64_t frame_sp, std::span<uint64_t> to) {
  if (to.empty()) return true;
  const AddressStream* s = directory_.streams_of(thread, id);
  if (!s) return false;
  for (uint64_t& w : to) {
    if (!next_word(*s, progress_[directory_.index_of(*s)], frame_sp, w)) return false;
    ++s;
  }
  return true;
}

bool AddressReader::next_word(const AddressStream& s, Progress& p, uint64_t frame_sp, uint64_t& word) {
  if (s.guarded()) {
    bool present = false;
    if (!next_present(p, present)) return false;
    word = 0;
    if (!present) return true;
  }
  if (!next_value(s, p, word)) return false;
  if (s.relative()) word += frame_sp;
  return true;
}

bool AddressReader::next_value(const AddressStream& s, Progress& p, uint64_t& value) {
  if (!p.read_first) {
    p.read_first = true;
    value = p.last;
    return s.started();
  }
  if (p.open.length == 0 && !next_run(s, p)) return false;
  --p.open.length;
  value = p.last += static_cast<uint64_t>(p.open.diff);
  return true;
}

bool AddressReader::next_run(const AddressStream& s, Progress& p) {
  if (s.form() == StreamForm::kFew) {
    if (p.few == directory_.few(s).size()) return false;
    p.open = directory_.few(s)[p.few++];
    return p.open.length > 0;
  }
  Run r;
  if (!p.values.empty() && p.values[0].next(r)) {
    p.open = {directory_.diff(r.symbol), r.count};
    return true;
  }
  if (s.form() != StreamForm::kResidual || p.residual.at_end()) return false;
  p.open = {p.residual.svarint(), 1};
  return p.residual.ok();
}

bool AddressReader::next_present(Progress& p, bool& present) {
  if (p.present_length == 0) {
    Run r;
    if (p.presence.empty() || !p.presence[0].next(r)) return false;
    p.present = r.symbol != 0;
    p.present_length = r.count;
  }
  --p.present_length;
  present = p.present;
  return true;
}

}  // namespace cdr::trace
