// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/loops_own.h"

#include <string>
#include <vector>

#include "cdrgrind/report/advise/assigned_names.h"
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
  const auto loop = loop_with_head(lines, {line, static_cast<uint32_t>(lines[line - 1].find("for") + 1)});
  std::string of_loop;
  for (uint32_t n = line; n <= loop->end.first; ++n) of_loop += lines[n - 1] + '\n';
  return is_loops_own(lines, functions_in(lines), line, loop_body(of_loop), name);
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
  CHECK_FALSE(own("#define LAST \\\n  x\n", "x = b[j];"));
  CHECK_FALSE(own("", "x = b[j]; p = &x;"));
  CHECK_FALSE(own("", "x = b[j]; double& r = x;"));
  CHECK_FALSE(own("", "x = b[j]; run([&] { return x; });"));
  CHECK_FALSE(own("", "if (j > n) goto out; x = b[j]; out:;"));
  CHECK_FALSE(own("", "if (j > n) throw 1; x = b[j];"));
  CHECK_FALSE(own("", "x += b[j];"));
  CHECK_FALSE(own("", "x = x + b[j];"));
  CHECK_FALSE(own("", "if (j) x = b[j];"));
}

}  // namespace
}  // namespace cdr::report
