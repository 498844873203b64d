// SPDX-License-Identifier: GPL-2.0-or-later
// The event codec without a file around it.
#include <cstdlib>
#include <vector>

#include "cdrgrind/encode/event_codec.h"
#include "tests/fuzz/targets.h"
#include "tests/unit/trace/small_program.h"

namespace cdr::fuzz {
namespace {

using test::OwnedEvent;

std::vector<OwnedEvent> decode(Bytes bytes, const test::Tables& tables, EventDecoder::Words check) {
  EventDecoder decoder(tables.modules, tables.blocks, check);
  decoder.begin_frame(bytes, ThreadId(1));
  std::vector<OwnedEvent> events;
  for (Event e; decoder.next(e);) events.emplace_back(e);
  return events;
}

}  // namespace

void events(Bytes input) {
  static const test::Tables tables = test::small_program().tables();
  for (const auto check : {EventDecoder::Words::kExact, EventDecoder::Words::kAny}) {
    const auto first = decode(input, tables, check);
    EventEncoder encoder(tables.blocks, 1 << 20);
    encoder.begin_frame(ThreadId(1));
    for (const OwnedEvent& e : first) encoder.event(e.view());
    if (encoder.event_count() != first.size()) std::abort();
    if (decode(encoder.bytes(), tables, check) != first) std::abort();
  }
}

}  // namespace cdr::fuzz
