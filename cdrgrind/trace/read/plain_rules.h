// SPDX-License-Identifier: GPL-2.0-or-later
// Of each rule of control paths how many blocks it derives, if it derives stretches alone.
#ifndef CDRGRIND_TRACE_READ_PLAIN_RULES_H
#define CDRGRIND_TRACE_READ_PLAIN_RULES_H

#include <cstdint>
#include <vector>

#include "cdrgrind/encode/grammar.h"
#include "cdrgrind/trace/read/stretch_table.h"

namespace cdr::trace {

class PlainRules {
 public:
  static constexpr uint64_t kMost = uint64_t{1} << 40;  // as many or more

  // O(symbols). `g` may be damaged only in what its terminals mean; stretches above `limit` are unknown.
  void learn(const Grammar& g, const StretchTable& stretches, uint32_t limit);
  // Of one copy of a rule or terminal; 0: it derives other things, too.
  uint64_t blocks(uint32_t symbol) const;

 private:
  uint64_t of_body(const Grammar& g, uint32_t rule) const;

  const StretchTable* stretches_ = nullptr;
  uint32_t limit_ = 0;
  std::vector<uint64_t> rules_;
};

}  // namespace cdr::trace

#endif
