// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/races/race_findings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "cdrgrind/analysis/races/core/instances.h"
#include "cdrgrind/report/common/data_names.h"
#include "cdrgrind/report/common/event_names.h"
#include "cdrgrind/report/common/frame_names.h"
#include "cdrgrind/report/common/heap_names.h"
#include "cdrgrind/report/common/source_place.h"
#include "cdrgrind/report/races/atomic_stores.h"
#include "cdrgrind/report/races/covered_data.h"
#include "cdrgrind/report/races/region_variables.h"
#include "cdrgrind/report/races/strand_names.h"
#include "cdrgrind/symbols/common/paths.h"

namespace cdr::report {

namespace {

using races::MemoryKind;
using races::Race;
using races::RaceAccess;

struct PartText {
  std::string text, pattern;
};
struct VariableText {
  std::string variable, pattern, kind, name, type;
  symbols::SourcePos declared;
  std::vector<PartText> parts;  // all, if they are several
};

// The bytes that both accesses of the example have.
AddrRange common_bytes(const Race& r) {
  return {std::max(r.first.addr, r.second.addr),
          std::min(r.first.addr + r.first.width, r.second.addr + r.second.width)};
}
// Of the accesses that `r.addresses` has: the narrower ones, those of the lower thread if both are alike.
uint64_t narrower_addr(const Race& r) {
  const bool first = std::pair(r.first.width, r.first.thread) < std::pair(r.second.width, r.second.thread);
  return first ? r.first.addr : r.second.addr;
}

class Namer {
 public:
  Namer(const ModuleTable& modules, const ProgramScope& scope, symbols::Symbols& symbols)
      : modules_(modules), scope_(scope), symbols_(symbols), stores_(modules, symbols), heap_(modules, symbols) {}

  // Rust's library marks where the program's part of a stack ends.
  std::vector<RaceFrame> frames(const std::vector<CodeAddr>& stack) {
    std::vector<RaceFrame> out;
    for (const CodeAddr at : stack) add_frames(at, out);
    const auto end = std::find_if(out.begin(), out.end(), [](const RaceFrame& f) {
      return f.function.find("__rust_begin_short_backtrace") != f.function.npos;
    });
    if (end != out.begin()) out.erase(end, out.end());
    return out;
  }

  // What has no name in the program has a small number for an object (docs/openmp.md).
  std::string exclusive_name(const races::LockKey& k) {
    if (k.first == 1) return "critical";
    if (k.first == 2) return "the atomic lock";
    return lock_name({{sync::SyncKind::kMutex, k.first}, false});
  }

  RaceSide side(const RaceAccess& a) {
    RaceSide s;
    s.thread = a.thread.value;
    s.write = a.store;
    s.free = a.free;
    if (a.operation != SyncOp::kNone) s.operation = name_of(a.operation);
    if (a.leaves) s.operation = "return";
    s.atomic = a.atomic;
    s.ip = a.ip.addr;
    s.addr = a.addr;
    s.width = a.width;
    s.stack = frames(a.stack);
    for (const sync::HeldLock& l : a.locks) s.locks.push_back(lock_name(l));
    for (const races::LockKey& k : a.exclusive) s.locks.push_back(exclusive_name(k));
    s.strand = strand_name(a.strand, a.created, modules_, symbols_);
    place(a, s);
    return s;
  }

  // A store of which only its neighbours say that it is atomic.
  bool is_unread_store(const RaceAccess& a) {
    return a.store && a.presumed &&
           stores_.source_at(a.from == CodeAddr() ? a.ip : a.from) == races::StoreSource::kNotRead;
  }

  VariableText variable(const Race& r) {
    switch (r.memory.kind) {
      case MemoryKind::kHeap:
        return heap_block(r);
      case MemoryKind::kStack:
        return on_stack(r);
      default:
        return static_variable(r);
    }
  }
  // The calls by which the task was created, innermost first.
  std::vector<RaceFrame> creation(const RaceAccess& a) {
    if (a.created == CodeAddr()) return {};
    std::vector<CodeAddr> stack = a.creation;
    stack.insert(stack.begin(), a.created);
    return frames(stack);
  }

 private:
  void add_frames(CodeAddr at, std::vector<RaceFrame>& to) {
    const Module* const m = modules_.has(at.module) ? &modules_[at.module] : nullptr;
    const std::string_view module = m ? std::string_view(m->path) : std::string_view();
    const bool own = m && is_persons_own(*m);
    const symbols::Module* const known = m ? symbols_.modules().find(at.module.value) : nullptr;
    const uint64_t in_file = known ? known->file_address(at.addr) : at.addr;
    const size_t before = to.size();
    if (!module.empty())
      for (const symbols::InlineFrame& f : symbols_.inline_chain(at.module.value, at.addr))
        to.push_back({f.function, f.linkage_name, module, f.pos, f.inlined, own, at.addr, in_file});
    if (to.size() == before) to.push_back({{}, {}, module, {}, false, own, at.addr, in_file});
  }

  // What an optimiser made of several lines has none; where it is inlined there may be one.
  static bool is_inlined_at_line(const std::vector<RaceFrame>& frames, size_t i) {
    while (frames[i].inlined && i + 1 < frames.size() && !frames[i].pos.known()) ++i;
    return frames[i].pos.known();
  }

  // Of library code the place in the program that called it; of inlined code of system headers, and of such without a
  // line, what it is inlined into. A program's code without lines is better than a library's that called it.
  void place(const RaceAccess& a, RaceSide& s) {
    std::vector<RaceFrame> own;
    add_frames(a.from == CodeAddr() ? a.ip : a.from, own);
    own.insert(own.end(), s.stack.begin(), s.stack.end());
    const RaceFrame* best = nullptr;
    for (size_t i = 0; i < own.size(); ++i) {
      const RaceFrame& f = own[i];
      if (f.pos.known() ? !of_the_system(f.pos.file) : f.own && !best && !is_inlined_at_line(own, i)) {
        best = &f;
        break;
      }
      if (!best && f.pos.known()) best = &f;
    }
    if (!best) best = &own.front();
    s.file = best->pos.known() ? best->pos.file : best->module;
    s.line = best->pos.line;
    s.column = best->pos.column;
    s.function = best->function;
  }

  std::string lock_name(const sync::HeldLock& l) {
    const auto name = static_data_at(l.lock.object, symbols_);
    const std::string lock = name ? without_insides(name->name) : fmt::format("{:#x}", l.lock.object);
    return lock + (l.shared ? " (read)" : "");
  }

  // What both accesses cover at the lowest and at the highest of the racing addresses; nothing if it has no name.
  static std::optional<VariableText> named(const Race& r, const NameAt& name_at, const char* kind) {
    const AddrRange common = common_bytes(r);
    const uint64_t before = common.begin - narrower_addr(r);
    const auto at = [&](uint64_t addr) {
      return data_covered({addr + before, addr + before + std::max<uint64_t>(common.size(), 1)}, name_at);
    };
    const auto low = at(r.addresses.base), high = at(r.addresses.last());
    if (low.empty()) return std::nullopt;
    std::vector<PartText> parts;
    for (const symbols::DataName& n : low) {
      const bool one = std::none_of(high.begin(), high.end(),
                                    [&](const auto& h) { return h.pattern == n.pattern && h.name != n.name; });
      parts.push_back({one ? n.name : n.pattern, n.pattern});
    }
    VariableText t{parts.front().text,
                   parts.front().pattern,
                   kind,
                   std::string(low.front().variable),
                   std::string(low.front().type),
                   low.front().decl,
                   {}};
    if (parts.size() > 1) t.parts = std::move(parts);
    return t;
  }

  VariableText static_variable(const Race& r) {
    const auto name_at = [&](uint64_t addr) {
      auto name = static_data_at(addr, symbols_);
      if (name && r.object) {
        name->name = without_insides(name->name);
        name->pattern = without_insides(name->pattern);
      }
      return name;
    };
    if (auto known = named(r, name_at, "global")) return *known;
    if (auto known = automatic(r)) return *known;
    VariableText t;
    t.kind = "unknown";
    t.variable = fmt::format("{:#x}", r.addresses.base);
    const auto modules = symbols_.modules_at(r.addresses.base);
    if (!modules.empty())
      t.variable += fmt::format(" in {}", symbols::base_name(symbols_.modules().find(modules[0])->path));
    t.pattern = t.variable;
    return t;
  }

  // Of a frame that was left its own names are the ones: tasks have its variables by other names.
  std::optional<VariableText> automatic(const Race& r) {
    if (r.after_return)
      if (auto known = local_variable(r)) return known;
    if (auto known = shared_by_region(r)) return known;
    return local_variable(r);
  }

  std::optional<VariableText> shared_by_region(const Race& r) {
    for (const RaceAccess* a : {&r.first, &r.second}) {
      const auto known = region_variable(*a, symbols_);
      if (!known) continue;
      VariableText t;
      t.kind = "stack";
      t.name = known->name;
      t.variable = t.pattern =
          known->function.empty() ? known->name : fmt::format("{} of {}", known->name, known->function);
      return t;
    }
    return std::nullopt;
  }

  VariableText on_stack(const Race& r) {
    const auto at = [&](uint64_t addr) { return thread_local_data_at(addr, r.memory.pthread, modules_, symbols_); };
    if (auto known = named(r, at, "tls")) return *known;
    if (auto known = automatic(r)) return *known;
    VariableText t;
    t.kind = "stack";
    t.variable = t.pattern = t.name = fmt::format("stack of thread {}", r.memory.thread.value);
    return t;
  }

  // In the frame where the example was seen; if all addresses have the same name but for indices.
  std::optional<VariableText> local_variable(const Race& r) {
    const auto owner = races::stack_owner(r.memory.kind, r.memory.thread);
    if (r.after_return) return of_left_frame(r);
    const RaceAccess& a = r.second.thread == owner || !r.first.frame ? r.second : r.first;
    if (!a.frame) return std::nullopt;
    const auto at = [&](uint64_t addr) {
      analysis::FramePlace place = *a.frame;
      place.move(static_cast<int64_t>(addr - a.addr));
      return frame_name(place, symbols_);
    };
    const auto low = at(r.addresses.base), high = at(r.addresses.last());
    if (!low || !high || low->pattern != high->pattern) return std::nullopt;
    const std::string of = fmt::format(" of {}", source_function(low->function));
    VariableText t;
    t.kind = "stack";
    t.name = low->variable + of;
    t.pattern = low->pattern + of;
    t.variable = low->name == high->name ? low->name + of : t.pattern;
    return t;
  }

  // Several addresses may be of several frames; where the task was created says more of what was in scope than the
  // return.
  std::optional<VariableText> of_left_frame(const Race& r) {
    const auto& [left, use] = r.first.leaves ? std::tie(r.first, r.second) : std::tie(r.second, r.first);
    if (!left.frame) return std::nullopt;
    analysis::FramePlace place = *left.frame;
    place.move(static_cast<int64_t>(use.addr - left.addr));
    auto name = frame_name(place, symbols_);
    if (use.stood != CodeAddr()) {
      place.at = use.stood;
      if (auto there = frame_name(place, symbols_)) name = std::move(there);
    }
    if (!name) return std::nullopt;
    const std::string of = fmt::format(" of {}", source_function(name->function));
    VariableText t;
    t.kind = "stack";
    t.name = name->variable + of;
    t.pattern = name->pattern + of;
    t.variable = r.addresses.count > 1 ? t.pattern : name->name + of;
    return t;
  }

  // Nothing if its type is not known.
  std::optional<VariableText> typed_block(const Race& r) {
    std::vector<CodeAddr> calls = r.memory.allocated;
    const auto is_library = [&](CodeAddr c) { return !scope_.has(c.module); };
    const auto direct = static_cast<size_t>(std::find_if(calls.begin(), calls.end(), is_library) - calls.begin());
    std::erase_if(calls, is_library);
    const auto at = [&](uint64_t addr) {
      return heap_.name(calls, direct, r.memory.range.size(), addr - r.memory.range.begin);
    };
    const HeapName low = at(r.addresses.base), high = at(r.addresses.last());
    if (!low.typed || low.pattern != high.pattern) return std::nullopt;
    VariableText t;
    t.kind = "heap";
    t.name = low.object;
    t.pattern = low.pattern;
    t.variable = low.name == high.name ? low.name : low.pattern;
    return t;
  }

  // The program's code that asked for the block; if there is none, whose lines are known.
  static std::string asked_at(const std::vector<RaceFrame>& stack) {
    const auto has_line = [](const RaceFrame& f) { return f.pos.known() && !of_the_system(f.pos.file); };
    auto best = stack.begin();
    for (; best != stack.end(); ++best)
      if (best->own && (has_line(*best) || !is_inlined_at_line(stack, static_cast<size_t>(best - stack.begin()))))
        break;
    if (best != stack.end() && !best->pos.known()) return fmt::format(" at {}", place_in_module(*best));
    if (best == stack.end()) best = std::find_if(stack.begin(), stack.end(), has_line);
    if (best != stack.end()) return fmt::format(" at {}:{}", symbols::base_name(best->pos.file), best->pos.line);
    if (stack.empty()) return {};
    const RaceFrame& first = stack.front();
    return fmt::format(" of {}", first.function.empty() ? symbols::base_name(first.module) : first.function);
  }

  // Of code without lines.
  static std::string place_in_module(const RaceFrame& f) {
    const std::string at = fmt::format("{}+{:#x}", symbols::base_name(f.module), f.in_file);
    return f.function.empty() ? at : fmt::format("{} ({})", f.function, at);
  }

  // What a library does to an untyped block at once, as memcpy and the functions on strings, is not told apart by
  // bytes.
  static bool is_done_at_once(const Race& r) { return r.first.from != CodeAddr() || r.second.from != CodeAddr(); }

  VariableText heap_block(const Race& r) {
    if (auto known = typed_block(r)) return *known;
    VariableText t;
    t.kind = "heap";
    t.name = fmt::format("block of {} bytes{}", r.memory.range.size(), asked_at(frames(r.memory.allocated)));
    t.pattern = t.name;
    const uint64_t offset = r.addresses.base - r.memory.range.begin;
    t.variable = t.name + (r.addresses.count > 1 ? std::string(" + …") : fmt::format(" + {}", offset));
    if (r.addresses.count > 1 || is_done_at_once(r)) return t;
    t.pattern = t.variable;
    return t;
  }

  const ModuleTable& modules_;
  const ProgramScope& scope_;
  symbols::Symbols& symbols_;
  AtomicStores stores_;
  HeapNames heap_;
};

// A source line; of code without lines the function, which is not all that its module has.
using PlaceKey = std::tuple<std::string_view, uint32_t, std::string_view>;
PlaceKey grouped_by(const RaceSide& s) { return {s.file, s.line, s.line == 0 ? s.function : std::string_view()}; }

// What makes two races one finding.
using Key = std::tuple<std::string, std::string, PlaceKey, PlaceKey>;

Key key_of(const VariableText& v, const RaceSide& a, const RaceSide& b) {
  const auto [low, high] = std::minmax({grouped_by(a), grouped_by(b)});
  return {v.kind, v.pattern, low, high};
}

class Grouping {
 public:
  Grouping(Namer& namer, const ProgramScope& scope) : namer_(namer), scope_(scope) {}

  void add(const Race& r) {
    Item item{namer_.variable(r), namer_.side(r.first), namer_.side(r.second)};
    Key key = key_of(item.variable, item.first, item.second);
    const auto [at, is_new] = found_.try_emplace(std::move(key), findings_.size());
    if (is_new) {
      findings_.push_back(begin(r, item));
    } else {
      if (findings_[at->second].variable != item.variable.variable)
        findings_[at->second].variable = several(item.variable);
      for (const PartText& p : item.variable.parts) add_variable(p, findings_[at->second]);
    }
    extend(findings_[at->second], r, item, is_new);
  }
  std::vector<RaceFinding> take() {
    for (size_t i = 0; i < findings_.size(); ++i) finish(findings_[i], static_cast<uint32_t>(i + 1));
    return std::move(findings_);
  }

 private:
  struct Item {
    VariableText variable;
    RaceSide first, second;
  };

  static std::string several(const VariableText& v) { return v.kind == "heap" ? v.name + " + …" : v.pattern; }

  // The first stands there already, called as `variable`.
  static void add_variable(const PartText& p, RaceFinding& f) {
    if (f.variables.empty()) f.variables = {f.variable};
    f.variables.front() = f.variable;
    const std::string_view first = f.variable;
    if (first == p.text || first == p.pattern) return;
    auto known = std::find_if(f.variables.begin() + 1, f.variables.end(),
                              [&](const std::string& v) { return v == p.text || v == p.pattern; });
    if (known == f.variables.end()) f.variables.push_back(p.text);
  }

  RaceFinding begin(const Race& r, const Item& item) {
    RaceFinding f;
    f.variable = item.variable.variable;
    f.kind = item.variable.kind;
    f.name = item.variable.name;
    f.type = item.variable.type;
    f.declared = item.variable.declared;
    f.allocated = namer_.frames(r.memory.allocated);
    f.allocated_by = r.memory.thread.value;
    f.first = item.first;
    f.second = item.second;
    if (r.after_return)
      for (const auto& [access, side] : {std::pair(&r.first, &f.first), std::pair(&r.second, &f.second)})
        if (!access->leaves) side->creation = namer_.creation(*access);
    f.addresses = r.addresses;
    f.outside = true;
    for (const PartText& p : item.variable.parts) f.variables.push_back(p.text);
    return f;
  }

  // The pair in the direction of the example's lines.
  void extend(RaceFinding& f, const Race& r, const Item& item, bool is_new) {
    f.instances = analysis::saturating_add(f.instances, r.instances);
    f.places.insert(f.places.end(), r.judged.begin(), r.judged.end());
    f.streams.insert(f.streams.end(), r.streams.begin(), r.streams.end());
    f.schedulable |= r.schedulable;
    f.mixed |= r.mixed;
    f.adhoc |= r.adhoc;
    f.lock_order = r.lock_order && (is_new || f.lock_order);
    f.iteration = r.iteration && (is_new || f.iteration);
    const uint32_t only_chunk = std::max(r.first.strand.only_chunk, r.second.strand.only_chunk);
    f.only_chunk = is_new ? only_chunk : std::min(f.only_chunk, only_chunk);
    f.after_free |= r.after_free;
    f.after_return |= r.after_return;
    f.object |= r.object;
    f.ordered = r.ordered && (is_new || f.ordered);
    f.outside &= !scope_.has_any(r.first.stack) && !scope_.has_any(r.second.stack);
    f.unread |= namer_.is_unread_store(r.first) || namer_.is_unread_store(r.second);
    if (!is_new && f.kind != "heap") f.addresses = analysis::hull_of(f.addresses, r.addresses);
    const bool turned = grouped_by(item.first) != grouped_by(f.first) && grouped_by(item.second) == grouped_by(f.first);
    InstructionPair p{item.first.ip, item.second.ip, r.instances};
    if (turned) std::swap(p.first_ip, p.second_ip);
    for (InstructionPair& known : f.pairs) {
      if (known.first_ip != p.first_ip || known.second_ip != p.second_ip) continue;
      known.instances = analysis::saturating_add(known.instances, p.instances);
      return;
    }
    f.pairs.push_back(p);
  }

  static void finish(RaceFinding& f, uint32_t id) {
    f.id = f.root = id;
    std::sort(f.places.begin(), f.places.end(), races::earlier);
    std::sort(f.pairs.begin(), f.pairs.end(), [](const InstructionPair& a, const InstructionPair& b) {
      return std::pair(a.first_ip, a.second_ip) < std::pair(b.first_ip, b.second_ip);
    });
    if (f.object) f.notes.emplace_back("object: it is initialised, destroyed or freed while another thread may use it");
    if (f.ordered)
      f.notes.emplace_back("use after free: the block was freed before");
    else if (f.after_free && !f.object)
      f.notes.emplace_back("use after free: the block was freed without any order to this access");
    if (f.after_return)
      f.notes.emplace_back(
          "use after return: nothing keeps the function from returning before the task is done with its variable");
    if (f.mixed) f.notes.emplace_back("mixed: one of the accesses is atomic, the other is not");
    if (f.lock_order)
      f.notes.emplace_back("lock-order: in this run it did not happen, only because a lock was got in this order");
    if (f.iteration && f.only_chunk != 0)
      f.notes.push_back(
          fmt::format("iteration: one thread executed both in turn, as the loop had one chunk in this run; chunks are "
                      "of {}, and what lies in two of them may run at once",
                      f.only_chunk));
    else if (f.iteration)
      f.notes.emplace_back("iteration: one thread executed both in turn, and they may run at once in two");
    if (f.adhoc) f.notes.emplace_back("adhoc: a loop waits for this variable to change");
    if (f.unread)
      f.notes.emplace_back(
          "a store is presumed to be atomic, as there are atomic instructions on this memory: its source cannot be "
          "read");
  }

  Namer& namer_;
  const ProgramScope& scope_;
  std::map<Key, size_t> found_;
  std::vector<RaceFinding> findings_;
};

}  // namespace

std::vector<RaceFrame> frames_of(const std::vector<CodeAddr>& stack, const ModuleTable& modules,
                                 symbols::Symbols& symbols) {
  const ProgramScope scope(modules, {});
  return Namer(modules, scope, symbols).frames(stack);
}

std::vector<RaceFinding> findings_of(const std::vector<Race>& races, const ModuleTable& modules,
                                     const ProgramScope& scope, symbols::Symbols& symbols) {
  Namer namer(modules, scope, symbols);
  Grouping grouping(namer, scope);
  for (const Race& r : races) grouping.add(r);
  return grouping.take();
}

std::string_view access_name(const RaceSide& s) {
  return !s.operation.empty() ? s.operation : s.free ? "free" : s.write ? "write" : "read";
}

std::string_view done_to(const RaceSide& s) {
  if (s.free) return "freed";
  if (s.operation.empty()) return s.write ? "written" : "read";
  if (s.operation == "return") return "left";
  return s.operation.ends_with("-init") ? "initialised" : s.operation.ends_with("-destroy") ? "destroyed" : "used";
}

std::string all_variables(const RaceFinding& f) {
  return f.variables.size() > 1 ? fmt::format("{}", fmt::join(f.variables, ", ")) : f.variable;
}

}  // namespace cdr::report
