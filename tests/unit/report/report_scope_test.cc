// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/report_scope.h"

#include "tests/unit/catch.h"

namespace cdr::report {

TEST_CASE("files are asked for by path, by their last parts, or by a pattern", "[report_scope]") {
  for (const char* wanted : {"/src/lib/a.c", "a.c", "lib/a.c", "./lib/a.c", "*.c", "/src/*"})
    CHECK(is_file("/src/lib/a.c", wanted));
  for (const char* wanted : {"b.c", "ib/a.c", "*.h", "/src", ""}) CHECK_FALSE(is_file("/src/lib/a.c", wanted));
}

TEST_CASE("functions are asked for with parameters or without", "[report_scope]") {
  for (const char* wanted : {"ns::f(int)", "ns::f", "ns::*", "*f"}) CHECK(is_function("ns::f(int)", wanted));
  for (const char* wanted : {"f", "ns", "g*"}) CHECK_FALSE(is_function("ns::f(int)", wanted));
}

TEST_CASE("a place is asked for if its file and its function are", "[report_scope]") {
  ScopeOptions options;
  CHECK_FALSE(options.narrows());
  CHECK(options.has("/a.c", "f"));
  options.functions = {"f", "g"};
  CHECK(options.narrows());
  CHECK(options.has("/a.c", "g"));
  CHECK_FALSE(options.has("/a.c", "h"));
  options.files = {"b.c"};
  CHECK_FALSE(options.has("/a.c", "g"));
  CHECK(options.has("/b.c", "g"));
}

TEST_CASE("texts speak of the program, documents of all, if nothing is said", "[report_scope]") {
  ScopeOptions options;
  CHECK(options.all_modules(true));
  CHECK_FALSE(options.all_modules(false));
  options.all = false;
  CHECK_FALSE(options.all_modules(true));
}

TEST_CASE("what was left out is said in one line", "[report_scope]") {
  CHECK(left_out_text({false, {}, {}, 0, {}}, "row", "rows").empty());
  CHECK(left_out_text({false, {}, {}, 1, {}}, "row", "rows") ==
        "1 row of others than the program (--scope=all shows it)");
  CHECK(left_out_text({false, {"f"}, {}, 1200, {}}, "row", "rows") ==
        "1,200 rows of others than the program, or elsewhere (--scope=all shows them)");
  CHECK(left_out_text({true, {"f"}, {}, 2, {}}, "row", "rows") == "2 rows elsewhere");
}

}  // namespace cdr::report
