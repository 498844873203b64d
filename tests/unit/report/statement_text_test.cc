// SPDX-License-Identifier: GPL-2.0-or-later
// Where the bodies of loops stand in the text of C.
#include "cdrgrind/report/common/statement_text.h"

#include <string>

#include "tests/unit/catch.h"

namespace cdr::report {
namespace {

// The body of the loop in whose parentheses the word stands first.
std::string body(const std::string& text, const char* in_head) {
  const auto found = loop_with_head(text, text.find(in_head));
  return found ? text.substr(found->body, found->end - found->body) : "none";
}

// The parenthesis, with what it holds, of the loop around both words.
std::string around(const std::string& text, const char* first, const char* last) {
  const auto found = loop_around(text, text.find(first), text.find(last));
  return found ? text.substr(found->head, found->body - found->head) : "none";
}

TEST_CASE("a loop's body is one statement, whatever is in it") {
  CHECK(body("for (i = 0; i < n; i++) a[i] = 0; b = 1;", "i < n") == " a[i] = 0;");
  CHECK(body("for (i = 0; i < n; i++) { a[i] = f((b), c); { d(); } } e();", "i < n") ==
        " { a[i] = f((b), c); { d(); } }");
  CHECK(body("while (x < n)\n  x += f(x);\ny();", "x < n") == "\n  x += f(x);");
  CHECK(body("for (i = 0; i < n; i++) if (a) b(); else if (c) d(); else e(); g();", "i < n") ==
        " if (a) b(); else if (c) d(); else e();");
  CHECK(body("for (i = 0; i < n; i++) do { b(); } while (c); d();", "i < n") == " do { b(); } while (c);");
  CHECK(body("for (i = 0; i < n; i++) ; d();", "i < n") == " ;");
}

TEST_CASE("of several loops in a line the one in whose parentheses the place is") {
  const std::string nest = "for (i = 0; i < n; i++) for (j = 0; j < m; j++) { s += a[i][j]; } t = s;";
  CHECK(body(nest, "i < n") == " for (j = 0; j < m; j++) { s += a[i][j]; }");
  CHECK(body(nest, "j < m") == " { s += a[i][j]; }");
  CHECK(body(nest, "for (j") == " { s += a[i][j]; }");
  CHECK(body(nest, "(j") == " { s += a[i][j]; }");
  CHECK(body("for (i = f(for_all, (n + 1)); i < n; i++) b();", "n + 1") == " b();");
}

TEST_CASE("what comments and literals hold is passed over") {
  CHECK(body("for (i = 0; i < n; i++) { puts(\"} ;\\\" )\"); /* } */ c = '}'; // }\n } d();", "i < n") ==
        " { puts(\"} ;\\\" )\"); /* } */ c = '}'; // }\n }");
  CHECK(body("for (i = 0; i < 1'000; i++) b(); c();", "i < 1") == " b();");
}

TEST_CASE("the innermost loop in which two places are") {
  const std::string nest = "for (i) { A; for (j) { B; C; } while (k) D; } for (l) E; F;";
  CHECK(around(nest, "B", "C") == "(j)");
  CHECK(around(nest, "C", "C") == "(j)");
  CHECK(around(nest, "C", "D") == "(i)");
  CHECK(around(nest, "A", "B") == "(i)");
  CHECK(around(nest, "D", "D") == "(k)");
  CHECK(around(nest, "E", "E") == "(l)");
  CHECK(around(nest, "D", "E") == "none");
  CHECK(around(nest, "F", "F") == "none");
}

TEST_CASE("where no loop is, or its end is missing, there is no body") {
  CHECK(body("if (i < n) b();", "i < n") == "none");
  CHECK(body("x = i < n;", "i < n") == "none");
  CHECK(body("for (i = 0; i < n; i++", "i < n") == "none");
  CHECK(body("for (i = 0; i < n; i++) { b();", "i < n") == "none");
  CHECK(body("for (i = 0; i < n; i++)", "i < n") == "none");
}

}  // namespace
}  // namespace cdr::report
