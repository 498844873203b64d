// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/read/event_terminals.h"

#include <set>

#include "cdrgrind/trace/read/cursor.h"
#include "tests/unit/properties.h"
#include "tests/unit/trace/memory_trace.h"
#include "tests/unit/trace/random_trace.h"

using namespace cdr;
using namespace cdr::test;
using namespace cdr::trace;

TEST_CASE("the terminals of an epoch are those of its events") {
  rc::prop("random events", [] {
    const RandomTrace t = random_trace(200);
    RecordingOptions options = random_options();
    options.form = RecordingForm::kCompact;
    const TraceFile file = open_bytes(record(t.tables, t.events, options));
    std::vector<std::set<uint32_t>> wanted(file.epochs().size()), found(file.epochs().size());
    Cursor cursor(file);
    for (Event e; cursor.next(e);)
      if (e.kind != EventKind::kTurn && has_row(terminal_of(e)))
        wanted[file.epoch_with(cursor.index())].insert(terminal_of(e));
    for (size_t i = 0; i < found.size(); ++i)
      for_each_event(event_terminals(file, i, file.control(i)),
                     [&](const Event& e) { found[i].insert(terminal_of(e)); });
    // A block has its stretch, call and return are bound to follow, but for odd ones.
    for (auto* all : {&wanted, &found})
      for (auto& kinds : *all)
        for (const EventKind k : {EventKind::kBlock, EventKind::kCall, EventKind::kReturn})
          kinds.erase(static_cast<uint32_t>(k));
    RC_ASSERT(found == wanted);
  });
}
