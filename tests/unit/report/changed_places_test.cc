// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/changed_places.h"

#include "tests/unit/catch.h"

using namespace cdr::report;

namespace {

// "object" of an assignment, "object.function()" of a call, "(object)" of a plain assignment.
std::vector<std::string> changes_in(std::string_view body, const std::set<std::string>& declared = {}) {
  std::vector<std::string> found;
  for (const ChangedPlace& p : changed_places(body, {1, 1}, declared))
    found.push_back(p.whole              ? "(" + p.object + ")"
                    : p.function.empty() ? p.object
                                         : p.object + "." + p.function + "()");
  return found;
}
using ChangedNames = std::vector<std::string>;

}  // namespace

TEST_CASE("elements, members and what pointers lead to are changed by assignments") {
  CHECK(changes_in("{ t[k] = a[i] * 2; b.c.d += t[k]; p->x[i]++; ++q[2]; *r = 1; *(s + i) = 2; (*u).v = *w; }") ==
        ChangedNames{"t", "b", "p", "q", "r", "s", "u"});
  CHECK(changes_in("{ m(i, k) = x; v.at(i) = y; v.front() -= 2; this->z[i] = f(t[k]) == 3; }") ==
        ChangedNames{"m", "v", "v", "z"});
  CHECK(changes_in("{ if (a[i] == 1 && p->x <= 2) return b[i]; y = g * (x) * p(2) * b.f(i); }") == ChangedNames{"(y)"});
  CHECK(changes_in("for (k = 0; k < n; k++) *p++ = x;") == ChangedNames{"(k)", "(k)", "p"});
}

TEST_CASE("so they are by methods in statements of their own, and by functions that fill and copy") {
  CHECK(changes_in("{ acc.add(x); v.clear(); y = v.size() + f(w.get()); g(x); if (y) p->go(); }") ==
        ChangedNames{"acc.add()", "v.clear()", "(y)", "p.go()"});
  CHECK(changes_in(
            "{ std::fill(t.begin(), t.end(), x); memset(u, 0, 8); y = std::accumulate(v.begin(), v.end(), 0); }") ==
        ChangedNames{"t.fill()", "t.fill()", "(x)", "(u)", "(y)"});
  CHECK(changes_in("{ for (int v : g.near(u)) y += v; s += *w++ * i[k]; case 2: g.go(); }") ==
        ChangedNames{"(y)", "(s)", "w", "g.go()"});
}

TEST_CASE("what the body declares leads to others by pointers, references and iterators") {
  const std::set<std::string> declared = {"p", "r", "it", "own", "x", "copy"};
  CHECK(changes_in("{ double* p = t.data(); p[i] = 1; auto& r = u[k]; r = 2; auto it = v.begin(); *it = 3; }",
                   declared) == ChangedNames{"t", "u", "v"});
  CHECK(changes_in("{ double own[3] = {0}; own[1] = 2; auto copy = w; copy.x = 3; p = 0; }", declared) ==
        ChangedNames{});
  CHECK(changes_in("{ for (double& x : t) x = 0; }", declared) == ChangedNames{"t"});
  CHECK(changes_in("{ double* p = (double*)static_cast<void*>(t); double& r = p[2]; r = 1; }", declared) ==
        ChangedNames{"t"});
}

TEST_CASE("places are those of the statements, and of chains of assignments each one's") {
  const auto places = changed_places("{\n  t[k] =\n    a; b[i] = u[2] = 3;\n}", {7, 20}, {});
  REQUIRE(places.size() == 3);
  CHECK(places[0] == ChangedPlace{"t", {8, 3}, {9, 6}, {}, false, "a"});
  CHECK(places[1] == ChangedPlace{"b", {9, 8}, {9, 14}, {}, false});
  CHECK(places[2] == ChangedPlace{"u", {9, 15}, {9, 23}, {}, false, {}, true});
}

TEST_CASE("elements are the same in every iteration by numbers, and by what inner loops count from a number on") {
  const auto same = [](std::string_view body) {
    std::vector<bool> found;
    for (const ChangedPlace& p : changed_places(body, {1, 1}, {"k"}))
      if (p.object == "t") found.push_back(p.same_elements);
    return found;
  };
  using Same = std::vector<bool>;
  CHECK(same("{ for (int k = 0; k < 8; k++) t[k] = x; t[20 + i] = y; t[3] = z; t[ k ] += t[4]; }") ==
        Same{true, false, true, true});
  CHECK(same("{ for (int k = 0; k < 8; k += 2) t[k].v = x; }") == Same{false});
  CHECK(same("{ for (int k = 0; k < 8; k += 2) { t[k][0] = x; t[k] = y; } }") == Same{false, true});
  CHECK(same("{ for (int k = i; k < 8; k++) t[k] = x; }") == Same{false});
  CHECK(same("{ for (int k = 0; k < 8; k++) { t[k] = x; k = i; } }") == Same{false});
  CHECK(same("{ int k = 0; t[k] = x; t[i] = y; t[k + 1] = x; }") == Same{false, false, false});
  CHECK(same("{ for (int k = 0; k < 8; k += i) t[k] = x; for (k = 0; scanf(f, &k);) t[k] = y; }") ==
        Same{false, false});
}
