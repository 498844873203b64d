// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/diff/turn_order.h"

namespace cdr::diff {

trace::TurnIndex turns_of(const trace::TraceFile& file, const trace::Epoch& epoch) {
  const trace::Frame& frame = file.frames()[epoch.turn];
  trace::TurnIndex turns;
  file.reading(frame, [&] {
    trace::Columns columns;
    if (!file.read_columns(frame, columns) ||
        !turns.load(columns, file.frames()[epoch.control].header.event_count, file.serial_limit()))
      file.fail(trace::Problem::kDamaged, frame.offset, "the turns are damaged (try 'cdrgrind verify')");
  });
  return turns;
}

TurnReader::TurnReader(const trace::TraceFile& file) : file_(file) {
  if (file.epochs().empty()) cursor_ = std::make_unique<trace::Cursor>(file);
}
TurnReader::~TurnReader() = default;

Turn TurnReader::next_event() {
  for (Event e; cursor_->next(e);)
    if (e.kind == EventKind::kTurn) return {e.thread, cursor_->index()};
  return {ThreadId(), file_.event_count()};
}

Turn TurnReader::next_segment() {
  for (;;) {
    while (at_ < turns_.segments().size()) {
      const trace::TurnIndex::Segment& s = turns_.segments()[at_++];
      if (s.turn) return {ThreadId(s.thread), first_event_ + s.begin};
    }
    if (epoch_ == file_.epochs().size()) return {ThreadId(), file_.event_count()};
    load(file_.epochs()[epoch_++]);
  }
}

void TurnReader::load(const trace::Epoch& epoch) {
  first_event_ = file_.first_event(epoch);
  at_ = 0;
  turns_ = turns_of(file_, epoch);
}

std::optional<OtherTurn> first_other_turn(const trace::TraceFile& before, const trace::TraceFile& after) {
  TurnReader a(before), b(after);
  for (;;) {
    const Turn x = a.next(), y = b.next();
    if (x.thread != y.thread) return OtherTurn{x.event, y.event};
    if (!x.thread) return std::nullopt;
  }
}

}  // namespace cdr::diff
