// SPDX-License-Identifier: GPL-2.0-or-later
// The advice is that of a person who knows caches: what each thread stores gets a line of its own.
#include "cdrgrind/report/sharing/sharing_entries.h"

#include <fmt/format.h>

#include <algorithm>

#include "cdrgrind/report/sharing/sharing_report.h"

namespace cdr::report {

using races::MemoryKind;
using sharing::LinePart;
using sharing::SharedLine;

namespace {

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

bool has(const std::vector<ThreadId>& threads, ThreadId t) {
  return std::find(threads.begin(), threads.end(), t) != threads.end();
}

// All parts of an entry, with their names, and what they have in common.
struct Pooled {
  std::vector<const LinePart*> parts;
  std::set<std::string> written, read, objects;
  std::set<AddrRange> blocks;
  std::set<ThreadId> writers, threads;
  bool heap = true, stack = true, unknown = false, elements = false;
};

Pooled pooled(const FalseSharing& entry, const sharing::SharedMemory& memory,
              const std::vector<std::vector<NamedPart>>& names) {
  Pooled all;
  for (const size_t number : entry.lines) {
    const std::vector<LinePart>& parts = false_parts(memory.lines[number]);
    for (size_t i = 0; i < parts.size(); ++i) {
      const LinePart& p = parts[i];
      const NamedPart& name = names[number][i];
      all.parts.push_back(&p);
      (p.writers.empty() ? all.read : all.written).insert(name.name);
      all.objects.insert(name.object);
      all.blocks.insert(p.block);
      all.writers.insert(p.writers.begin(), p.writers.end());
      all.threads.insert(p.writers.begin(), p.writers.end());
      all.threads.insert(p.readers.begin(), p.readers.end());
      all.heap &= p.memory.kind == MemoryKind::kHeap;
      all.stack &= p.memory.kind == MemoryKind::kStack;
      all.unknown |= name_of(p.memory) == "unknown";
      all.elements |= name.name.find('[') != std::string::npos;
    }
  }
  return all;
}

// Whether some thread is disturbed by stores to a part that it never touches.
bool can_be_parted(const Pooled& all) {
  for (const ThreadId t : all.threads)
    for (const LinePart* p : all.parts)
      if (!p->writers.empty() && !has(p->readers, t) && !has(p->writers, t)) return true;
  return false;
}

// What has to be changed so that these lines no longer go to and fro for nothing. One thread that stores disturbs
// others, too, but each of its stores passes something on to nobody else: that is left to whoever reads the report.
std::string fix_of(const Pooled& all, uint32_t size) {
  if (all.writers.size() < 2) return {};
  if (!can_be_parted(all)) return "none by layout: the threads touch the same bytes, at different times";
  if (all.unknown) return fmt::format("give what different threads touch lines of its own, {} bytes each", size);
  if (all.stack) return fmt::format("keep what other threads touch off this stack, or align it: alignas({})", size);
  if (all.heap && all.blocks.size() > 1)
    return fmt::format("neighbouring heap blocks: allocate each with aligned_alloc({}, …), in multiples of {} bytes",
                       size, size);
  if (all.heap)
    return fmt::format("one heap block: pad what each thread stores in it to {} bytes (alignas({}) on its type)", size,
                       size);
  if (!all.read.empty() && all.written.size() == 1)
    return fmt::format("{} is stored, {} only read: move {} to a line of its own, alignas({})",
                       quoted_list(all.written), quoted_list(all.read), quoted_list(all.written), size);
  if (all.objects.size() == 1 && all.elements)
    return fmt::format("elements of `{}` belong to different threads: pad each to {} bytes (alignas({}) on its type)",
                       *all.objects.begin(), size, size);
  if (all.objects.size() == 1)
    return fmt::format("members of `{}` belong to different threads: give {} lines of their own, alignas({})",
                       *all.objects.begin(), quoted_list(all.written), size);
  return fmt::format("different variables: give {} lines of their own, alignas({})", quoted_list(all.written), size);
}

void add_line(FalseSharing& entry, const SharedLine& line, size_t number) {
  for (const sharing::MayPair& p : line.may) {
    if (p.false_sharing == 0) continue;
    entry.may += p.false_sharing;
    entry.may_pairs[{p.first, p.second}] += p.false_sharing;
  }
  entry.misses += line.misses;
  entry.false_misses += line.false_misses;
  entry.invalidating += line.invalidating();
  entry.updating += line.updating();
  entry.lines.push_back(number);
}

void add_pairs(const ThreadPairs& more, ThreadPairs& to) {
  for (const auto& [pair, count] : more) to[pair] += count;
}

void add_variable(const sharing::SharedVariable& v, sharing::SharedVariable& to) {
  for (const auto& [thread, counts] : v.threads) {
    to.threads[thread].loads += counts.loads;
    to.threads[thread].stores += counts.stores;
  }
  add_pairs(v.pairs, to.pairs);
  add_pairs(v.may_pairs, to.may_pairs);
  to.hand_overs += v.hand_overs;
  to.write_runs += v.write_runs;
  to.may += v.may;
  to.repeats += v.repeats;
  to.read_between += v.read_between;
}

// Only loaded, as far as its lines were looked at.
bool nothing_shared(const sharing::SharedVariable& v) {
  return v.may == 0 && v.hand_overs == 0 &&
         std::all_of(v.threads.begin(), v.threads.end(), [](const auto& t) { return t.second.stores == 0; });
}

}  // namespace

const std::vector<LinePart>& false_parts(const SharedLine& line) {
  return line.in_false.empty() ? line.parts : line.in_false;
}

std::vector<FalseSharing> false_sharing_entries(const sharing::SharedMemory& memory,
                                                const std::vector<std::vector<NamedPart>>& names, uint32_t line_size) {
  std::vector<FalseSharing> entries;
  std::map<std::set<std::string>, size_t> known;
  for (size_t i = 0; i < memory.lines.size(); ++i) {
    const SharedLine& line = memory.lines[i];
    if (line.in_false.empty() && line.false_misses == 0) continue;
    std::set<std::string> objects;
    for (const NamedPart& p : names[i]) objects.insert(p.object);
    const auto [at, is_new] = known.try_emplace(objects, entries.size());
    if (is_new) {
      entries.emplace_back().objects = std::move(objects);
      entries.back().kind = name_of(false_parts(line).front().memory);
    }
    FalseSharing& entry = entries[at->second];
    for (const LinePart& p : false_parts(line))
      if (name_of(p.memory) != entry.kind) entry.kind = {};
    add_line(entry, line, i);
  }
  for (FalseSharing& e : entries) e.fix = fix_of(pooled(e, memory, names), line_size);
  std::stable_sort(entries.begin(), entries.end(), [](const FalseSharing& a, const FalseSharing& b) {
    return std::tuple(a.may, a.false_misses) > std::tuple(b.may, b.false_misses);
  });
  return entries;
}

std::vector<TrueSharing> true_sharing_entries(const sharing::SharedMemory& memory,
                                              const std::vector<std::string>& objects) {
  std::vector<TrueSharing> entries;
  std::map<std::pair<std::string, std::string_view>, size_t> known;
  for (size_t i = 0; i < memory.variables.size(); ++i) {
    const sharing::SharedVariable& v = memory.variables[i];
    const std::string_view kind = name_of(v.memory);
    const auto [at, is_new] = known.try_emplace({objects[i], kind}, entries.size());
    if (is_new) entries.push_back({objects[i], kind, {}, {}});
    entries[at->second].variables.push_back(i);
    add_variable(v, entries[at->second].sum);
  }
  std::erase_if(entries, [](const TrueSharing& e) { return nothing_shared(e.sum); });
  std::stable_sort(entries.begin(), entries.end(), [](const TrueSharing& a, const TrueSharing& b) {
    return std::tuple(a.sum.may, a.sum.hand_overs) > std::tuple(b.sum.may, b.sum.hand_overs);
  });
  return entries;
}

}  // namespace cdr::report
