// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/index/seeker.h"

#include <algorithm>

#include "cdrgrind/encode/event_fields.h"
#include "cdrgrind/trace/index/frame_walk.h"
#include "cdrgrind/trace/index/predicted_executions.h"

namespace cdr::trace {

Seeker::Seeker(const TraceFile& file, size_t kept_epochs)
    : file_(file),
      stretches_(file.stretches(), file.blocks()),
      kept_epochs_(kept_epochs),
      epochs_(file.epochs().size()) {
  read_lives();
}

// A thread is listed by every epoch that it is alive at the start of; so it began in the one before the first of them.
void Seeker::read_lives() {
  for (uint32_t e = 0; e < file_.epochs().size(); ++e) {
    std::vector<ThreadAtStart> states;
    if (!read_thread_states(file_, file_.epochs()[e], states))
      file_.fail(Problem::kDamaged, file_.frames()[file_.epochs()[e].threads].offset,
                 "the states of threads are damaged (try 'cdrgrind verify')");
    for (const ThreadAtStart& s : states) {
      auto& lives = lives_of(s.thread);
      if (lives.empty() && e > 0) lives.push_back({e - 1, {}});
      lives.push_back({e, s.before});
    }
  }
}

std::vector<Seeker::Life>& Seeker::lives_of(ThreadId thread) {
  if (thread.value >= lives_.size()) lives_.resize(thread.value + 1);
  return lives_[thread.value];
}

EpochPin Seeker::epoch(uint32_t number) {
  std::shared_ptr<EpochIndex> index = epochs_[number].lock();
  if (!index) {
    index = std::make_shared<EpochIndex>(file_, stretches_, number);
    epochs_[number] = index;
  }
  const auto known = std::find(kept_.begin(), kept_.end(), index);
  if (known != kept_.end()) {
    std::rotate(known, known + 1, kept_.end());
  } else {
    if (kept_.size() == kept_epochs_ && !kept_.empty()) kept_.erase(kept_.begin());
    if (kept_.size() < kept_epochs_) kept_.push_back(index);
  }
  return EpochPin(std::move(index));
}

std::span<const Seeker::Life> Seeker::life(ThreadId thread) {
  if (thread.value < lives_.size() && !lives_[thread.value].empty()) return lives_[thread.value];
  // It is no epoch's at the start: it lived in one only, if at all.
  for (uint32_t e = 0; e < file_.epochs().size(); ++e) {
    const EpochPin in = epoch(e);
    if (!in->paths().string_of(thread)) continue;
    lives_of(thread).push_back({e, {}});
    return lives_[thread.value];
  }
  return {};
}

ThreadCounts Seeker::total(ThreadId thread) {
  const auto lives = life(thread);
  if (lives.empty()) return {};
  const EpochPin last = epoch(lives.back().epoch);
  const PathIndex& paths = last->paths();
  ThreadCounts sum = lives.back().before;
  if (const auto string = paths.string_of(thread)) sum += paths.total(*string);
  return sum;
}

bool Seeker::place_in(uint32_t number, ThreadId thread, Weight w, uint64_t n, TracePosition& to) {
  const EpochPin in = epoch(number);
  const PathIndex& paths = in->paths();
  const auto string = paths.string_of(thread);
  to.thread = thread;
  to.epoch = number;
  return string && paths.find(*string, w, n, to.at);
}

bool Seeker::find(ThreadId thread, Weight w, uint64_t n, TracePosition& to) {
  const auto lives = life(thread);
  const auto behind =
      std::partition_point(lives.begin(), lives.end(), [&](const Life& l) { return weight_of(l.before, w) <= n; });
  if (behind == lives.begin()) return false;
  const Life in = *(behind - 1);
  if (!place_in(in.epoch, thread, w, n - weight_of(in.before, w), to)) return false;
  to.before = in.before;
  to.before += to.at.before;
  return true;
}

bool Seeker::find_execution(ThreadId thread, std::span<const BlockWeight> blocks, uint64_t k, TracePosition& to) {
  for (const Life& in : life(thread)) {
    const auto counted = kept_executions(in.epoch, thread, blocks);
    if (counted && k >= *counted) {
      k -= *counted;
      continue;
    }
    const EpochPin index = epoch(in.epoch);
    const auto string = index->paths().string_of(thread);
    if (!string) continue;
    const EpochWeights weights = index->weights(blocks);
    if (k >= weights.total(*string)) {
      k -= weights.total(*string);
      continue;
    }
    to.thread = thread;
    to.epoch = in.epoch;
    weights.find(*string, k, to.at);
    to.before = in.before;
    to.before += to.at.before;
    return true;
  }
  return false;
}

std::optional<uint64_t> Seeker::kept_executions(uint32_t number, ThreadId thread, std::span<const BlockWeight> blocks) {
  if (!epochs_[number].expired()) return std::nullopt;
  const auto executions = PredictedExecutions::of_epoch(file_, stretches_, number, file_.control(number));
  if (!executions) return std::nullopt;
  uint64_t sum = 0;
  for (const auto& of_thread : executions->threads) {
    if (of_thread.serial != thread.value) continue;
    for (const auto& [block, times] : of_thread.blocks) {
      const auto at = std::lower_bound(blocks.begin(), blocks.end(), block,
                                       [](const BlockWeight& w, BlockId id) { return w.block < id; });
      if (at != blocks.end() && at->block == block) sum += times * at->weight;
    }
  }
  return sum;
}

uint64_t Seeker::executions_before(const TracePosition& place, BlockId id) {
  const EpochPin index = epoch(place.epoch);
  return index->executions(id).before(place.at);
}

uint64_t Seeker::index_of(const TracePosition& place) {
  const Frame& frame = file_.frames()[file_.epochs()[place.epoch].control];
  const EpochPin index = epoch(place.epoch);
  return frame.header.first_event + index->turns().index_of(place.thread, place.at.before.events);
}

uint32_t Seeker::epoch_of(uint64_t index) const { return static_cast<uint32_t>(file_.epoch_with(index)); }

bool Seeker::before_index(ThreadId thread, uint64_t index, TracePosition& to) {
  const uint32_t number = epoch_of(index);
  const EpochPin in = epoch(number);
  const uint64_t first = file_.first_event(file_.epochs()[number]);
  const uint64_t events = in->turns().events_before(thread, index - first);
  for (const Life& l : life(thread))
    if (l.epoch == number) return find(thread, Weight::kEvents, l.before.events + events, to);
  return false;
}

bool Seeker::at_index(uint64_t index, TracePosition& to) {
  const uint32_t number = epoch_of(index);
  const EpochPin in = epoch(number);
  const TurnPlace at = in->turns().at(index - file_.first_event(file_.epochs()[number]));
  to = TracePosition();
  to.thread = at.thread;
  to.epoch = number;
  // One that no epoch has at its start lived in this one only.
  if (in->paths().string_of(at.thread) && lives_of(at.thread).empty()) lives_of(at.thread).push_back({number, {}});
  uint64_t before = 0;
  for (const Life& l : life(at.thread))
    if (l.epoch == number) before = l.before.events;
  if (!find(at.thread, Weight::kEvents, before + at.event, to) && !at.turn)
    in->fail("its turns are not those of its paths");
  return at.turn;
}

// --- events ---

std::optional<BlockId> Seeker::block_at(const TracePosition& place) {
  const EpochPin index = epoch(place.epoch);
  const uint32_t terminal = index->paths().terminal_at(place.at);
  if (!is_stretch(terminal)) return std::nullopt;
  const StretchIndex& stretches = index->paths().stretches();
  const StretchEvent e = stretches.event(stretch_of(terminal), place.at.offset);
  if (e.follows) return std::nullopt;
  return stretches.blocks(stretch_of(terminal))[e.block];
}

Event Seeker::event_at(const TracePosition& place) {
  event_epoch_ = epoch(place.epoch);
  EpochIndex& index = *event_epoch_;
  const uint32_t terminal = index.paths().terminal_at(place.at);
  Event e;
  if (const auto block = block_at(place)) {
    words_at(place, *block, words_);
    e.kind = EventKind::kBlock;
    e.block = *block;
    e.words = words_;
  } else if (is_stretch(terminal) || is_follower(terminal)) {
    const StretchIndex& stretches = index.paths().stretches();
    if (is_stretch(terminal))
      e.kind = stretches.follows(stretch_of(terminal), stretches.event(stretch_of(terminal), place.at.offset).block);
    else
      e.kind = terminal == kCallTerminal ? EventKind::kCall : EventKind::kReturn;
    e.sp = sp(place);
    if (e.kind == EventKind::kCall) e.ip = last_ip(place);
  } else if (const EventRow* row = row_of(index, place)) {
    const uint64_t ip = last_ip(place);
    if (!index.log().read(*row, ip, e)) index.fail("an event's members are damaged");
  } else if (!event_of_terminal(terminal, e)) {
    index.fail("unknown kind of event");
  }
  e.thread = place.thread;
  return e;
}

const EventRow* Seeker::row_of(EpochIndex& index, const TracePosition& place) const {
  const auto rows = index.log().rows(*index.paths().string_of(place.thread));
  const size_t at = rows_before(rows, place.at.before.events);
  return at < rows.size() && rows[at].event == place.at.before.events ? &rows[at] : nullptr;
}

void Seeker::words_at(const TracePosition& place, BlockId id, std::vector<uint64_t>& words) {
  const EpochPin pin = epoch(place.epoch);
  EpochIndex& index = *pin;
  words.assign(model(id).words, 0);
  if (words.empty()) return;
  const AddressStream* s = index.streams_of(place.thread, id);
  const uint64_t n = executions_before(place, id);
  std::optional<uint64_t> frame;
  for (uint64_t& w : words) {
    bool absent = false;
    if (!index.addresses().word(*s, n, w, absent)) index.fail("a block's words end early");
    if (s->relative() && !absent) {
      if (!frame) frame = frame_sp(place);
      w += *frame;
    }
    ++s;
  }
}

std::vector<StackFrame> Seeker::stack_at(const TracePosition& place, bool with_sp) {
  std::vector<StackFrame> frames;
  FrameWalk walk(*this, place);
  for (StackFrame f; walk.next(f, with_sp);) frames.push_back(f);
  return frames;
}

std::vector<uint64_t> Seeker::frame_sps_at(const TracePosition& place) {
  std::vector<uint64_t> sps;
  FrameWalk walk(*this, place, BelowHandler::kOwnStack);
  for (StackFrame f; walk.next(f, true);) sps.push_back(f.sp);
  std::reverse(sps.begin(), sps.end());
  return sps;
}

uint64_t Seeker::frame_sp(const TracePosition& place) {
  StackFrame f;
  return FrameWalk(*this, place).next(f, true) ? f.sp : 0;
}

// --- registers ---

// SP changes by what blocks add to it, from the last block or event that told it.
uint64_t Seeker::sp(const TracePosition& place) {
  const EpochPin pin = epoch(place.epoch);
  EpochIndex& index = *pin;
  const PathIndex& paths = index.paths();
  const uint32_t string = *paths.string_of(place.thread);
  const auto sum_at = [&](const PathPosition& p) {
    SpSum sum = index.sp_sums().before(paths.grammar(), p.way, [&](uint32_t t) { return index.weigh_sp(t); });
    if (p.offset == 0) return sum;
    const uint32_t stretch = stretch_of(paths.terminal_at(p));
    const StretchEvent at = paths.stretches().event(stretch, p.offset);
    for (const BlockId id : paths.stretches().blocks(stretch).first(at.block + at.follows)) {
      if (index.tells_sp(id))
        ++sum.tellers;
      else
        sum.change += static_cast<uint64_t>(model(id).sp_constant);
    }
    return sum;
  };
  const SpSum here = sum_at(place.at);
  // The block that told it last.
  TracePosition teller = place;
  bool told = here.tellers > 0;
  if (told) {
    uint64_t n = here.tellers - 1;
    SpSum before;
    teller.at.offset = 0;
    index.sp_sums().find(
        paths.grammar(), string, [](const SpSum& s) { return s.tellers; },
        [&](uint32_t t) { return index.weigh_sp(t); }, n, teller.at.way, before);
    const uint32_t stretch = stretch_of(paths.terminal_at(teller.at));
    const auto blocks = paths.stretches().blocks(stretch);
    uint32_t i = 0;
    for (; i < blocks.size(); ++i)
      if (index.tells_sp(blocks[i]) && n-- == 0) break;
    teller.at.offset = paths.stretches().events_before(stretch, i);
    paths.count(teller.at);
  }
  // An event behind it.
  const auto rows = index.log().frame_rows(string);
  for (size_t i = rows_before(rows, place.at.before.events); i-- > 0;) {
    if (told && rows[i].event < teller.at.before.events) break;
    Event e;
    if (!index.log().read(rows[i], 0, e)) index.fail("an event's members are damaged");
    if (e.sp == 0) continue;
    PathPosition at;
    paths.find(string, Weight::kEvents, rows[i].event, at);
    return e.sp + here.change - sum_at(at).change;
  }
  if (!told) {
    const ThreadAtStart* state = index.state(place.thread);
    return (state ? state->state.sp : 0) + here.change;
  }
  return teller_sp(teller, here) - sum_at(teller.at).change;
}

uint64_t Seeker::teller_sp(const TracePosition& place, const SpSum& sum) {
  const BlockId id = *block_at(place);
  const BlockModel& m = model(id);
  if (m.push.slot == 0 && m.sp_slot == 0) return static_cast<uint64_t>(m.sp_constant) + sum.change;
  const EpochPin pin = epoch(place.epoch);
  EpochIndex& index = *pin;
  const AddressStream* s = index.streams_of(place.thread, id);
  const bool push = m.sp_slot == SpChange::kSpAtEntry;
  s += (push ? m.push.slot : m.sp_slot) - 1;
  uint64_t word = 0;
  bool absent = false;
  if (!index.addresses().word(*s, executions_before(place, id), word, absent)) index.fail("a block's words end early");
  if (s->relative() && !absent) word += frame_sp(place);
  return word + static_cast<uint64_t>(push ? m.push.constant : m.sp_constant) + sum.change;
}

uint64_t Seeker::last_ip(const TracePosition& place) {
  const EpochPin pin = epoch(place.epoch);
  EpochIndex& index = *pin;
  const PathIndex& paths = index.paths();
  const uint32_t string = *paths.string_of(place.thread);
  const ThreadAtStart* state = index.state(place.thread);
  uint64_t ip = state ? state->state.last_ip : 0;
  std::vector<const EventRow*> rows;  // behind the last block, the last one first
  PathPosition at = place.at;
  for (uint64_t n = place.at.before.events; n-- > 0;) {
    paths.find(string, Weight::kEvents, n, at);
    const uint32_t terminal = paths.terminal_at(at);
    if (is_stretch(terminal)) {
      const uint32_t block = paths.stretches().event(stretch_of(terminal), at.offset).block;
      ip = model(paths.stretches().blocks(stretch_of(terminal))[block]).exit_ip;
      break;
    }
    Event e;
    if (is_follower(terminal) || !event_of_terminal(terminal, e) || !(fields_of(e.kind) & kFieldIp)) continue;
    const auto own = index.log().rows(string);
    rows.push_back(&own[rows_before(own, n)]);
  }
  for (size_t i = rows.size(); i-- > 0;) {
    Event e;
    if (!index.log().read(*rows[i], ip, e)) index.fail("an event's members are damaged");
    ip = e.ip;
  }
  return ip;
}

}  // namespace cdr::trace
