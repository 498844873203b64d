// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/drain/part_session.h"

#include <utility>
#include <vector>

namespace cdr::drain {

PartSession::PartSession(uint32_t parts, uint32_t part, Mail& mail)
    : parts_(parts), part_(part), mail_(mail), drain_(modules_, blocks_, flows_, *this, *this) {}

void PartSession::consume(std::span<const uint64_t> records) {
  if (!open_) return;
  drain_.consume(records);
  if (open_) tell_stretch();
}

void PartSession::consume_last(std::span<const uint64_t> records) {
  if (!open_) return;
  drain_.consume_last(records);
  if (open_) tell_end();
}

bool PartSession::leave() {
  if (options_.deps != DepsMode::kAuto) return false;
  options_.deps = DepsMode::kLater;
  engine_.reset();
  return true;
}

void PartSession::block(ThreadId thread, BlockId id, std::span<const uint64_t> words) {
  if (engine_) engine_->block(thread, id, words);
}

void PartSession::run(ThreadId thread, Steps run) {
  if (engine_) engine_->run(thread, run);
}

void PartSession::event(const Event& e) {
  if (engine_) engine_->event(e);
}

void PartSession::record(RecordKind kind, std::span<const uint64_t> payload) {
  switch (kind) {
    case RecordKind::kStart:
      options_ = unpack_start(payload).options;
      drain_.start(options_.drain);
      return start_engine();
    case RecordKind::kForked:
      engine_.reset();
      blocks_ = BlockTable();
      flows_ = DataflowTable();
      return start_engine();
    case RecordKind::kEnd:
      return tell_end();
    default:
      return;
  }
}

void PartSession::start_engine() {
  numbers_ = depend::PartResults();
  keys_told_ = 0;
  if (!options_.online_deps()) return;
  depend::Options o = options_.dependences();
  o.memory_bytes /= parts_;
  o.parts = parts_;
  o.part = part_;
  engine_.emplace(modules_, blocks_, o);
}

template <class T>
void PartSession::send(std::span<const T> items) {
  mail_.send({reinterpret_cast<const uint8_t*>(items.data()), items.size_bytes()});
}

// The only part has no lines that others have, too.
void PartSession::tell_stretch() {
  if (!engine_ || parts_ == 1) return;
  const std::vector<depend::CrossingHit> hits = engine_->take_crossings(numbers_);
  const std::vector<depend::Key> keys = numbers_.keys_from(keys_told_);
  keys_told_ += static_cast<uint32_t>(keys.size());
  PartMessage m;
  m.kind = PartMessage::kStretch;
  m.keys = static_cast<uint32_t>(keys.size());
  m.items = hits.size();
  send(std::span<const PartMessage>(&m, 1));
  send(std::span<const depend::Key>(keys));
  send(std::span<const depend::CrossingHit>(hits));
}

void PartSession::tell_end() {
  tell_stretch();
  open_ = false;
  PartMessage m;
  if (!engine_) return send(std::span<const PartMessage>(&m, 1));
  const std::vector<depend::PartRow> rows = engine_->part_rows();
  m.kind = PartMessage::kRows;
  m.items = rows.size();
  m.accesses = engine_->stats().accesses;
  m.imprecise = engine_->stats().imprecise;
  send(std::span<const PartMessage>(&m, 1));
  send(std::span<const depend::PartRow>(rows));
}

}  // namespace cdr::drain
