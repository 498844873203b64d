// SPDX-License-Identifier: GPL-2.0-or-later

#include "cdrgrind/report/common/output.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "tests/unit/catch.h"

using namespace cdr::report;

TEST_CASE("numbers are written as asked") {
  cdr::report::Output out;
  out.dec(uint64_t{18446744073709551615u}).put(' ').dec(int64_t{-5}).put(' ').hex(255).put(' ').hex(255, 8).put(' ');
  out.hex(0x123456789a, 8);
  CHECK(out.text() == "18446744073709551615 -5 ff 000000ff 123456789a");
}

TEST_CASE("text longer than the buffer arrives whole") {
  const std::string line(100000, 'x');
  cdr::report::Output out;
  for (int i = 0; i < 10; ++i) out.put(line);
  CHECK(out.text() == std::string(1000000, 'x'));
}

TEST_CASE("a reader that goes away is told from an error") {
  signal(SIGPIPE, SIG_IGN);
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  close(ends[0]);
  cdr::report::Output out(ends[1]);
  out.put("text");
  CHECK_THROWS_AS(out.flush(), ClosedPipe);
  close(ends[1]);
  const int full = open("/dev/full", O_WRONLY);
  cdr::report::Output refused(full);
  refused.put("text");
  CHECK_THROWS_AS(refused.flush(), OutputError);
  close(full);
}

TEST_CASE("thousands are separated") {
  CHECK(with_separators(0) == "0");
  CHECK(with_separators(999) == "999");
  CHECK(with_separators(1000) == "1,000");
  CHECK(with_separators(1234567) == "1,234,567");
}
