// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/source/event_walk.h"

#include <algorithm>
#include <utility>

namespace cdr::races {

namespace {

// To ask about a block takes what so many of its executions take.
constexpr uint64_t kWorth = 6;
constexpr uint32_t kMostRefused = 10;
constexpr uint32_t kFewestRepeats = 4;

bool is_worth_asking(const SymbolFrames::Code& code, uint32_t copies) {
  return code.executions * copies >= kWorth * code.blocks.size();
}

}  // namespace

EventWalk::EventWalk(trace::Seeker& seeker, std::vector<bool> watched)
    : seeker_(seeker), blocks_(seeker.file().blocks()), watched_(std::move(watched)), models_(blocks_) {}

uint64_t EventWalk::run(EventReader& reader, uint64_t end) {
  reader_ = &reader;
  const uint64_t next = trace::PathWalk(seeker_).run(*this, end);
  return ended_at_.value_or(next);
}

void EventWalk::begin_epoch(uint32_t, trace::EpochIndex& epoch, const trace::PathShapes& shapes) {
  epoch_ = &epoch;
  shapes_ = &shapes;
  symbols_.emplace(epoch.paths(), shapes, watched_);
  runs_.emplace(epoch.addresses());
  if (!words_of_.emplace(blocks_).begin(epoch.address_columns())) epoch.fail("its addresses are damaged");
  refused_rules_.assign(epoch.paths().grammar().rules(), {});
  refused_stretches_.clear();
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
  Passage p{id, code.blocks, models_[shape.first].entry, shape.last, shape.jumped, copies};
  if (standing_for_ > 1) {
    reader_->stand_for(1);
    p.copies = std::exchange(standing_for_, 1) - 1;
    advance(t, p);
    return p.copies;
  }
  if (!code.usable || (copies < 2 && !is_worth_asking(code, 1)) || !t.model.takes_plain() ||
      t.model.names(models_[shape.first]))
    return 0;
  auto& refused_all = is_rule(symbol) ? refused_rules_ : refused_stretches_;
  const uint32_t number = is_rule(symbol) ? rule_of(symbol) : stretch_of(symbol);
  if (number >= refused_all.size()) refused_all.resize(number + 1);
  Refused& refused = refused_all[number];
  if (const uint32_t passed = ask(t, p, refused)) return passed;
  p.copies = copies;
  const uint64_t end = index + events_of(symbol);
  if (refused.end == index && refused.in_turn >= 2 && copies >= kFewestRepeats) {
    if (may_stand_for(t, p)) {
      standing_for_ = copies;
      standing_end_ = end;
      reader_->stand_for(copies);
      return 0;
    }
    refused.in_vain = std::min(refused.in_vain + 1, kMostRefused);
    refused.in_turn = -(1 << refused.in_vain);
  }
  refused.in_turn = refused.end == index || refused.in_turn < 0 ? refused.in_turn + 1 : 1;
  refused.end = end;
  return 0;
}

uint32_t EventWalk::ask(Thread& t, Passage& p, Refused& refused) {
  if (refused.left > 0) {
    --refused.left;
    return 0;
  }
  if (!is_worth_asking(*code_, p.copies)) return 0;
  for (; p.copies > 0 && is_worth_asking(*code_, p.copies); p.copies /= 2) {
    if (!find_frames(t, p) || !reader_->pass(*this, p)) continue;
    refused.times = 0;
    advance(t, p);
    return p.copies;
  }
  refused.times = std::min(refused.times + 1, kMostRefused);
  refused.left = (1U << refused.times) - 1;
  return 0;
}

uint64_t EventWalk::events_of(uint32_t symbol) const {
  const trace::PathIndex& paths = epoch_->paths();
  return is_rule(symbol) ? paths.sums().total(rule_of(symbol)).events
                         : paths.stretches().counts(stretch_of(symbol)).events;
}

// They have the addresses that the copy before had, each always the same one.
bool EventWalk::may_stand_for(Thread& t, const Passage& p) {
  for (const BlockCount& c : p.blocks) {
    if (models_[c.block].words == 0) continue;
    const uint64_t begin = executions(t, c.block).begun - c.count, n = c.count * (p.copies + 1ULL);
    for (uint16_t slot = 1; slot <= models_[c.block].words; ++slot) {
      const trace::AddressStream& s = stream(p.thread, c.block, slot);
      if (s.guarded() || !only_value(s, begin, begin + n)) return false;
    }
  }
  return find_frames(t, p) && reader_->may_stand_for(*this, p);
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
    return frame_sps_[other.second] == frame_sps_[code_->frame_of[other.first]] ||
           !has_relative_words(p, p.blocks[other.first].block);
  });
}

bool EventWalk::has_relative_words(const Passage& p, BlockId id) {
  const trace::AddressStream* s = epoch_->addresses().directory().streams_of(p.thread, id);
  return s && std::any_of(s, s + models_[id].words, [](const trace::AddressStream& one) { return one.relative(); });
}

std::optional<uint64_t> EventWalk::pushed(Thread& t, const Passage& p, const SymbolFrames::Frame& f) {
  const Push push = models_[f.by].push;
  if (push.slot == 0) return std::nullopt;
  const auto by = std::find_if(p.blocks.begin(), p.blocks.end(), [&](const BlockCount& c) { return c.block == f.by; });
  const uint64_t begun = executions(t, f.by).begun;
  const trace::AddressStream& s = stream(p.thread, f.by, push.slot);
  if (s.guarded()) return std::nullopt;
  const std::optional<uint64_t> value = only_value(s, begun, begun + by->count * p.copies);
  if (!value) return std::nullopt;
  return *value + static_cast<uint64_t>(push.constant) + (s.relative() ? frame_sps_[f.around] : 0);
}

std::optional<uint64_t> EventWalk::only_value(const trace::AddressStream& s, uint64_t begin, uint64_t end) {
  trace::AddressIndex::Steps steps;
  if (!epoch_->addresses().steps(s, begin, steps)) epoch_->fail("a block's words end early");
  if (end - begin == 1 || (steps.stride == 0 && steps.more >= end - begin - 1)) return steps.value;
  bool one = true;
  runs_->for_each_part(s, begin, end, [&](std::span<const Progression> part) {
    for (const Progression& p : part) one = one && p.count == 1 && p.base == steps.value;
  });
  return one ? std::optional(steps.value) : std::nullopt;
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

const trace::AddressStream& EventWalk::stream(ThreadId thread, BlockId id, uint16_t slot) {
  const trace::AddressStream* s = epoch_->addresses().directory().streams_of(thread, id);
  if (!s) epoch_->fail("a block has no words");
  return s[slot - 1u];
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

}  // namespace cdr::races
