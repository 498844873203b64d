// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/encode/grammar.h"

#include "cdrgrind/base/serial_numbers.h"

namespace cdr {
namespace {

enum Kind : uint8_t { kTerminal = 0, kNextRule = 1, kReference = 2, kWithCount = 4 };

// No rule leads back to itself: rules are taken away once nothing that is left uses them.
bool acyclic(const Grammar& g) {
  std::vector<uint32_t> users(g.rules());
  const auto for_each_use = [&](uint32_t rule, auto f) {
    for (const Run& r : g.body(rule))
      if (is_rule(r.symbol)) f(rule_of(r.symbol));
  };
  for (uint32_t rule = 0; rule < g.rules(); ++rule) for_each_use(rule, [&](uint32_t used) { ++users[used]; });
  std::vector<uint32_t> free;
  for (uint32_t rule = 0; rule < g.rules(); ++rule)
    if (users[rule] == 0) free.push_back(rule);
  for (size_t i = 0; i < free.size(); ++i)
    for_each_use(free[i], [&](uint32_t used) {
      if (--users[used] == 0) free.push_back(used);
    });
  return free.size() == g.rules();
}

class ColumnReader {
 public:
  ColumnReader(const GrammarBytes& from, uint32_t first_serial, uint32_t strings, uint32_t terminals)
      : lengths_(from[kGrammarLengths]),
        kinds_(from[kGrammarKinds]),
        terminals_(from[kGrammarTerminals]),
        references_(from[kGrammarReferences]),
        exponents_(from[kGrammarExponents]),
        numbers_(first_serial),
        strings_(strings),
        terminal_limit_(terminals),
        next_rule_(strings) {}

  bool read(Grammar& to) {
    to = Grammar(strings_);
    uint32_t rules = 0;
    for (; rules < next_rule_ && ok(); ++rules) {
      uint64_t left = lengths_.bounded(kinds_.left());
      if (left == 0 && rules >= strings_) lengths_.fail();
      for (; left > 0 && ok(); --left) to.add_symbol(symbol());
      to.end_rule();
    }
    return ok() && rules == next_rule_ && used_up() && acyclic(to);
  }

 private:
  bool ok() const { return lengths_.ok() && kinds_.ok() && terminals_.ok() && references_.ok() && exponents_.ok(); }
  bool used_up() const {
    return lengths_.at_end() && kinds_.at_end() && terminals_.at_end() && references_.at_end() && exponents_.at_end();
  }
  Run symbol() {
    const uint8_t kind = kinds_.u8();
    Run r{0, 1};
    switch (kind & ~kWithCount) {
      case kTerminal:
        r.symbol = terminal();
        break;
      case kNextRule:
        r.symbol = kRuleBit | next_rule_++;
        break;
      case kReference:
        r.symbol = kRuleBit | reference();
        break;
      default:
        kinds_.fail();
    }
    if (kind & kWithCount) r.count = exponent();
    return r;
  }
  uint32_t terminal() { return numbers_.get(terminals_, terminal_limit_); }
  uint32_t reference() {
    const uint64_t distance = references_.bounded(next_rule_ - strings_);
    if (distance == 0) references_.fail();
    return next_rule_ - static_cast<uint32_t>(distance);
  }
  uint32_t exponent() {
    const uint64_t count = exponents_.bounded(~0u);
    if (count < 2) exponents_.fail();
    return static_cast<uint32_t>(count);
  }

  ByteReader lengths_, kinds_, terminals_, references_, exponents_;
  SerialNumbers numbers_;
  uint32_t strings_, terminal_limit_, next_rule_;
};

}  // namespace

void write_columns(const Grammar& g, uint32_t first_serial, std::span<ByteWriter, kGrammarColumns> to) {
  SerialNumbers numbers(first_serial);
  uint32_t next_rule = g.strings();
  for (uint32_t rule = 0; rule < g.rules(); ++rule) {
    const auto body = g.body(rule);
    to[kGrammarLengths].varint(body.size());
    for (const Run& r : body) {
      const uint8_t with_count = r.count == 1 ? 0 : kWithCount;
      if (!is_rule(r.symbol)) {
        to[kGrammarKinds].u8(kTerminal | with_count);
        numbers.put(to[kGrammarTerminals], r.symbol);
      } else if (rule_of(r.symbol) == next_rule) {
        to[kGrammarKinds].u8(kNextRule | with_count);
        ++next_rule;
      } else {
        to[kGrammarKinds].u8(kReference | with_count);
        to[kGrammarReferences].varint(next_rule - rule_of(r.symbol));
      }
      if (with_count) to[kGrammarExponents].varint(r.count);
    }
  }
}

bool read_columns(const GrammarBytes& from, uint32_t first_serial, uint32_t strings, uint32_t terminals, Grammar& to) {
  return ColumnReader(from, first_serial, strings, terminals).read(to);
}

}  // namespace cdr
