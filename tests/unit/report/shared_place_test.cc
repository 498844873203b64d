// SPDX-License-Identifier: GPL-2.0-or-later
// The line of the `for' of a loop that is shared out, from any line that a compiler may give to its code.
#include "cdrgrind/report/advise/shared_place.h"

#include "cdrgrind/symbols/files/source_file.h"
#include "tests/unit/catch.h"

namespace cdr::report {
namespace {

symbols::SourceFile source(const char* text) { return symbols::SourceFile::of_text("a.c", text); }

TEST_CASE("the for of a shared loop is found from its pragma, from itself and from its body") {
  const auto file = source(
      "void f(void) {\n"
      "#pragma omp parallel for schedule(static) \\\n"
      "    num_threads(2)\n"
      "  for (int i = 0; i < 9; i++) {\n"
      "\n"
      "    a[i] = i;\n"
      "  }\n"
      "}\n");
  for (const uint32_t line : {2u, 4u, 6u}) CHECK(shared_head(file, line) == 4);
}

TEST_CASE("the pragma of a region leads to the loop that is shared out in it") {
  const auto file = source(
      "#pragma omp parallel\n"
      "  {\n"
      "#pragma omp for schedule(dynamic)\n"
      "    for (int i = 0; i < 9; i++) a[i] = i;\n"
      "  }\n");
  CHECK(shared_head(file, 1) == 4);
  CHECK(shared_head(file, 3) == 4);
}

TEST_CASE("a loop without such a pragma, or of another function, is no shared one") {
  const auto file = source(
      "#pragma omp for\n"
      "  for (int i = 0; i < 9; i++) a[i] = i;\n"
      "}\n"
      "void g(void) {\n"
      "  b = 1;\n"
      "  for (int i = 0; i < 9; i++) b += i;\n"
      "#pragma omp barrier\n"
      "}\n");
  for (const uint32_t line : {5u, 6u, 7u}) CHECK(shared_head(file, line) == 0);
}

TEST_CASE("of collapsed loops it is the outermost one") {
  const auto file = source(
      "#pragma omp for collapse(2)\n"
      "  for (int i = 0; i < 9; i++)\n"
      "    for (int j = 0; j < 9; j++)\n"
      "      a[i][j] = i;\n");
  for (const uint32_t line : {1u, 2u}) CHECK(shared_head(file, line) == 2);
}

TEST_CASE("a directive of OpenMP is told from other lines") {
  const auto file = source(
      "#pragma omp parallel for reduction(+ : sum)\n"
      "  for (int i = 0; i < omp; i++) sum += a[i];\n"
      "#pragma once\n");
  CHECK(is_directive(file, 1));
  CHECK(!is_directive(file, 2));
  CHECK(!is_directive(file, 3));
  const auto fortran = symbols::SourceFile::of_text("a.f90", "!$OMP PARALLEL DO\n do i = 1, omp\n! omp\n");
  CHECK(is_directive(fortran, 1));
  CHECK(!is_directive(fortran, 2));
  CHECK(!is_directive(fortran, 3));
}

TEST_CASE("the do of a shared loop of Fortran") {
  const auto file = symbols::SourceFile::of_text("a.f90",
                                                 "!$omp end do\n"
                                                 "do i = 1, n\n"
                                                 "end do\n"
                                                 "!$OMP PARALLEL DO &\n"
                                                 "!$OMP& SCHEDULE(DYNAMIC)\n"
                                                 "  do i = 1, n\n"
                                                 "    a(i) = i\n"
                                                 "  end do\n");
  for (const uint32_t line : {4u, 6u, 7u}) CHECK(shared_head(file, line) == 6);
  CHECK(shared_head(file, 2) == 0);
}

TEST_CASE("of a nest the outermost loop is shared, whichever has code") {
  const auto file = source(
      "#pragma omp parallel for\n"
      "  for (int j = 0; j < 9; j++)\n"
      "    for (int i = 0; i < 9; i++)\n"
      "      a[i][j] = i;\n");
  for (const uint32_t line : {1u, 2u, 3u, 4u}) CHECK(shared_head(file, line) == 2);
}

TEST_CASE("the for under simd, where code has lines of the body alone") {
  const auto file = source(
      "#pragma omp simd\n"
      "  for (int i = 0; i < 9; i++) {\n"
      "    a[i] = i;\n"
      "    b[i] = i;\n"
      "  }\n"
      "#pragma omp parallel for firstprivate(end)\n"
      "  for (int i = 0; i < 9; i++) c[i] = i;\n");
  CHECK(shared_head(file, 7) == 7);
  for (const uint32_t line : {2u, 3u, 4u}) CHECK(simd_head(file, line) == 2);
  CHECK(simd_head(file, 7) == 0);
  const auto unbraced = source("#pragma omp simd\nfor (int i = 0; i < 9; i++)\n  a[i] = i;\nwhile (more()) b++;\n");
  CHECK(simd_head(unbraced, 3) == 2);
  CHECK(simd_head(unbraced, 4) == 0);
}

}  // namespace
}  // namespace cdr::report
