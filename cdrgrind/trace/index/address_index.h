// SPDX-License-Identifier: GPL-2.0-or-later
// Random access to the words of one epoch: value n of a stream by descent in its grammar, without those before it; and
// the values of a range of executions in pieces, for analyses that do not want them one by one.
//
// Execution n (from 0, in the epoch and thread) of a block has word n of each of its streams. A guarded stream has a
// value only where the access happened: value v of it belongs to the v-th of these executions.
#ifndef CDRGRIND_TRACE_INDEX_ADDRESS_INDEX_H
#define CDRGRIND_TRACE_INDEX_ADDRESS_INDEX_H

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "cdrgrind/base/range.h"
#include "cdrgrind/trace/index/grammar_sums.h"
#include "cdrgrind/trace/index/residual_values.h"
#include "cdrgrind/trace/index/value_reach.h"
#include "cdrgrind/trace/read/address_directory.h"

namespace cdr::trace {

// Some neighbouring values of a stream: base, base + stride, …, `count` of them, if `rule` is 0; else what a rule of
// the value grammar makes of the value `base` before it: each of its differences gives the next value, `copies` times
// over. Values of a relative stream are less the frame's SP.
struct AddressPiece {
  uint64_t base = 0;
  int64_t stride = 0;
  uint64_t count = 0;  // values
  uint32_t rule = 0;
  uint32_t copies = 0;
  bool operator==(const AddressPiece&) const = default;
};

class AddressIndex {
 public:
  explicit AddressIndex(const BlockTable& blocks) : directory_(blocks) {}

  // False if the columns are damaged. They must outlive the index. O(symbols).
  bool load(const Columns& columns);
  const AddressDirectory& directory() const { return directory_; }

  // A value, and how many more follow it by equal steps, as far as that is seen at once.
  struct Steps {
    uint64_t value = 0, stride = 0, more = 0;
  };
  // False if the stream has no value n. O(depth of the grammar); the first time in a residual stream O(its length).
  bool steps(const AddressStream& s, uint64_t n, Steps& to);
  bool value(const AddressStream& s, uint64_t n, uint64_t& value) {
    Steps to;
    const bool there = steps(s, n, to);
    value = to.value;
    return there;
  }
  // The word of execution n, less the frame's SP if the stream is relative; 0, and *absent, where a guarded access did
  // not happen. False if there is none.
  bool word(const AddressStream& s, uint64_t n, uint64_t& word, bool& absent);
  // Executions before n in which the access happened; n if the stream is not guarded.
  uint64_t values_before(const AddressStream& s, uint64_t n) const;
  // The execution in [first, last] that has value v.
  uint64_t execution_of_value(const AddressStream& s, uint64_t v, uint64_t first, uint64_t last) const;

  // From the lowest to behind the highest of all its values, modulo 2^64; none: that is not known, as of one that goes
  // on by equal steps. The first time O(what it has), and O(all grammars) for the first stream.
  std::optional<AddrRange> hull(const AddressStream& s);

  // The values [begin, end) in order. With `rules`, whole rules inside the range are one piece; else all pieces are
  // arithmetic. Stops where the stream ends. O(depth + pieces).
  using Visit = std::function<void(const AddressPiece&)>;
  void pieces(const AddressStream& s, uint64_t begin, uint64_t end, bool rules, const Visit& visit);
  // Values that come again every `period` values: all of [begin, end) that stand so far apart are equal. They are what
  // the symbol of the grammar makes of the value `base`, which stands at `begin`; kNoSymbol: base itself.
  struct Repeat {
    uint64_t begin = 0, end = 0, period = 0, base = 0;
    uint32_t symbol = 0;
    static constexpr uint32_t kNoSymbol = kRuleBit - 1;  // from there on down what no symbol tells
    bool has(uint64_t first, uint64_t behind) const { return begin <= first && behind <= end; }
  };
  // The innermost that has the values [begin, end), of which there is one at least. False if there is none, or that is
  // not seen at once. O(depth of the grammar).
  bool repeat(const AddressStream& s, uint64_t begin, uint64_t end, Repeat& to) const;
  // The same where it is not told by the grammar: values from `first` on that come again at once, `period` values
  // later. O(values found, and one period).
  bool residual_repeat(const AddressStream& s, uint64_t first, uint64_t period, Repeat& to);
  // One copy of a rule's body as pieces from `base` on; their rules may be opened in turn.
  void open_rule(uint32_t rule, uint64_t base, const Visit& visit) const;
  // Of one copy of a rule: how many values it makes, and by how much the last differs from the base.
  struct RuleSum {
    uint64_t length = 0, diff = 0;
    bool add(const RuleSum& r, uint64_t count);
  };
  const RuleSum& sum(uint32_t rule) const { return sums_.total(rule); }

 private:
  struct Ones {
    uint64_t length = 0, ones = 0;
    bool add(const Ones& o, uint64_t count);
  };
  struct Hull {
    bool asked = false;
    std::optional<AddrRange> range;
  };
  std::optional<AddrRange> make_hull(const AddressStream& s);
  void make_reaches();
  RuleSum weigh(uint32_t terminal) const { return {1, static_cast<uint64_t>(directory_.diff(terminal))}; }
  // The string's values come first.
  ResidualValues::Stream& residual_of(const AddressStream& s) {
    return residuals_.of(directory_.index_of(s), s.first + sums_.total(s.string).diff, s.residual);
  }
  bool few_steps(const AddressStream& s, uint64_t n, Steps& to) const;
  bool residual_value(const AddressStream& s, uint64_t n, uint64_t& value);
  template <class F>
  void residual_runs(const AddressStream& s, uint64_t n, uint64_t end, F run);

  AddressDirectory directory_;
  GrammarSums<RuleSum> sums_;
  GrammarSums<Ones> ones_;
  ResidualValues residuals_;
  std::vector<ValueReach> reaches_;  // by rule of the values' grammar, if a hull was asked for
  std::vector<Hull> hulls_;          // by stream
  uint32_t found_repeats_ = 0;       // of residual streams
  Way way_;
};

}  // namespace cdr::trace

#endif
