// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/annotate/lanes.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace cdr::report {

// The pieces of a lane. Crossing: a horizontal line passes; Top and Bottom with one coming in from outside.
struct LanePieces {
  const char *vertical, *top, *bottom, *crossing, *top_joined, *bottom_joined;
};
constexpr LanePieces kLaneBoxes[3] = {
    {"│", "╭", "╰", "┼", "┬", "┴"}, {"┊", "╭", "╰", "┼", "┬", "┴"}, {"║", "╓", "╙", "╫", "╥", "╨"}};
constexpr LanePieces kLaneAscii[3] = {
    {"|", "+", "+", "+", "+", "+"}, {":", "+", "+", "+", "+", "+"}, {"#", "+", "+", "+", "+", "+"}};

struct LaneGlyphs {
  const LanePieces* lanes;
  const char *horizontal, *head, *loop;
};
constexpr LaneGlyphs kUtf8Glyphs = {kLaneBoxes, "─", "▶", "↻"};
constexpr LaneGlyphs kAsciiGlyphs = {kLaneAscii, "-", ">", "@"};

namespace {

// How many arrows pass each line; adding one is refused where there is no room.
class Depth {
 public:
  explicit Depth(unsigned limit) : limit_(limit) {}

  bool add(const Arrow& a) {
    cut(a.first());
    cut(a.last() + 1);
    const auto begin = depth_.find(a.first()), end = depth_.find(a.last() + 1);
    if (std::any_of(begin, end, [&](const auto& step) { return step.second >= limit_; })) return false;
    for (auto step = begin; step != end; ++step) ++step->second;
    return true;
  }

 private:
  // A step begins at `line`.
  void cut(uint32_t line) {
    const auto next = depth_.upper_bound(line);
    depth_.try_emplace(line, next == depth_.begin() ? 0 : std::prev(next)->second);
  }

  unsigned limit_;
  std::map<uint32_t, unsigned> depth_;  // from this line to the next entry
};

// The most frequent arrows that can share `max_lanes`.
std::vector<Arrow> choose(std::vector<Arrow> arrows, unsigned max_lanes) {
  std::stable_sort(arrows.begin(), arrows.end(), [](const Arrow& a, const Arrow& b) { return a.count > b.count; });
  Depth depth(max_lanes);
  std::erase_if(arrows, [&](const Arrow& a) { return !depth.add(a); });
  return arrows;
}

}  // namespace

Lanes::Lanes(std::vector<Arrow> arrows, unsigned max_lanes) {
  const auto loop = std::stable_partition(arrows.begin(), arrows.end(), [](const Arrow& a) { return a.from != a.to; });
  loops_.assign(loop, arrows.end());
  arrows.erase(loop, arrows.end());
  std::stable_sort(loops_.begin(), loops_.end(),
                   [](const Arrow& a, const Arrow& b) { return std::tie(a.from, a.kind) < std::tie(b.from, b.kind); });
  const size_t all = arrows.size();
  place(choose(std::move(arrows), max_lanes), max_lanes);
  left_ = all - placed_.size();
}

// Shortest first, each into the innermost lane that is free along its lines.
void Lanes::place(std::vector<Arrow> arrows, unsigned max_lanes) {
  const auto length_first = [](const Arrow& a) { return std::tuple(a.last() - a.first(), a.first(), a.from, a.kind); };
  std::stable_sort(arrows.begin(), arrows.end(),
                   [&](const Arrow& a, const Arrow& b) { return length_first(a) < length_first(b); });
  std::vector<std::map<uint32_t, uint32_t>> taken(max_lanes);  // first line to last, per lane
  for (const Arrow& a : arrows) {
    for (unsigned lane = 0; lane < max_lanes; ++lane) {
      const auto next = taken[lane].upper_bound(a.last());
      if (next != taken[lane].begin() && std::prev(next)->second >= a.first()) continue;
      taken[lane][a.first()] = a.last();
      placed_.push_back({a, lane});
      lanes_ = std::max(lanes_, lane + 1);
      break;
    }
  }
  std::sort(placed_.begin(), placed_.end(), [](const Placed& a, const Placed& b) {
    return std::tuple(a.lane, a.arrow.first()) < std::tuple(b.lane, b.arrow.first());
  });
}

const Lanes::Placed* Lanes::at(unsigned lane, uint32_t line) const {
  auto next =
      std::upper_bound(placed_.begin(), placed_.end(), std::pair(lane, line),
                       [](const auto& key, const Placed& p) { return key < std::pair(p.lane, p.arrow.first()); });
  if (next == placed_.begin()) return nullptr;
  const Placed& p = *std::prev(next);
  return p.lane == lane && p.arrow.last() >= line ? &p : nullptr;
}

const Arrow* Lanes::loop_at(uint32_t line) const {
  const auto found =
      std::lower_bound(loops_.begin(), loops_.end(), line, [](const Arrow& a, uint32_t l) { return a.from < l; });
  return found != loops_.end() && found->from == line ? &*found : nullptr;
}

// Writes cells from the outermost lane inwards; a line once begun runs to the right end in its own colour.
class Lanes::Pen {
 public:
  explicit Pen(const Style& style) : style_(style), glyphs_(style.utf8 ? kUtf8Glyphs : kAsciiGlyphs) {}

  void empty() {
    for (int i = 0; i < 3; ++i) filler();
  }
  void passing(const Arrow& a) {
    const LanePieces& lane = glyphs_.lanes[a.kind];
    put(horizontal_ ? lane.crossing : lane.vertical, paint_of_kind(a.kind));
    filler();
    filler();
  }
  void end_of(const Arrow& a, uint32_t line) {
    const LanePieces& lane = glyphs_.lanes[a.kind];
    const bool top = line == a.first();
    const Paint paint = paint_of_kind(a.kind);
    put(horizontal_ ? (top ? lane.top_joined : lane.bottom_joined) : (top ? lane.top : lane.bottom), paint);
    horizontal_ = true;
    line_ = paint;
    const bool target = line == a.to;
    put(target ? glyphs_.head : std::string(1, a.location), paint);
    const char code = target ? a.to_code : a.from_code;
    code == ' ' ? filler() : put(std::string(1, code), paint);
  }
  void loop(const Arrow* a) { a ? put(glyphs_.loop, paint_of_kind(a->kind)) : filler(); }
  std::string take() { return std::move(text_); }

 private:
  void put(std::string_view s, Paint p) { text_ += painted(s, p, style_); }
  void filler() { horizontal_ ? put(glyphs_.horizontal, line_) : put(" ", Paint::kNone); }

  const Style& style_;
  const LaneGlyphs& glyphs_;
  std::string text_;
  bool horizontal_ = false;
  Paint line_ = Paint::kNone;
};

std::string Lanes::margin(uint32_t number, const Style& style) const {
  Pen pen(style);
  for (unsigned lane = lanes_; lane-- > 0;) {
    const Placed* p = at(lane, number);
    if (!p)
      pen.empty();
    else if (number == p->arrow.from || number == p->arrow.to)
      pen.end_of(p->arrow, number);
    else
      pen.passing(p->arrow);
  }
  if (!loops_.empty()) pen.loop(loop_at(number));
  return pen.take();
}

std::string Lanes::margin_between(uint32_t after, const Style& style) const {
  Pen pen(style);
  for (unsigned lane = lanes_; lane-- > 0;) {
    const Placed* p = at(lane, after);
    p && p->arrow.last() > after ? pen.passing(p->arrow) : pen.empty();
  }
  if (!loops_.empty()) pen.loop(nullptr);
  return pen.take();
}

}  // namespace cdr::report
