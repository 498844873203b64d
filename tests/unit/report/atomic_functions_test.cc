// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/races/atomic_functions.h"

#include "tests/unit/catch.h"

using namespace cdr::report;

TEST_CASE("members of std::atomic and its like are atomic functions") {
  for (const char* name :
       {"std::__atomic_base<int>::load(std::memory_order) const", "std::atomic<bool>::store(bool, std::memory_order)",
        "std::atomic_flag::test_and_set(std::memory_order)",
        "int std::atomic_load_explicit<int>(std::atomic<int> const*, std::memory_order)"})
    CHECK(is_atomic_function(name));
  CHECK(!is_atomic_function("store(std::atomic<int>&)"));
  CHECK(!is_atomic_function("main"));
  CHECK(is_atomic_function("core::sync::atomic::atomic_load"));
  CHECK(is_atomic_function("core::sync::atomic::AtomicBool::load(core::sync::atomic::AtomicBool *)"));
  CHECK(is_store_function("core::sync::atomic::atomic_store"));
  CHECK(is_exchange_function("core::sync::atomic::AtomicU64::swap"));
}

TEST_CASE("what atomic functions do, by their names") {
  CHECK(is_store_function("std::atomic<bool>::store(bool, std::memory_order)"));
  CHECK(is_store_function("std::atomic_flag::clear(std::memory_order)"));
  CHECK(!is_store_function("std::__atomic_base<int>::load(std::memory_order) const"));
  CHECK(is_exchange_function("std::__atomic_base<long>::exchange(long, std::memory_order)"));
  CHECK(!is_exchange_function(
      "std::__atomic_base<int>::compare_exchange_strong(int&, int, std::memory_order, std::memory_order)"));
  CHECK(is_atomic_operator("std::__atomic_base<int>::operator++(int)"));
  CHECK(is_atomic_operator("std::__atomic_base<int>::operator int() const"));
  CHECK(is_atomic_operator("std::atomic<bool>::operator=(bool)"));
  CHECK(!is_atomic_operator("std::atomic<bool>::load(std::memory_order) const"));
  CHECK(is_atomic_constructor("std::__atomic_base<int>::__atomic_base(int)"));
  CHECK(is_atomic_constructor("std::atomic<std::shared_ptr<int> >::atomic(int)"));
  CHECK(!is_atomic_constructor("std::atomic<int>::exchange(int, std::memory_order)"));
  CHECK(is_count_function("__gnu_cxx::__exchange_and_add_dispatch(int*, int)"));
  CHECK(!is_count_function("std::_Sp_counted_base<(__gnu_cxx::_Lock_policy)2>::_M_release()"));
  CHECK(is_count_reader("std::_Sp_counted_base<(__gnu_cxx::_Lock_policy)2>::_M_get_use_count() const"));
}
