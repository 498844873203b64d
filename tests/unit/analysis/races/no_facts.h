// SPDX-License-Identifier: GPL-2.0-or-later
// Facts about a program of which nothing is known.
#ifndef CDRGRIND_TESTS_UNIT_ANALYSIS_RACES_NO_FACTS_H
#define CDRGRIND_TESTS_UNIT_ANALYSIS_RACES_NO_FACTS_H

#include "cdrgrind/analysis/races/core/facts.h"

namespace cdr::test {

struct NoFacts : races::CodeFacts {
  bool is_atomic_code(CodeAddr) override { return false; }
  bool is_atomic_data(uint64_t) override { return false; }
  races::StoreSource source_of_store(CodeAddr) override { return races::StoreSource::kNotRead; }
  races::AtomicUse use_of_atomic(CodeAddr, uint32_t) override { return races::AtomicUse::kUsed; }
  std::span<const uint8_t> code_at(CodeAddr, uint32_t) override { return {}; }
  bool only_waits(CodeAddr) override { return false; }
  uint64_t line_number_of(CodeAddr) override { return 0; }
  AddrRange variable_at(uint64_t) override { return {}; }
  std::vector<AddrRange> data_of(const Module&) override { return {}; }
  std::vector<AddrRange> copied_by(const Module&) override { return {}; }
};

}  // namespace cdr::test

#endif
