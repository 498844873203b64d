// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/source/access_classes.h"

#include <algorithm>
#include <utility>

#include "cdrgrind/analysis/races/core/access_set.h"
#include "cdrgrind/base/checksum.h"

namespace cdr::races {

using analysis::saturating_add;

namespace {

constexpr size_t kMostKept = size_t{1} << 20;  // pieces and progressions

uint64_t hash_of(const AccessClass& c) {
  uint64_t h = mix64(c.plus ^ c.width << 56);
  for (const trace::AddressPiece& p : c.pieces) {
    h = mix64(h ^ p.base);
    h = mix64(h ^ static_cast<uint64_t>(p.stride));
    h = mix64(h ^ p.count ^ uint64_t{p.rule} << 32 ^ uint64_t{p.copies} << 16);
  }
  return h;
}

}  // namespace

// What was there before in a part that repeats need not be cut.
const AccessClass& AccessClasses::of(const trace::AddressStream& s, uint64_t begin, uint64_t end, uint64_t plus,
                                     uint64_t width) {
  Place& p = place_of(index_.directory().index_of(s));
  if (end - begin == 1 && !p.in.has(begin, end))
    if (uint64_t value = 0; index_.value(s, begin, value)) return of_constant(value + plus, 1, width);
  if (!repeats(s, begin, end, p)) return of_pieces(s, begin, end, plus, width);
  const trace::AddressIndex::Repeat& r = p.in;
  const RepeatedPart part{r.base, (begin - r.begin) % r.period, end - begin, plus, width, r.symbol};
  for (const auto& [known, what] : p.recent)
    if (what && known == part) return *what;
  const AccessClass* const what =
      repeated(part, [&]() -> const AccessClass& { return of_pieces(s, begin, end, plus, width); });
  std::rotate(p.recent.begin(), p.recent.end() - 1, p.recent.end());
  p.recent[0] = {part, what};
  return *what;
}

AccessClasses::Place& AccessClasses::place_of(uint32_t stream) {
  if (stream >= place_of_.size()) place_of_.resize(stream + 1);
  uint32_t& place = place_of_[stream];
  if (place == 0) {
    places_.emplace_back();
    place = static_cast<uint32_t>(places_.size());
  }
  return places_[place - 1];
}

template <class F>
const AccessClass* AccessClasses::repeated(const RepeatedPart& part, F make) {
  const auto [known, added] = repeated_.insert(part);
  if (added) {
    size_ += 8;
    *known = &make();
  }
  return *known;
}

// Where no grammar tells a period, ranges may tell it: what comes at once, or behind another.
bool AccessClasses::repeats(const trace::AddressStream& s, uint64_t begin, uint64_t end, Place& p) {
  if (p.in.has(begin, end)) return true;
  const uint64_t last = p.last, before = p.before;
  if (last != begin) p.before = std::exchange(p.last, begin);
  if (index_.repeat(s, begin, end, p.in)) return true;
  const auto repeats_from = [&](uint64_t first) {
    return first < begin && index_.residual_repeat(s, first, begin - first, p.in) && p.in.has(begin, end);
  };
  if (s.form() == StreamForm::kResidual && (repeats_from(last) || repeats_from(before))) return true;
  p.in = {};
  return false;
}

const AccessClass& AccessClasses::of_pieces(const trace::AddressStream& s, uint64_t begin, uint64_t end, uint64_t plus,
                                            uint64_t width) {
  AccessClass c;
  c.plus = plus;
  c.width = width;
  index_.pieces(s, begin, end, true, [&](const trace::AddressPiece& p) { c.pieces.push_back(p); });
  return known_or(std::move(c), [this](const AccessClass& made) { return runs_.of(made.pieces); });
}

const AccessClass& AccessClasses::of_constant(uint64_t addr, uint64_t times, uint64_t width) {
  constexpr uint32_t kConstant = 0;  // which is no rule
  return *repeated({0, 0, times, addr, width, kConstant}, [&]() -> const AccessClass& {
    AccessClass c;
    c.plus = addr;
    c.width = width;
    c.pieces.push_back({0, 0, times, 0, 0});
    return known_or(std::move(c), [&](const AccessClass&) { return std::vector{Progression{0, 0, 1, 1, times}}; });
  });
}

template <class F>
const AccessClass& AccessClasses::known_or(AccessClass made, F values) {
  const uint64_t hash = hash_of(made);
  AccessClass* const* const known = known_.find(hash);
  for (const AccessClass* c = known ? *known : nullptr; c; c = c->before)
    if (c->plus == made.plus && c->width == made.width && c->pieces == made.pieces) return *c;
  std::vector<Progression> all = values(made);
  return add(hash, std::move(made), std::move(all));
}

const AccessClass& AccessClasses::add(uint64_t hash, AccessClass made, std::vector<Progression> values) {
  std::vector<Progression> kept;
  for (const Progression& v : values) keep_counting(moved(v, made.plus, made.width), made, kept);
  made.first_kept = made.pieces.empty() || counts(runs_.first_value(made.pieces[0]) + made.plus, made.width);
  if (!kept.empty()) made.runs = folded(std::move(kept));
  size_ += made.pieces.size() + made.runs.size() + 8;
  made.number = ++made_;
  AccessClass*& last = known_[hash];
  made.before = last;
  return *(last = &classes_.emplace_back(std::move(made)));
}

void AccessClasses::keep_counting(const Progression& p, AccessClass& c, std::vector<Progression>& kept) const {
  shared_.for_each_part(p, [&](uint64_t first, uint64_t end) {
    Progression part{p.at(first), end - first == 1 ? 0 : p.stride, end - first, p.width, p.times};
    if (!linkage_.overlaps({part.base, part.end()})) {
      kept.push_back(part);
      return;
    }
    for (uint64_t i = 0; i < part.count; ++i) {
      if (linkage_.contains(part.at(i)))
        c.left_out = saturating_add(c.left_out, p.times);
      else
        kept.push_back({part.at(i), 0, 1, p.width, p.times});
    }
  });
}

bool AccessClasses::forget() {
  if (size_ < kMostKept) return false;
  known_.clear();
  classes_.clear();
  repeated_.clear();
  place_of_.clear();
  places_.clear();
  size_ = 0;
  return true;
}

}  // namespace cdr::races
