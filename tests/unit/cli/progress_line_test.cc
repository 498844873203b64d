// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/progress_line.h"

#include <csignal>

#include "cdrgrind/cli/interrupt.h"
#include "tests/unit/catch.h"

using namespace cdr;
using namespace cdr::cli;
using std::chrono::milliseconds;

TEST_CASE("the time that is left follows from what is done") {
  CHECK(time_left(milliseconds(900), 50, 100).empty());
  CHECK(time_left(milliseconds(5000), 0, 100).empty());
  CHECK(time_left(milliseconds(5000), 50, 0).empty());
  CHECK(time_left(milliseconds(5000), 50, 100) == "6 s left");
  CHECK(time_left(milliseconds(5000), 100, 100) == "1 s left");
  CHECK(time_left(milliseconds(60000), 10, 100) == "9 min left");
  CHECK(time_left(milliseconds(60000), 1, 1000) == "17 h left");
}

TEST_CASE("an interruption ends the part under way, and that alone") {
  Interrupt interrupt;
  analysis::Watch watch;
  std::vector<uint64_t> told;
  watch.progress = [&](std::string_view, uint64_t done, uint64_t) { told.push_back(done); };
  watch.stopped = [&] { return interrupt.take(); };
  analysis::WatchedPart first(watch, "first", 100, 10);
  uint64_t steps = 0;
  for (; steps < 100 && first.goes_on(steps); ++steps)
    if (steps == 33) std::raise(SIGINT);
  CHECK(steps == 40);
  CHECK(first.ended());
  CHECK_FALSE(first.goes_on(41));
  CHECK(told.front() == 0);
  analysis::WatchedPart second(watch, "second", 100, 10);
  CHECK(second.goes_on(0));
  CHECK_FALSE(second.ended());
}
