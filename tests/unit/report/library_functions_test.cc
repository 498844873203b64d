// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/advise/library_functions.h"

#include "tests/unit/catch.h"

using cdr::report::library_function;
using State = cdr::regions::LibraryState;

TEST_CASE("a function of the library is known by every name that its code has") {
  for (const char* name : {"puts", "_IO_puts", "__GI__IO_puts", "_IO_puts@@GLIBC_2.2.5", "fputs_unlocked"})
    CHECK(library_function(name).state == State::kOutput);
  CHECK(library_function("__printf_chk").name == "printf");
  CHECK(library_function("__GI___strtok_r").name == "strtok");
  CHECK(library_function("__tz_convert").name == "localtime");
  CHECK(library_function("__add_to_environ").name == "setenv");
}

TEST_CASE("functions that keep something say what several threads would use") {
  CHECK(library_function("rand").advice == "rand_r, or a generator for each thread");
  CHECK(library_function("strtok").advice.starts_with("strtok_r"));
  CHECK(library_function("localtime").state == State::kBuffer);
  CHECK(library_function("setenv").state == State::kProcess);
  CHECK(library_function("malloc").state == State::kAllocator);
  CHECK(library_function("malloc").advice.empty());
}

TEST_CASE("statements of Fortran are what libgfortran calls them") {
  CHECK(library_function("_gfortran_st_write_done").state == State::kOutput);
  CHECK(library_function("_gfortran_transfer_real_write").state == State::kOutput);
  CHECK(library_function("_gfortran_transfer_real").state == State::kInput);
  CHECK(library_function("_gfortran_random_r8").name == "random_number");
  CHECK(library_function("_gfortran_pow_i4_i4").state == State::kUnknown);
}

TEST_CASE("all of the table is found, and others keep nothing that is known") {
  for (const char* name :
       {"aligned_alloc", "drand48", "getpwnam", "hsearch", "lgamma", "readdir", "setlocale", "writev"})
    CHECK(library_function(name).state != State::kUnknown);
  for (const char* name : {"", "aaa", "memcpy", "qsort", "strlen", "zzz", "getenv"})
    CHECK(library_function(name).state == State::kUnknown);
}
