// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/constant_function.h"

#include <string>
#include <vector>

#include "cdrgrind/report/common/statement_text.h"
#include "tests/unit/catch.h"

namespace {

// Of the last line.
bool is_constant(const std::string& text) {
  const std::vector<std::string> lines = cdr::report::plain_lines(text);
  return cdr::report::in_constant_functions(lines).back();
}

TEST_CASE("loops in functions that the compiler may execute") {
  CHECK(is_constant("constexpr int f(int n) {\nfor (;;) {"));
  CHECK(is_constant("template <class T>\nstatic consteval auto f(T n)\n    -> T {\n  if (n) {\nfor (;;) {"));
  CHECK(is_constant("struct S {\n  int a;\n  constexpr S(int n = S{}) : a(n), b{2} {\nfor (;;) {"));
  CHECK(is_constant("MY_CONSTEXPR14 int f() {\nfor (;;) {"));
  CHECK(is_constant("constexpr int f() {\n  auto g = [&](int i) {\nfor (;;) {"));
  CHECK(is_constant("void f() {\n  auto g = [&](int i) constexpr {\nfor (;;) {"));
}

TEST_CASE("loops in other functions") {
  CHECK_FALSE(is_constant("constexpr int n = 3;\nint f() {\nfor (;;) {"));
  CHECK_FALSE(is_constant("constexpr int f() { return 1; }\nint g() {\nfor (;;) {"));
  CHECK_FALSE(is_constant("constexpr int t[] = {1, 2};\nint g() {\nfor (;;) {"));
  CHECK_FALSE(is_constant("template <class T>\nvoid f() {\n  if constexpr (n<T>) {\nfor (;;) {"));
  CHECK_FALSE(is_constant("#define F constexpr int f() {\nint g() { // constexpr\nfor (;;) {"));
}

}  // namespace
