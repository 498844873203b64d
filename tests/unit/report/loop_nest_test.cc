// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/loops/loop_nest.h"

#include <nlohmann/json.hpp>

#include "cdrgrind/analysis/loops/optimal.h"
#include "tests/unit/analysis/loops/strings.h"
#include "tests/unit/catch.h"

using namespace cdr;
using namespace cdr::report;

namespace {

struct Example {
  explicit Example(const std::string& letters)
      : sequence(strings::sequence_of(reference::letters(letters))), nest(loops::optimal_nest(sequence.symbols)) {}

  template <class Write>
  std::string written(Write write) const {
    cdr::report::Output out;
    write({"in", "optimal", "body", false, 1.5, 2.25, sequence, nest}, out);
    return out.text();
  }
  std::string text() const {
    return written([](const LoopReport& report, Output& out) { write_loop_text(report, {}, out); });
  }

  analysis::SymbolSequence sequence;
  loops::LoopNest nest;
};

}  // namespace

TEST_CASE("the text of a nest has the numbers of the tables") {
  const std::string text = Example("xabbbabbbabbbyy").text();
  for (const char* line :
       {"Input:             in\n", "Algorithm:         optimal, longest body first\n",
        "Trace length:      15 symbols, 4 different\n", "Compressed length: 3\n", "Compression ratio: 5.00\n",
        "Span covered:      80.00 %\n", "All loops:         93.33 % in 2 outermost loops, 3 loops in all\n",
        "Major loop:        (4)^3 = (1 + (1)^3)^3\n", "Time:              1.500 s reading, 2.250 s finding loops\n"}) {
    INFO(line);
    CHECK(text.find(line) != std::string::npos);
  }
  CHECK(text.find("           12  80.00 %            1            3  1 + (1)^3\n") != std::string::npos);
  CHECK(text.find("            2  13.33 %           13            2  y\n") != std::string::npos);
}

TEST_CASE("a sequence without loops says so") {
  const std::string text = Example("abc").text();
  CHECK(text.find("Major loop:        none\n") != std::string::npos);
  CHECK(text.find("Compressed length: 3\n") != std::string::npos);
  CHECK(text.find("Outermost") == std::string::npos);
}

TEST_CASE("loops in JSON unfold to the sequence, and tell their places") {
  const auto json = nlohmann::json::parse(Example("xabbbabbbabbbyy").written(write_loop_json));
  CHECK(json["schema"] == "cdrgrind.loops/1");
  CHECK(json["compressed_length"] == 3);
  CHECK(json["major"]["structure"] == "(4)^3 = (1 + (1)^3)^3");
  CHECK(json["nest"].dump() ==
        R"(["x",{"begin":1,"body":["a",{"begin":2,"body":["b"],"count":3,"length":1}],"count":3,"length":4},)"
        R"({"begin":13,"body":["y"],"count":2,"length":1}])");
}

TEST_CASE("names of any bytes are strings in JSON") {
  analysis::SymbolSequence sequence;
  for (const std::string name : {"\"", "\\", "\xff", "ö", "\x01"})
    sequence.symbols.push_back(sequence.names.id_of(name));
  const loops::LoopNest nest = loops::optimal_nest(sequence.symbols);
  cdr::report::Output out;
  write_loop_json({"in", "optimal", "body", false, 0, 0, sequence, nest}, out);
  const auto names = nlohmann::json::parse(out.text())["nest"];
  CHECK(names == nlohmann::json({"\"", "\\", "\\xff", "ö", "\x01"}));
}

TEST_CASE("the graph has an edge from each loop to those right inside") {
  CHECK(Example("xabbbabbbabbbyy").written(write_loop_dot) ==
        "digraph loops {\n"
        "  node [shape=box];\n"
        "  top [label=\"15 symbols\"];\n"
        "  l0 [label=\"(4)^3\\nfrom 1\"];\n"
        "  top -> l0;\n"
        "  l2 [label=\"(1)^3\\nfrom 2\\nb\"];\n"
        "  l0 -> l2;\n"
        "  l1 [label=\"(1)^2\\nfrom 13\\ny\"];\n"
        "  top -> l1;\n"
        "}\n");
}

TEST_CASE("the structure of a loop is one level deep") {
  const Example example("cababdcababdcababde");
  CHECK(loop_structure(example.nest, example.nest.top()[0]) == "(6)^3 = (1 + (2)^2 + 1)^3");
  const Example deep("abbcabbcdabbcabbcd");
  CHECK(loop_structure(deep.nest, deep.nest.top()[0]) == "(9)^2 = ((4)^2 + 1)^2");
}
