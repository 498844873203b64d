// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/counted_objects.h"

#include "cdrgrind/report/common/statement_text.h"
#include "tests/unit/catch.h"

using namespace cdr::report;
using Names = std::set<std::string>;

TEST_CASE("names and members that are counted up or down, but for what is declared there") {
  CHECK(counted_names("{ size++; --used; left += n; p->x -= 2; this->at++; a.b.c++; *to++ = 1; }") ==
        Names{"size", "used", "left", "p", "this", "a", "to"});
  CHECK(counted_names("{ int k = 0; k++; x = y; if (a == b && c <= d) e *= 2; }") == Names{});
}

TEST_CASE("elements and results of calls are not counted") {
  CHECK(counted_names("{ count[k]++; f(x)++; (*p)++; ++rows[i].n; a[i] += 2; }") == Names{});
}

TEST_CASE("calls of members, by objects, pointers and nothing, and what their arguments are") {
  const auto calls =
      calls_of("{ out.put(a); p->q.put(&b, *c); put(d.e, f + g); this->put(h); x[i].put(k); input(m); }", "put");
  REQUIRE(calls.size() == 4);
  CHECK(calls[0].object == "out");
  CHECK(calls[0].arguments == std::vector<std::string>{"a"});
  CHECK(calls[1].object == "p");
  CHECK(calls[1].arguments == std::vector<std::string>{"b", "c"});
  CHECK(calls[2].object.empty());
  CHECK(calls[2].arguments == std::vector<std::string>{"d", ""});
  CHECK(calls[3].object.empty());
}

TEST_CASE("a function's text is that of the definition that has the line") {
  const auto lines = plain_lines(
      "struct Out {\n"
      "  void put(int x);\n"
      "  void put(const T &c, int *p, int n) const { // }\n"
      "    at(c) = n;\n"
      "  }\n"
      "  void both() { put(1); }\n"
      "};\n"
      "Out::Out(int n) : at(n) { put(2); }\n");
  const auto put = function_text(lines, "put", 4);
  REQUIRE(put);
  REQUIRE(put->parameters.size() == 3);
  CHECK((put->parameters[0].name == "c" && put->parameters[0].by_reference));
  CHECK((put->parameters[1].name == "p" && put->parameters[1].by_reference));
  CHECK((put->parameters[2].name == "n" && !put->parameters[2].by_reference));
  CHECK(put->body.find("at(c) = n") != std::string::npos);
  CHECK_FALSE(function_text(lines, "put", 6));
  CHECK_FALSE(function_text(lines, "put", 2));
  const auto made = function_text(lines, "Out", 8);
  REQUIRE(made);
  CHECK(made->body == "{ put(2); }");
  CHECK_FALSE(function_text(lines, "put", 100));
}

TEST_CASE("a function's name without what stands around it") {
  CHECK(plain_function_name("main") == "main");
  CHECK(plain_function_name("ns::Out<int (*)(int)>::put<4>(Cell const&)") == "put");
  CHECK(plain_function_name("std::vector<int>::push_back(int&&)") == "push_back");
}

TEST_CASE("a lambda's text is that of the innermost one that has the line") {
  const auto lines = plain_lines(
      "auto outer = [&](int n, double &sum) {\n"
      "  auto inner = [=](int k) { return k; };\n"
      "  sum += n;\n"
      "};\n"
      "int x = rows[i](2);\n");
  const auto outer = lambda_text(lines, 3), inner = lambda_text(lines, 2);
  REQUIRE(outer);
  REQUIRE(outer->parameters.size() == 2);
  CHECK(outer->parameters[1].name == "sum");
  CHECK(outer->parameters[1].by_reference);
  REQUIRE(inner);
  CHECK(inner->body == "{ return k; }");
  CHECK_FALSE(lambda_text(lines, 5));
}
