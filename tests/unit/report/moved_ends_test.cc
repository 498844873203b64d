// SPDX-License-Identifier: GPL-2.0-or-later

#include "cdrgrind/report/annotate/moved_ends.h"

#include <vector>

#include "tests/unit/catch.h"

using namespace cdr::report;

TEST_CASE("a loop's line that has no word of a variable's name cannot touch it") {
  const std::vector<ObjectName> sum = {{"sum", "global"}};
  CHECK(cannot_touch("  for (i = 0; i < n; i++)", sum));
  CHECK(cannot_touch("  while (i < n) {", sum));
  CHECK(!cannot_touch("  for (i = 0; i < sum; i++)", sum));
  CHECK(cannot_touch("  for (i = 0; i < summit; i++)", sum));
  CHECK(!cannot_touch("", sum));
}

TEST_CASE("a line that calls, indexes or follows a pointer may touch anything") {
  const std::vector<ObjectName> sum = {{"sum", "global"}};
  CHECK(!cannot_touch("for (i = first(); i < n; i++)", sum));
  CHECK(!cannot_touch("for (i = 0; i < *most; i++)", sum));
  CHECK(!cannot_touch("for (i = at[0]; i < n; i++)", sum));
  CHECK(!cannot_touch("for (p = l->first; p != q; ++p)", sum));
}

TEST_CASE("members and indices are words, and what has no name may be anything") {
  const auto touches = [](std::string name, std::string_view kind) {
    const std::vector<ObjectName> objects = {{"other", "global"}, {std::move(name), kind}};
    return !cannot_touch("for (i = list.first; i < n; i++)", objects);
  };
  CHECK(touches("list.first", "stack"));
  CHECK(touches("tail.first", "stack"));
  CHECK(!touches("tail.last", "stack"));
  CHECK(!touches("a[…]", "tls"));
  CHECK(touches("", "unknown"));
  CHECK(touches("block of 40 bytes at a.c:3", "heap"));
  CHECK(!cannot_touch("for (;;)", {}));
}
