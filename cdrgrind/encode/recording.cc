// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/encode/recording.h"

#include <algorithm>

#include "cdrgrind/encode/event_fields.h"
#include "cdrgrind/format/dataflow_codec.h"
#include "cdrgrind/format/superblock_columns.h"

namespace cdr {
namespace {

uint32_t version_of(const RecordingOptions& options) {
  if (options.form == RecordingForm::kPlain) return kFormatVersion2;
  return options.models ? kFormatVersion8 : kFormatVersion7;
}

}  // namespace

Recording::Recording(Output& out, const ModuleTable& modules, const BlockTable& blocks, const RunInfo& run,
                     std::span<const MetaEntry> meta, const RecordingOptions& options)
    : modules_(modules),
      blocks_(blocks),
      writer_(out, options.zstd_level, version_of(options)),
      encoder_(blocks, options.raw_frame_bytes),
      options_(options) {
  if (options.form == RecordingForm::kCompact)
    epoch_.emplace(blocks, EpochOptions{options.epoch_bytes, options.control, options.control_window});
  encode_run(run, scratch_);
  writer_.write({.type = FrameType::kRun}, scratch_.bytes());
  scratch_.clear();
  encode_meta(meta, scratch_);
  writer_.write({.type = FrameType::kMeta}, scratch_.bytes());
  scratch_.clear();
  encoder_.begin_frame(ThreadId());
}

void Recording::block(ThreadId thread, BlockId id, std::span<const uint64_t> words) {
  if (epoch_) {
    const RunStep alone{id, static_cast<uint32_t>(words.size()), {words.data()}};
    return compact_run(thread, {&alone, 1});
  }
  if (!encoder_.fits(EventEncoder::block_bound(words.size()))) [[unlikely]]
    flush();
  if (id.value > needed_blocks_) [[unlikely]]
    need_block(id);
  encoder_.block(thread, id, words);
}

void Recording::run(ThreadId thread, Steps run) {
  if (epoch_) return compact_run(thread, run);
  while (!run.empty()) {
    const size_t blocks = encoder_.blocks(thread, run);
    for (const RunStep& s : run.first(blocks))
      if (s.block.value > needed_blocks_) [[unlikely]]
        need_block(s.block);
    run = run.subspan(blocks);
    if (run.empty()) return;
    if (run[0].block) {
      flush();
    } else {
      event(event_of_step(blocks_, thread, run[0]));
      run = run.subspan(1);
    }
  }
}

void Recording::event(const Event& e) {
  if (e.kind == EventKind::kBlock) return block(e.thread, e.block, e.words);
  if (!is_event(e.kind)) return;
  if (epoch_ ? epoch_is_full() : !encoder_.fits(EventEncoder::event_bound(e))) flush();
  if (e.block.value > needed_blocks_) need_block(e.block);
  need_module(e.module);
  note(e);
  if (epoch_)
    epoch_->event(e);
  else
    encoder_.event(e);
}

// Epochs end at the same events however they come.
void Recording::compact_run(ThreadId thread, Steps run) {
  while (!run.empty()) {
    if (epoch_is_full()) flush();
    const uint64_t room = options_.epoch_blocks - epoch_->path_length(thread);
    const Steps steps = run.first(std::min({run.size(), static_cast<size_t>(room), size_t{until_look_} + 1}));
    until_look_ -= static_cast<uint32_t>(steps.size() - 1);
    epoch_->run(thread, steps);
    run = run.subspan(steps.size());
  }
}

// Before each event.
bool Recording::epoch_is_full() {
  constexpr uint32_t kLookEvery = 4096;  // events
  const bool longest = epoch_->longest_path() >= options_.epoch_blocks;
  if (!longest && until_look_ > 0) {
    --until_look_;
    return false;
  }
  until_look_ = kLookEvery - 1;
  if (epoch_->predicted_blocks() >= kMostPredictedBlocks) return true;
  return longest || (epoch_->bytes() >= options_.epoch_bytes && epoch_->events() > 0);
}

void Recording::note(const Event& e) {
  ++kinds_[static_cast<uint8_t>(e.kind)];
  if (e.kind == EventKind::kThreadStart) ++threads_;
  if (e.kind != EventKind::kPartial) return;
  const Superblock& sb = blocks_.superblock_of(e.block);
  const Executed done = executed_before(sb, e.ip);
  partial_instructions_ += done.insns;
  if (e.words.size() < done.words) return;
  for (const Access& a : sb.accesses.first(done.accesses)) partial_accesses_ += happened(a, e.words);
}

void Recording::need_block(BlockId id) {
  for (; needed_blocks_ < id.value; ++needed_blocks_) {
    const SuperblockId superblock = blocks_.block(BlockId(needed_blocks_ + 1)).superblock;
    for (; needed_superblocks_ < superblock.value; ++needed_superblocks_)
      need_module(blocks_.superblock(SuperblockId(needed_superblocks_ + 1)).module);
  }
}

void Recording::need_module(ModuleId id) { needed_modules_ = std::max(needed_modules_, id.value); }

void Recording::write_tables() {
  const uint64_t first_event = written_events_;
  const auto put = [&](FrameType type, uint32_t& written, uint32_t needed, auto encode) {
    if (written == needed) return;
    encode(TableRange{written, needed});
    const uint16_t flags = is_required(type) ? kFrameRequired : 0;
    writer_.write({.type = type, .first_event = first_event, .flags = flags}, scratch_.bytes());
    scratch_.clear();
    written = needed;
  };
  put(FrameType::kModule, written_modules_, needed_modules_,
      [&](TableRange r) { encode_modules(modules_, r, scratch_, version_of(options_)); });
  put(FrameType::kBlocks, written_superblocks_, needed_superblocks_, [&](TableRange r) {
    if (!epoch_) return encode_superblocks(blocks_, r, scratch_);
    write_columns(spans_of(superblock_columns(blocks_, r)), writer_.compressor(), scratch_, false);
  });
  const uint32_t flows = options_.dataflow ? std::min(needed_superblocks_, options_.dataflow->size()) : 0;
  put(FrameType::kDataflow, written_flows_, flows,
      [&](TableRange r) { encode_dataflow(*options_.dataflow, blocks_, r, scratch_); });
  put(FrameType::kExits, written_blocks_, needed_blocks_, [&](TableRange r) { encode_blocks(blocks_, r, scratch_); });
}

void Recording::flush() {
  if (epoch_) return write_epoch();
  const uint64_t count = encoder_.event_count();
  if (count == 0) return;
  write_tables();
  writer_.write(
      {.type = FrameType::kEvents, .thread = frame_thread_.value, .first_event = written_events_, .event_count = count},
      encoder_.bytes());
  written_events_ += count;
  frame_thread_ = encoder_.state().thread;
  encoder_.begin_frame(frame_thread_);
}

void Recording::write_columns_frame(FrameType type, uint64_t event_count,
                                    std::span<const std::span<const uint8_t>> columns) {
  write_columns(columns, writer_.compressor(), scratch_);
  writer_.write({.type = type, .first_event = written_events_, .event_count = event_count}, scratch_.bytes());
  scratch_.clear();
}

void Recording::write_epoch() {
  const uint64_t count = epoch_->events();
  if (count == 0) return;
  need_block(epoch_->last_block());
  write_tables();
  const EpochEncoder::Columns c = epoch_->finish(writer_.compressor());
  const auto put = [&](FrameType type, uint64_t events, const std::vector<ByteWriter>& columns) {
    write_columns_frame(type, events, spans_of(columns));
  };
  put(FrameType::kStretches, 0, c.stretches);
  put(FrameType::kThread, 0, c.threads);
  put(FrameType::kAddress, 0, c.addresses);
  write_columns_frame(FrameType::kLog, 0, c.log);
  put(FrameType::kTurn, 0, c.turns);
  put(FrameType::kControl, count, c.control);
  written_events_ += count;
  epoch_->begin();
}

void Recording::add_frame(FrameType type, std::span<const uint8_t> payload, uint16_t flags) {
  flush();
  writer_.write({.type = type, .first_event = written_events_, .flags = flags}, payload);
}

void Recording::close(const EndInfo& end) {
  flush();
  encode_index(writer_.rows(), scratch_);
  add_frame(FrameType::kIndex, scratch_.bytes());
  scratch_.clear();

  const RecordingTotals t = totals();
  std::vector<Counter> counters = {{"events", t.events},
                                   {"blocks", t.blocks},
                                   {"instructions", t.instructions},
                                   {"accesses", t.accesses},
                                   {"threads", t.threads}};
  counters.insert(counters.end(), end.counters.begin(), end.counters.end());
  std::vector<MetaEntry> texts = {{"exit", end.exit}};
  texts.insert(texts.end(), end.texts.begin(), end.texts.end());
  encode_end(counters, texts, scratch_);
  add_frame(FrameType::kEnd, scratch_.bytes());
  scratch_.clear();
}

RecordingTotals Recording::totals() const {
  RecordingTotals t;
  t.events = events();
  t.instructions = partial_instructions_;
  t.accesses = partial_accesses_;
  t.threads = threads_;
  t.kinds = kinds_;
  const auto count = [&](uint32_t id, uint64_t executions) {
    if (executions == 0) return;
    const Exit& exit = blocks_.exit_of(BlockId(id));
    t.blocks += executions;
    t.instructions += executions * exit.insns_executed();
    t.accesses += executions * exit.accesses;
  };
  const auto& plain = encoder_.state().all_blocks();
  for (uint32_t id = 1; id < plain.size(); ++id) count(id, plain[id].executions);
  if (epoch_) {
    const EpochEncoder::BlockTotals& b = epoch_->block_totals();
    t.blocks += b.blocks;
    t.instructions += b.instructions;
    t.accesses += b.accesses;
    t.kinds[static_cast<uint8_t>(EventKind::kCall)] += b.calls;
    t.kinds[static_cast<uint8_t>(EventKind::kReturn)] += b.returns;
  }
  t.accesses -= epoch_ ? epoch_->absent_accesses() : encoder_.absent_accesses();
  t.kinds[static_cast<uint8_t>(EventKind::kBlock)] = t.blocks;
  return t;
}

}  // namespace cdr
