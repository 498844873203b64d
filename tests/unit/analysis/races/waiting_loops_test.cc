// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/races/policy/waiting_loops.h"

#include <algorithm>
#include <vector>

#include "tests/unit/analysis/races/no_facts.h"
#include "tests/unit/catch.h"

namespace cdr::races {
namespace {

constexpr uint64_t kBegin = 0x100, kFunction = kBegin;

// A function's code, and superblocks of some of its instructions, each up to a conditional branch.
struct Code final : test::NoFacts {
  std::vector<uint8_t> bytes;
  BlockTable blocks;

  explicit Code(std::vector<uint8_t> code) : bytes(std::move(code)) {}

  std::span<const uint8_t> code_at(CodeAddr at, uint32_t size) override {
    if (at.addr < kBegin || at.addr - kBegin >= bytes.size()) return {};
    const auto from = std::span(bytes).subspan(at.addr - kBegin);
    return from.first(std::min<size_t>(size, from.size()));
  }
  uint64_t function_begin(CodeAddr) override { return kFunction; }

  // Offsets where the instructions begin, and where the last one ends.
  void executed(const std::vector<uint32_t>& at) {
    std::vector<Insn> insns;
    for (size_t i = 0; i + 1 < at.size(); ++i)
      insns.push_back({at[i] - at[0], static_cast<uint8_t>(at[i + 1] - at[i])});
    Exit branch;
    branch.insns = static_cast<uint16_t>(insns.size());
    branch.kind = ExitKind::kBranch;
    branch.guard = ExitGuard::kCondition;
    const std::vector<Exit> exits = {branch};
    Superblock sb;
    sb.module = kModule;
    sb.addr = kBegin + at[0];
    sb.insns = insns;
    sb.exits = exits;
    blocks.add_superblock(sb);
  }
  WaitingLoops loops() { return {blocks, *this, {}}; }
  static CodeAddr at(uint32_t offset) { return {kModule, kBegin + offset}; }

  static constexpr ModuleId kModule{1};
};

// 0: the function begins by `begin`, of 3 bytes; 3: movl $1, 8(%rbp); a: mov (%rsi),%eax; c: test; e: je 3; 10: ret
std::vector<uint8_t> storing_loop(std::vector<uint8_t> begin) {
  for (const int b : {0xc7, 0x45, 0x08, 1, 0, 0, 0, 0x8b, 0x06, 0x85, 0xc0, 0x74, 0xf3, 0xc3})
    begin.push_back(static_cast<uint8_t>(b));
  return begin;
}

TEST_CASE("a loop that stores by RBP waits only in a function that has RBP for its frame") {
  Code frame(storing_loop({0x48, 0x89, 0xe5}));  // mov %rsp,%rbp
  Code other(storing_loop({0x48, 0x89, 0xfd}));  // mov %rdi,%rbp
  for (Code* code : {&frame, &other}) code->executed({0x3, 0xa, 0xc, 0xe, 0x10});
  WaitingLoops in_frame = frame.loops(), elsewhere = other.loops();
  REQUIRE(in_frame.way_out(Code::at(0xe)));
  CHECK(in_frame.way_out(Code::at(0xe))->waits);
  CHECK(in_frame.flag_of(Code::at(0xa)) != 0);
  CHECK_FALSE(elsewhere.way_out(Code::at(0xe)));
  CHECK(elsewhere.flag_of(Code::at(0xa)) == 0);
}

// The copied first test of a loop that waits, in an outer loop that goes on by what lies in the frame: that the outer
// one is left there, for what is too far away to be a part of it, does not count.
TEST_CASE("a branch past a loop that waits may leave another one") {
  constexpr uint32_t kFar = 40;
  std::vector<uint8_t> bytes;
  const auto put = [&](std::initializer_list<uint32_t> insns) {
    for (const uint32_t b : insns) bytes.push_back(static_cast<uint8_t>(b));
  };
  put({0x44, 0x39, 0x5c, 0x24, 0x60});           // 0: cmp %r11d,0x60(%rsp)
  put({0x74, 0x1a + kFar});                      // 5: je 21
  put({0x41, 0x8d, 0x43, 0xff});                 // 7: lea -1(%r11),%eax
  put({0x48, 0x98});                             // b: cltq
  put({0x8b, 0x0c, 0x83});                       // d: mov (%rbx,%rax,4),%ecx
  put({0x85, 0xc9});                             // 10: test %ecx,%ecx
  put({0x75, 0x0d + kFar});                      // 12: jne 21
  bytes.resize(bytes.size() + kFar, 0x90);       // not counted in what follows
  put({0xf0, 0x48, 0x83, 0x0c, 0x24, 0x00});     // 14: lock orq $0,(%rsp)
  put({0x8b, 0x14, 0x83});                       // 1a: mov (%rbx,%rax,4),%edx
  put({0x85, 0xd2});                             // 1d: test %edx,%edx
  put({0x74, 0xf3});                             // 1f: je 14
  put({0x8b, 0x4c, 0x24, 0x78});                 // 21: mov 0x78(%rsp),%ecx
  put({0x39, 0x4c, 0x24, 0x68});                 // 25: cmp %ecx,0x68(%rsp)
  put({0x7c, 0x01});                             // 29: jl 2c
  put({0xc3});                                   // 2b: ret
  put({0x41, 0x83, 0xc3, 0x01});                 // 2c: add $1,%r11d
  put({0x44, 0x39, 0x9c, 0x24, 0xa0, 0, 0, 0});  // 30: cmp %r11d,0xa0(%rsp)
  put({0x7f, 0xc6 - kFar});                      // 38: jg 0
  put({0xc3});                                   // 3a: ret
  Code code(bytes);
  const auto behind = [](std::vector<uint32_t> at) {
    for (uint32_t& offset : at) offset += kFar;
    return at;
  };
  code.executed({0x0, 0x5, 0x7});
  code.executed({0x7, 0xb, 0xd, 0x10, 0x12, 0x14});
  code.executed(behind({0x14, 0x1a, 0x1d, 0x1f, 0x21}));
  code.executed(behind({0x21, 0x25, 0x29, 0x2b}));
  code.executed(behind({0x2c, 0x30, 0x38, 0x3a}));
  WaitingLoops loops = code.loops();
  CHECK(loops.flag_of(Code::at(kFar + 0x1a)) != 0);
  REQUIRE(loops.way_out(Code::at(0x12)));
  CHECK(loops.way_out(Code::at(0x12))->waits);
  CHECK(loops.way_out(Code::at(0x12))->out == kBegin + kFar + 0x21);
  CHECK(loops.flag_of(Code::at(0xd)) == loops.flag_of(Code::at(kFar + 0x1a)));
}

}  // namespace
}  // namespace cdr::races
