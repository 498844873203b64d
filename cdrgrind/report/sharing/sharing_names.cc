// SPDX-License-Identifier: GPL-2.0-or-later
// Names, and the advice of a person who knows caches: what each thread stores gets a line of its own.
#include <algorithm>
#include <map>
#include <set>

#include "cdrgrind/report/sharing/sharing_report.h"

namespace cdr::report {

using races::MemoryKind;
using sharing::LinePart;
using sharing::MemoryGroup;
using sharing::SharedLine;

namespace {

class MemoryNames {
 public:
  MemoryNames(const ModuleTable& modules, symbols::Symbols& symbols, SharingFacts& facts)
      : modules_(modules), symbols_(symbols), facts_(facts) {}

  std::string group(const MemoryGroup& g) {
    if (g.part) return facts_.part(g.part);
    if (g.kind == MemoryKind::kHeap) return fmt::format("blocks of {} bytes{}", g.size, allocated_at(g));
    if (g.kind == MemoryKind::kStack) return fmt::format("stack of thread {}", g.thread.value);
    return fmt::format("memory at {:#x}", g.page << 12);
  }
  NamedPart part(const LinePart& p, uint64_t addr) {
    const uint64_t at = addr + p.begin;
    if (p.memory.part) {
      const std::string name = p.memory.kind == MemoryKind::kStack ? group(p.memory) : facts_.element_at(at, 0);
      return {name, name.substr(0, name.find_first_of(".["))};
    }
    if (p.memory.kind == MemoryKind::kHeap) {
      const std::string block = fmt::format("block of {} bytes{}", p.block.size(), allocated_at(p.memory));
      return {fmt::format("{} + {}", block, at - p.block.begin), block};
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
  std::string allocated_at(const MemoryGroup& g) {
    const std::string text = short_place(place(g.allocated));
    return text.empty() ? text : " at " + text;
  }

  const ModuleTable& modules_;
  symbols::Symbols& symbols_;
  SharingFacts& facts_;
  std::map<CodeAddr, SourcePlace> places_;
};

// `a`, `b` and `c`
std::string quoted_list(const std::set<std::string>& names) {
  std::string text;
  size_t i = 0;
  for (const std::string& n : names) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += "`" + n + "`";
    ++i;
  }
  return text;
}

// Whether some thread is disturbed by stores to a part that it never touches.
bool can_be_parted(const SharedLine& line) {
  const auto touches = [](const LinePart& p, ThreadId t) {
    return std::count(p.readers.begin(), p.readers.end(), t) + std::count(p.writers.begin(), p.writers.end(), t) > 0;
  };
  for (const sharing::LineThread& t : line.threads)
    for (const LinePart& p : line.parts)
      if (!p.writers.empty() && !touches(p, t.thread)) return true;
  return false;
}

// What has to be changed so that this line no longer goes to and fro for nothing.
std::string fix_of(const SharedLine& line, const std::vector<NamedPart>& names, uint32_t size) {
  if (line.false_misses == 0) return {};
  if (!can_be_parted(line)) return "none by layout: the threads touch the same bytes, at different times";
  std::set<std::string> written, read, objects;
  std::set<AddrRange> blocks;
  bool heap = true, stack = true, unknown = false;
  for (size_t i = 0; i < line.parts.size(); ++i) {
    const LinePart& p = line.parts[i];
    (p.writers.empty() ? read : written).insert(names[i].name);
    objects.insert(names[i].object);
    blocks.insert(p.block);
    heap &= p.memory.kind == MemoryKind::kHeap;
    stack &= p.memory.kind == MemoryKind::kStack;
    unknown |= name_of(p.memory) == "unknown";
  }
  if (unknown) return fmt::format("give what different threads touch lines of its own, {} bytes each", size);
  if (stack) return fmt::format("keep what other threads touch off this stack, or align it: alignas({})", size);
  if (heap && blocks.size() > 1)
    return fmt::format("neighbouring heap blocks: allocate each with aligned_alloc({}, …), in multiples of {} bytes",
                       size, size);
  if (heap)
    return fmt::format("one heap block: pad what each thread stores in it to {} bytes (alignas({}) on its type)", size,
                       size);
  if (!read.empty() && written.size() == 1)
    return fmt::format("{} is stored, {} only read: move {} to a line of its own, alignas({})", quoted_list(written),
                       quoted_list(read), quoted_list(written), size);
  if (objects.size() == 1 && names.front().name.find('[') != std::string::npos)
    return fmt::format("elements of `{}` belong to different threads: pad each to {} bytes (alignas({}) on its type)",
                       *objects.begin(), size, size);
  if (objects.size() == 1)
    return fmt::format("members of `{}` belong to different threads: give {} lines of their own, alignas({})",
                       *objects.begin(), quoted_list(written), size);
  return fmt::format("different variables: give {} lines of their own, alignas({})", quoted_list(written), size);
}

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

}  // namespace

void keep_program(SharingReport& report, const ModuleTable& modules, const ScopeOptions& scope,
                  symbols::Symbols& symbols) {
  const ProgramScope program(modules, scope.program);
  const auto of_others = [&](const MemoryGroup& g, uint64_t addr) {
    if (g.kind == MemoryKind::kHeap) return !program.has(g.allocated.module);
    if (g.kind == MemoryKind::kStack) return false;
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
      return std::all_of(l.parts.begin(), l.parts.end(),
                         [&](const LinePart& p) { return of_others(p.memory, l.addr + p.begin); });
    });
    std::erase_if(m.passed, [&](const auto& p) { return !program.has(p.from.module) && !program.has(p.to.module); });
  }
  if (scope.narrows()) std::erase_if(m.passed, [&](const auto& p) { return !asked_for(p.from) && !asked_for(p.to); });
}

void name_shared_memory(SharingReport& report, const ModuleTable& modules, symbols::Symbols& symbols,
                        SharingFacts& facts) {
  MemoryNames names(modules, symbols, facts);
  for (const auto& v : report.memory.variables) report.variables.push_back(names.group(v.memory));
  for (const SharedLine& line : report.memory.lines) {
    std::vector<NamedPart>& parts = report.parts.emplace_back();
    for (const LinePart& p : line.parts) parts.push_back(names.part(p, line.addr));
    report.fixes.push_back(fix_of(line, parts, report.line_size));
  }
  report.passed = by_source(report.memory.passed, names);
}

// The paper's criterion: an update is of use if others read between two stores of one thread.
std::string_view protocol_of(const sharing::SharedVariable& v) {
  return v.repeats > 0 && 2 * v.read_between >= v.repeats ? "update" : "invalidate";
}

std::string_view protocol_of(const SharedLine& l) { return l.updating() < l.invalidating() ? "update" : "invalidate"; }

std::string_view name_of(const MemoryGroup& g) {
  if (g.kind == MemoryKind::kHeap) return "heap";
  if (g.kind == MemoryKind::kStack) return g.part ? "tls" : "stack";
  return g.part ? "global" : "unknown";
}

}  // namespace cdr::report
