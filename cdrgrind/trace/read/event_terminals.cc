// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/read/event_terminals.h"

#include "cdrgrind/encode/epoch.h"

namespace cdr::trace {
namespace {

// `serial`: the column's numbers are SerialNumbers, in which small ones are odd.
bool note(std::span<const uint8_t> column, bool serial, EventTerminals& to) {
  ByteReader in(column);
  while (!in.at_end() && in.ok()) {
    const uint64_t number = in.varint();
    if (serial && number % 2 == 0) continue;
    const uint64_t terminal = serial ? number / 2 : number;
    if (terminal < to.size()) to.set(terminal);
  }
  return in.ok();
}

}  // namespace

EventTerminals event_terminals(const TraceFile& file, size_t epoch, const Columns& control) {
  EventTerminals found;
  if (!note(control.part<kGrammarColumns>(kPathGrammar)[kGrammarTerminals], true, found) ||
      !note(control[kPathTerminals], false, found) ||
      !note(control.part<kPredictionColumns>(kPathPrediction)[kPredictionSymbols], true, found))
    file.fail(Problem::kDamaged, file.frames()[file.epochs()[epoch].control].offset,
              "the control paths are damaged (try 'cdrgrind verify')");
  return found;
}

}  // namespace cdr::trace
