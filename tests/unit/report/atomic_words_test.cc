// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/races/atomic_words.h"

#include "tests/unit/catch.h"

namespace cdr::report {
namespace {

bool is_atomic(const std::string& text, size_t line, AtomicPart part = AtomicPart::kAny) {
  const auto lines = code_lines(text);
  Macros macros;
  add_macros(lines, macros);
  return names_atomic_operation(statement_around(lines, line), atomic_macros(macros, part), part);
}

}  // namespace

TEST_CASE("a store is atomic if its line calls an atomic operation", "[atomic_words]") {
  for (const char* line : {"__atomic_store_n(&x, 1, __ATOMIC_RELEASE);", "  atomic_store_explicit (&x, 1, order);",
                           "__sync_lock_release(&x);", "WRITE_ONCE(x, 1);", "p->flag.store(1);", "flag.store(1);",
                           "std::atomic_ref<int>(x) = 1;", "g_atomic_int_set(&x, 1);", "atomicSet(server.x, 1);",
                           "self.ready.store(true, Ordering::Release);", "x.Store(1)", "rcu_assign_pointer(p, q);"})
    CHECK(is_atomic(line, 1));
  for (const char* line :
       {"x = 1;", "atomic_count = 1;", "store(1);", "map.storeAll(1);", "x = restore(1);", "my_sync_all(x);",
        "x = 1;  // atomic_store(&x, 1)", "log(\"atomic_store(\");", "x = '(';", "struct atomic *p = q;"})
    CHECK_FALSE(is_atomic(line, 1));
}

TEST_CASE("what an atomic operation loads and what it stores are told apart", "[atomic_words]") {
  for (const char* line :
       {"y = __atomic_load_n(&x, __ATOMIC_ACQUIRE);", "while (!atomic_load_explicit(&p->ready, order)) {}",
        "y = READ_ONCE(x);", "y = g_atomic_int_get(&x);"}) {
    CHECK(is_atomic(line, 1, AtomicPart::kLoad));
    CHECK_FALSE(is_atomic(line, 1, AtomicPart::kStore));
  }
  for (const char* line : {"atomic_store_explicit(&x, y, order);", "__atomic_clear(&x, order);", "WRITE_ONCE(x, y);",
                           "__sync_lock_release(&x);", "if (y <= 1) ATOMIC_SET(x, y == 2);"}) {
    CHECK(is_atomic(line, 1, AtomicPart::kStore));
    CHECK_FALSE(is_atomic(line, 1, AtomicPart::kLoad));
  }
  // Those have instructions of their own; what else the statement does is as plain as any other.
  for (const char* line : {"last = atomic_fetch_add(&x, 1);", "last = atomic_flag_test_and_set(&x);",
                           "last = __sync_fetch_and_add(&x, y);", "last = x.exchange(y);", "last = y;",
                           // Functions.
                           "y = p->flag.load();", "p->flag.store(y);", "y = std::atomic_load(&x);"}) {
    CHECK_FALSE(is_atomic(line, 1, AtomicPart::kStore));
    CHECK_FALSE(is_atomic(line, 1, AtomicPart::kLoad));
  }
  for (const char* line :
       {"y = 1; __atomic_store_n(&x, 1, order);", "atomic_store(&x, ++y);", "y <<= 1; atomic_store(&x, y);"})
    CHECK_FALSE(is_atomic(line, 1, AtomicPart::kStore));
  const std::string text =
      "#define GET(x) __atomic_load_n(&(x), __ATOMIC_ACQUIRE)\n"
      "#define SET(x, v) __atomic_store_n(&(x), v, __ATOMIC_RELEASE)\n"
      "y = GET(x);\n"
      "SET(x, y);\n"
      "#pragma omp atomic read\n"
      "y = x;\n"
      "#pragma omp atomic write\n"
      "x = y;\n";
  for (const size_t line : {3, 6}) CHECK(is_atomic(text, line, AtomicPart::kLoad));
  for (const size_t line : {4, 8}) CHECK(is_atomic(text, line, AtomicPart::kStore));
  for (const size_t line : {3, 6}) CHECK_FALSE(is_atomic(text, line, AtomicPart::kStore));
  for (const size_t line : {4, 8}) CHECK_FALSE(is_atomic(text, line, AtomicPart::kLoad));
}

TEST_CASE("the statement around a line decides, not its neighbours", "[atomic_words]") {
  const std::string text =
      "int f(void) {\n"                 // 1
      "  atomic_store(&y, 1);\n"        // 2
      "  x = 1;\n"                      // 3
      "  if (atomic_load(&y))\n"        // 4
      "    x = 2;\n"                    // 5
      "  atomic_store(\n"               // 6
      "      &x,\n"                     // 7
      "      3);\n"                     // 8
      "  x = 4; /* atomic_store(&x,\n"  // 9
      "     4) */ x = 5;\n"             // 10
      "  self\n"                        // 11
      "      .flag\n"                   // 12
      "      .store(true);\n"           // 13
      "}\n";
  for (const size_t line : {2, 4, 6, 7, 8, 11, 12, 13}) CHECK(is_atomic(text, line));
  for (const size_t line : {0, 1, 3, 5, 9, 10, 14, 99}) CHECK_FALSE(is_atomic(text, line));
}

TEST_CASE("macros and OpenMP's directive are looked through", "[atomic_words]") {
  const std::string text =
      "#define SET(x, v) \\\n"
      "  do { atomic_store(&(x), v); } while (0)\n"
      "#define SET_BOTH(x, y) SET(x, 1), SET(y, 1)\n"
      "#define PLAIN(x) (x) = 1\n"
      "#define ATOMIC_NAME 3\n"
      "SET_BOTH(a, b);\n"
      "PLAIN(a);\n"
      "x = ATOMIC_NAME;\n"
      "#pragma omp atomic write\n"
      "x = 1;\n"
      "#pragma omp critical\n"
      "x = 1;\n";
  CHECK(is_atomic(text, 6));
  CHECK_FALSE(is_atomic(text, 7));
  CHECK_FALSE(is_atomic(text, 8));
  CHECK(is_atomic(text, 10));
  CHECK_FALSE(is_atomic(text, 12));
}

TEST_CASE("code without comments and literals keeps its lines", "[atomic_words]") {
  CHECK(code_lines("a /* b\nc */ d\n") == std::vector<std::string>{"a  ", " d", ""});
  CHECK(code_lines("f(\"a\\\"b\", 'c', '\\'', &'a x)") == std::vector<std::string>{"f(\"\", '', '', &'a x)"});
  CHECK(code_lines("a \"open\nb") == std::vector<std::string>{"a \"\"", "b"});
  CHECK(code_lines("/* open") == std::vector<std::string>{" "});
  CHECK(included_headers(code_lines("#include \"a/b.h\"\n # include \"c.h\"\n#include <d.h>\n")) ==
        std::vector<std::string>{"a/b.h", "c.h"});
}

TEST_CASE("the directive over an atomic statement") {
  const auto lines = code_lines("#pragma omp atomic write release\nx =\n  1;\ny = 2;\n");
  for (const size_t line : {1, 2, 3}) CHECK(atomic_pragma_of(lines, line) == "#pragma omp atomic write release");
  CHECK(atomic_pragma_of(lines, 4).empty());
  CHECK(atomic_pragma_of(lines, 9).empty());
}

}  // namespace cdr::report
