// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/did_you_mean.h"

#include "tests/unit/catch.h"

using cdr::cli::did_you_mean;
using cdr::cli::nearest_word;

TEST_CASE("the nearest word is that which somebody meant", "[did_you_mean]") {
  const std::vector<std::string> commands = {"annotate", "races", "paths", "patterns", "stats", "sync"};
  CHECK(nearest_word("anotate", commands) == "annotate");
  CHECK(nearest_word("raecs", commands) == "races");  // neighbours exchanged: one step
  CHECK(nearest_word("pattern", commands) == "patterns");
  CHECK(nearest_word("path", commands) == "paths");
  CHECK(nearest_word("bogus", commands).empty());
  CHECK(nearest_word("", commands).empty());
  CHECK(nearest_word("x", {"y"}).empty());  // nothing would be left of it
  CHECK(nearest_word(std::string(1000, 'a'), commands).empty());
  CHECK(did_you_mean("--formt", {"--color", "--format"}) == "; did you mean '--format'?");
  CHECK(did_you_mean("--bogus", {"--color", "--format"}).empty());
}
