// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/patterns/patterns.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "cdrgrind/trace/index/epoch_index.h"

namespace cdr::patterns {
namespace {

using trace::AddressIndex;
using trace::AddressPiece;
using trace::AddressStream;
using trace::EpochIndex;

// Steps by stride.
class Strides {
 public:
  void add(int64_t stride, uint64_t count) {
    if (count == 0) return;
    if (uint64_t* known = counts_.find(stride))
      *known += count;
    else if (counts_.size() < AccessPattern::kMostStrides)
      counts_[stride] = count;
    else
      uncounted_ += count;
  }
  void add(const Strides& other) {
    other.counts_.for_each([&](int64_t stride, uint64_t count) { add(stride, count); });
    uncounted_ += other.uncounted_;
  }
  // Most frequent first, then small ones.
  std::vector<StrideCount> sorted() const {
    std::vector<StrideCount> all;
    counts_.for_each([&](int64_t stride, uint64_t count) { all.push_back({stride, count}); });
    const auto key = [](const StrideCount& s) {
      return std::tuple(~s.count, s.stride < 0 ? -s.stride : s.stride, s.stride);
    };
    std::sort(all.begin(), all.end(), [&](const StrideCount& a, const StrideCount& b) { return key(a) < key(b); });
    return all;
  }
  uint64_t uncounted() const { return uncounted_; }
  uint64_t steps() const {
    uint64_t n = uncounted_;
    counts_.for_each([&](int64_t, uint64_t count) { n += count; });
    return n;
  }

 private:
  struct Hash {
    uint64_t operator()(int64_t v) const { return mix64(static_cast<uint64_t>(v)); }
  };
  FlatMap<int64_t, uint64_t, Hash> counts_;
  uint64_t uncounted_ = 0;
};

struct PatternSum {
  AccessPattern pattern;
  Strides strides;
};

// One access of a block, and what it adds up to.
struct Target {
  uint64_t constant = 0;
  uint32_t width = 0;
  PatternSum* sum = nullptr;
};

// Reads one stream: its steps, and for each access of the slot the bytes.
class StreamReader {
 public:
  StreamReader(AddressIndex& addresses, const std::vector<uint32_t>& ranks, const std::vector<uint32_t>& by_rank)
      : addresses_(addresses), ranks_(ranks), by_rank_(by_rank) {}

  void read(const AddressStream& s, uint64_t values, const std::vector<Target>& targets) {
    strides_ = {};
    uses_.clear();
    seen_.clear();
    targets_ = &targets;
    bool first = true;
    addresses_.pieces(s, 0, values, true, [&](const AddressPiece& p) {
      if (p.rule == 0)
        strides_.add(p.stride, p.count - first);
      else
        uses_[ranks_[p.rule]] += p.copies;
      first = false;
      touch(p);
    });
    open_uses();
  }
  const Strides& strides() const { return strides_; }

 private:
  // Rules that use others come behind these: so from the last on, each rule's number of uses is complete.
  void open_uses() {
    while (!uses_.empty()) {
      const auto last = std::prev(uses_.end());
      const uint64_t times = last->second;
      const uint32_t rule = by_rank_[last->first];
      uses_.erase(last);
      addresses_.open_rule(rule, 0, [&](const AddressPiece& p) {
        if (p.rule == 0)
          strides_.add(p.stride, p.count * times);
        else
          uses_[ranks_[p.rule]] += p.copies * times;
      });
    }
  }

  // The bytes of a piece; those of a rule at a base once.
  void touch(const AddressPiece& piece) {
    if (piece.rule == 0) return touch_run(piece);
    work_.push_back(piece);
    while (!work_.empty()) {
      const AddressPiece p = work_.back();
      work_.pop_back();
      if (p.rule == 0) {
        touch_run(p);
        continue;
      }
      const uint64_t diff = addresses_.sum(p.rule).diff;
      uint64_t base = p.base;
      for (uint32_t copy = 0; copy < p.copies; ++copy, base += diff) {
        if (!seen_.insert({base, p.rule}).second) {
          if (diff == 0) break;
          continue;
        }
        addresses_.open_rule(p.rule, base, [&](const AddressPiece& inner) { work_.push_back(inner); });
        if (diff == 0) break;
      }
    }
  }

  void touch_run(const AddressPiece& p) const {
    for (const Target& t : *targets_) t.sum->pattern.footprint.add(p.base + t.constant, p.stride, p.count, t.width);
  }

  struct RuleAt {
    uint64_t base = 0;
    uint32_t rule = 0;
    bool operator==(const RuleAt&) const = default;
  };
  struct RuleAtHash {
    uint64_t operator()(const RuleAt& r) const { return mix64(r.base ^ uint64_t{r.rule} << 40); }
  };

  AddressIndex& addresses_;
  const std::vector<uint32_t>&ranks_, &by_rank_;
  Strides strides_;
  std::map<uint32_t, uint64_t> uses_;  // by rank
  FlatMap<RuleAt, uint8_t, RuleAtHash> seen_;
  const std::vector<Target>* targets_ = nullptr;
  std::vector<AddressPiece> work_;
};

// The last address of a slot in the epoch before.
struct LastValue {
  uint64_t value = 0;
  bool relative = false;
};

class PatternFinder {
 public:
  explicit PatternFinder(const trace::TraceFile& file) : file_(file), stretches_(file.stretches(), file.blocks()) {}

  void read(size_t number, analysis::WatchedPart& part) {
    EpochIndex epoch(file_, stretches_, number);
    const Grammar& g = epoch.addresses().directory().values();
    by_rank_ = trace::children_first(g);
    ranks_.assign(g.rules(), 0);
    for (uint32_t i = 0; i < by_rank_.size(); ++i) ranks_[by_rank_[i]] = i;
    StreamReader reader(epoch.addresses(), ranks_, by_rank_);
    for (uint32_t id = 1; id <= file_.blocks().block_count(); ++id) {
      const BlockId block(id);
      if (!part.goes_on(number * file_.blocks().block_count() + id - 1)) return;
      if (file_.blocks().exit_of(block).accesses == 0) continue;
      const trace::EpochWeights& executions = epoch.executions(block);
      for (uint32_t s = 0; s < epoch.paths().threads().size(); ++s)
        if (const uint64_t n = executions.total(s))
          block_of(epoch, reader, ThreadId(epoch.paths().threads()[s]), block, n);
    }
  }

  std::vector<AccessPattern> take() {
    std::vector<AccessPattern> patterns;
    for (auto& [key, sum] : sums_) {
      const auto strides = sum.strides.sorted();
      AccessPattern& p = sum.pattern;
      p.steps = sum.strides.steps();
      p.strides = strides.size();
      p.uncounted = sum.strides.uncounted();
      p.most.assign(strides.begin(),
                    strides.begin() + static_cast<ptrdiff_t>(std::min(strides.size(), AccessPattern::kStridesKept)));
      patterns.push_back(std::move(p));
    }
    return patterns;
  }

 private:
  using Key = std::pair<CodeAddr, bool>;

  void block_of(EpochIndex& epoch, StreamReader& reader, ThreadId thread, BlockId block, uint64_t executions) {
    const Superblock& sb = file_.blocks().superblock_of(block);
    const Exit& exit = file_.blocks().exit_of(block);
    std::vector<std::vector<Target>> slots(exit.words + size_t{1});
    for (const Access& a : sb.accesses.first(exit.accesses)) {
      PatternSum& sum = sums_[Key{{sb.module, sb.insn_addr(a.insn)}, a.store()}];
      sum.pattern.ip = {sb.module, sb.insn_addr(a.insn)};
      sum.pattern.store = a.store();
      sum.pattern.width = std::max<uint32_t>(sum.pattern.width, a.width);
      slots[a.slot].push_back({static_cast<uint64_t>(a.constant), a.width, &sum});
    }
    const AddressStream* streams = epoch.addresses().directory().streams_of(thread, block);
    if (exit.words && !streams) epoch.fail("a block has no words");
    absolute(thread, block, executions, slots[0]);
    for (uint16_t slot = 1; slot <= exit.words; ++slot)
      if (!slots[slot].empty())
        stream(epoch, reader, {thread.value, block.value, slot}, streams[slot - 1], executions, slots[slot]);
  }

  void absolute(ThreadId thread, BlockId block, uint64_t executions, const std::vector<Target>& targets) {
    if (targets.empty()) return;
    const bool before = !last_.try_emplace({thread.value, block.value, 0}).second;
    for (const Target& t : targets) {
      t.sum->pattern.accesses += executions;
      t.sum->strides.add(0, executions - 1 + before);
      t.sum->pattern.footprint.add(t.constant, t.width);
    }
  }

  using Slot = std::tuple<uint32_t, uint32_t, uint16_t>;  // thread, block, slot

  void stream(EpochIndex& epoch, StreamReader& reader, const Slot& slot, const AddressStream& s, uint64_t executions,
              const std::vector<Target>& targets) {
    const uint64_t values = epoch.addresses().values_before(s, executions);
    if (values == 0) return;
    if (s.relative()) {
      for (const Target& t : targets) t.sum->pattern.stack += values;
      last_[slot] = {0, true};
      return;
    }
    reader.read(s, values, targets);
    LastValue end;
    if (!epoch.addresses().value(s, values - 1, end.value)) epoch.fail("a block's words end early");
    const auto [before, is_first] = last_.try_emplace(slot);
    const bool carried = !is_first && !before->second.relative;
    for (const Target& t : targets) {
      t.sum->pattern.accesses += values;
      t.sum->strides.add(reader.strides());
      if (carried) t.sum->strides.add(static_cast<int64_t>(s.first - before->second.value), 1);
    }
    before->second = end;
  }

  const trace::TraceFile& file_;
  trace::StretchIndex stretches_;
  std::map<Key, PatternSum> sums_;
  std::map<Slot, LastValue> last_;
  std::vector<uint32_t> ranks_, by_rank_;  // of the rules of the epoch's values
};

}  // namespace

std::vector<AccessPattern> find_patterns(const trace::TraceFile& file, analysis::WatchedPart& part) {
  PatternFinder finder(file);
  for (size_t i = 0; i < file.epochs().size() && !part.ended(); ++i) finder.read(i, part);
  return finder.take();
}

}  // namespace cdr::patterns
