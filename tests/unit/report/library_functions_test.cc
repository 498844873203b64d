// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/library_functions.h"

#include "tests/unit/catch.h"

using cdr::report::jumps_away;
using cdr::report::library_function;
using cdr::report::never_returns;
using cdr::report::sets_errno_alone;
using State = cdr::regions::LibraryState;

TEST_CASE("a function of the library is known by every name that its code has") {
  for (const char* name : {"puts", "_IO_puts", "__GI__IO_puts", "_IO_puts@@GLIBC_2.2.5", "fputs_unlocked"})
    CHECK(library_function(name).state == State::kOutput);
  CHECK(library_function("__printf_chk").name == "printf");
  CHECK(library_function("__GI___strtok_r").name == "strtok");
  CHECK(library_function("__tz_convert").name == "localtime");
  CHECK(library_function("__add_to_environ").name == "setenv");
  for (const char* name : {"__cxa_throw", "__cxa_begin_catch@plt", "__cxa_end_catch", "_Unwind_Resume@@GCC_3.0"})
    CHECK(library_function(name).state == State::kOwn);
}

TEST_CASE("functions that return one of their arguments are known by their names") {
  using cdr::regions::Choice;
  using cdr::regions::Operation;
  using cdr::report::library_choice;
  for (const char* name : {"fmax", "__fmaxf", "fmaxl", "fmaxf32x", "fmax@plt", "__GI___fmax"})
    CHECK(library_choice(name) == Choice{Operation::kMax, false});
  CHECK(library_choice("fminf") == Choice{Operation::kMin, false});
  CHECK(library_choice("_ZSt3maxIdERKT_S2_S2_") == Choice{Operation::kMax, true});
  CHECK(library_choice("_ZSt3minIjERKT_S2_S2_") == Choice{Operation::kMin, true});
  CHECK(library_choice("_ZNSt3__13maxB7v160006IiEERKT_S3_S3_") == Choice{Operation::kMax, true});
  // With a comparison of its own, or of a list.
  for (const char* name : {"_ZSt3maxIdFbddEERKT_S4_S4_T0_", "_ZSt3maxIiET_St16initializer_listIS0_E", "fmaxmag", "fmod",
                           "max", "_Z4fmaxdd", ""})
    CHECK(library_choice(name) == Choice());
}

TEST_CASE("steps of a tree's iterators are known by their names") {
  using cdr::regions::Walk;
  using cdr::report::library_walk;
  CHECK(library_walk("_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base@@GLIBCXX_3.4") == Walk::kForwards);
  CHECK(library_walk("_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base@plt") == Walk::kForwards);
  CHECK(library_walk("__memset_avx2_unaligned_erms") == Walk::kStays);
  CHECK(library_walk("memmove@plt") == Walk::kStays);
  CHECK(library_walk("__memcpy_chk") == Walk::kStays);
  CHECK(library_walk("mempcpy") == Walk::kNone);
  CHECK(library_walk("memsetter") == Walk::kNone);
  CHECK(library_walk("_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base") == Walk::kBackwards);
  CHECK(library_walk("_ZSt4nextISt14_List_iteratorIlEET_S2_NSt15iterator_traitsIS2_E15difference_typeE") ==
        Walk::kByDistance);
  CHECK(library_walk("_ZSt4prevISt23_Rb_tree_const_iteratorIiEET_S2_NSt15iterator_traitsIS2_E15difference_typeE") ==
        Walk::kByDistance);
  for (const char* name : {"", "_ZSt18_Rb_tree_increment", "_ZSt4nextIPiET_S1_N", "_ZNSt17_Rb_tree_iteratorIiEppEv",
                           "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_"})
    CHECK(library_walk(name) == Walk::kNone);
}

TEST_CASE("what moves a deque's iterator is known by its name") {
  using cdr::report::library_moves_iterator;
  for (const char* name : {"_ZNSt15_Deque_iteratorIiRiPiEppEv", "_ZNSt15_Deque_iteratorIiRKiPS0_EmmEi",
                           "_ZNSt15_Deque_iteratorISt6vectorIiSaIiEERS2_PS2_EpLEl"})
    CHECK(library_moves_iterator(name));
  for (const char* name : {"", "_ZNSt15_Deque_iteratorIiRiPiE11_M_set_nodeEPS1_", "_ZNSt14_List_iteratorIiEppEv",
                           "_ZNKSt15_Deque_iteratorIiRiPiEdeEv", "_ZStmiRKSt15_Deque_iteratorIiRiPiES4_"})
    CHECK(!library_moves_iterator(name));
}

TEST_CASE("functions that keep something say what several threads would use") {
  CHECK(library_function("rand").advice == "rand_r, or a generator for each thread");
  CHECK(library_function("strtok").advice.starts_with("strtok_r"));
  CHECK(library_function("localtime").state == State::kBuffer);
  CHECK(library_function("setenv").state == State::kProcess);
  CHECK(library_function("malloc").state == State::kAllocator);
  CHECK(library_function("_ZNSo9_M_insertIdEERSoT_").name == "std::ostream");
  CHECK(library_function("_ZNSi3getEv").state == State::kInput);
  CHECK(library_function("_ZNSt13basic_filebufIcSt11char_traitsIcEE9underflowEv").state == State::kInput);
  CHECK(library_function("_ZNSt13basic_filebufIcSt11char_traitsIcEE8overflowEi").state == State::kOutput);
  CHECK(sets_errno_alone("libm.so.6", "pow"));
  CHECK_FALSE(sets_errno_alone("libm.so.6", "__lgamma_r"));
  CHECK_FALSE(sets_errno_alone("libmine.so", "pow"));
  CHECK(library_function("malloc").advice.empty());
}

TEST_CASE("statements of Fortran are what libgfortran calls them") {
  CHECK(library_function("_gfortran_st_write_done").state == State::kOutput);
  CHECK(library_function("_gfortran_transfer_real_write").state == State::kOutput);
  CHECK(library_function("_gfortran_transfer_real").state == State::kOutput);
  CHECK(library_function("_gfortran_st_read").state == State::kInput);
  CHECK(library_function("_vgw00000ZZ_libcZdsoZa_pthreadZumutexZuunlock").state == State::kOwn);
  CHECK(library_function("_gfortran_random_r8").name == "random_number");
  CHECK(library_function("_gfortran_pow_i4_i4").state == State::kUnknown);
}

TEST_CASE("what ends the program, or throws, is known by name") {
  for (const char* name : {"abort", "exit@plt", "__assert_fail", "__cxa_throw@plt", "_ZSt20__throw_length_errorPKc@plt",
                           "_ZSt21__glibcxx_assert_failPKciS0_S0_", "_gfortran_stop_numeric", "verrx", "_Exit"})
    CHECK((never_returns(name) && !jumps_away(name)));
  for (const char* name : {"", "atexit", "exits", "longjmp", "puts@plt", "__throw_it", "warn"})
    CHECK_FALSE(never_returns(name));
  for (const char* name : {"longjmp", "siglongjmp@plt", "__longjmp_chk@plt"}) CHECK(jumps_away(name));
  for (const char* name : {"", "setjmp", "printf"}) CHECK_FALSE(jumps_away(name));
}

TEST_CASE("all of the table is found, and others keep nothing that is known") {
  for (const char* name :
       {"aligned_alloc", "drand48", "getpwnam", "hsearch", "lgamma", "readdir", "setlocale", "writev"})
    CHECK(library_function(name).state != State::kUnknown);
  for (const char* name : {"", "aaa", "memcpy", "qsort", "strlen", "zzz", "getenv"})
    CHECK(library_function(name).state == State::kUnknown);
}
