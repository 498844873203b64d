// SPDX-License-Identifier: GPL-2.0-or-later
// The bytes are those of the assembler.
#include "cdrgrind/tool/insn_class.h"

#include <string>
#include <vector>

#include "tests/unit/catch.h"

using cdr::tool::classify_insn;
using cdr::tool::InsnClass;

namespace {

// "l" linkage, "a" atomic, "r" repeated.
std::string class_of(const std::vector<uint8_t>& bytes) {
  const InsnClass c = classify_insn(bytes);
  return std::string(c.linkage ? "l" : "") + (c.atomic ? "a" : "") + (c.repeated ? "r" : "");
}

}  // namespace

TEST_CASE("calls, returns and leave are linkage, jumps and other uses of their opcodes are not") {
  CHECK(class_of({0xe8, 0, 0, 0, 0}) == "l");        // call rel32
  CHECK(class_of({0xff, 0xd0}) == "l");              // call *%rax
  CHECK(class_of({0x41, 0xff, 0x14, 0x24}) == "l");  // call *(%r12)
  CHECK(class_of({0xff, 0x1b}) == "l");              // lcall *(%rbx)
  CHECK(class_of({0xc3}) == "l");                    // ret
  CHECK(class_of({0xf3, 0xc3}) == "l");              // repz ret
  CHECK(class_of({0xf2, 0xe8, 0, 0, 0, 0}) == "l");  // bnd call
  CHECK(class_of({0xc2, 8, 0}) == "l");              // ret $8
  CHECK(class_of({0xc9}) == "l");                    // leave
  CHECK(class_of({0xff, 0xe0}) == "");               // jmp *%rax
  CHECK(class_of({0xff, 0x00}) == "");               // incl (%rax)
  CHECK(class_of({0xff, 0x30}) == "");               // push (%rax)
  CHECK(class_of({0xe9, 0, 0, 0, 0}) == "");         // jmp rel32
}

TEST_CASE("pushes and pops are linkage for rbx, rbp and r12 to r15") {
  for (unsigned reg = 0; reg < 16; ++reg)
    for (const unsigned opcode : {0x50u, 0x58u}) {
      INFO("register " << reg << ", opcode " << opcode);
      const bool saved = reg == 3 || reg == 5 || reg >= 12;
      const auto op = static_cast<uint8_t>(opcode + reg % 8);
      const std::string expected = saved ? "l" : "";
      CHECK(class_of(reg < 8 ? std::vector<uint8_t>{op} : std::vector<uint8_t>{0x41, op}) == expected);
    }
  CHECK(class_of({0x48, 0x53}) == "l");  // rex.W push %rbx
  CHECK(class_of({0x66, 0x53}) == "l");  // push %bx
}

TEST_CASE("LOCK and XCHG with memory are atomic, XCHG of registers is not") {
  CHECK(class_of({0xf0, 0xff, 0x00}) == "a");              // lock incl (%rax)
  CHECK(class_of({0xf0, 0x48, 0x0f, 0xc1, 0x07}) == "a");  // lock xadd %rax,(%rdi)
  CHECK(class_of({0x66, 0xf0, 0x0f, 0xb1, 0x0f}) == "a");  // lock cmpxchg %cx,(%rdi)
  CHECK(class_of({0x87, 0x07}) == "a");                    // xchg %eax,(%rdi)
  CHECK(class_of({0x48, 0x87, 0x47, 8}) == "a");           // xchg %rax,8(%rdi)
  CHECK(class_of({0x86, 0x07}) == "a");                    // xchg %al,(%rdi)
  CHECK(class_of({0xf2, 0x87, 0x07}) == "a");              // xacquire xchg
  CHECK(class_of({0x87, 0xc7}) == "");                     // xchg %eax,%edi
  CHECK(class_of({0x90}) == "");                           // nop
  CHECK(class_of({0x89, 0x07}) == "");                     // mov %eax,(%rdi)
}

TEST_CASE("string instructions behind REP are repeated, other instructions with its bytes are not") {
  for (const uint8_t op : {0x6c, 0x6d, 0x6e, 0x6f, 0xa4, 0xa5, 0xa6, 0xa7, 0xaa, 0xab, 0xac, 0xad, 0xae, 0xaf}) {
    CHECK(class_of({0xf3, op}) == "r");
    CHECK(class_of({0xf2, 0x48, op}) == "r");
    CHECK(class_of({0x66, 0xf3, op}) == "r");
    CHECK(class_of({op}) == "");
  }
  CHECK(class_of({0xf3, 0x90}) == "");                    // pause
  CHECK(class_of({0xf3, 0x0f, 0x10, 0x07}) == "");        // movss (%rdi),%xmm0
  CHECK(class_of({0xf3, 0x48, 0x0f, 0xb8, 0xc7}) == "");  // popcnt
  CHECK(class_of({0xf3, 0xa8, 1}) == "");                 // test
}

TEST_CASE("bytes that end early say nothing") {
  CHECK(class_of({}) == "");
  CHECK(class_of({0xf0}) == "");
  CHECK(class_of({0x66, 0xf3, 0x48}) == "");
  CHECK(class_of({0x87}) == "");
  CHECK(class_of({0xff}) == "");
}
