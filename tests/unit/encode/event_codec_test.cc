// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/encode/event_codec.h"

#include "tests/unit/properties.h"
#include "tests/unit/trace/random_trace.h"
#include "tests/unit/trace/small_program.h"

using namespace cdr;
using namespace cdr::test;

namespace {

std::vector<OwnedEvent> decode(EventDecoder& decoder, std::span<const uint8_t> bytes, ThreadId thread) {
  std::vector<OwnedEvent> events;
  decoder.begin_frame(bytes, thread);
  for (Event e; decoder.next(e);) events.emplace_back(e);
  return events;
}

}  // namespace

TEST_CASE("every frame decodes on its own") {
  rc::prop("frames in any order", [] {
    const RandomTrace t = random_trace(100);
    const size_t half = t.events.size() / 2;
    EventEncoder encoder(t.tables.blocks, 1 << 20);
    std::vector<std::vector<uint8_t>> frames;
    std::vector<ThreadId> threads;
    for (const auto& [begin, end] : {std::pair{size_t{0}, half}, std::pair{half, t.events.size()}}) {
      threads.push_back(encoder.state().thread);
      encoder.begin_frame(threads.back());
      for (size_t i = begin; i < end; ++i) encoder.event(t.events[i].view());
      RC_ASSERT(encoder.event_count() == end - begin);
      frames.emplace_back(encoder.bytes().begin(), encoder.bytes().end());
    }
    EventDecoder decoder(t.tables.modules, t.tables.blocks);
    auto second = decode(decoder, frames[1], threads[1]);
    auto events = decode(decoder, frames[0], threads[0]);
    events.insert(events.end(), second.begin(), second.end());
    RC_ASSERT(events == t.events);
  });
}

TEST_CASE("a bound is never less than the event takes") {
  rc::prop("bounds", [] {
    const RandomTrace t = random_trace(50);
    EventEncoder encoder(t.tables.blocks, 1 << 20);
    encoder.begin_frame({});
    for (const OwnedEvent& e : t.events) {
      const size_t before = encoder.bytes().size();
      encoder.event(e.view());
      const size_t bound = e.event.kind == EventKind::kBlock ? EventEncoder::block_bound(e.words.size())
                                                             : EventEncoder::event_bound(e.view());
      RC_ASSERT(encoder.bytes().size() - before <= bound);
    }
  });
}

TEST_CASE("a loop whose addresses advance evenly takes a byte for the block and one for each word") {
  const SmallProgram p = small_program();
  const Tables t = p.tables();
  EventEncoder encoder(t.blocks, 1 << 20);
  encoder.begin_frame(ThreadId(1));
  size_t last = 0, step = 0;
  for (uint64_t i = 0; i < 10; ++i) {
    const uint64_t word = 0x602000 + 8 * i;
    encoder.block(ThreadId(1), BlockId(kLoopAgain), {&word, 1});
    step = encoder.bytes().size() - last;
    last = encoder.bytes().size();
  }
  CHECK(step == 2);
}

TEST_CASE("an access that does not happen takes one byte and does not spoil the next word") {
  const SmallProgram p = small_program();
  const Tables t = p.tables();
  EventEncoder encoder(t.blocks, 1 << 20);
  encoder.begin_frame(ThreadId(1));
  std::vector<size_t> sizes;
  for (const uint64_t guarded : {0x10000, 0x10008, 0, 0x10010}) {
    const uint64_t words[] = {guarded, 0x7000};
    encoder.block(ThreadId(1), BlockId(kF), words);
    sizes.push_back(encoder.bytes().size());
  }
  CHECK(sizes[2] - sizes[1] == 3);
  CHECK(sizes[3] - sizes[2] == 3);
  CHECK(encoder.absent_accesses() == 1);
}

TEST_CASE("bytes of no event are refused") {
  const SmallProgram p = small_program();
  const Tables t = p.tables();
  EventDecoder decoder(t.modules, t.blocks);
  const auto error_of = [&](std::vector<uint8_t> bytes) {
    Event e;
    decoder.begin_frame(bytes, ThreadId(1));
    while (decoder.next(e)) {
    }
    return std::string(decoder.error() ? decoder.error() : "");
  };
  CHECK(error_of({}) == "");
  CHECK(error_of({0}) == "no block to follow");
  CHECK(error_of({kFirstBlockTag + 2, 0}) == "no successor known");
  CHECK(error_of({kFirstBlockTag + 10}) == "unknown block");
  CHECK(error_of({kFirstBlockTag}) == "a block's words end early");
  CHECK(error_of({40}) == "unknown kind of event");
  CHECK(error_of({1}) == "unknown kind of event");
  CHECK(error_of({kTagThread, 1}) == "an event ends early");
  CHECK(error_of({kTagOddBlock, 1, 2, 0, 0}) == "a block has not the number of words that its exit says");
  CHECK(error_of({static_cast<uint8_t>(EventKind::kModuleMapped), 2}) == "unknown module");
  CHECK(error_of({static_cast<uint8_t>(EventKind::kSyncEnter), 200, 0, 0, 0, 0, 0}) ==
        "an event's members end early or are out of range");
}

TEST_CASE("a reader that counts words itself gets blocks with too many") {
  const SmallProgram p = small_program();
  const Tables t = p.tables();
  EventEncoder encoder(t.blocks, 1 << 20);
  encoder.begin_frame(ThreadId(1));
  OwnedEvent e(block_of(1, kLock));
  e.words = {1, 2};
  encoder.event(e.view());
  EventDecoder decoder(t.modules, t.blocks, EventDecoder::Words::kAny);
  CHECK(decode(decoder, encoder.bytes(), ThreadId(1)) == std::vector<OwnedEvent>{e});
}
