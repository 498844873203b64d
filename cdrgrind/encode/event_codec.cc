// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/encode/event_codec.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "cdrgrind/encode/event_fields.h"

namespace cdr {
namespace {

constexpr uint64_t kAbsentCode = 1;  // of the word 0

// Writes where room has been made before.
struct Pen {
  uint8_t* at;

  void u8(uint8_t v) { *at++ = v; }
  void varint(uint64_t v) {
    if (v < 0x80) return u8(static_cast<uint8_t>(v));
    if (v >= 0x4000) return long_varint(v);
    u8(static_cast<uint8_t>(v | 0x80));
    u8(static_cast<uint8_t>(v >> 7));
  }
  // Without a branch while two bytes are enough: whether it is one or two is hard to foretell in irregular programs.
  void short_varint(uint64_t v) {
    if (v >= 0x4000) [[unlikely]]
      return long_varint(v);
    const bool two = v >= 0x80;
    at[0] = static_cast<uint8_t>(v | uint64_t{two} << 7);
    at[1] = static_cast<uint8_t>(v >> 7);
    at += 1 + two;
  }
  // All bytes at once, without a loop whose end could not be foretold: 7 bits for each byte are pulled apart in
  // halves, quarters, eighths. Writes up to 8 bytes more than it advances.
  void long_varint(uint64_t v) {
    if (v >> 56) [[unlikely]] {
      for (; v >= 0x80; v >>= 7) u8(static_cast<uint8_t>(v | 0x80));
      return u8(static_cast<uint8_t>(v));
    }
    const unsigned bytes = (static_cast<unsigned>(std::bit_width(v)) + 6) / 7;
    v = (v & 0x0fffffff) | (v & 0xfffffff0000000) << 4;
    v = (v & 0x00003fff00003fff) | (v & 0x0fffc0000fffc000) << 2;
    v = (v & 0x007f007f007f007f) | (v & 0x3f803f803f803f80) << 1;
    v |= 0x0080808080808080 & ((uint64_t{1} << 8 * (bytes - 1)) - 1);
    std::memcpy(at, &v, sizeof v);
    at += bytes;
  }
  void svarint(int64_t v) { varint(zigzag(v)); }
  void delta(uint64_t v, uint64_t& last) {
    svarint(static_cast<int64_t>(v - last));
    last = v;
  }
  void word(uint64_t v, uint64_t& last) {
    uint64_t code = zigzag(static_cast<int64_t>(v - last));
    if (v == 0 || code == kAbsentCode) [[unlikely]] {
      if (v == 0) return u8(kAbsentCode);
      code = zigzag(static_cast<int64_t>(0 - last));
    }
    varint(code);
    last = v;
  }
  void text(std::string_view s) {
    varint(s.size());
    if (!s.empty()) std::memcpy(at, s.data(), s.size());
    at += s.size();
  }
};

uint64_t read_word(ByteReader& in, uint64_t& last) {
  const uint64_t code = in.varint();
  if (code == kAbsentCode) return 0;
  const bool swapped = code == zigzag(static_cast<int64_t>(0 - last));
  last = swapped ? last - 1 : last + static_cast<uint64_t>(unzigzag(code));
  return last;
}

uint64_t read_delta(ByteReader& in, uint64_t& last) { return last = in.delta(last); }

void put_memory(Pen& pen, std::span<const MemorySpan> memory, CodecState& state) {
  pen.varint(memory.size());
  for (const MemorySpan& m : memory) {
    pen.delta(m.addr, state.last_addr);
    pen.varint(m.size);
    pen.u8(m.store);
  }
}

void put_sync(Pen& pen, const Sync& s, CodecState& state) {
  pen.u8(static_cast<uint8_t>(s.op));
  pen.u8(s.flags);
  pen.delta(s.object, state.last_object);
  pen.varint(s.object2);
  pen.varint(s.value);
  pen.svarint(s.result);
}

void put_ip(Pen& pen, uint64_t ip, CodecState& state) {
  uint64_t likely = state.likely_ip();
  pen.delta(ip, likely);
  state.last_ip = ip;
}

[[gnu::always_inline]] inline void put_fields(uint32_t has, Pen& pen, const Event& e, CodecState& state) {
  if (has & kFieldBlock) pen.varint(e.block.value);
  if (has & kFieldIp) put_ip(pen, e.ip, state);
  if (has & kFieldWords) {
    pen.varint(e.words.size());
    for (const uint64_t w : e.words) pen.word(w, state.last_word);
  }
  if (has & kFieldSp) pen.delta(e.sp, state.last_sp);
  if (has & kFieldCount) pen.varint(e.count);
  if (has & kFieldStack) pen.varint(e.stack.value);
  if (has & kFieldRange) {
    pen.delta(e.range.begin, state.last_addr);
    pen.varint(e.range.end - e.range.begin);
  }
  if (has & kFieldChild) pen.varint(e.child.value);
  if (has & kFieldAddr) pen.delta(e.addr, state.last_addr);
  if (has & kFieldSize) pen.varint(e.size);
  if (has & kFieldValue) pen.varint(e.value);
  if (has & kFieldResult) pen.svarint(e.result);
  if (has & kFieldSync) put_sync(pen, e.sync, state);
  if (has & kFieldModule) pen.varint(e.module.value);
  if (has & kFieldMemory) put_memory(pen, e.memory, state);
  if (has & kFieldText) pen.text(e.text);
}

// The same with the fields known to the compiler: for the frequent kinds.
template <EventKind kKind>
void put_fields_of(Pen& pen, const Event& e, CodecState& state) {
  put_fields(fields_of(kKind), pen, e, state);
}

uint32_t read_u32(ByteReader& in) { return static_cast<uint32_t>(in.bounded(0xffffffff)); }

void read_sync(ByteReader& in, Sync& s, CodecState& state) {
  const uint8_t op = in.u8();
  if (op >= kSyncOpCount) in.fail();
  if (!in.ok()) return;
  s.op = static_cast<SyncOp>(op);
  s.flags = in.u8();
  s.object = read_delta(in, state.last_object);
  s.object2 = in.varint();
  s.value = in.varint();
  s.result = in.svarint();
}

}  // namespace

// --- CodecState ---

void CodecState::begin_frame(ThreadId running) {
  ++epoch_;
  thread = running;
  last_block = 0;
  last_word = last_ip = last_sp = last_addr = last_object = 0;
}

void CodecState::learn(uint32_t id) {
  if (words_.empty()) words_.push_back(0);
  if (id >= states_.size()) states_.resize(id + 1);
  const Block& b = blocks_.block(BlockId(id));
  const Superblock& sb = blocks_.superblock(b.superblock);
  if (b.superblock.value >= superblocks_.size()) superblocks_.resize(b.superblock.value + 1);
  uint32_t& at = superblocks_[b.superblock.value];
  if (at == 0) {
    at = static_cast<uint32_t>(words_.size());
    uint16_t most = 0;
    for (const Exit& e : sb.exits) most = std::max(most, e.words);
    words_.resize(words_.size() + 1 + most);
  }
  const Exit& exit = sb.exits[b.exit];
  BlockState& s = states_[id];
  s.last_words = at;
  s.words = exit.words;
  s.exit_ip = exit_addr(sb, exit);
  for (const Access& a : sb.accesses.first(exit.accesses)) s.guarded |= a.guarded();
}

uint64_t CodecState::likely_ip() const { return last_block == 0 ? last_ip : states_[last_block].exit_ip; }

// --- EventEncoder ---

EventEncoder::EventEncoder(const BlockTable& blocks, uint32_t limit) : blocks_(blocks), state_(blocks), limit_(limit) {}

void EventEncoder::begin_frame(ThreadId thread) {
  state_.begin_frame(thread);
  used_ = 0;
  events_ = 0;
}

size_t EventEncoder::event_bound(const Event& e) {
  return 128 + 10 * e.words.size() + 21 * e.memory.size() + e.text.size();
}

void EventEncoder::reserve(size_t bytes) {
  if (used_ + bytes <= capacity_) [[likely]]
    return;
  const size_t capacity = std::max(used_ + bytes, std::max<size_t>(2 * capacity_, 4096));
  auto bigger = std::make_unique<uint8_t[]>(capacity);
  if (used_ > 0) std::memcpy(bigger.get(), buffer_.get(), used_);
  buffer_ = std::move(bigger);
  capacity_ = capacity;
}

void EventEncoder::set_thread(ThreadId thread) {
  Pen pen{buffer_.get() + used_};
  pen.varint(kTagThread);
  pen.varint(thread.value);
  state_.thread = thread;
  used_ = static_cast<size_t>(pen.at - buffer_.get());
}

void EventEncoder::block(ThreadId thread, BlockId id, std::span<const uint64_t> words) {
  const auto n = static_cast<uint32_t>(words.size());
  reserve(block_bound(n));
  if (thread != state_.thread) [[unlikely]]
    set_thread(thread);
  CodecState::BlockState& s = state_.block(id.value);
  if (n != s.words) [[unlikely]]
    return odd_block(id, words);
  uint8_t* const begin = buffer_.get();
  Pen pen{begin + used_};
  if (state_.follow(id.value))
    pen.u8(kTagPredicted);
  else
    pen.varint(kFirstBlockTag - 1 + uint64_t{id.value});
  if (n > 0) {
    uint64_t* const last = state_.last_words(s);
    const uint32_t known = static_cast<uint32_t>(*last);
    uint32_t i = 0;
    for (const uint32_t both = std::min(known, n); i < both; ++i) pen.word(words[i], last[i + 1]);
    if (i < n) {
      uint64_t near = state_.last_word;
      for (; i < n; ++i) {
        pen.word(words[i], near);
        last[i + 1] = near;
      }
      *last = uint64_t{state_.epoch()} << 32 | n;
    }
    state_.last_word = last[n];
  }
  used_ = static_cast<size_t>(pen.at - begin);
  ++s.executions;
  ++events_;
  if (s.guarded) [[unlikely]]
    count_absent(id, words);
}

size_t EventEncoder::blocks(ThreadId thread, Steps run) {
  size_t done = 0;
  while (done < run.size() && run[done].block && fits(block_bound(run[done].count))) {
    block(thread, run[done].block, {run[done].words, run[done].count});
    ++done;
    done += ordinary_blocks(run.subspan(done));
  }
  return done;
}

// The run's first blocks as long as nothing is new or odd about them. Bytes may be anything to the compiler: what it
// should not load again after each of them is a local variable.
size_t EventEncoder::ordinary_blocks(Steps run) {
  uint8_t* const begin = buffer_.get();
  const size_t room = std::min(limit_, capacity_);
  CodecState::BlockState* const states = state_.states_.data();
  const size_t known_blocks = state_.states_.size();
  uint64_t* const all_words = state_.words_.data();
  const uint64_t epoch = uint64_t{state_.epoch_} << 32;
  uint32_t last_block = state_.last_block;
  uint64_t last_word = state_.last_word;
  Pen pen{begin + used_};
  const RunStep* b = run.data();
  for (const RunStep* const end = b + run.size(); b != end; ++b) {
    const uint32_t id = b->block.value;
    const uint32_t n = b->count;
    if (id >= known_blocks || static_cast<size_t>(pen.at - begin) + block_bound(n) > room) break;
    CodecState::BlockState& s = states[id];
    uint64_t* const last = all_words + s.last_words;
    if (s.last_words == 0 || s.words != n || s.guarded || (n > 0 && *last < (epoch | n))) break;
    uint64_t& successor = states[last_block].successor;
    pen.short_varint(successor == (epoch | id) ? kTagPredicted : kFirstBlockTag - 1 + uint64_t{id});
    successor = epoch | id;
    last_block = id;
    for (uint32_t i = 0; i < n; ++i) pen.word(b->words[i], last[i + 1]);
    if (n > 0) last_word = last[n];
    ++s.executions;
  }
  const auto done = static_cast<size_t>(b - run.data());
  state_.last_block = last_block;
  state_.last_word = last_word;
  used_ = static_cast<size_t>(pen.at - begin);
  events_ += done;
  return done;
}

void EventEncoder::odd_block(BlockId id, std::span<const uint64_t> words) {
  Pen pen{buffer_.get() + used_};
  pen.varint(kTagOddBlock);
  pen.varint(id.value);
  pen.varint(words.size());
  for (const uint64_t w : words) pen.word(w, state_.last_word);
  used_ = static_cast<size_t>(pen.at - buffer_.get());
  ++state_.block(id.value).executions;
  ++events_;
}

void EventEncoder::count_absent(BlockId id, std::span<const uint64_t> words) {
  const Superblock& sb = blocks_.superblock_of(id);
  for (const Access& a : sb.accesses.first(blocks_.exit_of(id).accesses)) absent_ += !happened(a, words);
}

void EventEncoder::event(const Event& e) {
  if (e.kind == EventKind::kBlock) return block(e.thread, e.block, e.words);
  if (!is_event(e.kind)) return;
  reserve(event_bound(e));
  const bool turn = e.kind == EventKind::kTurn;
  if (e.thread != state_.thread && !turn) set_thread(e.thread);
  Pen pen{buffer_.get() + used_};
  pen.varint(static_cast<uint8_t>(e.kind));
  if (turn) pen.varint(e.thread.value);
  switch (e.kind) {
    case EventKind::kCall:
      put_fields_of<EventKind::kCall>(pen, e, state_);
      break;
    case EventKind::kReturn:
      put_fields_of<EventKind::kReturn>(pen, e, state_);
      break;
    default:
      put_fields(fields_of(e.kind), pen, e, state_);
  }
  state_.thread = e.thread;
  used_ = static_cast<size_t>(pen.at - buffer_.get());
  ++events_;
}

// --- EventDecoder ---

EventDecoder::EventDecoder(const ModuleTable& modules, const BlockTable& blocks, Words check, uint32_t max_serial)
    : modules_(modules), blocks_(blocks), state_(blocks), in_({}), check_(check), max_serial_(max_serial) {}

void EventDecoder::begin_frame(std::span<const uint8_t> bytes, ThreadId thread) {
  in_ = ByteReader(bytes);
  error_ = nullptr;
  state_.begin_frame(thread);
}

bool EventDecoder::fail(const char* what) {
  if (!error_) error_ = what;
  in_.fail();
  return false;
}

bool EventDecoder::next(Event& e) {
  e = Event{};
  if (error_ || in_.at_end()) return false;
  uint64_t tag = in_.varint();
  while (tag == kTagThread) {
    state_.thread = ThreadId(static_cast<uint32_t>(in_.bounded(max_serial_)));
    tag = in_.varint();
  }
  if (!in_.ok()) return fail("an event ends early");
  e.thread = state_.thread;
  if (tag >= kFirstBlockTag) {
    const uint64_t id = tag - kFirstBlockTag + 1;
    return id <= blocks_.block_count() ? read_block(static_cast<uint32_t>(id), e) : fail("unknown block");
  }
  if (tag == kTagPredicted) return read_predicted(e);
  if (tag == kTagOddBlock) return read_odd_block(e);
  if (tag >= kEventKindCount || tag == static_cast<uint8_t>(EventKind::kBlock)) return fail("unknown kind of event");
  e.kind = static_cast<EventKind>(tag);
  return read_fields(e);
}

bool EventDecoder::read_predicted(Event& e) {
  if (state_.last_block == 0) return fail("no block to follow");
  const auto& before = state_.block(state_.last_block);
  if (before.successor >> 32 != state_.epoch()) return fail("no successor known");
  return read_block(static_cast<uint32_t>(before.successor), e);
}

bool EventDecoder::read_block(uint32_t id, Event& e) {
  CodecState::BlockState& s = state_.block(id);
  const uint32_t epoch = state_.epoch();
  state_.follow(id);
  const uint32_t n = s.words;
  if (words_.size() < n) words_.resize(n);
  uint64_t* last = state_.last_words(s);
  const uint32_t known = static_cast<uint32_t>(*last);
  uint32_t i = 0;
  for (const uint32_t both = std::min(known, n); i < both; ++i) words_[i] = read_word(in_, last[i + 1]);
  if (i < n) {
    uint64_t near = state_.last_word;
    for (; i < n; ++i) {
      words_[i] = read_word(in_, near);
      last[i + 1] = near;
    }
    *last = uint64_t{epoch} << 32 | n;
  }
  if (n > 0) state_.last_word = last[n];
  if (!in_.ok()) return fail("a block's words end early");
  e.kind = EventKind::kBlock;
  e.block = BlockId(id);
  e.words = {words_.data(), n};
  return true;
}

bool EventDecoder::read_words(Event& e) {
  const uint64_t n = in_.bounded(std::min<uint64_t>(in_.left(), 0xffff));
  if (words_.size() < n) words_.resize(n);
  for (uint64_t i = 0; i < n; ++i) words_[i] = read_word(in_, state_.last_word);
  e.words = {words_.data(), n};
  return in_.ok();
}

bool EventDecoder::read_odd_block(Event& e) {
  e.kind = EventKind::kBlock;
  e.block = BlockId(read_u32(in_));
  if (!blocks_.has(e.block)) return fail("unknown block");
  if (!read_words(e)) return fail("a block's words end early");
  return check_ == Words::kAny || fail("a block has not the number of words that its exit says");
}

void read_memory(ByteReader& in, uint64_t& last, std::vector<MemorySpan>& to) {
  to.resize(in.bounded(in.left() / 3));
  for (MemorySpan& m : to) {
    m.addr = read_delta(in, last);
    m.size = in.varint();
    const uint8_t store = in.u8();
    if (store > 1) in.fail();
    m.store = store;
  }
}

bool EventDecoder::read_fields(Event& e) {
  const uint32_t has = fields_of(e.kind);
  if (e.kind == EventKind::kTurn) e.thread = state_.thread = ThreadId(static_cast<uint32_t>(in_.bounded(max_serial_)));
  if (has & kFieldBlock) {
    e.block = BlockId(read_u32(in_));
    if (in_.ok() && !blocks_.has(e.block)) return fail("unknown block");
  }
  if (has & kFieldIp) e.ip = state_.last_ip = in_.delta(state_.likely_ip());
  if (has & kFieldWords) read_words(e);
  if (has & kFieldSp) e.sp = read_delta(in_, state_.last_sp);
  if (has & kFieldCount) e.count = read_u32(in_);
  if (has & kFieldStack) e.stack = StackId(static_cast<uint32_t>(in_.bounded(max_serial_)));
  if (has & kFieldRange) {
    e.range.begin = read_delta(in_, state_.last_addr);
    e.range.end = e.range.begin + in_.varint();
  }
  if (has & kFieldChild) e.child = ThreadId(static_cast<uint32_t>(in_.bounded(max_serial_)));
  if (has & kFieldAddr) e.addr = read_delta(in_, state_.last_addr);
  if (has & kFieldSize) e.size = in_.varint();
  if (has & kFieldValue) e.value = in_.varint();
  if (has & kFieldResult) e.result = in_.svarint();
  if (has & kFieldSync) read_sync(in_, e.sync, state_);
  if (has & kFieldModule) {
    e.module = ModuleId(read_u32(in_));
    if (in_.ok() && !modules_.has(e.module)) return fail("unknown module");
  }
  if (has & kFieldMemory) {
    read_memory(in_, state_.last_addr, memory_);
    e.memory = memory_;
  }
  if (has & kFieldText) e.text = in_.text();
  if (!in_.ok()) return fail("an event's members end early or are out of range");
  return e.kind != EventKind::kPartial || check_partial(e);
}

bool EventDecoder::check_partial(const Event& e) {
  if (check_ == Words::kAny || e.words.size() == executed_before(blocks_.superblock_of(e.block), e.ip).words)
    return true;
  return fail("a partial block has not the number of words that its instruction says");
}

}  // namespace cdr
