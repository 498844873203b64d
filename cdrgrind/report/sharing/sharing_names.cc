// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <map>
#include <set>

#include "cdrgrind/report/common/heap_names.h"
#include "cdrgrind/report/races/strand_names.h"
#include "cdrgrind/report/sharing/sharing_report.h"

namespace cdr::report {

using races::MemoryKind;
using sharing::LinePart;
using sharing::MemoryGroup;
using sharing::SharedLine;

namespace {

// "counts" of "counts[2].hits", "counts of main" of "counts[2] of main".
std::string whole_of(const std::string& part) {
  const size_t function = part.find(" of ");
  const size_t end = std::min(part.find_first_of(".["), function);
  return part.substr(0, end) + (function == std::string::npos ? "" : part.substr(function));
}

class MemoryNames {
 public:
  MemoryNames(const sharing::SharedMemory& memory, const ModuleTable& modules, symbols::Symbols& symbols,
              SharingFacts& facts)
      : memory_(memory), modules_(modules), symbols_(symbols), facts_(facts), heap_(modules, symbols) {}

  std::string group(const MemoryGroup& g) {
    if (g.part) return facts_.part(g.part);
    if (g.kind == MemoryKind::kHeap) {
      const HeapName name = block(g, g.size, 0);
      return name.typed ? name.object : fmt::format("blocks of {} bytes{}", g.size, allocated_at(g));
    }
    if (g.kind == MemoryKind::kStack) return fmt::format("stack of thread {}", g.thread.value);
    return fmt::format("memory at {:#x}", g.page << 12);
  }
  // The whole that it is a part of.
  std::string object(const MemoryGroup& g) {
    if (g.part) return whole_of(facts_.part(g.part));
    return g.kind == MemoryKind::kHeap ? block(g, g.size, 0).object : group(g);
  }
  NamedPart part(const LinePart& p, uint64_t addr) {
    const uint64_t at = addr + p.begin;
    if (p.memory.local) {
      const std::string name = p.frame ? facts_.element_of(*p.frame) : facts_.part(p.memory.part);
      return {name, whole_of(name)};
    }
    if (p.memory.part) {
      const std::string name =
          p.memory.kind == MemoryKind::kStack ? facts_.part(p.memory.part) : facts_.element_at(at, 0);
      return {name, whole_of(name)};
    }
    if (p.memory.kind == MemoryKind::kHeap) {
      const HeapName name = block(p.memory, p.block.size(), at - p.block.begin);
      return {name.name, name.object};
    }
    if (p.memory.kind == MemoryKind::kStack) return {group(p.memory), group(p.memory)};
    return {fmt::format("{:#x}", at), group(p.memory)};
  }
  SourcePlace place(CodeAddr at) {
    const auto [known, is_new] = places_.try_emplace(at);
    if (is_new) known->second = source_place_of(std::span(&at, 1), modules_, symbols_);
    return known->second;
  }

 private:
  HeapName block(const MemoryGroup& g, uint64_t size, uint64_t offset) {
    static const sharing::Allocation kNobody;
    const sharing::Allocation& a = g.allocation ? memory_.allocations[g.allocation - 1] : kNobody;
    return heap_.name(a.calls, a.direct, size, offset);
  }
  std::string allocated_at(const MemoryGroup& g) {
    const std::string text = short_place(place(g.allocated));
    return text.empty() ? text : " at " + text;
  }

  const sharing::SharedMemory& memory_;
  const ModuleTable& modules_;
  symbols::Symbols& symbols_;
  SharingFacts& facts_;
  HeapNames heap_;
  std::map<CodeAddr, SourcePlace> places_;
};

std::vector<PassedLines> by_source(const std::vector<sharing::Passed>& all, MemoryNames& names) {
  std::map<std::pair<SourcePlace, SourcePlace>, PassedLines> lines;
  for (const sharing::Passed& p : all) {
    PassedLines& l = lines[{names.place(p.from), names.place(p.to)}];
    l.bytes += p.bytes;
    l.instructions.push_back(p);
  }
  std::vector<PassedLines> sorted;
  for (auto& [key, l] : lines) {
    l.from = key.first;
    l.to = key.second;
    sorted.push_back(std::move(l));
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
  return sorted;
}

// Of those that the report names.
std::map<ThreadId, std::string> strand_names(const sharing::SharedMemory& memory, const ModuleTable& modules,
                                             symbols::Symbols& symbols) {
  std::map<ThreadId, std::string> names;
  const auto add = [&](ThreadId id) {
    const sharing::KnownStrand* const s = memory.strand(id);
    if (s && !names.contains(id)) names[id] = strand_name(s->strand, s->created, modules, symbols);
  };
  const auto add_parts = [&](const std::vector<LinePart>& parts) {
    for (const LinePart& p : parts) {
      std::for_each(p.readers.begin(), p.readers.end(), add);
      std::for_each(p.writers.begin(), p.writers.end(), add);
    }
  };
  for (const SharedLine& l : memory.lines) {
    for (const sharing::MayPair& p : l.may) add(p.first), add(p.second);
    add_parts(false_parts(l));
  }
  for (const sharing::SharedVariable& v : memory.variables)
    for (const auto& [pair, count] : v.may_pairs) add(pair.first), add(pair.second);
  return names;
}

}  // namespace

std::string who_text(ThreadId id, const SharingReport& report) {
  const auto name = report.strands.find(id);
  return name == report.strands.end() ? fmt::format("thread {}", id.value) : name->second;
}

void keep_program(SharingReport& report, const ModuleTable& modules, const ScopeOptions& scope,
                  symbols::Symbols& symbols) {
  const ProgramScope program(modules, scope.program);
  std::vector<symbols::DataRange> copied;  // variables of libraries that stand in the program's data, as stdout
  for (const Module& m : modules)
    if (program.has(m.id))
      for (const symbols::DataRange& r : symbols.copied_variables(m.id.value)) copied.push_back(r);
  const auto of_others = [&](const MemoryGroup& g, uint64_t addr) {
    if (g.kind == MemoryKind::kHeap) return !program.has(g.allocated.module);
    if (g.kind == MemoryKind::kStack) return false;
    if (std::any_of(copied.begin(), copied.end(), [&](const auto& r) { return r.begin <= addr && addr < r.end; }))
      return true;
    const auto owners = symbols.modules_at(addr);
    return !owners.empty() && !program.has(ModuleId(owners.front()));
  };
  const auto asked_for = [&](CodeAddr at) {
    const SourcePlace place = source_place_of(std::span(&at, 1), modules, symbols);
    return scope.has(place.file, place.function);
  };
  sharing::SharedMemory& m = report.memory;
  if (!report.scope.all) {
    report.scope.left_out = std::erase_if(m.variables, [&](const auto& v) { return of_others(v.memory, v.sample); });
    std::erase_if(m.lines, [&](const SharedLine& l) {
      const std::vector<LinePart>& parts = false_parts(l);
      return std::all_of(parts.begin(), parts.end(),
                         [&](const LinePart& p) { return of_others(p.memory, l.addr + p.begin); });
    });
    std::erase_if(m.passed, [&](const auto& p) { return !program.has(p.from.module) && !program.has(p.to.module); });
  }
  if (scope.narrows()) std::erase_if(m.passed, [&](const auto& p) { return !asked_for(p.from) && !asked_for(p.to); });
}

void name_shared_memory(SharingReport& report, const ModuleTable& modules, symbols::Symbols& symbols,
                        SharingFacts& facts) {
  MemoryNames names(report.memory, modules, symbols, facts);
  std::vector<std::string> objects;
  for (const auto& v : report.memory.variables) {
    report.variables.push_back(names.group(v.memory));
    objects.push_back(names.object(v.memory));
  }
  for (const SharedLine& line : report.memory.lines) {
    std::vector<NamedPart>& parts = report.parts.emplace_back();
    for (const LinePart& p : line.parts) parts.push_back(names.part(p, line.addr));
    std::vector<NamedPart>& in_false = report.false_names.emplace_back();
    for (const LinePart& p : false_parts(line)) in_false.push_back(names.part(p, line.addr));
  }
  report.strands = strand_names(report.memory, modules, symbols);
  report.false_sharing = false_sharing_entries(report.memory, report.false_names, report.line_size);
  report.true_sharing = true_sharing_entries(report.memory, objects);
  report.passed = by_source(report.memory.passed, names);
}

// The paper's criterion: an update is of use if others read between two stores of one thread.
std::string_view protocol_of(const sharing::SharedVariable& v) {
  return v.repeats > 0 && 2 * v.read_between >= v.repeats ? "update" : "invalidate";
}

std::string_view protocol_of(const SharedLine& l) { return l.updating() < l.invalidating() ? "update" : "invalidate"; }

std::string_view name_of(const MemoryGroup& g) {
  if (g.kind == MemoryKind::kHeap) return "heap";
  if (g.kind == MemoryKind::kStack) return g.part && !g.local ? "tls" : "stack";
  return g.part ? "global" : "unknown";
}

}  // namespace cdr::report
