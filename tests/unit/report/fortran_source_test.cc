// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/fortran_source.h"

#include <algorithm>

#include "cdrgrind/report/advise/fortran_names.h"
#include "tests/unit/catch.h"

namespace cdr::report {
namespace {

// "line-head-last counter", with the directive's line and text.
std::string fortran_loops(std::string_view text, FortranForm form = FortranForm::kFree) {
  std::string all;
  for (const FortranLoop& l : FortranSource(text, form).loops) {
    if (!all.empty()) all += "; ";
    all += std::to_string(l.first) + '-' + std::to_string(l.head) + '-' + std::to_string(l.last) + ' ' + l.counter;
    if (l.pragma) all += " under " + std::to_string(l.pragma) + " " + l.directive;
  }
  return all;
}

std::string names(std::string_view text) {
  const FortranSource source(text, FortranForm::kFree);
  std::string all;
  for (const std::string& n : fortran_assigned_names(source, source.loops.at(0))) all += n + ' ';
  return all;
}

TEST_CASE("the file's name tells the form of Fortran") {
  CHECK(fortran_form("a/b.f90") == FortranForm::kFree);
  CHECK(fortran_form("B.F03") == FortranForm::kFree);
  CHECK(fortran_form("old.f") == FortranForm::kFixed);
  CHECK(fortran_form("old.FOR") == FortranForm::kFixed);
  CHECK_FALSE(fortran_form("a.c"));
  CHECK_FALSE(fortran_form("f90"));
}

TEST_CASE("loops of free form, however they are written") {
  CHECK(fortran_loops("do i = 1, n\n  a(i) = 0\nend do\n") == "1-1-3 i");
  CHECK(fortran_loops("DO I = 1, &\n & N\n a(i) = 0\nENDDO\n") == "1-2-4 i");
  CHECK(fortran_loops("rows: do j = 1, n; do i = 1, m\nx = 1\nend do; end do rows\n") == "1-1-3 j; 1-1-3 i");
  CHECK(fortran_loops("do while (x > 0)\n x = x - 1\nend do\ndo\n exit\nend do\n") == "1-1-3 ; 4-4-6 ");
  CHECK(fortran_loops("do concurrent (i = 1:n)\n a(i) = 0\nend do\n") == "1-1-3 ");
  CHECK(fortran_loops("do 10 j = 1, n\ndo 10 i = 1, n\n10 a(i, j) = 0\n") == "1-1-3 j; 2-2-3 i");
  CHECK(fortran_loops("double = 3\ndot = a + f(x, y)\nprint *, 'do i = 1, n' ! do i = 1, n\n").empty());
  CHECK(fortran_loops("do i = 1, n\nend subroutine\n").empty());  // the file is another than what was compiled
}

TEST_CASE("loops of fixed form: labels, blanks that mean nothing, column 72") {
  CHECK(fortran_loops("C     DO 5 I = 1, 2\n      DO10I=1,N\n      A(I) =\n     &  1\n   10 CONTINUE\n",
                      FortranForm::kFixed) == "2-2-5 i");
  CHECK(fortran_loops("!$omp parallel do\nc$omp& private(t)\n      do i = 1, n\n      t = 1\n      end do\n",
                      FortranForm::kFixed) == "3-3-5 i under 1 parallel do private(t)");
  const std::string late = "      x = 1" + std::string(61, ' ') + "; do i = 1, 2\n";
  CHECK(fortran_loops(late + "      end do\n", FortranForm::kFixed).empty());
}

TEST_CASE("a directive belongs to the loop right behind it") {
  CHECK(fortran_loops(
            "!$OMP PARALLEL DO &\n!$OMP& REDUCTION(+:S) ! all\n! a comment\ndo i = 1, n\n s = s + 1\nend do\n") ==
        "4-4-6 i under 1 parallel do reduction(+:s)");
  CHECK(fortran_loops("!$omp parallel\n!$omp do\ndo i = 1, n\nend do\n") == "3-3-4 i under 2 do");
  CHECK(fortran_loops("!$omp barrier\nx = 1\ndo i = 1, n\nend do\n") == "3-3-4 i");
}

TEST_CASE("single lines are told apart") {
  CHECK(is_fortran_loop("   do i = 1, n  ! rows"));
  CHECK(is_fortran_loop("   DO 20 I = 1, &"));
  CHECK_FALSE(is_fortran_loop("   end do"));
  CHECK(is_fortran_directive("  !$OMP DO"));
  CHECK_FALSE(is_fortran_directive("  ! $omp do"));
}

TEST_CASE("loops may stand in a loop without being written") {
  const auto nests = [](std::string_view text) {
    const FortranSource source(text, FortranForm::kFree);
    return source.may_nest(source.loops.at(0));
  };
  CHECK(nests("do i = 1, n\n a(:, i) = 0\nend do\n"));
  CHECK(nests("do i = 1, n\n s = sum(a)\nend do\n"));
  CHECK(nests("do i = 1, n\n do j = 1, n\n end do\nend do\n"));
  CHECK_FALSE(nests("do i = 1, n\n a(i) = b(i)\nend do\na(:) = 0\n"));
}

TEST_CASE("names that a loop of Fortran assigns") {
  CHECK(names("do i = 1, n\n T = a(i)\n if (t > 1) most = t\n a(i) = 2\n p%x = 1\n q => r\n call f(k=3)\nend do\n") ==
        "most q t ");
  CHECK(names("do j = 1, n\n do i = 1, n\n a(i) = 1\n end do\n if (x == y) exit\nend do\n").empty());
}

TEST_CASE("a counter is the loop's alone if its unit uses it in loops that count by it alone") {
  const auto declares = [](std::string_view text, uint32_t line) {
    return fortran_head(FortranSource(text, FortranForm::kFree), line).declares;
  };
  CHECK(declares("integer :: i\ndo i = 1, n\n a(i) = 1\nend do\ndo i = 1, n\nend do\nend subroutine\nprint *, i\n", 2));
  CHECK_FALSE(declares("do i = 1, n\n a(i) = 1\nend do\nfound = i\n", 1));
  CHECK_FALSE(declares("i = 7\ndo i = 1, n\n a(i) = 1\nend do\n", 2));
  const std::string_view loop = "do i = 1, n\n a(i) = 1\nend do\n";
  const auto in = [&](std::string_view before, std::string_view behind) {
    const std::string text = std::string(before) + std::string(loop) + std::string(behind);
    const auto line = static_cast<uint32_t>(std::count(before.begin(), before.end(), '\n')) + 1;
    return fortran_head(FortranSource(text, FortranForm::kFree), line);
  };
  const std::string_view show = "contains\nsubroutine show\nprint *, i\nend subroutine\n";
  CHECK_FALSE(in("program p\ninteger i\n", std::string(show) + "end program\n").declares);
  CHECK(in("program p\ninteger i\n", "contains\nsubroutine show\nend subroutine\nend program\n").declares);
  CHECK(in("module m\ncontains\npure subroutine f\nend\nsubroutine s\ninteger :: i\n",
           "end subroutine\nreal function g(i)\nend function\nend module\n")
            .declares);
  CHECK_FALSE(in("program p\ninteger i\ncontains\nsubroutine s\n", "end subroutine\nend program\n").declares);
  CHECK(in("module m\ncontains\nelemental function f(x) result(y)\ninteger :: i\n", "end function\nend module\n")
            .refused == "OpenMP's lines may not stand in a pure procedure");
  CHECK(in("pure subroutine f\nend\nsubroutine s\n", "end\n").refused.empty());
  CHECK(in("impure elemental subroutine s\n", "end\n").refused.empty());
  const FortranSource source("do while (x > 0)\nend do\n", FortranForm::kFree);
  CHECK(fortran_head(source, 1).counters.empty());
}

TEST_CASE("arguments of Fortran's calls that may be changed, and arrays of which something is assigned") {
  const FortranSource source(
      "subroutine split(whole, high, low)\n"
      "real, intent(in) :: whole\n"
      "real, intent(out) :: high, low\n"
      "end subroutine\n"
      "subroutine s(n)\n"
      "do j = 1, n\n"
      "do i = 1, n\n"
      "  call split(x(i), high, low)\n"
      "  call other(i, j, k, a(i, j))\n"
      "  w(1:3) = 2\n"
      "  if (n > 2) v(i) = 3\n"
      "  y = u(i)\n"
      "end do\n"
      "end do\n"
      "end subroutine\n",
      FortranForm::kFree);
  REQUIRE(source.loops.size() == 2);
  using Names = std::set<std::string>;
  for (const FortranLoop& l : source.loops) {
    const ExposedNames names = fortran_exposed_names(source, l);
    CHECK(names.anything == Names{"high", "low", "k", "a"});
    CHECK(names.arrays == Names{"high", "low", "k", "a", "w", "v"});
  }
}

TEST_CASE("what procedures do to variables from elsewhere that a loop calls") {
  const FortranSource source(
      "module m\n"
      "contains\n"
      "subroutine set(v)\n"
      "real, intent(in) :: v\n"
      "real :: own\n"
      "own = v; t = own; w(1) = 2\n"
      "end subroutine\n"
      "subroutine all\n"
      "integer :: i\n"
      "do i = 1, n\n"
      "  call set(x(i))\n"
      "  block; real :: q; q = 1; end block\n"
      "end do\n"
      "do i = 1, n\n"
      "  call inner\n"
      "end do\n"
      "do i = 1, n\n"
      "  y(i) = 1\n"
      "end do\n"
      "contains\n"
      "subroutine inner\n"
      "  y(i) = t\n"
      "end subroutine\n"
      "end subroutine\n"
      "end module\n",
      FortranForm::kFree);
  REQUIRE(source.loops.size() == 3);
  CHECK(fortran_called_assignments(source, source.loops[0]) == std::set<std::string>{"t"});
  CHECK(fortran_declared_names(source, source.loops[0]).contains("q"));
  CHECK(fortran_head(source, source.loops[0].first).refused.empty());
  CHECK(fortran_head(source, source.loops[1].first).refused ==
        "inner, which it calls, works on i from outside: hand that on");
  CHECK(fortran_head(source, source.loops[2].first).refused.empty());
}

TEST_CASE("operators of reductions as Fortran has them") {
  const FortranSource bits("do i = 1, n\n m = iand(m, a(i))\nend do\n", FortranForm::kFree);
  const FortranSource logicals("do i = 1, n\n m = m .and. a(i)\nend do\n", FortranForm::kFree);
  CHECK(fortran_operator("&", bits, bits.loops[0]) == "iand");
  CHECK(fortran_operator("&", logicals, logicals.loops[0]) == ".and.");
  const FortranSource extremes("do i = 1, n\n if (x(i) > 0) most = max(most, x(i))\n k = min(k, max(i, 3))\nend do\n",
                               FortranForm::kFree);
  CHECK(fortran_extreme(extremes, extremes.loops[0], "most") == "max");
  CHECK(fortran_extreme(extremes, extremes.loops[0], "k").empty());
  CHECK(fortran_operator("+", bits, bits.loops[0]) == "+");
  CHECK(fortran_operator("", bits, bits.loops[0]).empty());
}

TEST_CASE("scalars of Fortran that each loop gives a value before it does anything else with them") {
  const FortranSource source(R"(
subroutine s(n, got)
  integer, intent(in) :: n
  integer :: i, j, is, oct, last, sum, got
  real :: a(n), b(n)
  do j = 1, n
    is = -1
    if (j == 2) is = 1
    if (j == 3) then
      last = 1
    end if
    a(1:2) = 0
    oct = 4*is
    got = oct
    sum = sum + oct
    do i = 1, n
      last = is
      b(i) = last
    end do
  end do
end subroutine
)",
                             FortranForm::kFree);
  const FortranLoop& outer = *source.loop_of(6);
  CHECK(fortran_is_loops_own(source, outer, "is"));
  CHECK(fortran_is_loops_own(source, outer, "oct"));
  CHECK(fortran_is_loops_own(source, outer, "i"));
  CHECK_FALSE(fortran_is_loops_own(source, outer, "last"));
  CHECK_FALSE(fortran_is_loops_own(source, outer, "got"));
  CHECK_FALSE(fortran_is_loops_own(source, outer, "sum"));
  CHECK_FALSE(fortran_is_loops_own(source, outer, "other"));
  CHECK_FALSE(fortran_is_loops_own(source, *source.loop_of(16), "is"));
}

TEST_CASE("Fortran: what a loop leaves in a variable, and the loop around reads behind it") {
  const auto own = [](const std::string& before, const std::string& behind) {
    const FortranSource source("subroutine s(n, a, b)\n  integer :: i, k, x, n, a(n), b(n)\n  do k = 1, n\n" + before +
                                   "\n    do i = 1, n\n      x = b(i)\n      a(i) = x\n    end do\n" + behind +
                                   "\n  end do\nend subroutine\n",
                               FortranForm::kFree);
    return fortran_is_loops_own(source, *source.loop_of(5), "x");
  };
  CHECK(own("", ""));
  CHECK(own("    x = k", ""));
  CHECK_FALSE(own("    x = k", "    b(k) = x"));
}

}  // namespace
}  // namespace cdr::report
