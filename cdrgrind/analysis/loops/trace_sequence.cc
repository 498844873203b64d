// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/loops/trace_sequence.h"

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "cdrgrind/analysis/events/copy_follower.h"
#include "cdrgrind/analysis/events/part_counter.h"
#include "cdrgrind/analysis/paths/cycle_table.h"
#include "cdrgrind/trace/read/cursor.h"

namespace cdr::loops {

namespace {

// Calls that are open, on each stack of the thread.
class CallDepth {
 public:
  void apply(const Event& e) {
    switch (e.kind) {
      case EventKind::kCall:
      case EventKind::kSignalEnter:
        ++depth_;
        break;
      case EventKind::kReturn:
      case EventKind::kSignalLeave:
        leave(1);
        break;
      case EventKind::kPop:
        leave(e.count);
        break;
      case EventKind::kThreadStart:
        stack_ = e.stack;
        break;
      case EventKind::kStackSwitch:
        others_[stack_] = depth_;
        stack_ = e.stack;
        depth_ = others_.try_emplace(stack_, depth_ + 1).first->second;
        break;
      default:
        break;
    }
  }
  uint16_t value() const { return static_cast<uint16_t>(std::min(depth_, uint32_t{65535})); }

 private:
  void leave(uint32_t n) { depth_ -= std::min(n, depth_); }

  uint32_t depth_ = 1;  // the thread's root
  StackId stack_;
  std::map<StackId, uint32_t> others_;
};

// What the symbols of the next blocks and calls depend on, and how many there are by then; what the kind of sequence
// has no use for is as it is here.
struct SequenceMark {
  size_t symbols = 0;
  uint64_t left_out = 0;
  BlockId last;
  bool in_shim = false, last_is_own = false;
  uint32_t line = 0;
  BlockId before;
  std::vector<uint32_t> here;
  CodeAddr call;
  uint16_t call_depth = 0;
  std::pair<BlockId, uint16_t> caller;
  paths::CycleCutter::Place cut;
};

// Takes the thread's events in order. One class for each kind of sequence.
class Reader {
 public:
  Reader(TraceSequence& to, paths::BasicBlocks& blocks, uint32_t most) : to_(to), blocks_(blocks), most_(most) {}
  virtual ~Reader() = default;

  // `own`: of a block, whether it is the program's; of others, whether it stands on the stack.
  void take(const Event& e, bool own) {
    own_ = own;
    if (e.kind == EventKind::kBlock || e.kind == EventKind::kPartial) {
      const uint32_t number = blocks_.number_of(e);
      last_ = e.block;
      in_shim_ = number == paths::BasicBlocks::kShim;
      if (!in_shim_ && (own || of_libraries())) block(e, number);
      last_is_own_ = own;
    } else {
      other(e);
      calls_.apply(e);
    }
  }
  void mark(SequenceMark& m) const {
    m.symbols = to_.symbols.size();
    m.left_out = to_.left_out;
    m.last = last_;
    m.in_shim = in_shim_;
    m.last_is_own = last_is_own_;
    note(m);
  }
  // As then: the same events would make the same symbols.
  bool is_as(const SequenceMark& m) const {
    return m.last == last_ && m.in_shim == in_shim_ && m.last_is_own == last_is_own_ && stands_as(m);
  }
  // What has happened since then so many times more.
  void again(const SequenceMark& m, uint64_t times) {
    require_room((to_.symbols.size() - m.symbols) * times);
    repeat(m, times);
    to_.left_out += (to_.left_out - m.left_out) * times;
  }
  virtual void finish() {}

 protected:
  virtual void block(const Event&, uint32_t) {}
  // The part of a mark that the kind of sequence has.
  virtual void note(SequenceMark&) const {}
  virtual bool stands_as(const SequenceMark&) const { return true; }
  virtual void repeat(const SequenceMark& m, uint64_t times) {
    const size_t symbols = to_.symbols.size() - m.symbols;
    if (symbols == 0) return;
    to_.symbols.repeat_from(m.symbols, times);
    if (!to_.depths.empty()) to_.depths.repeat_from(m.symbols, times);
  }
  // Whether it is given the blocks of others, too.
  virtual bool of_libraries() const { return false; }
  virtual void other(const Event&) {}

  uint16_t depth() const { return calls_.value(); }
  void add(uint32_t symbol, uint16_t depth) {
    require_room(1);
    to_.symbols.push_back(symbol);
    to_.depths.push_back(depth);
  }
  void add_times(uint32_t symbol, uint64_t times) {
    if (times == 0) return;
    require_room(times);
    to_.symbols.push_back(symbol);
    to_.symbols.repeat_last(times - 1);
  }
  uint32_t add_meaning(TraceSymbol meaning) {
    to_.meanings.push_back(std::move(meaning));
    return static_cast<uint32_t>(to_.meanings.size() - 1);
  }
  const Superblock& last_superblock() const { return blocks_.blocks().superblock_of(last_); }
  CodeAddr exit_of(BlockId block) const {
    if (!block) return {};
    const Superblock& sb = blocks_.blocks().superblock_of(block);
    return {sb.module, exit_addr(sb, blocks_.blocks().exit_of(block))};
  }

  TraceSequence& to_;
  paths::BasicBlocks& blocks_;
  BlockId last_;          // of the thread, shims too
  bool in_shim_ = false;  // it is one
  bool own_ = true;       // of the event under way
  bool last_is_own_ = true;

 private:
  void require_room(uint64_t symbols) const {
    if (symbols > most_ - to_.symbols.size())
      throw std::length_error("more than " + std::to_string(most_) + " symbols; try --of=paths");
  }

  uint32_t most_;
  CallDepth calls_;
};

class BlockSequence final : public Reader {
 public:
  using Reader::Reader;

 private:
  void block(const Event&, uint32_t number) override {
    if (number >= symbols_.size()) symbols_.resize(number + 1, kNone);
    if (symbols_[number] == kNone) symbols_[number] = add_meaning({{number}, {}, {}, {}});
    add(symbols_[number], depth());
  }
  static constexpr uint32_t kNone = ~0u;
  std::vector<uint32_t> symbols_;  // by basic block: those of other threads have none
};

class LineSequence final : public Reader {
 public:
  LineSequence(TraceSequence& to, paths::BasicBlocks& blocks, uint32_t most, analysis::CodeNames& names)
      : Reader(to, blocks, most), names_(names) {}

 private:
  void block(const Event& e, uint32_t number) override {
    const std::vector<uint32_t>& lines = lines_of(number);
    if (lines.empty()) return;
    const bool goes_on = lines.front() == line_;
    const bool again = goes_on && before_ && jumped_back(e) && was_here(number);
    before_ = e.block;
    for (size_t i = 0; i < lines.size(); ++i)
      if (i > 0 || !goes_on || again) add(lines[i], depth());
    if (!goes_on || lines.size() > 1) {
      line_ = lines.back();
      here_.clear();
      ++visit_;
    }
    note_here(number);
  }
  void note(SequenceMark& m) const override {
    m.line = line_;
    m.before = before_;
    m.here = here_;
  }
  bool stands_as(const SequenceMark& m) const override {
    return m.line == line_ && m.before == before_ && m.here == here_;
  }
  bool jumped_back(const Event& e) const {
    const BlockTable& table = blocks_.blocks();
    const Superblock& from = table.superblock_of(before_);
    const Exit& exit = table.exit_of(before_);
    return is_jump(exit.kind) && table.superblock_of(e.block).addr <= exit_addr(from, exit);
  }
  // Whether the instruction where the block begins was executed since the line began: if not, the jump leads into a
  // loop, and not to its next iteration.
  bool was_here(uint32_t number) const {
    if (number < visits_.size() && visits_[number] == visit_) return true;
    const Superblock& to = blocks_.superblock(number);
    return std::any_of(here_.begin(), here_.end(), [&](uint32_t executed) {
      const Superblock& sb = blocks_.superblock(executed);
      if (sb.module != to.module) return false;
      for (uint32_t i = 0; i < blocks_[executed].insns; ++i)
        if (sb.insn_addr(i) == to.addr) return true;
      return false;
    });
  }
  void note_here(uint32_t number) {
    if (number >= visits_.size()) visits_.resize(number + 1);
    if (std::exchange(visits_[number], visit_) != visit_) here_.push_back(number);
  }
  // In the order of their last instructions in it: what a compiler has mixed is no repetition.
  const std::vector<uint32_t>& lines_of(uint32_t number) {
    if (number >= lines_.size()) lines_.resize(number + 1);
    std::vector<uint32_t>& lines = lines_[number];
    if (!lines.empty()) return lines;
    const Superblock& sb = blocks_.superblock(number);
    for (uint32_t i = 0; i < blocks_[number].insns; ++i) {
      const uint32_t line = symbol_of({sb.module, sb.insn_addr(i)});
      std::erase(lines, line);
      lines.push_back(line);
    }
    return lines;
  }
  uint32_t symbol_of(CodeAddr at) {
    analysis::LineRef line = names_.line_of(at);
    if (line.line == 0) line.file = names_.function_of(at);
    const auto [symbol, added] = symbols_.try_emplace(line);
    if (added) symbol->second = add_meaning({{}, at, {}, {}});
    return symbol->second;
  }

  analysis::CodeNames& names_;
  std::map<analysis::LineRef, uint32_t> symbols_;
  std::vector<std::vector<uint32_t>> lines_;  // by basic block
  uint32_t line_ = ~0u;
  BlockId before_;
  std::vector<uint32_t> here_;    // basic blocks executed since the line began
  uint64_t visit_ = 1;            // of a line
  std::vector<uint64_t> visits_;  // by basic block: the last one in which it was executed
};

class CallSequence final : public Reader {
 public:
  CallSequence(TraceSequence& to, paths::BasicBlocks& blocks, uint32_t most, analysis::CodeNames& names)
      : Reader(to, blocks, most), names_(names) {}

 private:
  // The function that a call reaches is that of the next block which is the program's own, or a library's.
  void block(const Event& e, uint32_t) override {
    const Superblock& sb = blocks_.blocks().superblock_of(e.block);
    if (call_ == CodeAddr() || (sb.flags & (kBlockPlt | kBlockDynamicLinker))) return;
    const CodeAddr callee = {sb.module, sb.addr};
    const auto [symbol, added] = symbols_.try_emplace({call_, names_.function_of(callee)});
    if (added) symbol->second = add_meaning({{}, call_, callee, {}});
    add(symbol->second, call_depth_);
    call_ = {};
  }
  void note(SequenceMark& m) const override {
    m.call = call_;
    m.call_depth = call_depth_;
  }
  bool stands_as(const SequenceMark& m) const override { return m.call == call_ && m.call_depth == call_depth_; }
  bool of_libraries() const override { return true; }
  // A call before which none was reached stands in place of the one before.
  void other(const Event& e) override {
    if (e.kind != EventKind::kCall || !last_ || in_shim_ || (last_superblock().flags & kBlockDynamicLinker)) return;
    if (!last_is_own_) return;
    call_ = {last_superblock().module, e.ip};
    call_depth_ = depth();
  }

  analysis::CodeNames& names_;
  std::map<std::pair<CodeAddr, std::string_view>, uint32_t> symbols_;
  CodeAddr call_;  // that has reached nothing yet
  uint16_t call_depth_ = 0;
};

class PathSequence final : public Reader {
 public:
  using Reader::Reader;

 private:
  void block(const Event&, uint32_t number) override { cutter_.add({number, 1}, Out{*this}); }
  void note(SequenceMark& m) const override { cutter_.mark(m.cut); }
  bool stands_as(const SequenceMark& m) const override { return cutter_.is_as(m.cut, to_.symbols.size() == m.symbols); }
  void repeat(const SequenceMark& m, uint64_t times) override {
    Reader::repeat(m, times);
    cutter_.again(m.cut, times);
  }
  void other(const Event& e) override {
    if (e.kind == EventKind::kGapBegin) cutter_.finish(Out{*this});
  }
  void finish() override { cutter_.finish(Out{*this}); }

  struct Out {
    PathSequence& to;
    void operator()(std::span<const paths::Element> cycle, uint64_t count) const { to.take(cycle, count); }
  };
  void take(std::span<const paths::Element> cycle, uint64_t count) {
    const auto [id, added] = paths_.id_of(cycle);
    if (added) {
      TraceSymbol meaning;
      for (const paths::Element& e : cycle) meaning.blocks.push_back(static_cast<uint32_t>(e.id));
      add_meaning(std::move(meaning));
    }
    add_times(static_cast<uint32_t>(id), count);
  }

  paths::CycleCutter cutter_;
  paths::CycleTable paths_;
};

class SyncSequence final : public Reader {
 public:
  using Reader::Reader;

 private:
  void block(const Event& e, uint32_t) override { caller_ = {e.block, depth()}; }
  void note(SequenceMark& m) const override { m.caller = caller_; }
  bool stands_as(const SequenceMark& m) const override { return m.caller == caller_; }
  void other(const Event& e) override {
    if (e.kind != EventKind::kSyncEnter || !own_) return;
    const auto [symbol, added] = symbols_.try_emplace({e.sync.op, e.sync.object});
    if (added) symbol->second = add_meaning({{}, exit_of(caller_.first), {}, e.sync});
    add(symbol->second, caller_.second);
  }

  std::map<std::pair<SyncOp, uint64_t>, uint32_t> symbols_;
  std::pair<BlockId, uint16_t> caller_;  // the last block that is no shim
};

std::unique_ptr<Reader> make_reader(TraceSequence& to, paths::BasicBlocks& blocks, uint32_t most,
                                    analysis::CodeNames& names) {
  switch (to.of) {
    case SequenceOf::kLines:
      return std::make_unique<LineSequence>(to, blocks, most, names);
    case SequenceOf::kCalls:
      return std::make_unique<CallSequence>(to, blocks, most, names);
    case SequenceOf::kPaths:
      return std::make_unique<PathSequence>(to, blocks, most);
    case SequenceOf::kSync:
      return std::make_unique<SyncSequence>(to, blocks, most);
    case SequenceOf::kBlocks:
      break;
  }
  return std::make_unique<BlockSequence>(to, blocks, most);
}

// The threads' readers, each with its sequence.
class Threads {
 public:
  Threads(SequenceOf of, uint32_t most, analysis::CodeNames& names, paths::BasicBlocks& blocks)
      : of_(of), most_(most), names_(names), blocks_(blocks) {}

  void take(const Event& e, analysis::Whose whose, analysis::ProgramPart* part) {
    Thread& thread = of(e.thread);
    const bool own = whose == analysis::Whose::kOwn;
    if (e.kind != EventKind::kBlock && e.kind != EventKind::kPartial)
      return thread.reader->take(e, !part || part->in_program(e.thread));
    if (whose == analysis::Whose::kOthers) thread.sequence.left_out += instructions_of(e);
    thread.reader->take(e, own && !(part && is_stub(e)));
  }
  // For analysis::CopyFollower.
  using CopyMark = SequenceMark;
  void mark(ThreadId t, CopyMark& mark) { of(t).reader->mark(mark); }
  bool is_as(ThreadId t, const CopyMark& mark) { return of(t).reader->is_as(mark); }
  void again(ThreadId t, const CopyMark& mark, uint64_t times) { of(t).reader->again(mark, times); }
  void take_of_process(const Event& e) {
    for (const auto& thread : threads_)
      if (thread) thread->reader->take(e, true);
  }
  std::vector<TraceSequence> finish() {
    std::vector<TraceSequence> sequences;
    for (const auto& thread : threads_) {
      if (!thread) continue;
      thread->reader->finish();
      sequences.push_back(std::move(thread->sequence));
    }
    return sequences;
  }

 private:
  struct Thread {
    TraceSequence sequence;
    std::unique_ptr<Reader> reader;
  };

  Thread& of(ThreadId t) {
    if (t.value >= threads_.size()) threads_.resize(t.value + 1);
    std::unique_ptr<Thread>& thread = threads_[t.value];
    if (thread) return *thread;
    thread = std::make_unique<Thread>();
    thread->sequence.of = of_;
    thread->sequence.thread = t;
    thread->reader = make_reader(thread->sequence, blocks_, most_, names_);
    return *thread;
  }
  uint64_t instructions_of(const Event& e) {
    const uint32_t number = blocks_.number_of(e);
    return number == paths::BasicBlocks::kShim ? 0 : blocks_[number].insns;
  }
  bool is_stub(const Event& e) const { return blocks_.blocks().superblock_of(e.block).flags & kBlockPlt; }

  SequenceOf of_;
  uint32_t most_;
  analysis::CodeNames& names_;
  paths::BasicBlocks& blocks_;
  std::vector<std::unique_ptr<Thread>> threads_;  // by ThreadId
};

}  // namespace

bool TraceSymbol::operator==(const TraceSymbol& other) const {
  return blocks == other.blocks && at == other.at && callee == other.callee && sync.op == other.sync.op &&
         sync.object == other.sync.object;
}

bool same_sequence(const TraceSequence& a, const TraceSequence& b) {
  return a.of == b.of && a.meanings == b.meanings && a.symbols == b.symbols && a.depths == b.depths;
}

std::vector<TraceSequence> read_trace_sequences(const trace::TraceFile& file, SequenceOf of, ThreadId only,
                                                uint32_t most, analysis::CodeNames& names, paths::BasicBlocks& blocks,
                                                analysis::ProgramPart* part,
                                                const std::function<bool(const Sync&)>& others,
                                                analysis::WatchedPart& watched) {
  Threads threads(of, most, names, blocks);
  analysis::PartCounter counter(threads, only, part);
  analysis::CopyFollower follower(counter);
  trace::Cursor cursor(file, EventDecoder::Words::kExact, trace::EpochDecoder::Words::kNoneInCopies);
  for (Event e; cursor.next(e) && watched.goes_on(cursor.index());) {
    if (e.kind == EventKind::kNone) {
      follower.follow(cursor);
      continue;
    }
    const bool of_process = e.kind == EventKind::kGapBegin && e.count == 0;
    const auto whose = part ? part->see(e) : analysis::Whose::kOwn;
    if (e.kind == EventKind::kSyncEnter && others && others(e.sync)) continue;
    if (of_process)
      threads.take_of_process(e);
    else if (e.thread && (!only || e.thread == only))
      threads.take(e, whose, part);
  }
  return threads.finish();
}

}  // namespace cdr::loops
