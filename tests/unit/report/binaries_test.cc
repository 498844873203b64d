// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/binaries.h"
#include "tests/unit/catch.h"

using namespace cdr;
using namespace cdr::report;
using symbols::BinaryNote;
using symbols::BinaryState;

namespace {

BinaryNote note(BinaryState state, const std::string& path, const std::string& then = "", const std::string& now = "") {
  BinaryNote n;
  n.state = state;
  n.path = path;
  n.build_id = then;
  n.present_build_id = now;
  return n;
}

std::string json_of(const BinaryNotes& notes) {
  cdr::report::Output out;
  JsonWriter to(out);
  to.object();
  put_binaries(notes, to);
  to.end();
  return out.text();
}

const std::string kAdvice = "; keep the old file in a folder and give --debug-dir=DIR, or record again";

}  // namespace

TEST_CASE("a binary that has changed is told with both build-ids, short where that tells them apart") {
  const auto say = [](const std::string& then, const std::string& now) {
    return sentences_of({note(BinaryState::kChanged, "/bin/a", then, now)}).at(0);
  };
  const std::string rest = " changed since the recording: names from it are left out" + kAdvice;
  CHECK(say("a1b2c3d4e5f60718", "c3d4e5f6071829a0") == "/bin/a (build-id a1b2c3d4… then, c3d4e5f6… now) has" + rest);
  CHECK(say("a1b2c3d4e5f60718", "a1b2c3d4e5f60719") ==
        "/bin/a (build-id a1b2c3d4e5f60718 then, a1b2c3d4e5f60719 now) has" + rest);
  CHECK(say("a1b2", "") == "/bin/a (build-id a1b2 then, none now) has" + rest);
  BinaryNote n = note(BinaryState::kChanged, "/bin/a");
  CHECK(sentences_of({n}).at(0) == "/bin/a (other content) has" + rest);
  n.bytes = 10;
  n.present_bytes = 12;
  CHECK(sentences_of({n}).at(0) == "/bin/a (10 bytes then, 12 now) has" + rest);
}

TEST_CASE("there is one sentence for each kind of trouble, and none for binaries that were found") {
  CHECK(sentences_of({}).empty());
  CHECK(sentences_of({note(BinaryState::kFound, "/bin/a", "12")}).empty());
  const auto sentences = sentences_of({note(BinaryState::kMissing, "/b"), note(BinaryState::kNewer, "/c"),
                                       note(BinaryState::kChanged, "/a"), note(BinaryState::kMissing, "/d"),
                                       note(BinaryState::kMissing, "/e"), note(BinaryState::kMissing, "/f")});
  REQUIRE(sentences.size() == 3);
  CHECK(sentences[0].starts_with("/a (other content) has changed"));
  CHECK(sentences[1] == "/b, /d and 2 more are not there: names from them are left out" + kAdvice);
  CHECK(sentences[2].starts_with("/c is newer than the recording"));
}

TEST_CASE("JSON documents have a key for binaries that are known to be others, else nothing") {
  CHECK(json_of({}) == "{}");
  CHECK(json_of({note(BinaryState::kNewer, "/c")}) == "{}");
  BinaryNote found = note(BinaryState::kFound, "/b \"c\"", "12");
  found.file = "/kept/b";
  CHECK(json_of({note(BinaryState::kChanged, "/a", "ab", "cd"), found, note(BinaryState::kMissing, "/d")}) ==
        R"({"binaries":[{"path":"/a","state":"changed","build_id":"ab"},)"
        R"({"path":"/b \"c\"","state":"found","build_id":"12","file":"/kept/b"},)"
        R"({"path":"/d","state":"missing","build_id":null}]})");
}
