// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/races/argument_values.h"

#include "tests/unit/analysis/races/no_facts.h"
#include "tests/unit/catch.h"

namespace cdr::report {
namespace {

using Kind = ArgumentValue::Kind;

// Functions of 0x100 bytes each, the first at 0x1000.
struct Code final : test::NoFacts {
  static constexpr uint64_t kBegin = 0x1000, kFunction = 0x100;
  std::vector<uint8_t> bytes = std::vector<uint8_t>(3 * kFunction, 0x90);

  // Where what follows stands.
  uint64_t put(uint64_t at, std::initializer_list<int> code) {
    for (const int b : code) bytes[at++ - kBegin] = static_cast<uint8_t>(b);
    return at;
  }
  std::span<const uint8_t> code_at(CodeAddr at, uint32_t size) override {
    if (at.addr < kBegin || at.addr + size > kBegin + bytes.size()) return {};
    return std::span(bytes).subspan(at.addr - kBegin, size);
  }
  ArgumentValues values() {
    return {*this, [](CodeAddr at) { return at.addr - at.addr % kFunction; }};
  }
};

constexpr uint64_t kMain = Code::kBegin;
CodeAddr at(uint64_t addr) { return {ModuleId(1), addr}; }
constexpr ArgumentValue constant(int64_t value) { return {Kind::kConstant, value}; }
constexpr ArgumentValue kNothing;
constexpr uint8_t kRcx = 1, kRdx = 2, kRbx = 3, kRsi = 6;

// push %rbp; mov %rsp,%rbp
uint64_t put_prologue(Code& code, uint64_t at) { return code.put(at, {0x55, 0x48, 0x89, 0xe5}); }

}  // namespace

TEST_CASE("a constant that a register is set to") {
  Code code;
  uint64_t here = code.put(kMain, {0xbe, 3, 0, 0, 0});  // mov $3,%esi
  here = code.put(here, {0x31, 0xd2});                  // xor %edx,%edx
  here = code.put(here, {0x89, 0xf1});                  // mov %esi,%ecx
  ArgumentValues values = code.values();
  CHECK(values.in_register(at(here), kRsi) == constant(3));
  CHECK(values.in_register(at(here), kRdx) == constant(0));
  CHECK(values.in_register(at(here), kRcx) == constant(3));
  CHECK(values.in_register(at(here), kRbx) == ArgumentValue{Kind::kArgument, kRbx});
  CHECK(values.in_register(at(kMain), kRsi) == ArgumentValue{Kind::kArgument, kRsi});
  CHECK(values.in_register(at(here + 0x1000), kRsi) == kNothing);
}

TEST_CASE("a register is not known behind a call, or where ways meet") {
  Code code;
  uint64_t here = code.put(kMain, {0xbe, 3, 0, 0, 0, 0xbb, 4, 0, 0, 0});  // mov $3,%esi; mov $4,%ebx
  here = code.put(here, {0xe8, 0, 1, 0, 0});                              // call
  ArgumentValues values = code.values();
  CHECK(values.in_register(at(here), kRsi) == kNothing);
  CHECK(values.in_register(at(here), kRbx) == constant(4));

  Code branches;
  here = branches.put(kMain, {0xbe, 3, 0, 0, 0, 0x74, 5});  // mov $3,%esi; je behind
  here = branches.put(here, {0xbe, 0, 0, 0, 0});            // mov $0,%esi
  ArgumentValues of_branches = branches.values();
  CHECK(of_branches.in_register(at(here - 5), kRsi) == constant(3));
  CHECK(of_branches.in_register(at(here), kRsi) == kNothing);
  CHECK(of_branches.in_register(at(here), kRdx) == kNothing);
  CHECK(of_branches.in_register(at(here - 5), kRdx) == ArgumentValue{Kind::kArgument, kRdx});

  Code jumps;
  here = jumps.put(kMain, {0xbe, 3, 0, 0, 0, 0xeb, 0x10});  // mov $3,%esi; jmp away
  ArgumentValues of_jumps = jumps.values();
  CHECK(of_jumps.in_register(at(here), kRsi) == kNothing);
}

TEST_CASE("a place in the frame has the constant that alone is stored there") {
  Code code;
  uint64_t here = put_prologue(code, kMain);
  here = code.put(here, {0xc7, 0x45, 0xe8, 3, 0, 0, 0});  // movl $3,-0x18(%rbp)
  here = code.put(here, {0xc7, 0x45, 0xe4, 1, 0, 0, 0});  // movl $1,-0x1c(%rbp)
  here = code.put(here, {0xc7, 0x45, 0xe4, 2, 0, 0, 0});  // movl $2,-0x1c(%rbp)
  here = code.put(here, {0x89, 0x55, 0xe0});              // mov %edx,-0x20(%rbp)
  here = code.put(here, {0x8b, 0x75, 0xe8});              // mov -0x18(%rbp),%esi
  here = code.put(here, {0x83, 0x45, 0xdc, 1});           // addl $1,-0x24(%rbp)
  ArgumentValues values = code.values();
  // The canonical frame address is 16 bytes above what RBP points to.
  CHECK(values.in_frame(at(kMain), -0x18 - 16) == constant(3));
  CHECK(values.in_frame(at(kMain), -0x1c - 16) == kNothing);
  CHECK(values.in_frame(at(kMain), -0x20 - 16) == ArgumentValue{Kind::kArgument, kRdx});
  CHECK(values.in_frame(at(kMain), -0x24 - 16) == kNothing);
  CHECK(values.in_frame(at(kMain), -0x28 - 16) == kNothing);
  CHECK(values.in_register(at(here), kRsi) == constant(3));
}

TEST_CASE("without a frame pointer no place in the frame is known") {
  Code code;
  code.put(kMain, {0xc7, 0x45, 0xe8, 3, 0, 0, 0});  // movl $3,-0x18(%rbp)
  ArgumentValues values = code.values();
  CHECK(values.in_frame(at(kMain), -0x18 - 16) == kNothing);
}

TEST_CASE("what a function calls, and its full fences") {
  Code code;
  const uint64_t call = put_prologue(code, kMain);
  const uint64_t fence = code.put(call, {0xe8, 0xf7, 0, 0, 0});                // call 0x1100
  const uint64_t locked = code.put(fence, {0x0f, 0xae, 0xf0});                 // mfence
  const uint64_t other = code.put(locked, {0xf0, 0x48, 0x83, 0x0c, 0x24, 0});  // lock orq $0,(%rsp)
  code.put(other, {0xf0, 0x83, 0x00, 0x01});                                   // lock addl $1,(%rax)
  ArgumentValues values = code.values();
  CHECK(values.called_by(at(call)) == 0x1100);
  CHECK(values.called_by(at(fence)) == 0);
  CHECK(values.called_in(at(kMain)) == std::vector<uint64_t>{0x1100});
  CHECK(values.full_fences(at(kMain)) == std::vector<uint64_t>{fence, locked});
}

}  // namespace cdr::report
