// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/encode/epoch.h"

#include "cdrgrind/trace/read/epoch_decoder.h"
#include "tests/unit/properties.h"
#include "tests/unit/trace/random_trace.h"
#include "tests/unit/trace/small_program.h"

using namespace cdr;
using namespace cdr::test;
using trace::EpochDecoder;

namespace {

trace::Columns columns_of(std::span<const std::span<const uint8_t>> columns) {
  Compressor compressor(3);
  ByteWriter payload;
  write_columns(columns, compressor, payload);
  trace::Columns back;
  REQUIRE(back.read(payload.bytes(), 1 << 24));
  return back;
}

trace::Columns columns_of(const std::vector<ByteWriter>& writers) {
  std::vector<std::span<const uint8_t>> spans;
  for (const ByteWriter& w : writers) spans.push_back(w.bytes());
  return columns_of(spans);
}

struct Epochs {
  const Tables& tables;
  EpochEncoder encoder;
  trace::StretchTable stretches;
  EpochDecoder decoder{tables.modules, tables.blocks, stretches};

  Epochs(const Tables& t, ControlForm form, uint32_t window)
      : tables(t), encoder(t.blocks, {.control = form, .window = window}) {}

  // The events through one epoch and back.
  std::vector<OwnedEvent> there_and_back(std::span<const OwnedEvent> events) {
    encoder.begin();
    for (const OwnedEvent& e : events) encoder.event(e.view());
    RC_ASSERT(encoder.events() == events.size());
    Compressor compressor(1);
    const EpochEncoder::Columns c = encoder.finish(compressor);
    RC_ASSERT(stretches.add(columns_of(c.stretches), tables.blocks));
    const EpochDecoder::Payloads p = {columns_of(c.threads), columns_of(c.addresses), columns_of(c.turns),
                                      columns_of(c.control), columns_of(c.log)};
    std::vector<OwnedEvent> back;
    RC_ASSERT(decoder.begin(p, stretches.count()));
    for (Event e; decoder.next(e);) back.emplace_back(e);
    RC_ASSERT(decoder.error() == nullptr);
    return back;
  }
};

constexpr ControlForm kForms[] = {ControlForm::kAuto, ControlForm::kGrammar, ControlForm::kRuns,
                                  ControlForm::kPredicted};

// A program that does the same again and again, with words that mostly follow a rule.
std::vector<OwnedEvent> loops(const SmallProgram& p, int times) {
  std::vector<OwnedEvent> events = p.events;
  const std::vector<OwnedEvent> body(p.events.begin() + static_cast<ptrdiff_t>(p.find(EventKind::kBlock)),
                                     p.events.begin() + static_cast<ptrdiff_t>(p.find(EventKind::kThreadCreate)));
  for (int i = 1; i < times; ++i)
    for (OwnedEvent e : body) {
      for (uint64_t& w : e.words) w += static_cast<uint64_t>(8 * i + (i % 7 == 0));
      events.push_back(e);
    }
  return events;
}

}  // namespace

TEST_CASE("any stream comes back from its epochs") {
  rc::prop("three epochs", [] {
    const RandomTrace t = random_trace(200);
    const ControlForm form = *rc::gen::elementOf(std::vector<ControlForm>(std::begin(kForms), std::end(kForms)));
    Epochs epochs(t.tables, form, *rc::gen::element<uint32_t>(1, 2, 5, 1 << 16));
    const size_t third = t.events.size() / 3;
    for (const auto& [begin, end] : {std::pair{size_t{0}, third}, {third, 2 * third}, {2 * third, t.events.size()}}) {
      const std::vector<OwnedEvent> events(t.events.begin() + static_cast<ptrdiff_t>(begin),
                                           t.events.begin() + static_cast<ptrdiff_t>(end));
      RC_ASSERT(epochs.there_and_back(events) == events);
    }
  });
}

TEST_CASE("a program comes back, and its calls and returns are not written") {
  const SmallProgram p = small_program();
  const Tables tables = p.tables();
  for (const ControlForm form : kForms) {
    Epochs epochs(tables, form, 3);
    CHECK(epochs.there_and_back(p.events) == p.events);
    const auto events = loops(p, 500);
    CHECK(epochs.there_and_back(events) == events);
  }
}
