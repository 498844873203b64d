// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/early_exits.h"

#include "cdrgrind/report/common/statement_text.h"
#include "tests/unit/catch.h"

namespace cdr::report {
namespace {

bool leaves(const std::string& text, uint32_t line = 1) { return leaves_loop(plain_lines(text), line); }

}  // namespace

TEST_CASE("statements that leave a loop in its middle") {
  CHECK(leaves("if (a[i] == k) break;"));
  CHECK(leaves("for (;;) if (x % i == 0) return 0;"));
  CHECK(leaves("  if (x)\n    goto out;\n"));
  CHECK(leaves("if (x) { done = 1;\n /* now */ break; }"));
  CHECK(leaves("if (x) y = 1; else return;"));
  CHECK(leaves("x = 1;\nif (x)\n{\nreturn;\n}", 2));
}

TEST_CASE("statements that do not") {
  CHECK_FALSE(leaves("if (x) y = 1;\nbreak;"));
  CHECK_FALSE(leaves("if (x) continue;"));
  CHECK_FALSE(leaves("if (x) switch (y) { case 1: break; }"));
  CHECK_FALSE(leaves("if (x) for (;;) break;"));
  CHECK_FALSE(leaves("if (x) puts(\"return\");"));
  CHECK_FALSE(leaves("motif(x); return;"));
  CHECK_FALSE(leaves("return;"));
  CHECK_FALSE(leaves("if (x) break;", 2));
  CHECK_FALSE(leaves("", 1));
}

}  // namespace cdr::report
