// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/loops/trace_symbols.h"

#include <algorithm>

#include "cdrgrind/report/common/bare_name.h"
#include "cdrgrind/report/common/data_names.h"
#include "cdrgrind/report/common/escape.h"
#include "cdrgrind/report/common/event_names.h"
#include "cdrgrind/symbols/common/paths.h"

namespace cdr::report {

using loops::Loop;
using loops::SequenceOf;
using loops::TraceSymbol;

namespace {

std::string beginning(const LoopLocation& place) {
  if (place.first_line == 0) return std::string(bare_name(place.function));
  return fmt::format("{}:{}", symbols::base_name(place.file), place.first_line);
}

bool same_code(const LoopLocation& a, const LoopLocation& b) { return a.function == b.function && a.file == b.file; }

void widen(LoopLocation& place, const LoopLocation& by) {
  if (by.first_line == 0) return;
  place.first_line = place.first_line == 0 ? by.first_line : std::min(place.first_line, by.first_line);
  place.last_line = std::max(place.last_line, by.last_line);
}

// Locations by function and file; the one with most.
class LocationCounts {
 public:
  void add(const LoopLocation& place) {
    const auto found =
        std::find_if(rows_.begin(), rows_.end(), [&](const Row& r) { return same_code(r.place, place); });
    if (found == rows_.end()) {
      rows_.push_back({place, 1});
      return;
    }
    widen(found->place, place);
    ++found->count;
  }
  // The first of several; nothing known if there is none.
  LoopLocation most() const {
    const auto best =
        std::max_element(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.count < b.count; });
    return best == rows_.end() ? LoopLocation() : best->place;
  }

 private:
  struct Row {
    LoopLocation place;
    uint64_t count;
  };
  std::vector<Row> rows_;
};

}  // namespace

TraceSymbols::TraceSymbols(const loops::TraceSequence& sequence, const paths::BasicBlocks& blocks, SymbolNames& names)
    : sequence_(sequence), blocks_(blocks), names_(names) {
  for (const TraceSymbol& symbol : sequence_.meanings) places_.push_back(place_of(symbol));
}

LoopLocation TraceSymbols::place_of(const TraceSymbol& symbol) {
  switch (sequence_.of) {
    case SequenceOf::kBlocks:
      return place_of_block(symbol.blocks.front());
    case SequenceOf::kPaths:
      return place_of_path(symbol.blocks);
    default:
      return place_at(symbol.at);
  }
}

LoopLocation TraceSymbols::place_at(CodeAddr at) {
  const analysis::LineRef line = names_.line_of(at);
  const auto chain = names_.symbols().inline_chain(at.module.value, at.addr);
  const std::string_view function = chain.empty() ? names_.function_of(at) : chain.front().function;
  return {function, line.file, line.line, line.line};
}

// The lines that belong to the function of the first instruction.
LoopLocation TraceSymbols::place_of_block(uint32_t block) {
  const Superblock& sb = blocks_.superblock(block);
  LoopLocation place = place_at({sb.module, sb.addr});
  for (uint32_t i = 1; i < blocks_[block].insns; ++i) {
    const LoopLocation other = place_at({sb.module, sb.insn_addr(i)});
    if (same_code(place, other)) widen(place, other);
  }
  return place;
}

// Of its blocks outside the calls that it makes.
LoopLocation TraceSymbols::place_of_path(const std::vector<uint32_t>& path) {
  int depth = 0, least = 0;
  std::vector<int> depths;
  for (const uint32_t block : path) {
    depths.push_back(depth);
    least = std::min(least, depth);
    const Superblock& sb = blocks_.superblock(block);
    const ExitKind kind = sb.exits.back().kind;
    const bool whole = blocks_[block].insns == sb.insns.size();
    depth += whole && is_call(kind) ? 1 : whole && kind == ExitKind::kReturn ? -1 : 0;
  }
  LocationCounts counts;
  for (size_t i = 0; i < path.size(); ++i)
    if (depths[i] == least) counts.add(place_of_block(path[i]));
  return counts.most();
}

analysis::NameTable TraceSymbols::names() {
  analysis::NameTable table;
  for (uint32_t symbol = 0; symbol < sequence_.meanings.size(); ++symbol) {
    std::string name = visible(name_of(symbol));
    std::replace(name.begin(), name.end(), ' ', '_');  // blanks would part symbols
    std::string unique = name;
    for (int n = 2; table.id_of(unique) != symbol; ++n) unique = fmt::format("{}#{}", name, n);
  }
  return table;
}

SymbolText TraceSymbols::text_of(uint32_t symbol) {
  const TraceSymbol& meaning = sequence_.meanings[symbol];
  switch (sequence_.of) {
    case SequenceOf::kCalls:
      return {places_[symbol], fmt::format("calls {}", bare_name(names_.function_of(meaning.callee)))};
    case SequenceOf::kPaths:
      return {places_[symbol], fmt::format("P{}", symbol + 1)};
    case SequenceOf::kSync:
      return {places_[symbol], sync_name(meaning.sync)};
    default:
      return {places_[symbol], {}};
  }
}

std::string TraceSymbols::name_of(uint32_t symbol) {
  const TraceSymbol& meaning = sequence_.meanings[symbol];
  const LoopLocation& place = places_[symbol];
  switch (sequence_.of) {
    case SequenceOf::kBlocks:
      return block_name(meaning.blocks.front());
    case SequenceOf::kCalls:
      return fmt::format("{}@{}", bare_name(names_.function_of(meaning.callee)), beginning(place));
    case SequenceOf::kPaths:
      return fmt::format("P{}@{}", symbol + 1, beginning(place));
    case SequenceOf::kSync:
      return sync_name(meaning.sync);
    case SequenceOf::kLines:
      break;
  }
  return beginning(place);
}

std::string TraceSymbols::block_name(uint32_t block) {
  const Superblock& sb = blocks_.superblock(block);
  const symbols::FunctionInfo function = names_.symbols().function_of(sb.module.value, sb.addr);
  if (!function.known()) return std::string(bare_name(names_.function_of({sb.module, sb.addr})));
  return fmt::format("{}+{:#x}", bare_name(function.name), sb.addr - function.entry);
}

std::string TraceSymbols::sync_name(const Sync& sync) {
  std::string object;
  if (const auto variable = static_data_at(sync.object, names_.symbols()))
    object = variable->name.substr(0, variable->name.find(".__"));  // libc's own members
  if (object.empty() && sync.object != 0) object = fmt::format("{:#x}", sync.object);
  return fmt::format("{}({})", report::name_of(sync.op), object);
}

LoopLocation TraceSymbols::place_of(const Loop& loop, const analysis::SymbolArray& symbols) const {
  const loops::Depths& depths = sequence_.depths;
  const uint32_t end = loop.begin + loop.period;
  LocationCounts counts;
  if (depths.empty()) {
    for (uint32_t at = loop.begin; at < end; ++at) counts.add(places_[symbols[at]]);
    return counts.most();
  }
  int32_t least = 0;  // compared with the first
  depths.for_each(loop.begin, end, [&](size_t, int32_t depth) { least = std::min(least, depth); });
  depths.for_each(loop.begin, end, [&](size_t at, int32_t depth) {
    if (depth == least) counts.add(places_[symbols[at]]);
  });
  return counts.most();
}

}  // namespace cdr::report
