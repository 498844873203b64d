// SPDX-License-Identifier: GPL-2.0-or-later
// What replays ask about data, libraries and code, for several threads: one at a time.
#ifndef CDRGRIND_ANALYSIS_REGIONS_LOCKED_FACTS_H
#define CDRGRIND_ANALYSIS_REGIONS_LOCKED_FACTS_H

#include <mutex>

#include "cdrgrind/analysis/regions/library_names.h"
#include "cdrgrind/analysis/regions/memories.h"
#include "cdrgrind/analysis/slice/code_bytes.h"

namespace cdr::regions {

class LockedFacts final : public StaticData, public LibraryNames, public slice::CodeBytes {
 public:
  LockedFacts(StaticData& data, LibraryNames& names, slice::CodeBytes& code)
      : data_(data), names_(names), code_(code) {}

  StaticPiece piece_at(uint64_t addr) override {
    const std::lock_guard lock(mutex_);
    return data_.piece_at(addr);
  }
  AddrRange foreign_piece(uint64_t addr) override {
    const std::lock_guard lock(mutex_);
    return data_.foreign_piece(addr);
  }
  std::vector<uint32_t> number_by_address() override {
    const std::lock_guard lock(mutex_);
    return data_.number_by_address();
  }
  LibraryState state_of(CodeAddr function) override {
    const std::lock_guard lock(mutex_);
    return names_.state_of(function);
  }
  std::optional<Choice> choice_of(CodeAddr function) override {
    const std::lock_guard lock(mutex_);
    return names_.choice_of(function);
  }
  std::optional<Walk> walk_of(CodeAddr function) override {
    const std::lock_guard lock(mutex_);
    return names_.walk_of(function);
  }
  bool moves_iterator(CodeAddr function) override {
    const std::lock_guard lock(mutex_);
    return names_.moves_iterator(function);
  }
  bool hands_on(CodeAddr call, CodeAddr callee) override {
    const std::lock_guard lock(mutex_);
    return names_.hands_on(call, callee);
  }
  std::span<const uint8_t> code_at(ModuleId module, uint64_t addr, uint32_t size) override {
    const std::lock_guard lock(mutex_);
    return code_.code_at(module, addr, size);
  }
  slice::AfterCall after_call(ModuleId module, uint64_t target, uint64_t behind) override {
    const std::lock_guard lock(mutex_);
    return code_.after_call(module, target, behind);
  }

 private:
  std::mutex mutex_;
  StaticData& data_;
  LibraryNames& names_;
  slice::CodeBytes& code_;
};

}  // namespace cdr::regions

#endif
