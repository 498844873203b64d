// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/exposed_names.h"

#include "cdrgrind/report/common/statement_text.h"
#include "tests/unit/catch.h"

using namespace cdr::report;
using Names = std::set<std::string>;

TEST_CASE("arrays whose elements are assigned, and what is handed on whole") {
  const ExposedNames names = exposed_names(
      "{ v[k] = 1; a[i][j] += 2; ++c[k]; r[0].x = 3; p->m[k] = 4; use(w, n + 1); t = u[k]; q[k] == 5; s = sizeof(z); "
      "}");
  CHECK(names.arrays == Names{"v", "a", "c", "r", "w"});
  CHECK(names.anything == Names{});
}

TEST_CASE("what is referred to by an address or a reference") {
  const ExposedNames names =
      exposed_names("{ split(x, &high, & low); b = c & d; e = f && g; double &y = z; m.part[k] = 1; }");
  CHECK(names.anything == Names{"high", "low", "z"});
}

TEST_CASE("a member that is called in a statement of its own may change its object") {
  const ExposedNames names =
      exposed_names("{ v.set(x); y = w.product(); p->add(1); a[i].set(2); if (z) u.part.clear(); }");
  CHECK(names.anything == Names{"v", "u"});
}

TEST_CASE("macros are what is called in capitals, in statements of their own, and is not assigned to") {
  const ExposedNames names =
      exposed_names("{ SET(t, u); AT(i, j) = 2; y = MAX(a, b); plain(d); std::tie(g, h) = f(); }");
  CHECK(names.macros == Names{"SET", "plain"});
  CHECK(names.anything == Names{"t", "u", "g", "h"});
}

TEST_CASE("what a macro's definition assigns besides its parameters") {
  const auto lines = plain_lines(
      "#define SET(v) hidden = (v)\n"
      "#define SETTLE 1\n"
      "# define BOTH(to, v) \\\n"
      "  to = v, \\\n"
      "  other.x = v\n");
  CHECK(assigned_by_macro(lines, "SET") == Names{"hidden"});
  CHECK(assigned_by_macro(lines, "BOTH") == Names{"other"});
  CHECK(assigned_by_macro(lines, "SETTLE") == Names{});
  CHECK(assigned_by_macro(lines, "NONE") == Names{});
}

TEST_CASE("what is assigned through pointers") {
  CHECK(assigned_through_pointers("{ *p = 1; q->x += 2; y = a * b; *r == 3; s->t; f(*u); }") == Names{"p", "q"});
}
