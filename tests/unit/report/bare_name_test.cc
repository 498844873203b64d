// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/bare_name.h"
#include "tests/unit/catch.h"

using cdr::report::bare_name;
using cdr::report::brief_name;

TEST_CASE("a function's name without parameters and result", "[report]") {
  CHECK(bare_name("main") == "main");
  CHECK(bare_name("f(int, char)") == "f");
  CHECK(bare_name("ns::T<void (int)>::f(char) const") == "ns::T<void (int)>::f");
  CHECK(bare_name("std::__invoke_result<void (*)(int), int>::type std::__invoke<void (*)(int), int>(void (*&&)(int), "
                  "int&&)") == "std::__invoke<void (*)(int), int>");
  CHECK(bare_name("std::thread::_Invoker<std::tuple<void (*)(int), int> >::operator()()") ==
        "std::thread::_Invoker<std::tuple<void (*)(int), int> >::operator()");
  CHECK(bare_name("operator()") == "operator()");
  CHECK(bare_name("std::ostream& ns::operator<< <char>(std::ostream&, char)") == "ns::operator<< <char>");
  CHECK(bare_name("T::operator->() const") == "T::operator->");
  CHECK(bare_name("operator new(unsigned long)") == "operator new");
  CHECK(bare_name("T::operator unsigned long() const") == "T::operator unsigned long");
  CHECK(bare_name("(anonymous namespace)::f(int)") == "(anonymous namespace)::f");
  CHECK(bare_name("ns::(anonymous namespace)::f") == "ns::(anonymous namespace)::f");
  CHECK(bare_name("f(int)::{lambda(char)#1}::operator()(char) const") == "f(int)::{lambda(char)#1}::operator()");
  CHECK(bare_name("f(int) [clone .cold]") == "f");
  CHECK(bare_name("main.(*Tree).Add") == "main.(*Tree).Add");
  CHECK(bare_name("<T as core::fmt::Display>::fmt") == "<T as core::fmt::Display>::fmt");
  CHECK(bare_name("a < b") == "a < b");
  CHECK(bare_name("(") == "(");
  CHECK(bare_name("") == "");
}

TEST_CASE("a long name is shortened for people", "[report]") {
  CHECK(brief_name("ns::T<int>::f(char) const") == "ns::T<int>::f(char) const");
  CHECK(brief_name("ns::T<int>::f(std::vector<double, std::allocator<double> > const&, char, long)") ==
        "ns::T<int>::f");
  CHECK(brief_name("__gnu_cxx::__normal_iterator<double*, std::vector<double> > std::transform<__gnu_cxx::"
                   "__normal_iterator<double*, std::vector<double> >, main::{lambda(double)#1}>(int)") ==
        "std::transform<...>");
  CHECK(brief_name("std::_Rb_tree<int, std::pair<int const, long>, std::_Select1st<std::pair<int const, long> > >::"
                   "operator<< <std::pair<int const, long> >(int)") == "std::_Rb_tree<...>::operator<< <...>");
  CHECK(brief_name("f<ns::A<(ns::B)0, decltype (a->b), std::integral_constant<bool, true>, int, int> >::g(int)") ==
        "f<...>::g");
  CHECK(brief_name("<core::iter::adapters::filter::Filter<core::slice::iter::Iter<f64>, r::main::{closure#2}> as "
                   "core::iter::Iterator>::count") == "<... as core::iter::Iterator>::count");
  CHECK(brief_name("<alloc::vec::Vec<core::option::Option<alloc::string::String>, alloc::alloc::Global>>::push") ==
        "<...>::push");
}
