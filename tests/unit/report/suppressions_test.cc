// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/races/suppressions.h"

#include "cdrgrind/base/text_pattern.h"
#include "tests/unit/catch.h"

using namespace cdr::report;
using cdr::matches_pattern;

namespace {

RaceFrame frame(std::string_view function, std::string_view module = "/bin/prog", std::string_view file = {},
                uint32_t line = 0) {
  RaceFrame f;
  f.function = f.linkage_name = function;
  f.module = module;
  f.pos.file = file;
  f.pos.line = line;
  return f;
}

RaceFinding finding() {
  RaceFinding f;
  f.variable = "x";
  f.first.stack = {frame("reader"), frame("run"), frame("main")};
  f.second.stack = {frame("memcpy", "/lib/libc.so.6"), frame("writer", "/bin/prog", "/src/a.c", 12), frame("main")};
  return f;
}

bool takes(const std::string& frames) {
  Suppressions s;
  REQUIRE(s.read("{\n name\n cdrgrind:Race\n" + frames + "}\n", "f").empty());
  return s.take(finding());
}

}  // namespace

TEST_CASE("patterns have stars and question marks") {
  CHECK(matches_pattern("a*c?", "abbbcd"));
  CHECK(matches_pattern("*", ""));
  CHECK(matches_pattern("*b*", "abc"));
  CHECK_FALSE(matches_pattern("a?", "a"));
  CHECK_FALSE(matches_pattern("a*b", "abc"));
}

TEST_CASE("a suppression fits the innermost frames of either side") {
  CHECK(takes("fun:reader\n"));
  CHECK(takes("fun:mem*\nfun:writer\n"));
  CHECK(takes("obj:*/libc.so*\n"));
  CHECK(takes("...\nfun:main\n"));
  CHECK(takes("fun:memcpy\n...\nfun:main\n"));
  CHECK(takes("...\nsrc:a.c:12\n"));
  CHECK_FALSE(takes("...\nsrc:a.c:13\n"));
  CHECK_FALSE(takes("fun:writer\n"));
  CHECK_FALSE(takes("fun:reader\nfun:main\n"));
  CHECK_FALSE(takes("fun:reader\nfun:run\nfun:main\nfun:more\n"));
}

TEST_CASE("what is wrong with a suppression is said with its line") {
  Suppressions s;
  CHECK(s.read("fun:x\n", "f") == "f:1: '{' expected");
  CHECK(s.read("{\n name\n cdrgrind:Race\n # comment\n\n what\n}\n", "f") ==
        "f:6: a frame is fun:NAME, obj:PATH, src:FILE or ...");
  CHECK(s.read("{\n name\n cdrgrind:Race\n}\n", "f") == "f:4: a suppression without stack frames");
  CHECK(s.read("{\n name\n cdrgrind:Race\n fun:x\n", "f").ends_with("'}' expected"));
  CHECK(s.all().empty());
}

TEST_CASE("suppressions of other tools are skipped, those of helgrind and drd are taken") {
  Suppressions s;
  CHECK(s.read("{\n a\n Memcheck:Param\n write(buf)\n fun:x\n}\n{\n b\n Memcheck,Helgrind:Race\n fun:x\n}\n"
               "{\n c\n drd:ConflictingAccess\n fun:y\n}\n",
               "f")
            .empty());
  REQUIRE(s.all().size() == 2);
  CHECK(s.all()[0].name == "b");
  CHECK(s.all()[1].where == "f:12");
}
