// SPDX-License-Identifier: GPL-2.0-or-later
// The slow reference of docs/dependences.md: reads the events that `cdrgrind dump --format=json` prints and
// prints every dependence key with its count. It keeps everything: all accesses, every reader of every byte,
// all frames as a tree of objects, all stack pointers of every stack, all heap events. It shares no code with
// the program, so that the two can be held against each other.
//
//     dependences [--granularity=G] [--table=FILE] [--hits=FILE] [--first] [FILE]
//
// One key a line, tab separated, in order: KIND CLASS ANCESTOR_MODULE ANCESTOR_ADDR HIDDEN_ANCESTOR SRC_MODULE
// SRC_ADDR SRC_CODE TGT_MODULE TGT_ADDR TGT_CODE SRC_THREAD TGT_THREAD COUNT, and with --first the number of the event
// in which the first target access was. The table has sums, KIND CLASS SRC_CODE TGT_CODE same|other COUNT. Hits are the
// target accesses that were counted, in their order: the key up to TGT_THREAD, the event, the lowest byte of the access
// that has the key. Status 3: the events contradict docs/events.md.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tests/reference/histories.h"

namespace {
using namespace reference;

// ---- Accesses and the bytes' states ----

struct Access {
  Time at = 0;  // accesses of one execution of one instruction have the same time
  Frame* frame = nullptr;
  const Visit* visit = nullptr;
  Place insn;
  uint64_t thread = 0;
  const Stack* stack = nullptr;  // on which the code ran; null for a system call
  uint64_t sp = 0;               // the lower of that stack's SP before and after the instruction
  bool store = false;
  bool linkage = false;
  bool lazy = false;
};
using AccessIndex = uint32_t;  // 0 none

struct ByteState {
  AccessIndex write = 0;
  std::vector<AccessIndex> readers;  // since then
};

class Memory {
 public:
  ByteState& operator[](uint64_t byte) {
    auto& page = pages_[byte / kPage];
    if (!page) page = std::make_unique<Page>(kPage);
    return (*page)[byte % kPage];
  }
  void forget(uint64_t first, uint64_t last) {
    auto p = pages_.lower_bound(first / kPage);
    for (; p != pages_.end() && p->first <= last / kPage; ++p)
      for (uint64_t i = 0; i < kPage; ++i) {
        const uint64_t byte = p->first * kPage + i;
        if (first <= byte && byte <= last) (*p->second)[i] = {};
      }
  }
  void forget_all() { pages_.clear(); }

 private:
  static constexpr uint64_t kPage = 4096;
  using Page = std::vector<ByteState>;
  std::map<uint64_t, std::unique_ptr<Page>> pages_;
};

// ---- Results ----

struct Key {
  std::string kind;
  char location_class = 'o';
  Place ancestor;
  bool hidden_ancestor = false;
  Place source;
  char source_code = '-';
  Place target;
  char target_code = '-';
  uint64_t source_thread = 0, target_thread = 0;
  auto operator<=>(const Key&) const = default;
};

// What two accesses have to do with each other, whatever the byte.
struct Relation {
  Place ancestor;
  bool hidden_ancestor = false;
  Place source, target;
  char source_code = '-', target_code = '-';
  bool linkage = false;
};

// One step of the way up from an access: from a frame to the one above it, which stands at `site` meanwhile.
struct Ascent {
  const Frame* frame;
  const Visit* visit;
  Place site;
  bool hidden = false;  // a frame that was left behind is hidden
  // False at the end of the way.
  bool up() {
    hidden = hidden || frame->hidden;
    if (frame->parent) {
      site = frame->call_site;
      frame = frame->parent;
      return true;
    }
    frame = visit->from;
    site = visit->site;
    visit = visit->during;
    return frame;
  }
};

Ascent ascent_of(const Access& a) { return {a.frame, a.visit, a.insn}; }

// The ancestor is the first frame on the target's way up that is on the source's.
Relation relate(const Access& source, const Access& target) {
  static uint64_t relations = 0;
  ++relations;
  Ascent s = ascent_of(source), t = ascent_of(target);
  do s.frame->passed = relations;
  while (s.up());
  while (t.frame->passed != relations)
    if (!t.up()) throw std::runtime_error("two accesses without a common ancestor");
  for (s = ascent_of(source); s.frame != t.frame;) s.up();
  const auto code = [&](const Access& a, bool hidden) { return a.frame == t.frame ? '-' : hidden ? 'h' : 'c'; };
  Relation r{t.frame->function, false, s.site, t.site, code(source, s.hidden), code(target, t.hidden), false};
  for (bool more = true; more; more = t.up()) r.hidden_ancestor = r.hidden_ancestor || t.frame->hidden;
  r.linkage = (source.linkage && target.linkage) || source.lazy || target.lazy;
  return r;
}

// ---- The machine ----

struct Thread {
  Stack* stack = nullptr;        // the present one
  const Visit* visit = nullptr;  // of it
  const Visit* first_visit = nullptr;
  uint64_t sp = 0;
  bool sp_known = true;  // false after a gap that ended with an event of another thread
  bool gap = false;
};

// Of a key: how often, and the event of the first target access.
struct Found {
  uint64_t count = 0;
  uint64_t first = 0;
};

class Reference {
 public:
  // f(key, event, byte) of every target access that is counted.
  using Hit = std::function<void(const Key&, uint64_t, uint64_t)>;

  explicit Reference(uint64_t granularity, Hit hit = {}) : granularity_(granularity), hit_(std::move(hit)) {}

  void event(const json& e);
  const std::map<Key, Found>& found() const { return all_; }

 private:
  using Handler = void (Reference::*)(const json&);
  static const std::map<std::string, Handler> handlers;

  void block(const json& e);
  void call(const json& e);
  void leave(const json& e);
  void pop(const json& e);
  void stack_switch(const json& e);
  void signal_enter(const json& e);
  void signal_leave(const json& e);
  void stack_pointer(const json& e);
  void gap_begin(const json& e);
  void gap_end(const json& e);
  void enter(const json& e);
  void alloc(const json& e);
  void free(const json& e);
  void resize(const json& e);
  void thread_create(const json& e);
  void thread_start(const json& e);
  void thread_end(const json& e);
  void syscall(const json& e);
  void map(const json& e);
  void module_mapped(const json& e) { modules_.mapped(e); }
  void module_unmapped(const json& e) { modules_.unmapped(e); }

  [[noreturn]] static void fail(const std::string& what) { throw std::runtime_error(what); }
  void check_sp(const json& e);
  Frame* top() { return running_->stack->frames.back(); }
  const Visit* visit_of(Stack* stack) const;
  void begin_visit(Stack* stack, Frame* from, Place site, const Visit* during);
  Frame* open_frame(Frame* parent, Place call_site, Stack* stack);
  void close_frames(uint64_t count);
  void set_sp(Time at, uint64_t sp);
  void follow(Frame* frame, const json& block);
  void name_frame(Frame* frame, const json& block);
  void bind(Frame* frame, const json& block, const Departure& before);

  void access(const Access& access, uint64_t addr, uint64_t width);
  void access_byte(AccessIndex index, uint64_t byte);
  void depend(AccessIndex source, AccessIndex target, uint64_t byte, const char* kind);
  const Relation& relation(AccessIndex source, AccessIndex target);
  char classify(const Access& source, const Access& target, const Relation& relation, uint64_t byte) const;
  char classify_on_stack(const Access& source, const Access& target, uint64_t byte,
                         const std::vector<StackRanges::Owner>& owners) const;

  const uint64_t granularity_;
  const Hit hit_;
  Time now_ = 1;
  uint64_t event_ = 0;  // the number of the present one
  uint64_t running_serial_ = 0;
  Thread* running_ = nullptr;
  bool process_gap_ = false;
  std::map<uint64_t, Thread> threads_;
  std::map<uint64_t, Stack> stacks_;
  std::deque<Frame> frames_;
  std::deque<Visit> visits_;
  std::map<uint64_t, Visit> creations_;  // of threads that have not started
  // The latest event but Pop, if it is a StackSwitch: the state before it, and SP.
  struct Switch {
    Frame* from = nullptr;
    const Visit* visit = nullptr;
    uint64_t sp = 0;
  };
  Switch switch_;
  StackRanges ranges_;
  HeapHistory heap_;
  Modules modules_;
  Memory memory_;
  std::vector<Access> accesses_ = {{}};
  std::map<Key, Found> all_;
  std::unordered_map<AccessIndex, Relation> relations_;  // of the present target
  std::map<Key, uint64_t> found_;                        // by the present target, and the lowest byte that has it
};

const std::map<std::string, Reference::Handler> Reference::handlers = {
    {"block", &Reference::block},
    {"partial", &Reference::block},
    {"call", &Reference::call},
    {"return", &Reference::leave},
    {"pop", &Reference::pop},
    {"stack-switch", &Reference::stack_switch},
    {"signal-enter", &Reference::signal_enter},
    {"signal-leave", &Reference::signal_leave},
    {"stack-pointer", &Reference::stack_pointer},
    {"gap-begin", &Reference::gap_begin},
    {"gap-end", &Reference::gap_end},
    {"enter", &Reference::enter},
    {"alloc", &Reference::alloc},
    {"free", &Reference::free},
    {"resize", &Reference::resize},
    {"thread-create", &Reference::thread_create},
    {"thread-start", &Reference::thread_start},
    {"thread-end", &Reference::thread_end},
    {"syscall", &Reference::syscall},
    {"map", &Reference::map},
    {"unmap", &Reference::map},
    {"module-mapped", &Reference::module_mapped},
    {"module-unmapped", &Reference::module_unmapped},
};

void Reference::event(const json& e) {
  const std::string kind = e.at("event");
  if (kind != "pop" && kind != "signal-enter") switch_ = {};
  const auto handler = handlers.find(kind);
  if (handler == handlers.end()) return;
  event_ = number(e, "i");
  running_serial_ = number(e, "thread");
  running_ = &threads_[running_serial_];
  ++now_;
  (this->*handler->second)(e);
}

// ---- Frames ----

Frame* Reference::open_frame(Frame* parent, Place call_site, Stack* stack) {
  Frame& f = frames_.emplace_back();
  f.parent = parent;
  f.call_site = call_site;
  f.stack = stack;
  stack->frames.push_back(&f);
  return &f;
}

void Reference::close_frames(uint64_t count) {
  auto& frames = running_->stack->frames;
  if (count >= frames.size()) fail("a root frame is closed");
  frames.resize(frames.size() - count);
}

// The block names the frame, and its lazy binding begins or ends.
void Reference::follow(Frame* frame, const json& block) {
  const Departure before = frame->latest;
  if (!frame->named || (has_flag(block, "entry") && before.jump)) name_frame(frame, block);
  bind(frame, block, before);
  const auto exit = block.find("exit");
  const std::string kind = exit == block.end() ? "" : exit->at("kind").get<std::string>();
  frame->latest = {kind == "branch" || kind == "indirect-jump", has_flag(block, "plt"), has_flag(block, "ldso")};
  const json& insns = list(block, "insns");
  if (!insns.empty())
    frame->latest_insn = {static_cast<uint32_t>(number(block, "module")), insns.back().get<uint64_t>()};
}

void Reference::name_frame(Frame* frame, const json& block) {
  frame->named = true;
  frame->function = {static_cast<uint32_t>(number(block, "module")), number(block, "addr")};
  frame->hidden = has_flag(block, "hidden");
}

void Reference::bind(Frame* frame, const json& block, const Departure& before) {
  const bool ldso = has_flag(block, "ldso");
  if (before.jump && before.plt && ldso) frame->lazy = true;
  if (before.jump && before.ldso && !ldso) frame->lazy = false;
}

void Reference::call(const json& e) {
  check_sp(e);
  const uint64_t ip = number(e, "ip");
  open_frame(top(), {modules_.at(ip), ip}, running_->stack);
}

void Reference::leave(const json& e) {
  check_sp(e);
  close_frames(1);
}

void Reference::pop(const json& e) { close_frames(number(e, "count")); }

void Reference::enter(const json& e) {
  name_frame(top(), e);
  top()->latest = {};
}

void Reference::signal_enter(const json& e) {
  const uint64_t ip = number(e, "ip");
  const Place interrupted{modules_.at(ip), ip};
  if (switch_.from && switch_.sp == number(e, "sp")) {
    begin_visit(running_->stack, switch_.from, interrupted, switch_.visit);
    open_frame(nullptr, {}, running_->stack);
  } else {
    open_frame(top(), interrupted, running_->stack);
  }
  switch_ = {};
  set_sp(now_, number(e, "sp"));
}

void Reference::signal_leave(const json& e) {
  close_frames(1);
  set_sp(now_, number(e, "sp"));
}

// ---- Stacks and threads ----

// A value outside the present stack's range belongs to the stack that is about to be switched to.
void Reference::set_sp(Time at, uint64_t sp) {
  running_->sp = sp;
  running_->sp_known = true;
  Stack& stack = *running_->stack;
  if (stack.range.begin <= sp && sp <= stack.range.end) stack.sp.set(at, sp);
}

void Reference::check_sp(const json& e) {
  const bool known = running_->sp_known && !running_->gap;
  if (known && number(e, "sp") != running_->sp) fail("SP is not what the events before tell");
}

void Reference::stack_switch(const json& e) {
  const uint64_t serial = number(e, "stack");
  const bool first = !stacks_.contains(serial);
  Stack* stack = &stacks_[serial];
  if (stack != running_->stack) switch_ = {top(), running_->visit, number(e, "sp")};
  if (const Visit* known = visit_of(stack))
    running_->visit = known;
  else
    begin_visit(stack, top(), top()->latest_insn, running_->visit);
  running_->stack = stack;
  stack->thread = running_serial_;
  ranges_.name(stack, range_of(e), now_);
  if (first) open_frame(nullptr, {}, stack);
  set_sp(now_, number(e, "sp"));
}

// The innermost of the running thread's visits that is one of the stack.
const Visit* Reference::visit_of(Stack* stack) const {
  const Visit* visit = running_->visit;
  const Visit* const first = running_->first_visit;
  for (; visit->stack != stack; visit = visit->during)
    if (visit == first) return nullptr;
  return visit;
}

void Reference::begin_visit(Stack* stack, Frame* from, Place site, const Visit* during) {
  running_->visit = &visits_.emplace_back(Visit{stack, from, site, during});
}

void Reference::stack_pointer(const json& e) { set_sp(now_, number(e, "sp")); }

void Reference::thread_create(const json& e) {
  creations_[number(e, "child")] = {nullptr, top(), top()->latest_insn, running_->visit};
}

void Reference::thread_start(const json& e) {
  Stack* stack = &stacks_[number(e, "stack")];
  running_->stack = stack;
  stack->thread = running_serial_;
  ranges_.name(stack, range_of(e), now_);
  const Visit& creation = creations_[running_serial_];
  begin_visit(stack, creation.from, creation.site, creation.during);
  running_->first_visit = running_->visit;
  open_frame(nullptr, {}, stack);
  set_sp(now_, number(e, "sp"));
  running_->gap = process_gap_;
}

// What it has left for another stack may go on in another thread.
void Reference::thread_end(const json&) {
  for (Stack* stack : {running_->stack, running_->first_visit->stack})
    if (stack->thread == running_serial_) stack->sp.set(now_, stack->range.end);
}

// ---- Gaps ----

void Reference::gap_begin(const json& e) {
  const bool all = e.at("scope") == "process";
  process_gap_ = process_gap_ || all;
  for (auto& [serial, thread] : threads_)
    if (all || serial == running_serial_) thread.gap = true;
}

// What the blocks in the gap did is not known, so no frame has a block before its next one.
void Reference::gap_end(const json& e) {
  const bool all = e.at("scope") == "process";
  if (all) process_gap_ = false;
  for (auto& [serial, thread] : threads_) {
    if (!all && serial != running_serial_) continue;
    thread.gap = false;
    thread.sp_known = false;
  }
  for (auto& [serial, stack] : stacks_)
    for (Frame* f : stack.frames)
      if (all || stack.thread == running_serial_) f->latest = {};
  set_sp(now_, number(e, "sp"));
  memory_.forget_all();
}

// ---- Memory ----

Range heap_block(const json& e, const char* size) {
  const uint64_t addr = number(e, "addr");
  return {addr, addr + number(e, size)};
}

void Reference::alloc(const json& e) { heap_.add(now_, true, heap_block(e, "size")); }
void Reference::free(const json& e) { heap_.add(now_, false, heap_block(e, "size")); }

void Reference::resize(const json& e) {
  const Range before = heap_block(e, "size"), after = heap_block(e, "new_size");
  heap_.add(now_, true, {before.end, after.end});
  heap_.add(now_, false, {after.end, before.end});
}

void Reference::map(const json& e) {
  const Range r = range_of(e);
  if (r.begin < r.end) memory_.forget(r.begin, r.end - 1);
}

// ---- Blocks and accesses ----

// SP after the instructions that changed it, by index; the last change of an instruction counts.
std::map<uint64_t, uint64_t> sp_changes(const json& block) {
  std::map<uint64_t, uint64_t> changes;
  for (const json& change : list(block, "sp")) changes[number(change, "insn")] = number(change, "sp");
  return changes;
}

void Reference::block(const json& e) {
  Frame* frame = top();
  Stack* stack = running_->stack;
  follow(frame, e);
  const uint64_t sp_in = number(e, "sp_in");
  if (running_->sp_known && sp_in != running_->sp) fail("sp_in is not what the events before tell");
  set_sp(now_, sp_in);

  // Instruction k has the time first + k.
  const Time first = now_ + 1;
  for (const auto& [insn, sp] : sp_changes(e)) set_sp(first + insn, sp);
  now_ = first + list(e, "insns").size() + 1;
  if (has_flag(e, "shim")) return;

  Access a;
  a.frame = frame;
  a.visit = running_->visit;
  a.stack = stack;
  a.thread = running_serial_;
  for (const Frame* f : stack->frames) a.lazy = a.lazy || f->lazy;
  for (const json& x : list(e, "accesses")) {
    a.at = first + number(x, "insn");
    a.insn = {static_cast<uint32_t>(number(e, "module")), number(x, "ip")};
    a.sp = std::min(stack->sp.at(a.at - 1), stack->sp.at(a.at));
    a.store = x.at("store").get<bool>();
    a.linkage = has_flag(x, "linkage");
    access(a, number(x, "addr"), number(x, "width"));
  }
}

void Reference::syscall(const json& e) {
  constexpr uint64_t kFutex = 202;  // waits on a word, which is no data
  if (number(e, "number") == kFutex) return;
  Access a;
  a.at = now_;
  a.frame = top();
  a.visit = running_->visit;
  a.thread = running_serial_;
  a.insn = {modules_.at(number(e, "ip")), number(e, "ip")};
  for (const Frame* f : running_->stack->frames) a.lazy = a.lazy || f->lazy;
  for (const json& span : list(e, "memory")) {
    a.store = span.at("store").get<bool>();
    access(a, number(span, "addr"), number(span, "size"));
  }
}

void Reference::access(const Access& access, uint64_t addr, uint64_t width) {
  if (width == 0) return;
  accesses_.push_back(access);
  const auto index = static_cast<AccessIndex>(accesses_.size() - 1);
  // Rounded to blocks, an access has all bytes of the blocks.
  const uint64_t begin = addr / granularity_ * granularity_;
  const uint64_t end = (addr + width + granularity_ - 1) / granularity_ * granularity_;
  for (uint64_t byte = begin; byte < end; ++byte) access_byte(index, byte);
  for (const auto& [key, byte] : found_) {
    ++all_.try_emplace(key, Found{0, event_}).first->second.count;
    if (hit_) hit_(key, event_, std::max(byte, addr));
  }
  found_.clear();
  relations_.clear();
}

void Reference::access_byte(AccessIndex index, uint64_t byte) {
  ByteState& state = memory_[byte];
  if (!accesses_[index].store) {
    if (state.write) depend(state.write, index, byte, "RAW");
    state.readers.push_back(index);
    return;
  }
  for (AccessIndex reader : state.readers) depend(reader, index, byte, "WAR");
  if (state.write) depend(state.write, index, byte, "WAW");
  state.write = index;
  state.readers.clear();
}

void Reference::depend(AccessIndex source, AccessIndex target, uint64_t byte, const char* kind) {
  const Access &s = accesses_[source], &t = accesses_[target];
  if (s.at == t.at) return;
  const Relation& r = relation(source, target);
  const char location_class = classify(s, t, r, byte);
  found_.emplace(Key{kind, location_class, r.ancestor, r.hidden_ancestor, r.source, r.source_code, r.target,
                     r.target_code, s.thread, t.thread},
                 byte);
}

const Relation& Reference::relation(AccessIndex source, AccessIndex target) {
  const auto [found, fresh] = relations_.try_emplace(source);
  if (fresh) found->second = relate(accesses_[source], accesses_[target]);
  return found->second;
}

// ---- Location classes ----

char Reference::classify(const Access& source, const Access& target, const Relation& relation, uint64_t byte) const {
  if (relation.linkage || modules_.in_got(byte)) return 'l';
  if (heap_.recycled(byte, source.at, target.at)) return 'r';
  const auto& owners = ranges_.owners(byte);
  if (!owners.empty() && owners.back().stack) return classify_on_stack(source, target, byte, owners);
  return 'o';
}

// The stack to which the byte belonged at a time; null if none.
const Stack* owner_at(const std::vector<StackRanges::Owner>& owners, Time at) {
  const Stack* owner = nullptr;
  for (const auto& o : owners)
    if (o.since <= at) owner = o.stack;
  return owner;
}

// sp(X), for a byte of this stack.
uint64_t sp_of(const Access& access, const Stack* stack) {
  return stack == access.stack ? access.sp : stack->sp.at(access.at);
}

// When the byte first came to another stack, or to none, after `since`; `until` if it did not before.
Time first_change(const std::vector<StackRanges::Owner>& owners, Time since, Time until) {
  for (const auto& o : owners)
    if (o.since > since && o.since < until) return o.since;
  return until;
}

// The SP that decides is that of the stack to which the byte belonged at the source, as long as it belonged there. What
// is not f by then was written beforehand for the stack that has the byte at the target.
char Reference::classify_on_stack(const Access& source, const Access& target, uint64_t byte,
                                  const std::vector<StackRanges::Owner>& owners) const {
  constexpr uint64_t kRedZone = 128;
  const Stack* stack = owner_at(owners, source.at);
  if (!stack) return 'o';
  const uint64_t source_sp = sp_of(source, stack);
  const Time until = first_change(owners, source.at, target.at);
  if (stack->sp.greatest(source.at, until) > std::max(byte, source_sp)) return 'f';
  if (until != target.at) return 'o';
  return byte + kRedZone >= source_sp && byte + kRedZone >= sp_of(target, stack) ? 's' : 'o';
}

// ---- Input and output ----

struct Options {
  uint64_t granularity = 1;
  std::string table, hits;
  bool first = false;
  std::string file;
};

Options read_options(int argc, char** argv) {
  Options options;
  const std::string granularity = "--granularity=", table = "--table=", hits = "--hits=";
  for (int i = 1; i < argc; ++i) {
    const std::string arg = argv[i];
    if (arg.starts_with(granularity))
      options.granularity = std::max(1ul, std::strtoul(arg.c_str() + granularity.size(), nullptr, 10));
    else if (arg.starts_with(table))
      options.table = arg.substr(table.size());
    else if (arg.starts_with(hits))
      options.hits = arg.substr(hits.size());
    else if (arg == "--first")
      options.first = true;
    else if (arg.starts_with("-") && arg != "-")
      throw std::invalid_argument(arg + ": unknown option");
    else
      options.file = arg;
  }
  return options;
}

void read_events(std::istream& in, Reference& reference) {
  std::string line;
  for (uint64_t number = 1; std::getline(in, line); ++number) {
    try {
      const json e = json::parse(line);
      if (e.contains("event")) reference.event(e);
    } catch (const std::exception& error) {
      throw std::runtime_error("line " + std::to_string(number) + ": " + error.what());
    }
  }
}

std::string text(const Place& p) {
  char text[64];
  std::snprintf(text, sizeof text, "%u\t0x%llx", p.module, static_cast<unsigned long long>(p.addr));
  return text;
}

std::string text(const Key& k) {
  return k.kind + '\t' + k.location_class + '\t' + text(k.ancestor) + '\t' + (k.hidden_ancestor ? '1' : '0') + '\t' +
         text(k.source) + '\t' + k.source_code + '\t' + text(k.target) + '\t' + k.target_code + '\t' +
         std::to_string(k.source_thread) + '\t' + std::to_string(k.target_thread);
}

// Sorted as text.
void print_keys(const std::map<Key, Found>& all, bool first) {
  std::set<std::string> lines;
  for (const auto& [k, found] : all)
    lines.insert(text(k) + '\t' + std::to_string(found.count) + (first ? '\t' + std::to_string(found.first) : "") +
                 '\n');
  for (const std::string& line : lines) std::cout << line;
}

void write_table(const std::map<Key, Found>& all, std::ostream& out) {
  std::map<std::tuple<std::string, char, char, char, bool>, uint64_t> cells;
  for (const auto& [k, found] : all)
    cells[{k.kind, k.location_class, k.source_code, k.target_code, k.source_thread != k.target_thread}] += found.count;
  for (const auto& [cell, count] : cells) {
    const auto& [kind, location_class, source, target, other] = cell;
    out << kind << '\t' << location_class << '\t' << source << '\t' << target << '\t' << (other ? "other" : "same")
        << '\t' << count << '\n';
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Options options = read_options(argc, argv);
    std::ofstream hits;
    if (!options.hits.empty()) hits.open(options.hits);
    const auto hit = [&hits](const Key& k, uint64_t event, uint64_t byte) {
      if (hits.is_open()) hits << text(k) << '\t' << event << '\t' << byte << '\n';
    };
    Reference reference(options.granularity, hit);
    std::ifstream file;
    if (!options.file.empty() && options.file != "-") {
      file.open(options.file);
      if (!file) throw std::runtime_error(options.file + ": cannot be read");
    }
    std::ios::sync_with_stdio(false);
    read_events(file.is_open() ? file : std::cin, reference);
    print_keys(reference.found(), options.first);
    if (options.table.empty()) return 0;
    std::ofstream table(options.table);
    write_table(reference.found(), table);
  } catch (const std::invalid_argument& error) {
    std::cerr << "dependences: " << error.what() << "\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "dependences: " << error.what() << "\n";
    return 3;
  }
}
