// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/loops/loop_tree.h"

#include <algorithm>
#include <map>
#include <queue>

#include "cdrgrind/base/checksum.h"
#include "cdrgrind/report/common/bare_name.h"
#include "cdrgrind/report/common/source_place.h"
#include "cdrgrind/symbols/common/paths.h"

namespace cdr::report {

using loops::Loop;

namespace {

constexpr uint64_t kOpenedFrom = 100;  // one symbol in so many is in the loop
constexpr size_t kRanges = 8;          // of lines, in one item

// Its name without parameters, and not all of a template's arguments.
std::string short_name(std::string_view function, const Style& style) {
  constexpr size_t kColumns = 48;
  std::string name(bare_name(function));
  if (name.size() > kColumns) name = name.substr(0, kColumns) + (style.utf8 ? "…" : "...");
  return visible(name);
}

std::string with_function(const std::string& lines, const LoopLocation& place, const Style& style) {
  return place.function.empty() ? lines : fmt::format("{}  {}", lines, short_name(place.function, style));
}

}  // namespace

LoopTree::LoopTree(const LoopReport& report, std::string_view units, const Style& style, Output& out)
    : report_(report), units_(units), style_(style), out_(out), most_(report.most.value_or(kMost)) {
  std::map<std::pair<std::string_view, std::string_view>, uint32_t> functions;
  const uint32_t symbols = report.sequence.names.size();
  for (uint32_t symbol = 0; symbol < symbols; ++symbol) {
    texts_.push_back(report.text_of(symbol));
    const SymbolText& text = texts_.back();
    const auto next = static_cast<uint32_t>(functions.size());
    if (!report.scope.all && of_the_system(text.place.file) && text.place.first_line != 0)
      groups_.push_back(kOfSystem);
    else if (!text.what.empty() || text.place.first_line == 0)
      groups_.push_back(symbols + symbol);
    else
      groups_.push_back(functions.try_emplace({text.place.function, text.place.file}, next).first->second);
  }
}

void LoopTree::write() {
  out_.print("\n{:>10} {:>11}  loop\n", "of all", "iterations");
  const std::vector<Alike> all = alike();
  const size_t shown = most_ == 0 ? all.size() : std::min<size_t>(all.size(), most_);
  for (size_t i = 0; i < shown; ++i) put_row(all[i]);
  uint64_t more = 0, symbols = 0;
  for (size_t i = shown; i < all.size(); ++i) {
    more += all[i].number;
    symbols += all[i].iterations * all[i].first->period;
  }
  if (more != 0) put(symbols, "", 0, plural(more, "more outermost loop"));
}

// Those with most symbols first, equal ones by place.
std::vector<LoopTree::Alike> LoopTree::alike() const {
  struct Hashed {
    uint64_t hash;
    uint32_t loop;
    auto operator<=>(const Hashed&) const = default;
  };
  const std::span<const Loop> top = report_.nest.top();
  std::vector<Hashed> hashed;
  hashed.reserve(top.size());
  for (const Loop& loop : top) hashed.push_back({hash_of_body(loop), static_cast<uint32_t>(hashed.size())});
  std::sort(hashed.begin(), hashed.end());
  std::vector<Alike> all;
  size_t same_hash = 0;  // where rows of the present hash begin
  for (size_t i = 0; i < hashed.size(); ++i) {
    if (i == 0 || hashed[i].hash != hashed[i - 1].hash) same_hash = all.size();
    add_to(all, same_hash, top[hashed[i].loop]);
  }
  std::sort(all.begin(), all.end(), [](const Alike& a, const Alike& b) {
    const uint64_t in_a = a.iterations * a.first->period, in_b = b.iterations * b.first->period;
    return in_a != in_b ? in_a > in_b : a.first->begin < b.first->begin;
  });
  return all;
}

void LoopTree::add_to(std::vector<Alike>& all, size_t from, const Loop& loop) const {
  auto row = std::find_if(all.begin() + static_cast<ptrdiff_t>(from), all.end(),
                          [&](const Alike& a) { return equal_bodies(*a.first, loop); });
  if (row == all.end()) row = all.insert(row, {&loop, 0, 0, loop.count, loop.count});
  ++row->number;
  row->iterations += loop.count;
  row->least = std::min(row->least, loop.count);
  row->most = std::max(row->most, loop.count);
}

uint64_t LoopTree::hash_of_body(const Loop& loop) const {
  uint64_t hash = loop.period;
  for (uint32_t at = loop.begin; at < loop.begin + loop.period; ++at)
    hash = mix64(hash * 31 + report_.sequence.symbols[at]);
  return hash;
}

// Of symbols and of the loops inside.
bool LoopTree::equal_bodies(const Loop& a, const Loop& b) const {
  if (a.period != b.period || a.children != b.children) return false;
  const auto& symbols = report_.sequence.symbols;
  for (uint32_t i = 0; i < a.period; ++i)
    if (symbols[a.begin + i] != symbols[b.begin + i]) return false;
  const auto inner_a = report_.nest.children(a), inner_b = report_.nest.children(b);
  for (uint32_t i = 0; i < a.children; ++i) {
    const Loop &x = inner_a[i], &y = inner_b[i];
    if (x.begin - a.begin != y.begin - b.begin || x.period != y.period || x.count != y.count) return false;
    if (!equal_bodies(x, y)) return false;
  }
  return true;
}

void LoopTree::put_row(const Alike& alike) {
  std::string count = with_separators(alike.least);
  if (alike.most != alike.least) count += "-" + with_separators(alike.most);
  std::string text = text_of(*alike.first);
  if (alike.number > 1) text += fmt::format(", {} times", with_separators(alike.number));
  put(alike.iterations * alike.first->period, count, 0, text);
  put_body(*alike.first, alike.iterations, 0);
}

void LoopTree::put_body(const Loop& loop, uint64_t times, unsigned depth) {
  if (is_one_item(loop)) return;
  // The lightest of those that are shown on top; of equal ones the rightmost.
  using Weight = std::pair<uint64_t, uint32_t>;
  const auto rank_of = [this](const Item& item) { return Weight(weight_of(item), ~item.begin); };
  std::priority_queue<Weight, std::vector<Weight>, std::greater<>> shown;
  for_each_item(loop, [&](const Item& item) {
    shown.push(rank_of(item));
    if (most_ != 0 && shown.size() > most_) shown.pop();
  });
  uint64_t symbols = 0, loops = 0;
  const auto put_gap = [&] {
    if (symbols + loops != 0) put_left_out(symbols, loops, depth + 1);
    symbols = loops = 0;
  };
  for_each_item(loop, [&](const Item& item) {
    if (rank_of(item) < shown.top()) {
      item.loop ? ++loops : symbols += item.end - item.begin;
      return;
    }
    put_gap();
    put_item(item, times, depth + 1);
  });
  put_gap();
}

void LoopTree::put_item(const Item& item, uint64_t times, unsigned depth) {
  if (!item.loop) return put_plain(depth, text_of(item));
  const uint64_t symbols = times * item.loop->span();
  put(symbols, with_separators(item.loop->count), depth, text_of(*item.loop));
  if (symbols * kOpenedFrom >= report_.nest.length) put_body(*item.loop, times * item.loop->count, depth);
}

void LoopTree::put_left_out(uint64_t symbols, uint64_t loops, unsigned depth) {
  std::string text = style_.utf8 ? "…" : "...";
  if (symbols != 0) text += " " + counted(symbols);
  if (loops != 0) text += fmt::format("{} {}", symbols == 0 ? "" : ",", plural(loops, "loop"));
  put_plain(depth, text);
}

std::string LoopTree::counted(uint64_t symbols) const {
  return fmt::format("{} {}", with_separators(symbols), symbols == 1 ? units_.substr(0, units_.size() - 1) : units_);
}

void LoopTree::put(uint64_t symbols, const std::string& iterations, unsigned depth, std::string_view text) {
  out_.print("{:>8.2f} % {:>11}  {:{}}{}\n", percent_covered(report_.nest, symbols), iterations, "", 2 * depth, text);
}
void LoopTree::put_plain(unsigned depth, std::string_view text) {
  out_.print("{:24}{:{}}{}\n", "", "", 2 * depth, text);
}

bool LoopTree::is_one_item(const Loop& loop) const {
  if (is_all_of_system(loop)) return true;
  if (loop.children != 0) return false;
  for (uint32_t at = loop.begin; at < loop.begin + loop.period; ++at)
    if (group_at(at) != group_at(loop.begin)) return false;
  return true;
}

bool LoopTree::is_all_of_system(const Loop& loop) const {
  for (uint32_t at = loop.begin; at < loop.begin + loop.period; ++at)
    if (!of_system(at)) return false;
  return true;
}

uint64_t LoopTree::weight_of(const Item& item) const {
  if (item.loop) return item.loop->span();
  return of_system(item.begin) ? 0 : item.end - item.begin;
}

template <class Visitor>
void LoopTree::for_each_item(const Loop& body, Visitor visit) const {
  std::span<const Loop> inner = report_.nest.children(body);
  const uint32_t end = body.begin + body.period;
  const auto stop = [&] { return inner.empty() ? end : inner.front().begin; };
  const auto at_system_loop = [&](uint32_t at) {
    return !inner.empty() && at == stop() && is_all_of_system(inner.front());
  };
  for (uint32_t at = body.begin; at < end;) {
    const uint32_t from = at;
    if (at == stop() && !at_system_loop(at)) {
      at = inner.front().end();
      visit(Item{&inner.front(), from, at});
      inner = inner.subspan(1);
      continue;
    }
    while (at < end) {
      if (of_system(from) && at_system_loop(at)) {
        at = inner.front().end();
        inner = inner.subspan(1);
      } else if (at < stop() && group_at(at) == group_at(from)) {
        ++at;
      } else {
        break;
      }
    }
    visit(Item{nullptr, from, at});
  }
}

std::string LoopTree::text_of(const Loop& loop) const {
  if (is_one_item(loop) && !of_system(loop.begin)) return text_of(Item{nullptr, loop.begin, loop.begin + loop.period});
  const LoopLocation place = report_.place_of(loop);
  return with_function(visible(spelled(place)), place, style_);
}

std::string LoopTree::text_of(const Item& item) const {
  if (of_system(item.begin)) return counted(item.end - item.begin) + " in headers of the system";
  const SymbolText& text = texts_[report_.sequence.symbols[item.begin]];
  const std::string where = with_function(lines_of(item), text.place, style_);
  return text.what.empty() ? where : fmt::format("{}  {}", where, visible(text.what));
}

// "lu.c:88-90, 95": each symbol's lines, those that go on where the one before ended together with it.
std::string LoopTree::lines_of(const Item& item) const {
  LoopLocation range = texts_[report_.sequence.symbols[item.begin]].place;
  std::string lines = visible(symbols::base_name(range.file));
  if (range.first_line == 0) return lines;
  size_t ranges = 0;
  const auto put_range = [&] {
    if (++ranges > kRanges) return;
    lines += fmt::format("{}{}", ranges == 1 ? ":" : ", ", range.first_line);
    if (range.last_line != range.first_line) lines += fmt::format("-{}", range.last_line);
  };
  for (uint32_t at = item.begin + 1; at < item.end; ++at) {
    const LoopLocation& next = texts_[report_.sequence.symbols[at]].place;
    if (next.first_line != range.last_line + 1) {
      put_range();
      range = next;
    }
    range.last_line = next.last_line;
  }
  put_range();
  if (ranges > kRanges) lines += style_.utf8 ? ", …" : ", ...";
  return lines;
}

}  // namespace cdr::report
