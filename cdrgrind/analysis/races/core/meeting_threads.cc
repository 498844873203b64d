// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/core/meeting_threads.h"

#include <algorithm>
#include <tuple>

namespace cdr::races {

namespace {

// What one thread touched of a generation, by loads or by stores, from the first to the last byte.
struct ThreadHull {
  GenerationId generation = 0;
  uint64_t begin = 0, end = 0;
  uint32_t thread = 0;
  bool store = false;
};

void add_hulls_of(const Collected& c, uint32_t thread, std::vector<ThreadHull>& to) {
  const ThreadAccesses& all = c.sets[thread];
  const size_t first = to.size();
  for (size_t i = 0; i < all.size(); ++i) {
    const AccessEntry e = all[i];
    const Stream& s = c.sites.stream(e.stream);
    const bool store = c.sites[s.site].store;
    const auto known = std::find_if(to.begin() + static_cast<ptrdiff_t>(first), to.end(), [&](const ThreadHull& h) {
      return h.generation == s.generation && h.store == store && h.begin <= e.at.end() && e.at.base <= h.end;
    });
    if (known == to.end() || to.size() - first > 64)
      to.push_back({s.generation, e.at.base, e.at.end(), thread, store});
    else
      *known = {s.generation, std::min(known->begin, e.at.base), std::max(known->end, e.at.end()), thread, store};
  }
}

class HullSweep {
 public:
  explicit HullSweep(size_t most) : most_(most) {}

  // False if there are too many.
  bool run(const std::vector<ThreadHull>& hulls) {
    for (const ThreadHull& h : hulls) {
      if (h.generation != generation_) {
        loads_.clear();
        stores_.clear();
        generation_ = h.generation;
      }
      meet(h, stores_);
      if (h.store) meet(h, loads_);
      (h.store ? stores_ : loads_).push_back(&h);
      if (pairs_.size() > 2 * most_ && !compact()) return false;
    }
    return compact();
  }
  std::vector<std::pair<uint32_t, uint32_t>> take() { return std::move(pairs_); }

 private:
  void meet(const ThreadHull& h, std::vector<const ThreadHull*>& open) {
    std::erase_if(open, [&](const ThreadHull* o) { return o->end <= h.begin; });
    for (const ThreadHull* o : open)
      if (o->thread != h.thread) pairs_.emplace_back(std::min(o->thread, h.thread), std::max(o->thread, h.thread));
  }
  bool compact() {
    std::sort(pairs_.begin(), pairs_.end());
    pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
    return pairs_.size() <= most_;
  }

  size_t most_;
  GenerationId generation_ = 0;
  std::vector<const ThreadHull*> loads_, stores_;
  std::vector<std::pair<uint32_t, uint32_t>> pairs_;
};

}  // namespace

std::optional<std::vector<std::pair<uint32_t, uint32_t>>> meeting_threads(const Collected& c, size_t most) {
  std::vector<ThreadHull> hulls;
  for (uint32_t t = 1; t < c.sets.size(); ++t) add_hulls_of(c, t, hulls);
  std::sort(hulls.begin(), hulls.end(), [](const ThreadHull& a, const ThreadHull& b) {
    return std::tuple(a.generation, a.begin, a.thread, a.store) < std::tuple(b.generation, b.begin, b.thread, b.store);
  });
  HullSweep sweep(most);
  if (!sweep.run(hulls)) return std::nullopt;
  return sweep.take();
}

}  // namespace cdr::races
