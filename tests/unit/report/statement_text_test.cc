// SPDX-License-Identifier: GPL-2.0-or-later
// Where the bodies of loops stand in the text of C.
#include "cdrgrind/report/common/statement_text.h"

#include <algorithm>
#include <string>
#include <vector>

#include "tests/unit/catch.h"

namespace cdr::report {
namespace {

class Source {
 public:
  explicit Source(const std::string& text) : text_(text), lines_(1) {
    for (const char c : plain_code(text))
      if (c == '\n')
        lines_.emplace_back();
      else
        lines_.back() += c;
  }
  std::span<const std::string> lines() const { return lines_; }
  TextPosition position_of(const char* word) const {
    const size_t at = text_.find(word), begin = at == 0 ? 0 : text_.rfind('\n', at - 1) + 1;
    const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    return {static_cast<uint32_t>(line), static_cast<uint32_t>(at - begin + 1)};
  }
  std::string between(TextPosition begin, TextPosition end) const {
    return text_.substr(offset_of(begin), offset_of(end) - offset_of(begin));
  }

 private:
  size_t offset_of(TextPosition at) const {
    size_t begin = 0;
    for (uint32_t line = 1; line < at.first; ++line) begin += lines_[line - 1].size() + 1;
    return begin + at.second - 1;
  }

  std::string text_;
  std::vector<std::string> lines_;
};

// The body of the loop in whose parentheses the word stands first.
std::string body(const std::string& text, const char* in_head) {
  const Source source(text);
  const auto found = loop_with_head(source.lines(), source.position_of(in_head));
  return found ? source.between(found->begin, found->end) : "none";
}

// The parenthesis, with what it holds, of the loop around both words.
std::string around(const std::string& text, const char* first, const char* last, uint32_t most_up = 9) {
  const Source source(text);
  const auto found = loop_around(source.lines(), source.position_of(first), source.position_of(last), most_up);
  return found ? source.between(found->head, found->begin) : "none";
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

TEST_CASE("a loop is looked for so many lines up") {
  const std::string far = "for (i) {\n\n\nA; }\n";
  CHECK(around(far, "A", "A", 3) == "(i)");
  CHECK(around(far, "A", "A", 2) == "none");
}

TEST_CASE("an else belongs to the nearest if, directives to nobody, and what a macro makes ends with its block") {
  CHECK(body("if (a) for (;i;) b(); else c();", "i;") == " b();");
  CHECK(body("for (;i;) if (a) if (b) c(); else d(); else e(); f();", "i;") ==
        " if (a) if (b) c(); else d(); else e();");
  CHECK(body("for (;i;)\n#pragma omp simd \\\n  safelen(4);\n  b(); c();", "i;") ==
        "\n#pragma omp simd \\\n  safelen(4);\n  b();");
  CHECK(body("{ for (;i;) SWAP(a, b) } c();", "i;") == " SWAP(a, b) ");
}

TEST_CASE("statements in each other, however deep, are read") {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "if(a)";
  CHECK(body("for (;i;) " + text + "b(); c();", "i;") == " " + text + "b();");
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
