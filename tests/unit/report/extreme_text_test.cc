// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/extreme_text.h"

#include "tests/unit/catch.h"

using cdr::report::extreme_in;

TEST_CASE("the greatest and the least by a choice, whichever way it stands") {
  CHECK(extreme_in("{ m = v[i] > m ? v[i] : m; }", "m") == "max");
  CHECK(extreme_in("{ m = m > v[i] ? m : v[i]; }", "m") == "max");
  CHECK(extreme_in("{ m = m < v[i] ? v[i] : m; }", "m") == "max");
  CHECK(extreme_in("{ m = (f(v[i], 2) < m) ? f(v[i], 2) : m; }", "m") == "min");
  CHECK(extreme_in("{ m = ((p->x >= (m)) ? m : p->x); }", "m") == "min");
  CHECK(extreme_in("{ m = k ? v[i] : m; }", "m").empty());
  CHECK(extreme_in("{ m = v[i] > k ? v[i] : m; }", "m").empty());
}

TEST_CASE("by a condition, and by functions and macros") {
  CHECK(extreme_in(" if (v[i] > m) m = v[i];", "m") == "max");
  CHECK(extreme_in("{ if (m > x) { m = x; } }", "m") == "min");
  CHECK(extreme_in("{ if (!(m < x)) m = x; }", "m").empty());
  CHECK(extreme_in("{ if (m < x && n > 0) m = x; }", "m").empty());
  CHECK(extreme_in("{ m = std::max(m, x); }", "m") == "max");
  CHECK(extreme_in("{ m = MIN(m, x); }", "m") == "min");
  CHECK(extreme_in("{ m = fmax(m, fmin(x, y)); }", "m").empty());
}

TEST_CASE("all assignments say the same, and members of that name are others") {
  CHECK(extreme_in("{ if (x > m) m = x; if (m < y) m = y; p.m = 3; }", "m") == "max");
  CHECK(extreme_in("{ if (x > m) m = x; if (m > y) m = y; }", "m").empty());
  CHECK(extreme_in("{ if (x > m) m = x; m++; }", "m").empty());
  CHECK(extreme_in("{ x = m; }", "m").empty());
}
