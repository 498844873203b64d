// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/source/worksharing_loops.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "cdrgrind/analysis/regions/jump_log.h"
#include "cdrgrind/trace/read/cursor.h"

namespace cdr::races {
namespace {

class Code final : public slice::CodeBytes {
 public:
  explicit Code(CodeFacts& facts) : facts_(facts) {}
  std::span<const uint8_t> code_at(ModuleId module, uint64_t addr, uint32_t size) override {
    return facts_.code_at({module, addr}, size);
  }

 private:
  CodeFacts& facts_;
};

// Instructions that are come to from `from` without passing one of `ends`.
std::unordered_set<uint64_t> reached(const slice::InsnGraph& code, uint64_t from, const std::set<uint64_t>& ends) {
  std::unordered_set<uint64_t> found;
  const auto node = std::find(code.addrs.begin(), code.addrs.end(), from);
  if (node == code.addrs.end()) return found;
  std::vector<uint32_t> left{static_cast<uint32_t>(node - code.addrs.begin())};
  while (!left.empty()) {
    const uint32_t n = left.back();
    left.pop_back();
    for (const uint32_t s : code.graph.successors(n)) {
      if (s == 0 || ends.contains(code.addrs[s]) || !found.insert(code.addrs[s]).second) continue;
      left.push_back(s);
    }
  }
  return found;
}

bool goes_back_once(const regions::Loop& l) {
  size_t backs = 0;
  for (const auto& next : l.next) backs += static_cast<size_t>(std::count(next.begin(), next.end(), l.header.addr));
  return backs == 1 && !l.irregular;
}

}  // namespace

bool may_share_loops(SyncOp op) {
  return op == SyncOp::kWorkBegin || op == SyncOp::kWorkNext || op == SyncOp::kTaskCreate ||
         op == SyncOp::kThreadNumber;
}

// Where a function asks the runtime.
struct WorksharingLoops::Function {
  std::set<uint64_t> nexts, ends;    // calls
  std::map<uint64_t, bool> statics;  // calls that begin a static loop: in chunks
  std::set<uint64_t> singles;        // calls that ask who executes a single whose end is not told
  std::set<uint64_t> asks;           // calls for the thread's number that the compiler put there for a construct
};

// An outermost loop of a statement.
struct WorksharingLoops::Stated {
  regions::LoopId loop;
  LoopStatement statement;
};

WorksharingLoops::~WorksharingLoops() = default;

WorksharingLoops::WorksharingLoops(const trace::TraceFile& file, const RuntimeCode& runtime, CodeFacts& facts,
                                   const analysis::Watch& watch)
    : file_(file),
      runtime_(runtime),
      facts_(facts),
      stacks_(file.blocks(), runtime.library, runtime.shim),
      control_(file.blocks(), facts) {
  find_control();
  regions::JumpLog jumps(file.blocks());
  analysis::WatchedPart part(watch, "shared loops", file.event_count());
  trace::Cursor cursor(file, EventDecoder::Words::kExact, trace::EpochDecoder::Words::kNone);
  trace::DecodedSteps steps;
  uint64_t index = 0;
  for (Event e; part.goes_on(index) && cursor.next_steps(steps, e); index = cursor.index()) {
    if (steps.empty()) {
      see(e);
      jumps.see(e);
    } else {
      see(steps.thread, steps.steps());
      jumps.see(steps.thread, steps.steps());
    }
  }
  if (functions_.empty() && taskloops_.empty()) return;
  Code bytes(facts);
  code_ = std::make_unique<regions::CodeLoops>(file.blocks(), jumps, bytes);
  for (const auto& [entry, f] : functions_) find(entry, f);
  find_taskloops();
  const uint32_t count = file.blocks().superblock_count();
  steps_.resize(count + 1);
  for (uint32_t i = 1; i <= count && !empty(); ++i) make_steps(SuperblockId(i));
  code_.reset();
}

// While the first thread is alone: it needs addresses, unlike all else.
void WorksharingLoops::find_control() {
  trace::Cursor cursor(file_);
  const auto is_another = [](const Event& e) { return e.kind == EventKind::kThreadStart && e.thread != ThreadId(1); };
  for (Event e; control_.address() == 0 && cursor.next(e) && !is_another(e);) control_.see(e);
}

void WorksharingLoops::see(ThreadId t, Steps steps) {
  for (const RunStep& s : steps)
    if (s.block)
      stacks_.block(t, s.block);
    else
      stacks_.event(event_of_step(file_.blocks(), t, s));
}

void WorksharingLoops::see(const Event& e) {
  if (e.kind == EventKind::kBlock || e.kind == EventKind::kPartial) return stacks_.block(e.thread, e.block);
  if (e.kind == EventKind::kSyncEnter && is_team_op(e.sync.op)) note(e);
  stacks_.event(e);
}

void WorksharingLoops::note(const Event& e) {
  if (e.sync.op == SyncOp::kTaskCreate && (e.sync.value & kTaskLoop)) taskloops_.insert(e.sync.object);
  if (e.sync.op == SyncOp::kParallel) regions_.insert(e.sync.object2);
  const Work work = work_of(e.sync.value);
  const bool is_single = e.sync.op == SyncOp::kWorkBegin && work.kind == WorkKind::kSingle && work.chunk == 0;
  const bool is_static =
      e.sync.op == SyncOp::kWorkBegin && work.kind == WorkKind::kLoop && work.schedule == WorkSchedule::kStatic;
  const bool asks = e.sync.op == SyncOp::kThreadNumber && e.sync.value == 0;
  if (asks) {
    if (e.thread.value >= asks_itself_.size()) asks_itself_.resize(e.thread.value + 1);
    asks_itself_[e.thread.value].push_back(!facts_.is_for_construct(stacks_.top(e.thread).from));
  }
  if (!is_static && !is_single && !asks && e.sync.op != SyncOp::kWorkNext && e.sync.op != SyncOp::kWorkEnd) return;
  const auto& frames = stacks_.frames(e.thread);
  size_t i = frames.size() - 1;
  while (i > 0 && (!frames[i].named || runtime_.library[frames[i].function.module.value])) --i;
  if (i + 1 >= frames.size() || !frames[i].named) return;
  const CodeAddr site = frames[i + 1].site;
  if (asks && !facts_.is_for_construct(site)) return;
  Function& f = functions_[frames[i].function];
  if (asks) f.asks.insert(site.addr);
  if (is_single) f.singles.insert(site.addr);
  if (is_static) f.statics[site.addr] = work.chunk != 0;
  if (e.sync.op == SyncOp::kWorkNext) f.nexts.insert(site.addr);
  if (e.sync.op == SyncOp::kWorkEnd) f.ends.insert(site.addr);
}

void WorksharingLoops::find(CodeAddr entry, const Function& f) {
  const regions::FunctionLoops& loops = code_->of(entry);
  find_told(f, loops);
  if (!f.statics.empty()) find_static(entry, f, loops);
  if (!f.asks.empty()) find_stated(entry, f);
  if (!f.singles.empty()) find_singles(entry, f);
}

std::vector<regions::LoopId> WorksharingLoops::children(regions::LoopId around) const {
  std::vector<regions::LoopId> found;
  for (uint32_t i = 1; i <= code_->size(); ++i)
    if ((*code_)[regions::LoopId(i)].parent == around) found.emplace_back(i);
  return found;
}

void WorksharingLoops::find_told(const Function& f, const regions::FunctionLoops& loops) {
  for (const uint64_t next : f.nexts)
    if (const regions::LoopId around = loops.at(next)) {
      note_deals(around, By::kRuntime);
      add(children(around), By::kRuntime);
    }
}

void WorksharingLoops::find_static(CodeAddr entry, const Function& f, const regions::FunctionLoops& loops) {
  const slice::InsnGraph code = code_->graph_of(entry);
  for (const auto& [begin, in_chunks] : f.statics) {
    const auto between = reached(code, begin, f.ends);
    std::vector<regions::LoopId> found;
    for (uint32_t i = 1; i <= code_->size(); ++i) {
      const regions::LoopId id(i);
      const regions::Loop& l = (*code_)[id];
      if (l.function == entry.addr && l.parent == loops.at(begin) && between.contains(l.header.addr))
        found.push_back(id);
    }
    if (in_chunks && found.size() == 1) {
      note_deals(found.front(), By::kRuntime);
      found = children(found.front());
    }
    add(found, By::kRuntime);
  }
}

// Of several constructs one call is left where the compiler optimises, the first one's: also of one that is no loop.
void WorksharingLoops::note_statements(CodeAddr entry, const Function& f) {
  compiled_.clear();
  asks_.clear();
  lines_.clear();
  set_up_.clear();
  const slice::InsnGraph code = code_->graph_of(entry);
  for (const uint64_t site : f.asks) {
    const uint32_t number = asks_[site] = facts_.statement_of_call({entry.module, site});
    if (number == 0) continue;
    compiled_[number] = {};
    lines_[facts_.line_number_of({entry.module, site})] = number;
    if (facts_.loop_statement_at({entry.module, site}).number != number) note_set_up(entry.module, site, number, code);
  }
  for (size_t i = 1; i < code.addrs.size(); ++i) {
    const LoopStatement s = facts_.loop_statement_at({entry.module, code.addrs[i]});
    if (s.number != 0) compiled_[s.number] = s;
  }
}

// What works out bounds behind the call has the line of the call: that of what stands before, which may be another
// statement's.
void WorksharingLoops::note_set_up(ModuleId module, uint64_t site, uint32_t number, const slice::InsnGraph& code) {
  const uint64_t line = facts_.line_number_of({module, site});
  for (auto at = std::lower_bound(code.addrs.begin() + 1, code.addrs.end(), site);
       at != code.addrs.end() && facts_.line_number_of({module, *at}) == line; ++at)
    set_up_[*at] = number;
}

// What the compiler puts before the loop and around it has the line of its calls.
LoopStatement WorksharingLoops::statement_at(CodeAddr at) {
  LoopStatement s = facts_.loop_statement_at(at);
  if (!s.known) return s;
  uint32_t number = 0;
  if (const auto set_up = set_up_.find(at.addr); set_up != set_up_.end())
    number = set_up->second;
  else if (s.number != 0)
    return s;
  else if (const auto line = lines_.find(facts_.line_number_of(at)); line != lines_.end())
    number = line->second;
  if (number == 0) return s;
  s = compiled_[number];
  s.head = s.pragma = s.number != 0;
  return s;
}

// The statement in which all of the loop's code is, if it is in one. A loop of the pragma alone adds up what a
// reduction has made. Bounds are found out before a statement's loop; what stands around that may have its lines.
std::optional<WorksharingLoops::Stated> WorksharingLoops::stated(regions::LoopId loop) {
  const regions::Loop& l = (*code_)[loop];
  if (std::any_of(asks_.begin(), asks_.end(), [&](const auto& ask) { return l.has(ask.first); })) return std::nullopt;
  Stated found{loop, {}};
  bool is_pragma = true;
  for (const uint64_t addr : l.body) {
    const LoopStatement s = statement_at({l.header.module, addr});
    if (!s.known) continue;
    is_pragma &= s.pragma;
    if (s.number == 0 || (found.statement.number != 0 && s.number != found.statement.number)) return std::nullopt;
    found.statement = s;
  }
  return is_pragma || found.statement.number == 0 ? std::nullopt : std::optional(found);
}

// Some of the loop's own code, without that of loops within, is of the statement's head, or of its body.
bool WorksharingLoops::has_own(const Stated& s, regions::LoopId loop, bool head) {
  const regions::Loop& l = (*code_)[loop];
  return std::any_of(l.body.begin(), l.body.end(), [&](uint64_t addr) {
    if (code_->innermost(loop, addr) != loop) return false;
    const LoopStatement at = statement_at({l.header.module, addr});
    return at.number == s.statement.number && at.head == head;
  });
}

// It is the statement's loop itself, neither one that stands in it nor one around the whole statement, whose code may
// have the lines of the statement alone where the compiler optimises.
bool WorksharingLoops::is_whole(const Stated& s) {
  const regions::Loop& l = (*code_)[s.loop];
  if (!s.statement.nests) return children(s.loop).empty();
  return is_as_written(l.function, l.header.module) && !children(s.loop).empty();
}

// Collapsed, gfortran's loop goes back from behind each of the source's.
bool WorksharingLoops::goes_back_as(const LoopStatement& s, const regions::Loop& l) {
  return goes_back_once(l) || (s.is_collapsed && !l.irregular && is_as_written(l.function, l.header.module));
}

// The function's code is not optimised: it begins with the frame pointer.
bool WorksharingLoops::is_as_written(uint64_t entry, ModuleId module) {
  constexpr std::array<uint8_t, 4> kMark{0xf3, 0x0f, 0x1e, 0xfa}, kFrame{0x55, 0x48, 0x89, 0xe5};
  auto code = facts_.code_at({module, entry}, 8);
  if (code.size() == 8 && std::equal(kMark.begin(), kMark.end(), code.begin())) code = code.subspan(4);
  return code.size() >= 4 && std::equal(kFrame.begin(), kFrame.end(), code.begin());
}

// There is code of the statement's body around it: its loop is another. Not where a loop around it finds out the
// bounds: how the statement's loop is left may have the body's line.
bool WorksharingLoops::is_within_another(const Stated& s) {
  for (regions::LoopId l = (*code_)[s.loop].parent; l; l = (*code_)[l].parent) {
    const bool asks = std::any_of(asks_.begin(), asks_.end(), [&](const auto& ask) {
      return ask.second == s.statement.number && (*code_)[l].has(ask.first);
    });
    if (asks) return false;
    if (has_own(s, l, false)) return true;
  }
  return false;
}

// Outermost ones, by statement.
std::map<uint32_t, std::vector<WorksharingLoops::Stated>> WorksharingLoops::statements_of(CodeAddr entry) {
  std::map<uint32_t, std::vector<Stated>> all;
  std::vector<bool> within(code_->size() + 1);  // by loop: it is one of a statement, or in one
  for (uint32_t i = 1; i <= code_->size(); ++i) {
    const regions::LoopId id(i);
    const regions::Loop& l = (*code_)[id];
    if (l.function != entry.addr) continue;
    within[i] = l.parent && within[l.parent.value];
    if (within[i]) continue;
    const auto s = stated(id);
    within[i] = s.has_value();
    if (s) all[s->statement.number].push_back(*s);
  }
  return all;
}

void WorksharingLoops::find_stated(CodeAddr entry, const Function& f) {
  const size_t before = headers_.size();
  note_statements(entry, f);
  for (const auto& [number, all] : statements_of(entry)) {
    if (!compiled_.contains(number) || is_within_another(all.front())) continue;
    for (const Stated& s : all) note_place(s);
    if (all.size() != 1) continue;
    Stated loop = all.front();
    if (loop.statement.in_chunks) {
      const std::vector<regions::LoopId> inner = children(loop.loop);
      if (inner.size() != 1) continue;
      loop.loop = inner.front();
    }
    const regions::Loop& l = (*code_)[loop.loop];
    if (!is_whole(loop) || !goes_back_as(loop.statement, l) || headers_.contains(l.header.addr)) continue;
    add({loop.loop}, By::kCompiler);
    for (const uint64_t addr : (*code_)[all.front().loop].body) bodies_[addr] = constructs_;
  }
  if (headers_.size() == before) return;
  const slice::InsnGraph code = code_->graph_of(entry);
  for (size_t i = 1; i < code.addrs.size(); ++i) bodies_.try_emplace(code.addrs[i], 0);
}

// Where the ways do not come together within the function they do at its end: that is the implicit task's, if it is its
// function; else it is not known what comes behind.
void WorksharingLoops::find_singles(CodeAddr entry, const Function& f) {
  const slice::InsnGraph code = code_->graph_of(entry);
  if (code.weak) return;
  const std::vector<uint32_t> joins = code.graph.immediate_postdominators();
  for (const uint64_t site : f.singles) {
    const uint32_t call = code.node_of(site);
    if (call == 0) continue;
    const uint32_t behind = code.graph.successors(call).front();
    uint32_t branch = behind;
    constexpr int kMost = 16;  // instructions of the test
    for (int i = 0; i < kMost && branch != 0 && code.graph.successors(branch).size() == 1; ++i)
      branch = code.graph.successors(branch).front();
    if (branch == 0 || code.graph.successors(branch).size() != 2) continue;
    const uint32_t join = joins[branch];
    if (join == 0 && !regions_.contains(entry.addr)) continue;
    singles_.emplace(code.addrs[behind], What::kBeginsBody);
    if (join != 0) singles_.emplace(code.addrs[join], What::kEndsBody);
  }
}

void WorksharingLoops::find_taskloops() {
  const uint32_t count = file_.blocks().superblock_count();
  for (uint32_t i = 1; i <= count && !taskloops_.empty(); ++i) {
    const Superblock& sb = file_.blocks().superblock(SuperblockId(i));
    if (taskloops_.erase(sb.addr) == 0) continue;
    code_->of({sb.module, sb.addr});
    std::vector<regions::LoopId> found;
    for (const regions::LoopId l : children({}))
      if ((*code_)[l].function == sb.addr) found.push_back(l);
    if (found.size() == 1 && goes_back_once((*code_)[found.front()])) add(found, By::kTaskloop);
  }
}

void WorksharingLoops::add(const std::vector<regions::LoopId>& loops, By by) {
  if (loops.empty()) return;
  ++constructs_;
  for (const regions::LoopId l : loops) {
    const CodeAddr header = (*code_)[l].header;
    headers_.try_emplace(header.addr, by, constructs_, is_as_written((*code_)[l].function, header.module));
    places_.try_emplace(header.addr, Place{by, false, false});
  }
}

void WorksharingLoops::note_deals(regions::LoopId loop, By by) {
  places_.try_emplace((*code_)[loop].header.addr, Place{by, true, true});
}

void WorksharingLoops::note_place(const Stated& s) {
  if (!s.statement.in_chunks)
    return void(places_.try_emplace((*code_)[s.loop].header.addr, Place{By::kCompiler, false, false}));
  note_deals(s.loop, By::kCompiler);
  for (const regions::LoopId l : children(s.loop))
    places_.try_emplace((*code_)[l].header.addr, Place{By::kCompiler, true, false});
}

void WorksharingLoops::make_steps(SuperblockId id) {
  const Superblock& sb = file_.blocks().superblock(id);
  if (runtime_.library[sb.module.value]) return;
  uint32_t before = ~uint32_t{0};
  for (uint32_t i = 0; i < sb.insns.size(); ++i) {
    const uint64_t addr = sb.insn_addr(static_cast<uint16_t>(i));
    for (auto s = singles_.lower_bound({addr, What::kEndsBody}); s != singles_.end() && s->first == addr; ++s)
      steps_[id.value].push_back({i, {}, s->second});
    if (const auto body = bodies_.find(addr); body != bodies_.end() && body->second != before) {
      before = body->second;
      steps_[id.value].push_back({i, {By::kCompiler, before}, What::kIsIn});
    }
    if (const auto header = headers_.find(addr); header != headers_.end())
      steps_[id.value].push_back({i, header->second, What::kArrives});
  }
}

}  // namespace cdr::races
