// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/only_ends.h"

#include <string>
#include <vector>

#include "tests/unit/catch.h"

namespace cdr::report {
namespace {

uint32_t end_of(const std::string& text) { return end_of_closed_for(plain_lines(text), 1); }

TEST_CASE("a counted loop of C that no statement of its body leaves") {
  CHECK(end_of("for (i = 0; i < n / 2; i++) {\n  a[i] = b;\n  if (x) continue;\n}\n") == 4);
  CHECK(end_of("for (int i = n; i > 0; --i) use(i); return;\n") == 1);
  CHECK(end_of("for (i = 0; i < n; i++)\n  for (j = 0; j < m; j++) a[i][j] = 0;\n") == 2);
}

TEST_CASE("a loop of C that something else may end, or that what it does may end") {
  for (const char* body : {"if (x) break;", "if (x) return;", "if (x) goto out;", "n = 5;", "--n;", "set(&n);"})
    CHECK(end_of("for (i = 0; i < n; i++) {\n" + std::string(body) + "\n}\n") == 0);
  CHECK(end_of("for (i = 0; i < n && x; i++) a[i] = 0;\n") == 0);
  CHECK(end_of("for (i = 0; i < p->n; i++) a[i] = 0;\n") == 0);
  CHECK(end_of("for (i = 0; i < size(); i++) a[i] = 0;\n") == 0);
  CHECK(end_of("for (p = first; p; p = p->next) p->x = 0;\n") == 0);
  CHECK(end_of("for (Element i{first}; i != n; ++i) a[i] = 0;\n") == 0);
  CHECK(end_of("for (it = first; it != n; ++it) *it = 0;\n") == 0);
  CHECK(end_of("while (i < n) i++;\n") == 0);
  CHECK(end_of("for (i = 0; i < n; i++) for (j = 0; j < n; j++) a[i][j] = 0;\n") == 0);
  CHECK(end_of("for (i = 0; i < n; i++) {\n") == 0);
}

TEST_CASE("Fortran's counted loop that no statement leaves") {
  const auto end = [](const std::string& body, const std::string& head = "do i = 1, n") {
    const FortranSource source("subroutine s\n" + head + "\n" + body + "\nend do\nend subroutine\n",
                               FortranForm::kFree);
    return end_of_closed_do(source, 2);
  };
  CHECK(end("a(i) = 0") == 4);
  CHECK(end("if (a(i) > 0) cycle") == 4);
  CHECK(end("if (a(i) > 0) exit") == 0);
  CHECK(end("if (a(i) > 0) goto 10") == 0);
  CHECK(end("if (a(i) > 0) cycle outer") == 0);
  CHECK(end("read (5, *, end = 10) a(i)") == 0);
  CHECK(end("a(i) = 0", "do while (x)") == 0);
}

}  // namespace
}  // namespace cdr::report
