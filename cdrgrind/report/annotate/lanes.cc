// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/annotate/lanes.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace cdr::report {

// The pieces of a lane. Crossing: a horizontal line passes; Top, Middle and Bottom with one coming in from outside.
struct LanePieces {
  const char *vertical, *top, *middle, *bottom, *crossing, *top_joined, *bottom_joined;
};
constexpr LanePieces kLaneBoxes[3] = {
    {"│", "╭", "├", "╰", "┼", "┬", "┴"}, {"┊", "╭", "├", "╰", "┼", "┬", "┴"}, {"║", "╓", "╟", "╙", "╫", "╥", "╨"}};
constexpr LanePieces kLaneAscii[3] = {
    {"|", "+", "+", "+", "+", "+", "+"}, {":", "+", "+", "+", "+", "+", "+"}, {"#", "+", "+", "+", "+", "+", "+"}};

struct LaneGlyphs {
  const LanePieces* lanes;
  const char *horizontal, *head, *carried, *within;
};
constexpr LaneGlyphs kUtf8Glyphs = {kLaneBoxes, "─", "▶", "↻", "="};
constexpr LaneGlyphs kAsciiGlyphs = {kLaneAscii, "-", ">", "@", "="};

namespace {

// How many bundles pass each line; adding one is refused where there is no room.
class Depth {
 public:
  explicit Depth(unsigned limit) : limit_(limit) {}

  bool add(const Bundle& b) {
    cut(b.first);
    cut(b.last + 1);
    const auto begin = depth_.find(b.first), end = depth_.find(b.last + 1);
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

std::vector<Bundle> one_by_one(const std::vector<Arrow>& arrows) {
  std::vector<Bundle> bundles(arrows.size());
  for (size_t i = 0; i < arrows.size(); ++i) bundles[i].add(arrows[i]);
  return bundles;
}

// Each arrow goes to that of its ends where more arrows of its kind begin, or end.
std::vector<Bundle> by_common_ends(const std::vector<Arrow>& arrows) {
  using Hub = std::tuple<uint8_t, bool, bool, uint32_t>;  // kind, carried, whether it is the target, line
  const auto hub = [](const Arrow& a, bool target) {
    return Hub(a.kind, a.carried == Carried::kYes, target, target ? a.to : a.from);
  };
  std::map<Hub, size_t> sizes;
  for (const Arrow& a : arrows) ++sizes[hub(a, false)], ++sizes[hub(a, true)];
  std::map<Hub, Bundle> bundles;
  for (const Arrow& a : arrows) bundles[hub(a, sizes[hub(a, true)] >= sizes[hub(a, false)])].add(a);
  std::vector<Bundle> list;
  for (auto& [key, bundle] : bundles) list.push_back(std::move(bundle));
  return list;
}

// The most frequent that can share `max_lanes`; whether these are all.
bool choose(std::vector<Bundle>& bundles, unsigned max_lanes) {
  std::stable_sort(bundles.begin(), bundles.end(), [](const Bundle& a, const Bundle& b) { return a.count > b.count; });
  Depth depth(max_lanes);
  return std::erase_if(bundles, [&](const Bundle& b) { return !depth.add(b); }) == 0;
}

size_t arrows_in(const Bundle& b) { return b.ends.size() - 1; }

}  // namespace

void Bundle::add(const Arrow& a) {
  const auto end = [&](uint32_t line, bool head, char code) {
    const End one = {head, a.location, code};
    const auto [known, is_new] = ends.try_emplace(line, one);
    if (is_new) return;
    if (known->second.letter != one.letter) known->second.letter = '*';
    if (known->second.code != one.code) known->second.code = '*';
  };
  end(a.from, false, a.from_code);
  end(a.to, true, a.to_code);
  kind = a.kind;
  carried = a.carried == Carried::kYes;
  count += a.count;
  first = ends.begin()->first;
  last = ends.rbegin()->first;
}

Lanes::Lanes(std::vector<Arrow> arrows, unsigned max_lanes) {
  const auto loop = std::stable_partition(arrows.begin(), arrows.end(), [](const Arrow& a) { return a.from != a.to; });
  loops_.assign(loop, arrows.end());
  arrows.erase(loop, arrows.end());
  // Of several on a line one that is carried is shown.
  const auto first_shown = [](const Arrow& a) { return std::tuple(a.from, a.carried != Carried::kYes, a.kind); };
  std::stable_sort(loops_.begin(), loops_.end(),
                   [&](const Arrow& a, const Arrow& b) { return first_shown(a) < first_shown(b); });
  std::vector<Bundle> bundles = one_by_one(arrows);
  if (!choose(bundles, max_lanes)) {
    bundles = by_common_ends(arrows);
    choose(bundles, max_lanes);
  }
  left_ = arrows.size();
  for (const Bundle& b : bundles) left_ -= arrows_in(b);
  place(std::move(bundles), max_lanes);
}

// Shortest first, each into the innermost lane that is free along its lines.
void Lanes::place(std::vector<Bundle> bundles, unsigned max_lanes) {
  const auto length_first = [](const Bundle& b) {
    return std::tuple(b.last - b.first, b.first, b.ends.begin()->second.head, b.kind);
  };
  std::stable_sort(bundles.begin(), bundles.end(),
                   [&](const Bundle& a, const Bundle& b) { return length_first(a) < length_first(b); });
  std::vector<std::map<uint32_t, uint32_t>> taken(max_lanes);  // first line to last, per lane
  for (Bundle& b : bundles) {
    for (unsigned lane = 0; lane < max_lanes; ++lane) {
      const auto next = taken[lane].upper_bound(b.last);
      if (next != taken[lane].begin() && std::prev(next)->second >= b.first) continue;
      taken[lane][b.first] = b.last;
      placed_.push_back({std::move(b), lane});
      lanes_ = std::max(lanes_, lane + 1);
      break;
    }
  }
  std::sort(placed_.begin(), placed_.end(), [](const Placed& a, const Placed& b) {
    return std::tuple(a.lane, a.bundle.first) < std::tuple(b.lane, b.bundle.first);
  });
}

const Lanes::Placed* Lanes::at(unsigned lane, uint32_t line) const {
  auto next =
      std::upper_bound(placed_.begin(), placed_.end(), std::pair(lane, line),
                       [](const auto& key, const Placed& p) { return key < std::pair(p.lane, p.bundle.first); });
  if (next == placed_.begin()) return nullptr;
  const Placed& p = *std::prev(next);
  return p.lane == lane && p.bundle.last >= line ? &p : nullptr;
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
  void passing(const Bundle& b) {
    const LanePieces& lane = glyphs_.lanes[b.kind];
    put(horizontal_ ? lane.crossing : lane.vertical, paint_of_kind(b.kind));
    filler();
    filler();
  }
  void end_of(const Bundle& b, uint32_t line) {
    const Bundle::End& end = b.ends.at(line);
    const Paint paint = paint_of_kind(b.kind);
    put(corner(b, line), paint);
    horizontal_ = true;
    line_ = paint;
    put(end.head ? (b.carried ? glyphs_.carried : glyphs_.head) : std::string(1, end.letter), paint);
    end.code == ' ' ? filler() : put(std::string(1, end.code), paint);
  }
  void loop(const Arrow* a) {
    a ? put(a->carried == Carried::kNo ? glyphs_.within : glyphs_.carried, paint_of_kind(a->kind)) : filler();
  }
  std::string take() { return std::move(text_); }

 private:
  const char* corner(const Bundle& b, uint32_t line) const {
    const LanePieces& lane = glyphs_.lanes[b.kind];
    if (line == b.first) return horizontal_ ? lane.top_joined : lane.top;
    if (line == b.last) return horizontal_ ? lane.bottom_joined : lane.bottom;
    return horizontal_ ? lane.crossing : lane.middle;
  }
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
    else if (p->bundle.ends.count(number))
      pen.end_of(p->bundle, number);
    else
      pen.passing(p->bundle);
  }
  if (!loops_.empty()) pen.loop(loop_at(number));
  return pen.take();
}

std::string Lanes::margin_between(uint32_t after, const Style& style) const {
  Pen pen(style);
  for (unsigned lane = lanes_; lane-- > 0;) {
    const Placed* p = at(lane, after);
    p && p->bundle.last > after ? pen.passing(p->bundle) : pen.empty();
  }
  if (!loops_.empty()) pen.loop(nullptr);
  return pen.take();
}

}  // namespace cdr::report
