// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/policy/futex_waits.h"

#include <cstring>

#include "tests/unit/catch.h"

namespace cdr::races {
namespace {

// Code at address 0, and nothing else to know.
struct CodeAlone final : CodeFacts {
  std::vector<uint8_t> code = std::vector<uint8_t>(0x300, 0x90);

  void put(uint64_t at, std::initializer_list<int> bytes) {
    for (const int b : bytes) code[at++] = static_cast<uint8_t>(b);
  }
  std::span<const uint8_t> code_at(CodeAddr at, uint32_t size) override {
    if (at.addr + size > code.size()) return {};
    return std::span(code).subspan(at.addr, size);
  }
  bool is_atomic_code(CodeAddr) override { return false; }
  bool is_atomic_data(uint64_t) override { return false; }
  StoreSource source_of_store(CodeAddr) override { return StoreSource::kNotRead; }
  AtomicUse use_of_atomic(CodeAddr, uint32_t) override { return AtomicUse::kUsed; }
  bool only_waits(CodeAddr) override { return false; }
  uint64_t line_number_of(CodeAddr) override { return 0; }
  AddrRange variable_at(uint64_t) override { return {}; }
  std::vector<AddrRange> data_of(const Module&) override { return {}; }
  std::vector<AddrRange> copied_by(const Module&) override { return {}; }
};

std::vector<CodeAddr> stack(std::initializer_list<uint64_t> addrs) {
  std::vector<CodeAddr> out;
  for (const uint64_t a : addrs) out.push_back({ModuleId(1), a});
  return out;
}

constexpr uint64_t kWord = 0x5000, kWait = 0x200, kCaller = 0x2f0;
const ThreadId kThread(2);

struct Program {
  CodeAlone facts;
  FutexWaits waits{facts};

  Program() {
    facts.put(0x100, {0x8b, 0x07, 0x85, 0xc0, 0x75, 0x07});           // mov (%rdi),%eax; test; jne 0x10d
    facts.put(0x106, {0xe8, 0xf5, 0, 0, 0, 0xeb, 0xf3, 0xc3});        // call 0x200; jmp 0x100; ret
    facts.put(0x110, {0xe8, 0xeb, 0, 0, 0, 0x8b, 0x07, 0x85, 0xc0});  // call 0x200; mov; test
    facts.put(0x119, {0x75, 0x00, 0xc3});                             // jne; ret
    facts.put(0x120,
              {0xe8, 0xdb, 0, 0, 0, 0x8b, 0x07, 0xe8, 0, 0, 0, 0, 0xeb, 0xf2});  // call 0x200; mov; call; jmp 0x120
    facts.put(0x140, {0xe8, 0x1b, 0, 0, 0, 0x85, 0xc0, 0x75, 0x07});             // call 0x160; test; jne 0x150
    facts.put(0x149, {0xe8, 0xb2, 0, 0, 0, 0xeb, 0xf0, 0xc3});                   // call 0x200; jmp 0x140; ret
    facts.put(0x160, {0x8b, 0x07, 0xc3});                                        // mov; ret
    facts.put(kWait, {0x0f, 0x05, 0xc3});                                        // syscall; ret
  }
  bool looks_again(uint64_t call, std::initializer_list<uint64_t> load) {
    waits.waited(kThread, kWord, stack({kWait, call, kCaller}));
    return waits.is_awaited(kThread, kWord, 4) && waits.looks_again(kThread, stack(load));
  }
};

}  // namespace

TEST_CASE("a load that leads back to the wait looks again", "[futex_waits]") {
  Program p;
  CHECK(p.looks_again(0x106, {0x100, kCaller}));
  CHECK(p.looks_again(0x149, {0x160, 0x140, kCaller}));  // in a function of its own
}

TEST_CASE("a load that is no loop's, or not tested, does not look again", "[futex_waits]") {
  Program p;
  CHECK_FALSE(p.looks_again(0x110, {0x115, kCaller}));
  CHECK_FALSE(p.looks_again(0x120, {0x125, kCaller}));
  CHECK_FALSE(p.looks_again(0x106, {0x100, kCaller + 1}));  // another function
  CHECK_FALSE(p.looks_again(0x106, {}));
}

TEST_CASE("only the first load of the very word counts, if nothing is between", "[futex_waits]") {
  Program p;
  CHECK_FALSE(p.waits.is_awaited(kThread, kWord, 4));
  p.waits.waited(kThread, kWord, stack({kWait, 0x106, kCaller}));
  CHECK_FALSE(p.waits.is_awaited(kThread, kWord + 4, 4));
  CHECK_FALSE(p.waits.is_awaited(ThreadId(3), kWord, 4));
  CHECK(p.waits.is_awaited(kThread, kWord, 4));
  p.waits.disturbed(ThreadId(3));
  CHECK(p.waits.is_awaited(kThread, kWord, 4));
  p.waits.disturbed(kThread);
  CHECK_FALSE(p.waits.is_awaited(kThread, kWord, 4));
  p.waits.waited(kThread, kWord, stack({kWait, 0x106, kCaller}));
  p.waits.looks_again(kThread, stack({0x100, kCaller}));
  CHECK_FALSE(p.waits.is_awaited(kThread, kWord, 4));
  CHECK(FutexWaits::is_harmless_call(24));
  CHECK_FALSE(FutexWaits::is_harmless_call(1));
}

}  // namespace cdr::races
