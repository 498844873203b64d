// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/loops_own.h"

#include <set>
#include <string>
#include <vector>

#include "cdrgrind/report/advise/assigned_names.h"
#include "cdrgrind/report/advise/other_names.h"
#include "cdrgrind/report/common/statement_text.h"
#include "tests/unit/catch.h"

namespace cdr::report {
namespace {

// Of the loop whose line has the mark.
bool alone(const std::string& text, const std::string& name) {
  const std::vector<std::string> lines = plain_lines(text);
  uint32_t line = 1;
  std::string_view rest = text;
  for (size_t end = rest.find('\n'); rest.substr(0, end).find("// here") == rest.npos; end = rest.find('\n')) {
    rest.remove_prefix(end + 1);
    ++line;
  }
  return is_loops_own(lines, functions_in(lines), line, name);
}

TEST_CASE("a counter declared at the top of the function, and used in loops that begin with it alone") {
  const std::string text = R"(
int other(int i) { return i; }
#define TWICE(i) { i
int main(void) {
  int i, j, k, n = 5, last;
  for (i = 0; i < n; i++) use(i);
  for (j = 0; j < n; j++) {  // here
    for (i = 0; i < n; i++)
      for (k = n; k > 0; k--) a[i][j] = b[k].i;
    last = j;
  }
  for (k = 0, i = 1; k < n; ++k) {
    if (x) { use(i, k); }
  }
  return last;
}
int third(int k) { return k; }
)";
  CHECK(alone(text, "i"));
  CHECK(alone(text, "k"));
  CHECK_FALSE(alone(text, "last"));
  CHECK_FALSE(alone(text, "n"));
  CHECK_FALSE(alone(text, "a"));
}

TEST_CASE("a counter that is read behind its loop, or counts a loop around, is something else, too") {
  CHECK_FALSE(alone(R"(
void f(int n) {
  int i, j;
  for (j = 0; j < n; j++)  // here
    for (i = 0; i < n; i++) a[i] = j;
  use(i);
}
)",
                    "i"));
  CHECK_FALSE(alone(R"(
void f(int n) {
  int i, j;
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++) {  // here
      if (a[j]) i++;
    }
}
)",
                    "i"));
  CHECK_FALSE(alone(R"(
void f(int n) {
  int i, j;
  for (j = 0; j < n; j++) {  // here
    for (i = 0; i < n; i++)
      if (a[i] == j) break;
    found[j] = i;
  }
}
)",
                    "i"));
}

TEST_CASE("what each loop assigns before it does anything else with it") {
  const std::string text = R"(
int main(void) {
  int i, j, is, sum, last, way, kept = 0;
  for (j = 0; j < n; j++) {  // here
    is = j + 1;
    sum = 0;
    if (is > 3) last = 1;
    kept = kept + is;
    for (i = 0; i < n; i++) {
      way = i * is;
      sum += way;
    }
    b[j] = sum + last;
  }
  for (j = 0; j < n; j++) {
    sum = b[j];
    c[j] = sum * sum;
  }
}
)";
  CHECK(alone(text, "is"));
  CHECK(alone(text, "sum"));
  CHECK(alone(text, "way"));
  CHECK_FALSE(alone(text, "last"));
  CHECK_FALSE(alone(text, "kept"));
  CHECK_FALSE(alone(R"(
int main(void) {
  int sum;
  for (int j = 0; j < n; j++) {  // here
    sum = j;
    b[j] = sum;
  }
  return sum;
}
)",
                    "sum"));
  CHECK_FALSE(alone(R"(
int main(void) {
  int sum;
  for (int i = 0; i < n; i++) {
    sum = i;
    for (int j = 0; j < n; j++) {  // here
      sum += j;
    }
    b[i] = sum;
  }
}
)",
                    "sum"));
}

TEST_CASE("what is declared beside arrays and calls, but no reference") {
  const std::string text = R"(
void f(int n, float* const x) {
  float val[9], d;
  long first = of(x[1], &n), e, &r = first, g;
  auto [p, q] = pair;
  for (int i = 0; i < n; i++) {  // here
    d = i;
    e = 2 * i;
    r = i;
    g = i;
    p = i;
    q = i;
    val[i] = d + e + r + g + p + q;
  }
}
)";
  CHECK(alone(text, "d"));
  CHECK(alone(text, "e"));
  CHECK(alone(text, "g"));
  CHECK_FALSE(alone(text, "r"));
  CHECK_FALSE(alone(text, "p"));
  CHECK_FALSE(alone(text, "q"));
}

TEST_CASE("what the function around does not declare is no such counter") {
  CHECK_FALSE(alone(R"(
int i;
void f(int n) {
  for (int j = 0; j < n; j++)  // here
    for (i = 0; i < n; i++) a[i] = j;
}
)",
                    "i"));
  CHECK_FALSE(alone(R"(
void f(int n, int i) {
  for (int j = 0; j < n; j++)  // here
    for (i = 0; i < n; i++) a[i] = j;
}
)",
                    "i"));
  CHECK_FALSE(alone(R"(
void f(int n) {
  int i;
  run([&](int m) {
    for (int j = 0; j < m; j++)  // here
      for (i = 0; i < n; i++) a[i] = j;
  });
}
)",
                    "i"));
}

TEST_CASE("functions of classes and namespaces have their own variables") {
  const std::string text = R"(
namespace n {
class C {
  int i;
  void f() const {
    int i;
    if (x) {
      for (auto j = 0; j < m; j++)  // here
      {
        for (i = 0; i < m; i++) { a[i] = j; }
      }
    }
  }
  int g() { return i; }
};
}
)";
  CHECK(alone(text, "i"));
}

TEST_CASE("what something else may name, or what may be passed by, is not a loop's own by its text") {
  const auto own = [](const std::string& before, const std::string& first) {
    return alone(before +
                     "void f(int n) {\n  double x;\n  double* p = 0;\n  for (int j = 0; j < n; j++) {  // here\n    " +
                     first + "\n    a[j] = x * 2;\n  }\n}\n",
                 "x");
  };
  CHECK(own("", "x = b[j];"));
  CHECK(own("#define SQUARE(x) ((x) * (x))\n", "x = b[j];"));
  CHECK_FALSE(own("", "x = b[j]; p = &x;"));
  CHECK_FALSE(own("", "x = b[j]; double& r = x;"));
  CHECK_FALSE(own("", "x = b[j]; run([&] { return x; });"));
  CHECK_FALSE(own("", "if (j > n) goto out; x = b[j]; out:;"));
  CHECK_FALSE(own("", "if (j > n) throw 1; x = b[j];"));
  CHECK_FALSE(own("", "x += b[j];"));
  CHECK_FALSE(own("", "x = x + b[j];"));
  CHECK_FALSE(own("", "if (j) x = b[j];"));
}

TEST_CASE("a value that is given in a block of its own, and read there alone") {
  const auto own = [](const std::string& first, const std::string& behind) {
    return alone("int f(int n) {\n  double x = 0;\n  for (int j = 0; j < n; j++) {  // here\n    " + first + "\n  }\n" +
                     behind + "\n}\n",
                 "x");
  };
  CHECK(own("if (b[j]) { x = b[j]; a[j] = x * x; } else { x = 1; c[j] = x; }", "return n;"));
  CHECK(own("if (b[j]) { x = b[j]; a[j] = x * x; }", "if (n) { x = 3; use(x); }"));
  CHECK_FALSE(own("if (b[j]) { x = b[j]; } else { c[j] = x; }", "return n;"));
  CHECK_FALSE(own("if (b[j]) { x = b[j]; } a[j] = x;", "return n;"));
  CHECK_FALSE(own("if (b[j]) { x = b[j]; a[j] = x; }", "return x;"));
  CHECK_FALSE(own("switch (j) { case 1: { x = b[j]; } case 2: a[j] = x; }", "return n;"));
  CHECK_FALSE(own("x = b[j]; a[j] = x;", "{\n#ifdef A\n x = 3;\n#endif\n use(x); }"));
}

TEST_CASE("what a loop around does with the value behind the loop") {
  const auto own = [](const std::string& before, const std::string& behind) {
    return alone("void f(int n) {\n  int k;\n  double x;\n  for (k = 0; k < n; k++) {\n" + before +
                     "\n    for (int j = 0; j < n; j++) {  // here\n      x = b[j];\n      a[j] = x;\n    }\n" +
                     behind + "\n  }\n}\n",
                 "x");
  };
  CHECK(own("", ""));
  CHECK(own("x = k; use(x);", ""));
  CHECK_FALSE(own("x = k;", "use(x);"));
  CHECK_FALSE(own("use(x);", ""));
  CHECK_FALSE(own("if (k) x = 1; use(x);", ""));
  CHECK_FALSE(own("extern double x;", ""));
  CHECK_FALSE(
      alone("void f(int n) {\n  { double x; use(x); }\n  for (int j = 0; j < n; j++) {  // here\n    x = b[j]; a[j] = "
            "x;\n  }\n}\n",
            "x"));
}

TEST_CASE("macros that name the value stand for it, and those behind casts are values") {
  const auto own = [](const std::string& before, const std::string& in_loop, const std::string& behind) {
    return alone(before + "int f(int n) {\n  double x;\n  for (int j = 0; j < n; j++) {  // here\n    x = b[j];\n    " +
                     in_loop + "\n  }\n  " + behind + "\n}\n",
                 "x");
  };
  CHECK(own("#define TWICE (x + x)\n", "a[j] = TWICE;", ""));
  CHECK(own("#define LAST x\n", "", "return 0;"));
  CHECK_FALSE(own("#define LAST x\n", "", "return LAST;"));
  CHECK_FALSE(own("#define TWICE LAST\n#define LAST x\n", "", "return TWICE + 1;"));
  CHECK(own("", "a[j] = (double)ABS(x);", ""));
  CHECK_FALSE(own("", "(void)SET(x);", ""));
  CHECK_FALSE(own("", "if (j) (void)SET(x);", ""));
  CHECK_FALSE(own("", "if (j) a[j] = 1; else SET(x);", ""));
  CHECK_FALSE(own("", "auto&& r = x;", ""));
}

TEST_CASE("names that lead to a variable besides its own") {
  using Names = std::set<std::string>;
  CHECK(other_names("double t, *p = &t, u; q = c ? &u : &t;", "t", false) == Names{"p", "q"});
  CHECK(other_names("double& r = t; auto f = [&] { return t; }; auto g = [&] { return u; };", "t", false) ==
        Names{"f", "r"});
  CHECK(other_names("s.p = &t; double* all[2] = {&u, &t}; Keeper k(&t); auto f = [a, &t] {};", "t", false) ==
        Names{"all", "f", "k", "s"});
  CHECK(
      other_names("f(&t); a = t; b[t] = t + c[t]; if (a & t) g(t); std::vector<int> v(t); p = &t.rows[1];", "t", false)
          .empty());
  CHECK(other_names("double(&r)[3] = t; p = t; q = t[1];", "t", true) == Names{"p", "r"});
}

}  // namespace
}  // namespace cdr::report
