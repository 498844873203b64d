// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/source_place.h"

#include "tests/unit/catch.h"

using cdr::report::of_the_system;

TEST_CASE("sources of the system's headers, and of Rust's library, are nobody's own") {
  CHECK(of_the_system("/usr/include/c++/12/bits/stl_vector.h"));
  CHECK(of_the_system("/usr/lib/gcc/x86_64-linux-gnu/12/include/emmintrin.h"));
  CHECK(of_the_system("/rustc/0123456789abcdef/library/core/src/ops/function.rs"));
  CHECK(of_the_system("/opt/rust/lib/rustlib/src/rust/library/std/src/thread/mod.rs"));
  CHECK_FALSE(of_the_system("/src/rustc/main.rs"));
  CHECK_FALSE(of_the_system("main.c"));
}
