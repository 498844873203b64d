// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/races/loop_statements.h"

#include <string>

#include "tests/unit/catch.h"

namespace cdr::report {
namespace {

// "first-head-last", with "c" if in chunks.
std::string loops(std::string_view text) {
  std::string all;
  for (const LoopLines& l : worksharing_loops_of(text)) {
    if (!all.empty()) all += ' ';
    all += std::to_string(l.first) + '-' + std::to_string(l.head) + '-' + std::to_string(l.last);
    if (l.in_chunks) all += 'c';
  }
  return all;
}

TEST_CASE("a loop's statement reaches from its pragma to its end") {
  CHECK(loops("#pragma omp parallel for\nfor (int i = 0; i < n; i++) a[i] = 0;\nb = 1;\n") == "1-2-2");
  CHECK(loops("#pragma omp for nowait\nfor (int i = 0;\n     i < n; i++) {\n  if (i)\n    x();\n}\n") == "1-3-6");
  CHECK(loops("#pragma omp parallel for \\\n  reduction(+ : s)\nfor (;;)\n  for (;;) s++;\n") == "1-3-4");
  CHECK(loops("#pragma omp for collapse(2)\nfor (;;) {\n  for (;;)\n    s++;\n}\n") == "1-3-5");
  CHECK(loops("#pragma omp for\nfor (;;)") == "1-2-3");  // the file ends within
  CHECK(loops("x;\n_Pragma(\"omp for\")\nfor (;;) s++;\n") == "2-3-3");
}

TEST_CASE("only loops that the compiler shares out by itself count") {
  CHECK(loops("#pragma omp for schedule(dynamic)\nfor (;;) s++;\n").empty());
  CHECK(loops("#pragma omp for ordered\nfor (;;) s++;\n").empty());
  CHECK(loops("#pragma omp taskloop\nfor (;;) s++;\n").empty());
  CHECK(loops("#pragma omp for reduction(inscan, + : s)\nfor (;;) s++;\n").empty());
  CHECK(loops("#pragma omp parallel\nfor (;;) s++;\n").empty());
  CHECK(loops("// #pragma omp for\nfor (;;) s++;\n").empty());
}

TEST_CASE("chunks of several iterations are told") {
  CHECK(loops("#pragma omp for schedule(static, 4)\nfor (;;) s++;\n") == "1-2-2c");
  CHECK(loops("#pragma omp for schedule(static, 1)\nfor (;;) s++;\n") == "1-2-2");
  CHECK(loops("#pragma omp for schedule(static)\nfor (;;) s++;\n") == "1-2-2");
}

TEST_CASE("of several pragmas before a loop any counts, unless only some share out in chunks") {
  const std::string first = "#ifdef X\n#pragma omp for schedule(static", second = ")\n#else\n#pragma omp for nowait\n";
  CHECK(loops(first + second + "#endif\nfor (;;) s++;\n") == "2-6-6");
  CHECK(loops(first + ", 4" + second + "#endif\nfor (;;) s++;\n").empty());
  CHECK(loops("EITHER(\"omp for schedule(static, 2)\", \"omp for\")\nfor (;;) s++;\n").empty());
}

TEST_CASE("a loop in the body is told, if it is no function of its own") {
  const auto nests = [](std::string_view text) { return worksharing_loops_of(text).front().nests; };
  CHECK_FALSE(nests("#pragma omp for\nfor (;;) {\n  if (x) y();\n}\n"));
  CHECK(nests("#pragma omp for\nfor (;;)\n  for (;;) y();\n"));
  CHECK(nests("#pragma omp for\nfor (;;) while (x) y();\n"));
  CHECK_FALSE(nests("#pragma omp for\nfor (;;) {\n#pragma omp taskloop\n  for (;;) y();\n}\n"));
}

TEST_CASE("loops of Fortran that the compiler shares out") {
  const auto loops_of = [](std::string_view text) {
    std::string all;
    for (const LoopLines& l : worksharing_loops_of(FortranSource(text, FortranForm::kFree))) {
      all += std::to_string(l.first) + '-' + std::to_string(l.head) + '-' + std::to_string(l.last);
      all += std::string(l.in_chunks ? "c" : "") + (l.nests ? "n" : "") + (l.is_collapsed ? "k" : "") + ' ';
    }
    return all;
  };
  CHECK(loops_of("!$omp parallel do\ndo i = 1, n\n a(i) = 0\nend do\n!$omp end parallel do\n") == "1-2-4 ");
  CHECK(loops_of("!$omp do schedule(static, 4)\ndo i = 1, n\n a(i) = 0\nend do\n") == "1-2-4c ");
  CHECK(loops_of("!$omp do collapse(2)\ndo j = 1, n\ndo i = 1, n\n a(i) = 0\nend do\nend do\n") == "1-3-6k ");
  CHECK(loops_of("!$omp do\ndo j = 1, n\ndo i = 1, n\n a(i) = 0\nend do\nend do\n") == "1-2-6n ");
  CHECK(loops_of("!$omp do schedule(dynamic)\ndo i = 1, n\nend do\n").empty());
  CHECK(loops_of("!$omp end do\ndo i = 1, n\nend do\n").empty());
  CHECK(loops_of("!$omp taskloop\ndo i = 1, n\nend do\n").empty());
}

}  // namespace
}  // namespace cdr::report
