// SPDX-License-Identifier: GPL-2.0-or-later
//
// Text: demangling, paths, the string pool.
#include <string>
#include <vector>

#include "cdrgrind/symbols/common/demangle.h"
#include "cdrgrind/symbols/common/paths.h"
#include "cdrgrind/symbols/common/string_pool.h"
#include "tests/unit/catch.h"

using namespace cdr::symbols;

TEST_CASE("mangled names are demangled, others left alone") {
  CHECK(demangle("_ZN2ns6worker4workEi") == "ns::worker::work(int)");
  CHECK(demangle("main") == "main");
  CHECK(demangle("_Zwrong") == "_Zwrong");
  CHECK(demangle("_ZSt4moveIRiEONSt16remove_referenceIT_E4typeEOS2_@plt").ends_with("@plt"));
  CHECK(demangle("_ZdlPv@plt") == "operator delete(void*)@plt");
  CHECK(demangle("") == "");
  CHECK(demangle("_ZN4core4sync6atomic12atomic_store17hb4037e67ba0a1db9E") == "core::sync::atomic::atomic_store");
  CHECK(demangle("_ZN4work4main28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE") == "work::main::{{closure}}");
  CHECK(demangle("_ZN58_$LT$alloc..string..String$u20$as$u20$core..fmt..Debug$GT$3fmt17h84d8da50d7ab0b5dE") ==
        "<alloc::string::String as core::fmt::Debug>::fmt");
}

TEST_CASE("the parts of a coroutine are those of a function, and told apart") {
  CHECK(demangle("_ZN2ns5countEPZNS_5countEiE20_ZN2ns5countEi.Frame.actor") == "ns::count(int) [clone .actor]");
  CHECK(demangle("_Z6count2PZ6count2iE16_Z6count2i.Frame.destroy") == "count2(int) [clone .destroy]");
  CHECK(demangle("_ZN2ns5countEi.resume") == "ns::count(int) [clone .resume]");
  CHECK(demangle("_ZN2ns5countEi.cleanup") == "ns::count(int) [clone .cleanup]");
  CHECK(is_part_of_coroutine("_Z6count2PZ6count2iE16_Z6count2i.Frame.actor.cold"));
  CHECK_FALSE(is_part_of_coroutine("_ZN2ns5countEi"));
  CHECK_FALSE(is_part_of_coroutine("_ZN2ns5countEi.part.0"));
  CHECK_FALSE(is_part_of_coroutine("save.resume"));
}

TEST_CASE("a path is joined to its folder unless it is absolute") {
  CHECK(join_path("/a", "b") == "/a/b");
  CHECK(join_path("/a/", "b") == "/a/b");
  CHECK(join_path("/a", "/b") == "/b");
  CHECK(join_path("", "b") == "b");
  CHECK(join_path("/a", "") == "/a");
}

TEST_CASE("a normal path has no superfluous parts") {
  CHECK(normal_path("/a/./b//c/../d") == "/a/b/d");
  CHECK(normal_path("/../a") == "/a");
  CHECK(normal_path("../a/../../b") == "../../b");
  CHECK(normal_path("/") == "/");
}

TEST_CASE("the first path map that matches whole parts is applied") {
  const std::vector<PathMap> maps = {{"/old", "/new"}, {"/old/src", "/src"}, {"/tail/", "/t"}};
  CHECK(map_path("/old/src/a.c", maps) == "/new/src/a.c");
  CHECK(map_path("/older/a.c", maps) == "/older/a.c");
  CHECK(map_path("/old", maps) == "/new");
  CHECK(map_path("/tail/a.c", maps) == "/t/a.c");
  CHECK(map_path("/other", maps) == "/other");
}

TEST_CASE("a path matches its trailing parts only") {
  CHECK(path_matches("/src/lib/a.c", "a.c"));
  CHECK(path_matches("/src/lib/a.c", "lib/a.c"));
  CHECK(path_matches("/src/lib/a.c", "/src/lib/a.c"));
  CHECK_FALSE(path_matches("/src/lib/a.c", "/lib/a.c"));
  CHECK_FALSE(path_matches("/src/lib/a.c", "ib/a.c"));
  CHECK_FALSE(path_matches("/src/lib/a.c", ""));
}

TEST_CASE("a path has a folder and a name") {
  CHECK(folder_of("/a/b") == "/a");
  CHECK(folder_of("/a") == "/");
  CHECK(folder_of("a") == ".");
  CHECK(base_name("/a/b") == "b");
  CHECK(base_name("b") == "b");
}

TEST_CASE("equal strings have one id, and their text does not move") {
  StringPool pool;
  CHECK(pool.intern("") == StringId::empty);
  const StringId first = pool.intern("first");
  const char* place = pool.text(first).data();
  for (int i = 0; i < 100000; ++i) pool.intern("text " + std::to_string(i));
  pool.intern(std::string(1 << 20, 'x'));
  CHECK(pool.intern("first") == first);
  CHECK(pool.text(first) == "first");
  CHECK(pool.text(first).data() == place);
  CHECK(pool.text(pool.intern("text 77777")) == "text 77777");
}
