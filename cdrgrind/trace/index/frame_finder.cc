// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/index/frame_finder.h"

#include <algorithm>

namespace cdr::trace {
namespace {

StackEffect effect_of_event(uint32_t terminal) {
  if (terminal == kCallTerminal) return {1, 0, false};
  if (terminal == kReturnTerminal) return {-1, -1, false};
  if (terminal == kNameTerminal) return {0, 0, true};
  Event e;
  if (!event_of_terminal(terminal, e)) return {};
  switch (e.kind) {
    case EventKind::kCall:
    case EventKind::kSignalEnter:
      return {1, 0, false};
    case EventKind::kReturn:
    case EventKind::kSignalLeave:
      return {-1, -1, false};
    case EventKind::kPop:
      return {-int64_t{e.count}, -int64_t{e.count}, false};
    case EventKind::kEnter:
      return {0, 0, true};
    default:
      return {};
  }
}

}  // namespace

// What is looked for: symbols with a key less than 2 * depth (with names) or less than 2 * depth - 1.
struct FrameFinder::Search {
  int64_t depth;
  bool names;
  int64_t limit() const { return 2 * depth - !names; }
};

FrameFinder::FrameFinder(const PathIndex& paths) : paths_(paths) {
  const Grammar& g = paths.grammar();
  rules_.resize(g.rules());
  before_.resize(g.symbols());
  keys_.resize(g.symbols());
  for (const uint32_t rule : children_first(g)) {
    StackEffect sum;
    uint32_t at = first_symbol(g, rule);
    for (const Run& r : g.body(rule)) {
      StackEffect whole;
      whole.add(effect(r.symbol), r.count);
      before_[at] = sum.net;
      keys_[at++] = 2 * sum.net + key(whole);
      sum.add(whole, 1);
    }
    rules_[rule] = sum;
  }
  for (size_t i = 0; i < keys_.size(); i += kBlock)
    lowest_keys_.push_back(
        *std::min_element(keys_.begin() + static_cast<ptrdiff_t>(i),
                          keys_.begin() + static_cast<ptrdiff_t>(std::min(i + kBlock, keys_.size()))));
}

StackEffect FrameFinder::effect(uint32_t symbol) const {
  if (is_rule(symbol)) return rules_[rule_of(symbol)];
  return is_stretch(symbol) ? paths_.stretches().effect(stretch_of(symbol)) : effect_of_event(symbol);
}

uint32_t FrameFinder::last_below(uint32_t begin, uint32_t end, int64_t limit) const {
  uint32_t i = end;
  while (i > begin) {
    if (i % kBlock == 0 && i - begin >= kBlock && lowest_keys_[i / kBlock - 1] >= limit)
      i -= kBlock;
    else if (keys_[--i] < limit)
      return i;
  }
  return end;
}

int64_t FrameFinder::depth(const PathPosition& place) const {
  int64_t depth = 0;
  for (const PathStep& s : place.way) {
    const uint32_t symbol = symbol_at(paths_.grammar(), s.symbol).symbol;
    depth += before_[s.symbol] + int64_t{s.copy} * effect(symbol).net;
  }
  if (place.way.empty() || place.offset == 0) return depth;
  const uint32_t stretch = stretch_of(paths_.terminal_at(place));
  const StretchEvent at = paths_.stretches().event(stretch, place.offset);
  for (uint32_t i = 0; i < at.block; ++i) {
    const EventKind then = paths_.stretches().follows(stretch, i);
    depth += (then == EventKind::kCall) - (then == EventKind::kReturn);
  }
  return depth;
}

// The last of the first `events` events of the terminal that is looked for; `depth` is before them.
bool FrameFinder::in_terminal(uint32_t terminal, uint32_t events, const Search& s, int64_t depth, Found& to) const {
  bool found = false;
  const auto take = [&](uint32_t offset, bool names) {
    found = true;
    to.place.offset = offset;
    to.names = names;
  };
  if (!is_stretch(terminal)) {
    const StackEffect e = effect_of_event(terminal);
    if (e.net == 1 && depth + 1 == s.depth) take(0, false);
    if (e.named && s.names && depth == s.depth) take(0, true);
    return found;
  }
  const StretchIndex& stretches = paths_.stretches();
  const uint32_t stretch = stretch_of(terminal);
  for (uint32_t i = 0; i < stretches.length(stretch); ++i) {
    const uint32_t at = stretches.events_before(stretch, i);
    if (at >= events) break;
    if (s.names && depth == s.depth && stretches.renames(stretch, i)) take(at, true);
    if (at + 1 >= events) break;
    const EventKind then = stretches.follows(stretch, i);
    if (then == EventKind::kCall && ++depth == s.depth) take(at + 1, false);
    if (then == EventKind::kReturn && --depth < s.depth) found = false;
  }
  return found;
}

// The last of the first `copies` copies that has what is looked for; `start` is the depth before the first.
bool FrameFinder::last_copy(const StackEffect& e, int64_t start, uint32_t copies, const Search& s,
                            uint32_t& copy) const {
  if (copies == 0) return false;
  const int64_t room = s.limit() - 2 * start - key(e);  // copy c has it if 2 c net < room
  if (e.net <= 0) {
    copy = copies - 1;
    return 2 * e.net * int64_t{copy} < room;
  }
  if (room <= 0) return false;
  copy = static_cast<uint32_t>(std::min<int64_t>(copies - 1, (room - 1) / (2 * e.net)));
  return true;
}

// To the last place in `copies` copies of a symbol; there is one. `to` holds the way to the symbol's body.
bool FrameFinder::down(uint32_t symbol, uint32_t copies, int64_t start, const Search& s, Found& to) const {
  const Grammar& g = paths_.grammar();
  for (;;) {
    const uint32_t what = symbol_at(g, symbol).symbol;
    uint32_t copy = 0;
    if (!last_copy(effect(what), start, copies, s, copy)) return false;
    to.place.way.push_back({symbol, copy});
    start += effect(what).net * int64_t{copy};
    if (!is_rule(what)) return in_terminal(what, ~0u, s, start, to);
    const uint32_t begin = first_symbol(g, rule_of(what));
    const uint32_t end = begin + static_cast<uint32_t>(g.body(rule_of(what)).size());
    symbol = last_below(begin, end, s.limit() - 2 * start);
    if (symbol == end) return false;
    copies = symbol_at(g, symbol).count;
    start += before_[symbol];
  }
}

bool FrameFinder::find(const PathPosition& place, int64_t depth, bool names, Found& to) const {
  const Grammar& g = paths_.grammar();
  const Search s{depth, names};
  std::vector<int64_t> starts;  // depth before the body of each level
  int64_t start = 0;
  for (const PathStep& step : place.way) {
    starts.push_back(start);
    start += before_[step.symbol] + int64_t{step.copy} * effect(symbol_at(g, step.symbol).symbol).net;
  }
  const auto done = [&] {
    paths_.count(to.place);
    return true;
  };
  to.place.way = place.way;
  if (!place.way.empty() && place.offset > 0 && in_terminal(paths_.terminal_at(place), place.offset, s, start, to))
    return done();
  for (size_t level = place.way.size(); level-- > 0;) {
    const PathStep step = place.way[level];
    const int64_t here = starts[level];
    to.place.way.resize(level);
    uint32_t copy = 0;
    if (last_copy(effect(symbol_at(g, step.symbol).symbol), here + before_[step.symbol], step.copy, s, copy))
      return down(step.symbol, step.copy, here + before_[step.symbol], s, to) && done();
    const uint32_t begin = first_symbol(
        g, level == 0 ? paths_.string_with(step.symbol) : rule_of(symbol_at(g, place.way[level - 1].symbol).symbol));
    const uint32_t before = last_below(begin, step.symbol, s.limit() - 2 * here);
    if (before != step.symbol) return down(before, symbol_at(g, before).count, here + before_[before], s, to) && done();
  }
  return false;
}

}  // namespace cdr::trace
