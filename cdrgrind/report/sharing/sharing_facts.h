// SPDX-License-Identifier: GPL-2.0-or-later
// What the analysis of sharing asks about code and data: RaceFacts, and numbers for parts of variables.
#ifndef CDRGRIND_REPORT_SHARING_SHARING_FACTS_H
#define CDRGRIND_REPORT_SHARING_SHARING_FACTS_H

#include <string>
#include <unordered_map>
#include <vector>

#include "cdrgrind/analysis/sharing/shared_memory.h"
#include "cdrgrind/report/races/race_facts.h"

namespace cdr::report {

// Both arguments must outlive it. Not thread-safe.
class SharingFacts final : public sharing::SharingFacts {
 public:
  SharingFacts(const ModuleTable& modules, symbols::Symbols& symbols)
      : modules_(modules), symbols_(symbols), facts_(modules, symbols) {}

  uint32_t part_at(uint64_t addr) override;
  uint32_t thread_local_part_at(uint64_t addr, uint64_t pthread) override;
  uint32_t local_part_at(const analysis::FramePlace& place) override;
  uint32_t region_part_at(uint64_t function, int64_t offset) override;
  const std::string& part(uint32_t number) const { return parts_[number - 1]; }

  // "counters[2].hits"; empty if no variable is known there. `pthread`: 0, or of the thread whose memory it is.
  std::string element_at(uint64_t addr, uint64_t pthread);
  // "counts[2] of main"; empty if no variable is known there.
  std::string element_of(const analysis::FramePlace& place);

  bool is_atomic_code(CodeAddr at) override { return facts_.is_atomic_code(at); }
  bool is_atomic_data(uint64_t addr) override { return facts_.is_atomic_data(addr); }
  races::StoreSource source_of_store(CodeAddr at) override { return facts_.source_of_store(at); }
  races::AtomicUse use_of_atomic(CodeAddr at, uint32_t length) override { return facts_.use_of_atomic(at, length); }
  uint64_t line_number_of(CodeAddr at) override { return facts_.line_number_of(at); }
  AddrRange variable_at(uint64_t addr) override { return facts_.variable_at(addr); }
  std::span<const uint8_t> code_at(CodeAddr at, uint32_t size) override { return facts_.code_at(at, size); }
  bool is_for_construct(CodeAddr call) override { return facts_.is_for_construct(call); }
  uint64_t thread_local_bytes() override { return facts_.thread_local_bytes(); }
  uint64_t function_begin(CodeAddr at) override { return facts_.function_begin(at); }
  bool only_waits(CodeAddr function) override { return facts_.only_waits(function); }
  std::vector<AddrRange> data_of(const Module& m) override { return facts_.data_of(m); }
  std::vector<AddrRange> copied_by(const Module& m) override { return facts_.copied_by(m); }

 private:
  uint32_t number_of(const std::string& part);

  const ModuleTable& modules_;
  symbols::Symbols& symbols_;
  RaceFacts facts_;
  std::unordered_map<std::string, uint32_t> numbers_;
  std::vector<std::string> parts_;
};

}  // namespace cdr::report

#endif
