// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/index/address_index.h"

namespace cdr::trace {
namespace {

// More values than an epoch can have.
constexpr uint64_t kMaxLength = uint64_t{1} << 48;
constexpr uint32_t kValuesPerCheckpoint = 256;  // values of a residual stream

bool add_length(uint64_t& to, uint64_t length, uint64_t count) {
  if (length != 0 && count > kMaxLength / length) return false;
  to += length * count;
  return to <= kMaxLength;
}

}  // namespace

bool AddressIndex::RuleSum::add(const RuleSum& r, uint64_t count) {
  diff += r.diff * count;
  return add_length(length, r.length, count);
}

bool AddressIndex::Ones::add(const Ones& o, uint64_t count) {
  ones += o.ones * count;
  return add_length(length, o.length, count);
}

bool AddressIndex::load(const Columns& columns) {
  found_repeats_ = 0;
  residuals_.clear();
  reaches_.clear();
  hulls_.clear();
  return directory_.read(columns) && sums_.build(directory_.values(), [&](uint32_t t) { return weigh(t); }) &&
         ones_.build(directory_.presence(), [](uint32_t t) {
           return Ones{1, t};
         });
}

std::optional<AddrRange> AddressIndex::hull(const AddressStream& s) {
  const uint32_t number = directory_.index_of(s);
  if (number >= hulls_.size()) hulls_.resize(number + 1);
  if (!hulls_[number].asked) hulls_[number] = {true, make_hull(s)};
  return hulls_[number].range;
}

std::optional<AddrRange> AddressIndex::make_hull(const AddressStream& s) {
  if (!s.started()) return std::nullopt;
  ValueReach all;
  if (s.form() == StreamForm::kFew) {
    // The last one goes on as far as it is executed.
    for (const DiffRun& r : directory_.few(s))
      if (r.diff != 0) all.step(r.diff, r.length);
  } else {
    if (reaches_.empty()) make_reaches();
    all.add(reaches_[s.string], 1);
  }
  if (s.form() == StreamForm::kResidual) {
    const ResidualValues::Stream& r = residual_of(s);
    ByteReader in = residuals_.differences(r, 0);
    for (uint64_t n = 0; n < r.length(); ++n) all.step(in.svarint(), 1);
  }
  if (!all.known()) return std::nullopt;
  return AddrRange{s.first + static_cast<uint64_t>(all.low()), s.first + static_cast<uint64_t>(all.high()) + 1};
}

void AddressIndex::make_reaches() {
  const Grammar& g = directory_.values();
  reaches_.resize(g.rules());
  for (const uint32_t rule : children_first(g))
    for (const Run& r : g.body(rule)) {
      if (is_rule(r.symbol))
        reaches_[rule].add(reaches_[rule_of(r.symbol)], r.count);
      else
        reaches_[rule].step(directory_.diff(r.symbol), r.count);
    }
}

bool AddressIndex::steps(const AddressStream& s, uint64_t n, Steps& to) {
  to = {s.first, 0, 0};
  if (n == 0) return s.started();
  --n;
  if (s.form() == StreamForm::kFew) return few_steps(s, n, to);
  const uint64_t in_string = sums_.total(s.string).length;
  if (n >= in_string) return residual_value(s, n - in_string, to.value);
  RuleSum sum;
  sums_.find(
      directory_.values(), s.string, [](const RuleSum& r) { return r.length; }, [&](uint32_t t) { return weigh(t); }, n,
      way_, sum);
  const Run run = symbol_at(directory_.values(), way_.back().symbol);
  to.stride = static_cast<uint64_t>(directory_.diff(run.symbol));
  to.value += sum.diff + to.stride;
  to.more = run.count - 1 - way_.back().copy;
  return true;
}

bool AddressIndex::few_steps(const AddressStream& s, uint64_t n, Steps& to) const {
  for (const DiffRun& r : directory_.few(s)) {
    to.stride = static_cast<uint64_t>(r.diff);
    if (n < r.length) {
      to.value += to.stride * (n + 1);
      to.more = r.length - 1 - n;
      return true;
    }
    n -= r.length;
    to.value += to.stride * r.length;
  }
  return false;
}

bool AddressIndex::residual_value(const AddressStream& s, uint64_t n, uint64_t& value) {
  if (s.form() != StreamForm::kResidual) return false;
  ResidualValues::Stream& r = residual_of(s);
  if (n >= r.length()) return false;
  value = residuals_.value(r, n);
  return true;
}

// run(difference, count): those that make the values [n, end), counted behind the string, of which all are there. Few
// are looked up where others have been near by; many need not be kept.
template <class F>
void AddressIndex::residual_runs(const AddressStream& s, uint64_t n, uint64_t end, F run) {
  ResidualValues::Stream& r = residual_of(s);
  int64_t diff = 0;
  uint64_t count = 0;
  const auto add = [&](int64_t next) {
    if (count > 0 && next != diff) {
      run(diff, count);
      count = 0;
    }
    diff = next;
    ++count;
  };
  if (end - n <= ResidualValues::kChunk) {
    uint64_t before = residuals_.before(r, n);
    for (; n < end; ++n) {
      const uint64_t now = residuals_.value(r, n);
      add(static_cast<int64_t>(now - before));
      before = now;
    }
  } else {
    for (ByteReader in = residuals_.differences(r, n); n < end; ++n) add(in.svarint());
  }
  if (count > 0) run(diff, count);
}

uint64_t AddressIndex::values_before(const AddressStream& s, uint64_t n) const {
  if (!s.guarded()) return n;
  const Ones& all = ones_.total(s.presence);
  if (n >= all.length) return all.ones;
  Ones sum;
  Way way;
  ones_.find(
      directory_.presence(), s.presence, [](const Ones& o) { return o.length; },
      [](uint32_t t) {
        return Ones{1, t};
      },
      n, way, sum);
  return sum.ones;
}

uint64_t AddressIndex::execution_of_value(const AddressStream& s, uint64_t v, uint64_t first, uint64_t last) const {
  if (!s.guarded()) return v;
  while (first < last) {
    const uint64_t middle = first + (last - first) / 2;
    if (values_before(s, middle + 1) > v)
      last = middle;
    else
      first = middle + 1;
  }
  return first;
}

bool AddressIndex::word(const AddressStream& s, uint64_t n, uint64_t& word, bool& absent) {
  absent = false;
  if (!s.guarded()) return value(s, n, word);
  if (n >= ones_.total(s.presence).length) return false;
  Ones sum;
  ones_.find(
      directory_.presence(), s.presence, [](const Ones& o) { return o.length; },
      [](uint32_t t) {
        return Ones{1, t};
      },
      n, way_, sum);
  word = 0;
  absent = symbol_at(directory_.presence(), way_.back().symbol).symbol == 0;
  return absent || value(s, sum.ones, word);
}

namespace {

// Walks the differences [begin, end) of a string.
class PieceWalk {
 public:
  PieceWalk(const AddressDirectory& d, const GrammarSums<AddressIndex::RuleSum>& sums, bool rules, uint64_t value,
            const AddressIndex::Visit& visit)
      : directory_(d), sums_(sums), rules_(rules), value_(value), visit_(visit) {}

  void walk(uint32_t string, uint64_t begin, uint64_t end) {
    open_range(string, begin, end);
    while (!items_.empty()) {
      const Item item = items_.back();
      items_.pop_back();
      if (!is_rule(item.symbol))
        run(directory_.diff(item.symbol), item.count);
      else if (item.end != 0)
        open_range(rule_of(item.symbol), item.begin, item.end);
      else
        whole(item);
    }
  }
  void run(int64_t diff, uint64_t count) {
    const auto step = static_cast<uint64_t>(diff);
    if (pending_) {
      visit_({value_, diff, count + 1, 0, 0});
      pending_ = false;
    } else {
      visit_({value_ + step, diff, count, 0, 0});
    }
    value_ += step * count;
  }
  // The first value stands alone if no run has taken it.
  void finish() {
    if (pending_) visit_({value_, 0, 1, 0, 0});
    pending_ = false;
  }

 private:
  // `count` whole copies of a symbol, or (end != 0) a part of one copy of a rule.
  struct Item {
    uint32_t symbol = 0;
    uint64_t count = 0, begin = 0, end = 0;
  };

  void whole(Item item) {
    const uint32_t rule = rule_of(item.symbol);
    if (!rules_) {
      if (--item.count > 0) items_.push_back(item);
      return open_range(rule, 0, sums_.total(rule).length);
    }
    finish();
    const AddressIndex::RuleSum& sum = sums_.total(rule);
    visit_({value_, 0, sum.length * item.count, rule, static_cast<uint32_t>(item.count)});
    value_ += sum.diff * item.count;
  }

  void open_range(uint32_t rule, uint64_t begin, uint64_t end) {
    const Grammar& g = directory_.values();
    const auto body = g.body(rule);
    const uint32_t first = first_symbol(g, rule);
    size_t low = 0, high = body.size();  // the last symbol that begins at or before `begin`
    while (high - low > 1) {
      const size_t middle = (low + high) / 2;
      (sums_.before(first + static_cast<uint32_t>(middle)).length <= begin ? low : high) = middle;
    }
    const size_t bottom = items_.size();
    for (size_t i = low; i < body.size(); ++i) {
      const uint64_t before = sums_.before(first + static_cast<uint32_t>(i)).length;
      if (before >= end) break;
      add_symbol(body[i], begin > before ? begin - before : 0, end - before);
    }
    std::reverse(items_.begin() + static_cast<ptrdiff_t>(bottom), items_.end());
  }

  // The part [begin, end) of a symbol with its exponent.
  void add_symbol(const Run& r, uint64_t begin, uint64_t end) {
    const uint64_t one = is_rule(r.symbol) ? sums_.total(rule_of(r.symbol)).length : 1;
    end = std::min(end, one * r.count);
    if (begin >= end) return;
    const uint64_t first = begin / one, last = end / one;  // copies
    if (first == last) return items_.push_back({r.symbol, 0, begin % one, end % one});
    if (begin % one != 0) items_.push_back({r.symbol, 0, begin % one, one});
    const uint64_t from = first + (begin % one != 0);
    if (last > from) items_.push_back({r.symbol, last - from, 0, 0});
    if (end % one != 0) items_.push_back({r.symbol, 0, 0, end % one});
  }

  const AddressDirectory& directory_;
  const GrammarSums<AddressIndex::RuleSum>& sums_;
  bool rules_;
  uint64_t value_;
  bool pending_ = true;  // the first value
  const AddressIndex::Visit& visit_;
  std::vector<Item> items_;  // the next one last
};

}  // namespace

void AddressIndex::pieces(const AddressStream& s, uint64_t begin, uint64_t end, bool rules, const Visit& visit) {
  uint64_t first = 0;
  if (begin >= end || !value(s, begin, first)) return;
  PieceWalk walk(directory_, sums_, rules, first, visit);
  uint64_t from = begin, to = end - 1;  // differences
  if (s.form() == StreamForm::kFew) {
    uint64_t before = 0;
    for (const DiffRun& r : directory_.few(s)) {
      const uint64_t skip = from > before ? from - before : 0;
      if (before >= to) break;
      if (skip < r.length) walk.run(r.diff, std::min(r.length - skip, to - before - skip));
      if (r.length > to - before) break;
      before += r.length;
    }
    return walk.finish();
  }
  const uint64_t in_string = sums_.total(s.string).length;
  if (from < in_string) walk.walk(s.string, from, std::min(to, in_string));
  if (s.form() == StreamForm::kResidual && to > in_string) {
    const uint64_t n = from > in_string ? from - in_string : 0;
    const uint64_t last = std::min(to - in_string, residual_of(s).length());
    if (n < last) residual_runs(s, n, last, [&](int64_t diff, uint64_t count) { walk.run(diff, count); });
  }
  walk.finish();
}

bool AddressIndex::repeat(const AddressStream& s, uint64_t begin, uint64_t end, Repeat& to) const {
  uint64_t at = 0, value = s.first;  // the first value of what is looked at
  if (s.form() == StreamForm::kFew) {
    for (const DiffRun& r : directory_.few(s)) {
      if (begin < at + r.length) {
        to = {at, at + r.length + 1, 1, value, Repeat::kNoSymbol};
        return r.diff == 0 && to.has(begin, end);
      }
      at += r.length;
      value += static_cast<uint64_t>(r.diff) * r.length;
    }
    return false;
  }
  const Grammar& g = directory_.values();
  bool found = false;
  for (uint32_t rule = s.string; begin < at + sums_.total(rule).length;) {
    const auto body = g.body(rule);
    const uint32_t first = first_symbol(g, rule);
    size_t low = 0, high = body.size();  // the last symbol that begins at or before `begin`
    while (high - low > 1) {
      const size_t middle = (low + high) / 2;
      (at + sums_.before(first + static_cast<uint32_t>(middle)).length <= begin ? low : high) = middle;
    }
    const RuleSum& before = sums_.before(first + static_cast<uint32_t>(low));
    at += before.length;
    value += before.diff;
    const Run r = body[low];
    const RuleSum one = sums_.one(r.symbol, [&](uint32_t t) { return weigh(t); });
    const Repeat all{at, at + one.length * r.count + 1, one.length, value,
                     is_rule(r.symbol) ? r.symbol : Repeat::kNoSymbol};
    if (!all.has(begin, end)) break;
    if (one.diff == 0 && r.count > 1) {
      to = all;
      found = true;
    }
    if (!is_rule(r.symbol)) break;
    const uint64_t copy = (begin - at) / one.length;
    at += copy * one.length;
    value += copy * one.diff;
    rule = rule_of(r.symbol);
  }
  return found;
}

bool AddressIndex::residual_repeat(const AddressStream& s, uint64_t first, uint64_t period, Repeat& to) {
  if (s.form() != StreamForm::kResidual || period == 0) return false;
  const uint64_t in_string = sums_.total(s.string).length;
  if (first < in_string) return false;
  ResidualValues::Stream& r = residual_of(s);
  const uint64_t behind = in_string + r.length() + 1;  // of values
  if (behind - first <= period) return false;
  const uint64_t from = first - in_string;  // of the differences that make the values behind `first`
  const uint64_t base = residuals_.before(r, from);
  if (residuals_.before(r, from + period) != base) return false;
  uint64_t end = first + period + 1;
  for (uint64_t n = from; end < behind && residuals_.value(r, n) == residuals_.value(r, n + period); ++n) ++end;
  if (end <= first + 2 * period) return false;
  to = {first, end, period, base, Repeat::kNoSymbol - ++found_repeats_};
  return true;
}

void AddressIndex::open_rule(uint32_t rule, uint64_t base, const Visit& visit) const {
  for (const Run& r : directory_.values().body(rule)) {
    if (is_rule(r.symbol)) {
      const RuleSum& sum = sums_.total(rule_of(r.symbol));
      visit({base, 0, sum.length * r.count, rule_of(r.symbol), r.count});
      base += sum.diff * r.count;
    } else {
      const auto diff = static_cast<uint64_t>(directory_.diff(r.symbol));
      visit({base + diff, directory_.diff(r.symbol), r.count, 0, 0});
      base += diff * r.count;
    }
  }
}

}  // namespace cdr::trace
