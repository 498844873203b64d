// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/usage_text.h"

#include "tests/unit/catch.h"

using namespace cdr::cli;

TEST_CASE("options are read out of a help text in Valgrind's form") {
  const auto options = options_in(R"(Usage: prog [OPTIONS]
Options:
    -h --help           print this
    --mode=a|b|none
                        which one:
                        of three [a]
    --out=<file> where to; -x is no option here

    no option
                        nor does this go on
    --with=<name>       repeatable
  -q                    indented otherwise
)");
  REQUIRE(options.size() == 4);
  CHECK(options[0].names == std::vector<std::string>{"-h", "--help"});
  CHECK(options[0].help == "print this");
  CHECK(options[0].value.empty());
  CHECK(options[1].names == std::vector<std::string>{"--mode"});
  CHECK(options[1].choices == std::vector<std::string>{"a", "b", "none"});
  CHECK(options[1].help == "which one: of three [a]");
  CHECK(options[2].value == "file");
  CHECK(options[2].is_file());
  CHECK(options[2].help == "where to; -x is no option here");
  CHECK_FALSE(options[2].repeatable);
  CHECK(options[3].repeatable);
  CHECK(options[3].help == "repeatable");
}
