// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/walk/event_walk.h"

#include <algorithm>
#include <utility>

namespace cdr::analysis {

namespace {

// To ask about a block takes what so many of its executions take.
constexpr uint64_t kWorth = 6;
constexpr uint32_t kFewestRepeats = 4;

bool is_worth_asking(const SymbolFrames::Code& code, uint32_t copies) {
  return code.executions * copies >= kWorth * code.blocks.size();
}

}  // namespace

EventWalk::EventWalk(trace::Seeker& seeker, const WalkedBlocks& walked)
    : seeker_(seeker), blocks_(seeker.file().blocks()), walked_(walked), models_(blocks_) {}

uint64_t EventWalk::run(EventReader& reader, uint64_t end) {
  reader_ = &reader;
  const uint64_t next = trace::PathWalk(seeker_).run(*this, end);
  return ended_at_.value_or(next);
}

void EventWalk::begin_epoch(uint32_t, trace::EpochIndex& epoch, const trace::PathShapes& shapes) {
  epoch_ = &epoch;
  shapes_ = &shapes;
  symbols_.emplace(epoch.paths(), shapes, walked_);
  runs_.emplace(epoch.addresses());
  if (!words_of_.emplace(blocks_).begin(epoch.address_columns())) epoch.fail("its addresses are damaged");
  asked_rules_.assign(epoch.paths().grammar().rules(), {});
  asked_stretches_.clear();
  standing_end_ = 0;
  threads_.clear();
  for (const trace::ThreadAtStart& t : epoch.states()) thread(t.thread).model.set_state(t.state);
}

void EventWalk::end_epoch() {
  symbols_.reset();
  runs_.reset();
  words_of_.reset();
  epoch_ = nullptr;
}

bool EventWalk::goes_on(uint64_t index) {
  if (stopped()) return false;
  if (reader_->goes_on(index)) return true;
  ended_at_ = index;
  stop();
  return false;
}

uint32_t EventWalk::pass(ThreadId id, uint32_t symbol, uint32_t copies, uint64_t index) {
  if (!goes_on(index) || index < standing_end_) return 0;
  const SymbolFrames::Code& code = symbols_->of(symbol);
  Thread& t = thread(id);
  const trace::PathShape shape = shapes_->of(symbol);
  code_ = &code;
  const uint64_t events = epoch_->paths().events_of(symbol);
  Passage p{id, code.blocks, code.orders, models_[shape.first].entry, shape.last, shape.jumped, copies, index, events};
  if (standing_for_ > 1) {
    reader_->stand_for(1);
    p.copies = std::exchange(standing_for_, 1) - 1;
    advance(t, p);
    return p.copies;
  }
  if (!code.usable || (copies < 2 && !is_worth_asking(code, 1)) || !t.model.takes_plain() ||
      t.model.names(models_[shape.first]))
    return 0;
  Asked& a = asked(symbol);
  if (const uint32_t passed = ask_to_pass(t, p, a.to_pass)) return passed;
  const uint64_t end = index + events;
  const bool goes_on_in_turn = a.end == index;
  if (goes_on_in_turn && a.in_turn >= 2 && copies >= kFewestRepeats && a.to_stand.asks()) {
    const uint32_t some = may_stand_for(t, p);
    if (some != EventReader::kAskAgain && some >= kFewestRepeats) {
      a.to_stand.granted();
      a.again = false;
      standing_for_ = some;
      standing_end_ = end;
      reader_->stand_for(some);
      return 0;
    }
    // Once: what is repeated within what is repeated may come between.
    a.again = some == EventReader::kAskAgain && !a.again;
    if (!a.again) a.to_stand.refused();
  }
  a.in_turn = goes_on_in_turn ? a.in_turn + 1 : 1;
  a.end = end;
  return 0;
}

EventWalk::Asked& EventWalk::asked(uint32_t symbol) {
  auto& all = is_rule(symbol) ? asked_rules_ : asked_stretches_;
  const uint32_t number = is_rule(symbol) ? rule_of(symbol) : stretch_of(symbol);
  if (number >= all.size()) all.resize(number + 1);
  return all[number];
}

// About fewer and fewer copies.
uint32_t EventWalk::ask_to_pass(Thread& t, Passage p, Patience& patience) {
  if (!patience.asks() || !is_worth_asking(*code_, p.copies)) return 0;
  for (; p.copies > 0 && is_worth_asking(*code_, p.copies); p.copies /= 2) {
    if (!find_frames(t, p) || !reader_->pass(*this, p)) continue;
    patience.granted();
    advance(t, p);
    return p.copies;
  }
  patience.refused();
  return 0;
}

// They have the addresses that the copy before had, each always the same one.
uint32_t EventWalk::may_stand_for(Thread& t, const Passage& p) {
  for (const BlockCount& c : p.blocks) {
    if (models_[c.block].words == 0) continue;
    const trace::AddressStream* const streams = epoch_->streams_of(p.thread, c.block);
    const uint64_t begin = executions(t, c.block).begun - c.count, n = c.count * (p.copies + 1ULL);
    for (uint16_t slot = 1; slot <= models_[c.block].words; ++slot)
      if (streams[slot - 1u].guarded() || !runs_->only_value(streams[slot - 1u], begin, begin + n)) return 0;
  }
  return find_frames(t, p) ? reader_->may_stand_for(*this, p) : 0;
}

// Where those lie that it opens. False if one lies at several places, or a block is in two.
bool EventWalk::find_frames(Thread& t, const Passage& p) {
  frame_sps_.assign(1, t.model.frame_sp());
  for (const SymbolFrames::Frame& f : code_->frames) {
    const std::optional<uint64_t> sp = pushed(t, p, f);
    if (!sp) return false;
    frame_sps_.push_back(*sp);
  }
  return std::all_of(code_->others.begin(), code_->others.end(), [&](const auto& other) {
    const BlockId id = p.blocks[other.first].block;
    return frame_sps_[other.second] == frame_sps_[code_->frame_of[other.first]] || models_[id].words == 0 ||
           !trace::any_relative({epoch_->streams_of(p.thread, id), models_[id].words});
  });
}

std::optional<uint64_t> EventWalk::pushed(Thread& t, const Passage& p, const SymbolFrames::Frame& f) {
  const Push push = models_[f.by].push;
  if (push.slot == 0) return std::nullopt;
  const auto by = std::find_if(p.blocks.begin(), p.blocks.end(), [&](const BlockCount& c) { return c.block == f.by; });
  const uint64_t begun = executions(t, f.by).begun;
  const trace::AddressStream& s = epoch_->streams_of(p.thread, f.by)[push.slot - 1u];
  if (s.guarded()) return std::nullopt;
  const std::optional<uint64_t> value = runs_->only_value(s, begun, begun + by->count * p.copies);
  if (!value) return std::nullopt;
  return *value + static_cast<uint64_t>(push.constant) + (s.relative() ? frame_sps_[f.around] : 0);
}

AddrRange EventWalk::hull_of(const trace::AddressStream& s, uint64_t base, std::span<const Access> accesses) {
  const std::optional<AddrRange> values = epoch_->addresses().hull(s);
  if (!values) return {};
  AddrRange all;
  for (const Access& a : accesses) {
    if (a.slot != accesses.front().slot || a.width == 0) continue;
    const uint64_t by = base + static_cast<uint64_t>(a.constant);
    const AddrRange one{values->begin + by, values->end - 1 + by + a.width};
    if (one.empty()) return {};
    all = all.empty() ? one : AddrRange{std::min(all.begin, one.begin), std::max(all.end, one.end)};
  }
  return all;
}

void EventWalk::advance(Thread& t, const Passage& p) {
  for (const BlockCount& c : p.blocks) {
    const uint64_t n = c.count * p.copies;
    Executions& e = executions(t, c.block);
    e.begun += n;
    e.unread += n;
  }
  t.model.plain_blocks(models_[p.last], code_->sp_change * p.copies);
}

void EventWalk::block(ThreadId id, BlockId block, uint64_t index) {
  if (!goes_on(index)) return;
  Thread& t = thread(id);
  const BlockModel& model = models_[block];
  words_.resize(model.words);
  if (!words_.empty()) {
    Executions& e = executions(t, block);
    if (e.unread > 0 && !words_of_->skip(id, block, model.words, e.unread)) epoch_->fail("a block's words end early");
    e.unread = 0;
    ++e.begun;
    if (!words_of_->words(id, block, t.model.frame_sp(), words_)) epoch_->fail("a block's words end early");
  }
  Event e;
  e.kind = EventKind::kBlock;
  e.thread = id;
  e.block = block;
  e.words = words_;
  t.model.block(model, block, words_);
  reader_->event(e, index);
}

void EventWalk::follow(const Event& known, uint64_t index) {
  if (!goes_on(index)) return;
  Thread& t = thread(known.thread);
  Event e = t.model.expected_event();
  if (e.kind != known.kind) epoch_->fail("no event is bound to follow");
  e.thread = known.thread;
  t.model.follow_expected();
  reader_->event(e, index);
}

void EventWalk::event(const Event& e, uint64_t index) {
  if (!goes_on(index)) return;
  if (e.kind == EventKind::kBlock ||
      (e.kind == EventKind::kPartial && e.words.size() != executed_before(blocks_.superblock_of(e.block), e.ip).words))
    epoch_->fail("a block has other words than it can have");
  if (e.kind != EventKind::kTurn) thread(e.thread).model.event(e, models_);
  reader_->event(e, index);
  // It executes nothing any more, and threads may be many.
  if (e.kind == EventKind::kThreadEnd) thread(e.thread).executions = {};
}

}  // namespace cdr::analysis
