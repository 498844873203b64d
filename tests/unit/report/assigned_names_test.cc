// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/assigned_names.h"

#include "tests/unit/catch.h"

using Names = std::set<std::string>;

namespace {

Names assigned_names(std::string_view text) { return cdr::report::body_names(cdr::report::loop_body(text)).assigned; }
Names names_assigned_in_part(std::string_view text) {
  return cdr::report::body_names(cdr::report::loop_body(text)).in_part;
}
Names arrays_assigned_and_read(std::string_view text) {
  return cdr::report::body_names(cdr::report::loop_body(text)).both_ways;
}

TEST_CASE("what a body declares, and which of it is static") {
  const cdr::report::BodyNames names = cdr::report::body_names(
      "{ int k; static double t, u; std::vector<int> v; double w = *at(x, y, z), q = 1; for (; jt < least(n, j + 1);) "
      "{} }");
  for (const char* const name : {"k", "t", "u", "v", "w", "q"}) CHECK(names.declared.contains(name));
  for (const char* const name : {"at", "x", "y", "z", "jt", "least", "n", "j"})
    CHECK_FALSE(names.declared.contains(name));
  CHECK(names.kept == std::set<std::string>{"t", "u"});
}

}  // namespace

TEST_CASE("every form of assignment counts, comparisons do not") {
  CHECK(assigned_names("for (;;) { a = 1; b += 2; c <<= 1; d++; --e; if (f == 1 && g <= 2 && h != 3) ; }") ==
        Names{"a", "b", "c", "d", "e"});
}

TEST_CASE("elements, members and what pointers point to are no scalar variables") {
  CHECK(assigned_names("for (;;) { a[i] = 1; p->x = 2; s.y += 3; *q = 4; }") == Names{});
}

TEST_CASE("what the loop declares is its own") {
  CHECK(assigned_names("for (int i = 0; i < n; i++) { double t = x[i]; t *= 2; struct node *p = q; p = 0; u = t; }") ==
        Names{"u"});
}

TEST_CASE("what is counted behind a product or by a pointer is assigned") {
  CHECK(assigned_names("for (;;) { a[i] = 8 * k++; *p++ = 1; b = -m--; }") == Names{"b", "k", "m", "p"});
}

TEST_CASE("members and elements of a constant number that are assigned, but for those of what is declared there") {
  CHECK(names_assigned_in_part("for (;;) { p.t = 1; v[0] += 2; m.rows[1].x++; a[i] = 3; q->x = 4; s[2] == 5; }") ==
        Names{"m", "p", "v"});
  CHECK(names_assigned_in_part(
            "for (;;) { double t, v[3]; Point p; v[0] = 1; p.x = 2; std::pair<int, int> q; q.first = 3; "
            "struct S* r; }") == Names{});
  CHECK(names_assigned_in_part("for (;;) { double t = p.t, u = f(q.x), v[2]; p.t = 2; q.x = 3; v[0] = 1; }") ==
        Names{"p", "q"});
  CHECK(names_assigned_in_part("for (;;) { x = b * p.y; p.y = 2; return; }") == Names{"p"});
}

TEST_CASE("arrays of which elements are assigned and read") {
  CHECK(arrays_assigned_and_read(
            "for (;;) { a[i] = a[i - 1] + b[i]; c[j]++; d[i][j] += 1; e[f[i]] = 1; f[0] == 2; g[i] = g; }") ==
        Names{"a", "c", "d"});
}

TEST_CASE("heads that OpenMP takes") {
  const auto takes = [](const std::string& head, const std::string& before = "") {
    return cdr::report::for_head(before + "for (" + head + ") a[i] = 0;").canonical;
  };
  for (const char* head :
       {"int i = 0; i < n; i++", "i = n; i >= 0; --i", "i = 0; n > i; i += 2", "i = 0; i != n; i = i + 1",
        "i = 0; i <= f(a, b); i = 1 + i", "i = 9; i > 0; i = i - 3", "auto &x : all"})
    CHECK(takes(head));
  for (const char* head :
       {"i = 0; i * i < n; i++", "i = 0; i + 4 <= n; i++", "i = 0; i < n && !done; i++", "i = 1; i < n; i *= 2",
        "i = 0; a[i]; i++", "i = 0; i == n; i++", "i = 0; i < n - i; i++", "i = 0; i < n; i = next(i)"})
    CHECK_FALSE(takes(head));
  CHECK(takes("i = 0; i < n; i++", "  } "));
  CHECK_FALSE(takes("i = 0; i < n; i++", "case 4: "));
  CHECK_FALSE(takes("i = 0; i < n; i++", "if (x) "));
}

TEST_CASE("heads that compare by `!=' take steps of 1 and -1 alone") {
  const auto refuses = [](const std::string& head) {
    return !cdr::report::for_head("for (" + head + ") a[i] = 0;").refused.empty();
  };
  for (const char* head : {"i = 0; i != n; i++", "i = 0; n != i; --i", "i = 0; i != n; i += 1", "i = n; i != 0; i -= 1",
                           "i = 0; i != n; i = i + 1", "i = 0; i < n; i += 2", "i = 0; i != n; i = 1 + i"})
    CHECK_FALSE(refuses(head));
  for (const char* head : {"i = 0; i != n; i += 2", "i = 0; i != n + d; i += d", "It i = b; e != i; i += 2",
                           "i = n; i != 0; i = i - 4", "double *i = a; i != a + n; i += 2"})
    CHECK(refuses(head));
}

TEST_CASE("heads whose counter goes away from its bound end where it wraps around") {
  const auto refuses = [](const std::string& head) {
    return !cdr::report::for_head("for (" + head + ") a[i] = 0;").refused.empty();
  };
  for (const char* head : {"i = n; i < n; --i", "i = n; i <= m; i -= 2", "i = 0; i > n; i++", "i = 0; n < i; i = i + 1",
                           "i = n; n > i; i = i - 1u", "i = 0; i >= 0; i = 3 + i", "i = n; i < n; i += -1"})
    CHECK(refuses(head));
  for (const char* head :
       {"i = n; i > 0; --i", "i = n; 0 <= i; i -= 2", "i = 0; i < n; i++", "i = 0; n >= i; i = i + 1",
        "i = 0; i < n; i -= d", "i = n; i > 0; i += d", "i = n; i > 0; i += -1", "i = 0; i < n; i -= -2",
        "i = 0; i < n; i = i - -1", "i = 0; i < n; i = d + i", "i = n; i != 0; --i"})
    CHECK_FALSE(refuses(head));
}

TEST_CASE("arrays filled where elements of others are read that the counter tells") {
  const auto filled = [](const std::string& body) { return cdr::report::arrays_filled_from_others(body, {"i"}); };
  CHECK(filled("{ to[i] = from[i] + 1; }") == Names{"to"});
  CHECK(filled("{ a[i] = a[i - 1]; b[0] = 2; }") == Names{"a", "b"});
  CHECK(filled("{ to[i] = from[0]; }").empty());
  CHECK(filled("{ to[i] = i; }").empty());
  CHECK(filled("{ int t[4]; t[0] = from[i]; x = t[0]; }").empty());
  CHECK(filled("{ s += from[i]; }").empty());
}

TEST_CASE("the counter in the parentheses is not looked at, one of a loop within is") {
  CHECK(assigned_names("for (i = 0; i < f(n); i++) for (j = 0; j < n; j++) a[i][j] = 0;") == Names{"j"});
}

TEST_CASE("comments and literals assign nothing") {
  CHECK(assigned_names("for (;;) { /* a = 1 */ puts(\"b = 2 \\\" c = 3\"); // d = 4\n x = ';'; }") == Names{"x"});
}

TEST_CASE("the head of a for: what counts, and whether it is declared there") {
  using cdr::report::for_head;
  CHECK(for_head("for (int i = 0; i < n; i++) j++;").counters == Names{"i"});
  CHECK(for_head("for (int i = 0; i < n; i++) j++;").declares);
  CHECK(for_head("for (i = f(a, b); i < n; i += 2)").counters == Names{"i"});
  CHECK(!for_head("for (i = 0; i < n; ++i)").declares);
  CHECK(for_head("for (It i{a.begin()}; i != end; ++i)").declares);
  CHECK(for_head("for (It *i(first); i != end; ++i)").declares);
  CHECK(!for_head("for (i.at(0); i != end; ++i)").declares);
  CHECK(for_head("for (i = 0, j = n; i < j; i++, j--)").counters == Names{"i", "j"});
  CHECK(for_head("for (p = list; p; p = p->next)").counters == Names{"p"});
  CHECK(for_head("while (x) y = 1;").elements.empty());
  const auto range = for_head("for (std::pair<int, int> &x : all::of(them)) n += x.first;");
  CHECK(range.declares);
  CHECK(range.counters.size() == 1);
  CHECK(range.counts_by("x"));
  CHECK(range.counts_by("__begin1"));
  CHECK(!range.counts_by("n"));
  CHECK(!range.counts_by("them"));
  CHECK(!for_head("for (int i = 0; i < n; i++) j++;").counts_by("__for_begin"));
  CHECK(for_head("while (x) y = 1;").counters.empty());
}

TEST_CASE("how OpenMP wants a counter to begin, where it begins in another way") {
  const auto wanted = [](const std::string& begin, const std::string& name = "i") {
    return cdr::report::for_head("for (" + begin + "; " + name + " < n; ++" + name + ") a[" + name + "] = 0;").wanted;
  };
  CHECK(wanted("int i = 0").empty());
  CHECK(wanted("i = f(a, b)").empty());
  CHECK(wanted("std::array<int, 4>::iterator i = all.begin()").empty());
  CHECK(wanted("int i{0}") == "int i = 0");
  CHECK(wanted("int i = {0}") == "int i = 0");
  CHECK(wanted("unsigned long\n  i{}") == "unsigned long i = 0");
  CHECK(wanted("auto i(all.find('x'))") == "auto i = all.find('x')");
  CHECK(wanted("const char *p{text}", "p") == "const char *p = text");
  CHECK(wanted("char *p{}", "p") == "char *p = nullptr");
  CHECK(wanted("It i{a.begin()}") == "It i = It{a.begin()}");
  CHECK(wanted("It i{It{a}}") == "It i = It{a}");
  CHECK(wanted("every<2>::of<int> i(first, 3)") == "every<2>::of<int> i = every<2>::of<int>(first, 3)");
  CHECK(wanted("int i = 0, m = f(n, 2)") == "int i = 0");
  CHECK(wanted("int i{0}, m{2}") == "int i = 0");
  CHECK(wanted("int m = 2, i = 0") == "i = …");
  CHECK(wanted("") == "i = …");
  CHECK(cdr::report::for_head("for (int x : all) n += x;").wanted.empty());
  CHECK(cdr::report::for_head("for (Of<int> i = a; i < n; ++i)").declares);
}
