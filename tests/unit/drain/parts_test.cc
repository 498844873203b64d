// SPDX-License-Identifier: GPL-2.0-or-later
// Dependences that parts compute elsewhere: put together from their messages they are a session's own.
#include <algorithm>
#include <deque>
#include <optional>
#include <random>

#include "cdrgrind/drain/part_session.h"
#include "cdrgrind/drain/parts_dependences.h"
#include "cdrgrind/drain/session.h"
#include "tests/unit/catch.h"
#include "tests/unit/drain/fake_file.h"
#include "tests/unit/drain/record_stream.h"

using namespace cdr;
using namespace cdr::drain;
using namespace cdr::test;

namespace {

// The parts, and what they have sent: it arrives in pieces of any size.
class Team final : public OtherDependences {
 public:
  Team(uint32_t parts, uint32_t seed) : dependences_(parts), random_(seed) {
    for (uint32_t p = 0; p < parts; ++p) members_.emplace_back(parts, p);
  }

  void consume(std::span<const uint64_t> records) {
    for (Member& m : members_) m.session.consume(records);
    deliver(false);
  }
  void consume_last(std::span<const uint64_t> records) {
    for (Member& m : members_) m.session.consume_last(records);
  }
  bool leave(uint32_t part) { return members_[part].session.leave(); }
  void become_child() {
    for (Member& m : members_) {
      m.session.become_child();
      m.sent.clear();
    }
    dependences_ = PartsDependences(static_cast<uint32_t>(members_.size()));
  }

  std::optional<depend::ResultTable> results(uint32_t granularity) override {
    deliver(true);
    for (uint32_t p = 0; p < members_.size(); ++p)
      if (!dependences_.ended(p)) return std::nullopt;
    if (dependences_.left()) return std::nullopt;
    return dependences_.table(granularity);
  }

 private:
  struct Member final : PartSession::Mail {
    Member(uint32_t parts, uint32_t part) : session(parts, part, *this) {}
    void send(std::span<const uint8_t> bytes) override { sent.insert(sent.end(), bytes.begin(), bytes.end()); }
    std::vector<uint8_t> sent;
    PartSession session;
  };

  void deliver(bool all) {
    for (uint32_t p = 0; p < members_.size(); ++p) {
      std::vector<uint8_t>& sent = members_[p].sent;
      while (!sent.empty() && (all || random_() % 3 != 0)) {
        const size_t size = std::min<size_t>(sent.size(), 1 + random_() % 200);
        dependences_.take(p, std::span(sent).first(size));
        sent.erase(sent.begin(), sent.begin() + static_cast<std::ptrdiff_t>(size));
      }
    }
  }

  std::deque<Member> members_;
  PartsDependences dependences_;
  std::mt19937 random_;
};

// A process that calls, stores and loads, at addresses of which some lie in two lines.
class CrossingProgram {
 public:
  explicit CrossingProgram(DepsMode deps = DepsMode::kYes) {
    StreamStart start;
    start.process = {{.pid = 12}, "/tmp/trace"};
    start.options.deps = deps;
    start.options.epoch_blocks = 1000;
    std::vector<uint64_t> payload;
    pack_start(start, payload);
    s.special(RecordKind::kStart, 0, payload);
    s.thread_start(1, {0x700000, 0x800000}, 0x7ff000);
    s.module();
    for (uint64_t i = 0; i < 4; ++i) {
      SuperblockParts writes = with_words(plain_block(kText + 64 * i), 2);
      writes.accesses[0].flags = kAccessStore;
      blocks_.push_back(s.define(writes));
      blocks_.push_back(s.define(with_words(plain_block(kText + 64 * i + 32), 2)));
    }
  }
  void work(uint64_t blocks, uint32_t seed) {
    std::mt19937 random(seed);
    const auto address = [&] { return 0x5000 + random() % 640; };
    for (uint64_t i = 0; i < blocks; ++i) s.block(blocks_[random() % blocks_.size()], {address(), address()});
  }
  RecordStream s;

 private:
  std::vector<uint32_t> blocks_;
};

// A session by itself, and one beside a team, of the same records: their files are the same to the byte.
struct Both {
  explicit Both(uint32_t parts, uint32_t seed = 1) : team(parts, seed) {}

  void consume(std::span<const uint64_t> records) {
    team.consume(records);
    session.consume(records);
    alone.consume(records);
  }
  void consume_last(std::span<const uint64_t> records) {
    team.consume_last(records);
    session.consume_last(records);
    alone.consume_last(records);
  }

  Team team;
  FakeFile own, others;
  Session alone{own}, session{others, &team};
};

// All records, some at a time, to whoever consumes.
template <class F>
void in_stretches(const RecordStream& s, uint32_t seed, F consume) {
  std::mt19937 random(seed);
  for (size_t i = 0; i < s.records();) {
    std::vector<uint64_t> stretch;
    for (size_t count = 1 + random() % 50; count > 0 && i < s.records(); --count, ++i)
      stretch.insert(stretch.end(), s.record(i).begin(), s.record(i).end());
    consume(stretch);
  }
}

depend::ResultTable dependences_in(const FakeFile& f) {
  const trace::TraceFile file = open_bytes(f.out.bytes);
  REQUIRE(file.depend().has_value());
  const std::vector<uint8_t> payload = *file.depend();
  ByteReader reader(payload);
  depend::ResultTable table;
  REQUIRE(depend::read(reader, table));
  return table;
}

}  // namespace

TEST_CASE("parts find what a session finds by itself, however records and messages are cut") {
  for (uint32_t seed = 1; seed <= 20; ++seed)
    for (const uint32_t parts : {1, 2, 3, 5}) {
      INFO("seed " << seed << ", parts " << parts);
      CrossingProgram p;
      p.work(400, seed);
      p.s.text(RecordKind::kEnd, 0, "exit 0");
      Both both(parts, seed);
      in_stretches(p.s, seed, [&](const std::vector<uint64_t>& records) { both.consume(records); });
      CHECK(dependences_in(both.own).rows().size() > 20);
      CHECK(both.own.out.bytes == both.others.out.bytes);
    }
}

TEST_CASE("dependences are left as soon as a part leaves them, if that is allowed") {
  for (const DepsMode mode : {DepsMode::kAuto, DepsMode::kYes}) {
    INFO("mode " << static_cast<int>(mode));
    CrossingProgram p(mode);
    Team team(3, 1);
    FakeFile f;
    Session session(f, &team);
    const auto consume = [&] {
      team.consume(p.s.words);
      session.consume(p.s.words);
      p.s.words.clear();
    };
    p.work(100, 1);
    consume();
    CHECK(team.leave(1) == (mode == DepsMode::kAuto));
    p.work(100, 2);
    p.s.text(RecordKind::kEnd, 0, "exit 0");
    consume();
    const trace::TraceFile file = open_bytes(f.out.bytes);
    CHECK(file.depend().has_value() == (mode == DepsMode::kYes));
    CHECK(file.end()->texts.find("dependences").has_value() == (mode == DepsMode::kAuto));
    CHECK(file.event_count() == 202);
  }
}

TEST_CASE("a forked child's dependences are its own, as if it had never had another's") {
  CrossingProgram p;
  p.work(200, 3);
  RecordStream fork;
  std::vector<uint64_t> payload = {1, 0};
  pack_process({{.pid = 13}, "/tmp/child"}, payload);
  fork.special(RecordKind::kForked, 1, payload);
  std::vector<uint64_t> child = fork.words;
  CrossingProgram more;
  more.s.words.clear();
  more.work(300, 4);
  child.insert(child.end(), more.s.words.begin(), more.s.words.end());
  RecordStream end;
  end.text(RecordKind::kEnd, 0, "exit 0");
  child.insert(child.end(), end.words.begin(), end.words.end());

  Both both(2);
  both.consume(p.s.words);
  both.team.become_child();
  both.consume(child);
  CHECK(dependences_in(both.own).rows().size() > 20);
  CHECK(both.own.out.bytes == both.others.out.bytes);
}

TEST_CASE("of a killed process parts tell what they have, and of nothing nothing") {
  CrossingProgram p;
  p.work(200, 5);
  Both both(2);
  both.consume(p.s.words);
  p.s.words.clear();
  p.work(50, 6);
  both.consume_last(p.s.words);
  CHECK(dependences_in(both.own).rows().size() > 20);
  CHECK(both.own.out.bytes == both.others.out.bytes);

  Team none(2, 1);
  none.consume_last({});
  CHECK_FALSE(none.results(1).has_value());
}
