// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/races/folded_stack.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/unit/catch.h"

using namespace cdr::report;

namespace {

RaceFrame own(std::string_view function, std::string_view file = "/src/a.cc") {
  RaceFrame f;
  f.function = function;
  f.module = "/src/prog";
  f.own = true;
  f.pos.file = file;
  f.pos.line = file.empty() ? 0 : 7;
  return f;
}
RaceFrame header(std::string_view function) { return own(function, "/usr/include/c++/12/thread"); }
RaceFrame library(std::string_view function) {
  RaceFrame f;
  f.function = function;
  f.module = "/lib/libc.so.6";
  return f;
}

// A word for each line: the function, or "3*what".
std::string lines(const std::vector<RaceFrame>& stack) {
  std::vector<std::string> words;
  size_t frames = 0;
  for (const StackPart& part : folded_stack(stack)) {
    REQUIRE(part.first == frames);
    frames += part.frames;
    words.push_back(part.frames == 1 ? std::string(stack[part.first].function)
                                     : fmt::format("{}*{}", part.frames, part.of));
  }
  REQUIRE(frames == stack.size());
  return fmt::format("{}", fmt::join(words, " "));
}

std::string parts(std::string_view name) { return fmt::format("{}", fmt::join(name_parts(name), " ")); }

}  // namespace

TEST_CASE("a name is parted without template arguments, parameters and result") {
  CHECK(parts("main") == "main");
  CHECK(parts("std::vector<int, std::allocator<int> >::push_back(int&&)") == "std vector push_back");
  CHECK(parts("void std::__invoke_impl<void, main::{lambda()#1}>(std::__invoke_other, main::{lambda()#1}&&)") ==
        "std __invoke_impl");
  CHECK(parts("main::{lambda(int)#2}::operator()(int) const") == "main {lambda(int)#2} operator");
  CHECK(parts("(anonymous namespace)::work(int)") == "(anonymous namespace) work");
  CHECK(parts("Set::operator<(Set const&)") == "Set operator");
  CHECK(parts("operator new(unsigned long)") == "operator");
  CHECK(parts("f<&(g(int)), (a->b)>::h") == "f h");
  CHECK(parts("operators::f(int)") == "operators f");
  CHECK(parts("").empty());
}

TEST_CASE("frames of headers and libraries between the program's are a line") {
  CHECK(lines({own("less"), header("__gnu_cxx::__ops::_Iter::operator()"), header("std::__sort<int*>"),
               header("std::sort<int*>"), own("main")}) == "less 3*std::sort main");
  CHECK(lines({own("compare"), library("msort_with_tmp"), library("qsort_r"), own("main")}) ==
        "compare 2*qsort_r main");
}

TEST_CASE("one frame of a library stands for itself") {
  CHECK(lines({own("compare"), library("bsearch"), own("main")}) == "compare bsearch main");
}

TEST_CASE("the innermost frame is shown whosever it is") {
  CHECK(lines({library("memcpy"), header("std::string::_M_append"), header("std::string::append"), own("main")}) ==
        "memcpy 2*std::string::append main");
  CHECK(lines({library("memcpy"), own("main")}) == "memcpy main");
}

TEST_CASE("what starts a thread is named after what the program knows of it") {
  CHECK(lines({own("run"), header("void std::__invoke_impl<void>(std::__invoke_other)"),
               header("std::thread::_Invoker<std::tuple<int> >::_M_invoke<0ul>(std::_Index_tuple<0ul>)"),
               library("execute_native_thread_routine"), library("start_thread"), library("clone")}) ==
        "run 5*std::thread");
  CHECK(lines({own("run"), library("start_thread"), library("clone")}) == "run 2*start_thread");
}

TEST_CASE("what is before main is no frame of the program") {
  CHECK(lines({own("main"), library("__libc_start_call_main"), library("__libc_start_main"), own("_start", "")}) ==
        "main 3*__libc_start_call_main");
}

TEST_CASE("a stack of others only, and code without a name") {
  CHECK(lines({library("a"), library("b"), library("c")}) == "a 2*b");
  CHECK(lines({own("main"), library(""), library("")}) == "main 2*libc.so.6");
  CHECK(lines({}).empty());
}
