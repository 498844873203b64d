// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/loops/thread_loops.h"

#include "cdrgrind/analysis/loops/optimal.h"
#include "tests/unit/analysis/loops/strings.h"
#include "tests/unit/catch.h"

using namespace cdr;
using namespace cdr::report;

namespace {

// What the letters are: lines 1 to 9 of f, 11 to 19 of g, a call, and lines of a header of the system.
SymbolText meaning_of(char letter) {
  const auto line = static_cast<uint32_t>(letter - 'a' + 1);
  if (letter < 'j') return {{"f(int)", "/src/one.c", line, line}, {}};
  if (letter < 's') return {{"g", "/src/two.c", line, line + (letter == 'r' ? 3 : 0)}, {}};
  if (letter == 'x') return {{"main", "/src/one.c", 80, 80}, "calls f"};
  return {{"std::vector<int>::size", "/usr/include/c++/12/vector", line, line}, {}};
}

struct Example {
  explicit Example(const std::string& letters, std::vector<ThreadId> threads = {ThreadId(1)})
      : letters(letters),
        sequence(strings::sequence_of(reference::letters(letters))),
        nest(loops::optimal_nest(sequence.symbols)),
        report{"in", "optimal", "body", false, 0, 0, sequence, nest} {
    report.text_of = [this](uint32_t symbol) { return meaning_of(sequence.names.name(symbol)[0]); };
    report.place_of = [this](const loops::Loop& loop) { return meaning_of(this->letters[loop.begin]).place; };
    report.threads = std::move(threads);
    report.scope.all = false;
  }
  // The tree alone.
  std::string tree() const {
    cdr::report::Output out;
    write_thread_loops(std::span(&report, 1), "lines", {}, out);
    const size_t begin = out.text().find("  loop\n");
    return begin == std::string::npos ? "" : out.text().substr(begin + 7);
  }

  const std::string letters;
  analysis::SymbolSequence sequence;
  loops::LoopNest nest;
  LoopReport report;
};

}  // namespace

TEST_CASE("neighbouring lines of one function are one item, and a loop that is one item is one row") {
  CHECK(Example("abcabcabcabcj").tree() == "   92.31 %           4  one.c:1-3  f\n");
  CHECK(Example("acbacbl").tree() == "   85.71 %           2  one.c:1, 3, 2  f\n");
  CHECK(Example("jrjr").tree() == "  100.00 %           2  two.c:10, 18-21  g\n");
}

TEST_CASE("a body's loops stand inside it, with their share of the whole") {
  CHECK(Example("ajkjkjkbajkjkjkb").tree() ==
        "  100.00 %           2  one.c:1  f\n"
        "                          one.c:1  f\n"
        "   75.00 %           3    two.c:10-11  g\n"
        "                          one.c:2  f\n");
}

TEST_CASE("loops with equal bodies are one row with least and most iterations; others are not") {
  CHECK(Example("ababcababab").tree() == "   90.91 %         2-3  one.c:1-2  f, 2 times\n");
  CHECK(Example("aajaajbaaajaaaj").tree() ==
        "   53.33 %           2  one.c:1  f\n"
        "   40.00 %           3    one.c:1  f\n"
        "                          two.c:10  g\n"
        "   40.00 %           2  one.c:1  f\n"
        "   26.67 %           2    one.c:1  f\n"
        "                          two.c:10  g\n");
}

TEST_CASE("a call is an item of its own") {
  CHECK(Example("xaxa").tree() ==
        "  100.00 %           2  one.c:80  main\n"
        "                          one.c:80  main  calls f\n"
        "                          one.c:1  f\n");
}

TEST_CASE("what headers of the system bring is one item, with its loops, unless all is wanted") {
  Example example("atvvvujatvvvuj");
  CHECK(example.tree() ==
        "  100.00 %           2  one.c:1  f\n"
        "                          one.c:1  f\n"
        "                          5 lines in headers of the system\n"
        "                          two.c:10  g\n");
  example.report.scope.all = true;
  CHECK(example.tree().find("   42.86 %           3    vector:22  std::vector<int>::size\n") != std::string::npos);
}

TEST_CASE("of a body the heaviest items are shown, of a nest the heaviest loops, and the others counted") {
  Example example("ajjjkabcjakajjjkabcjakbb");
  example.report.most = 2;
  CHECK(example.tree() ==
        "   91.67 %           2  one.c:1  f\n"
        "                          ... 1 line\n"
        "   25.00 %           3    two.c:10  g\n"
        "                          ... 1 line\n"
        "                          one.c:1-3  f\n"
        "                          ... 3 lines\n"
        "    8.33 %           2  one.c:2  f\n");
  example.report.most = 1;
  CHECK(example.tree().ends_with(
      "                          ... 7 lines\n    8.33 %              1 more outermost loop\n"));
}

TEST_CASE("threads that did the same stand together, and those that did nothing in one line") {
  const Example two("abab", {ThreadId(1), ThreadId(3), ThreadId(4), ThreadId(5)}), none("", {ThreadId(2)});
  const LoopReport reports[] = {two.report, none.report};
  cdr::report::Output out;
  write_thread_loops(reports, "lines", {}, out);
  CHECK(out.text().find("-- Threads 1, 3-5, alike\n") != std::string::npos);
  CHECK(out.text().find("Without any:       thread 2: no lines\n") != std::string::npos);
}
