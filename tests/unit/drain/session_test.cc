// SPDX-License-Identifier: GPL-2.0-or-later
// The file that a session makes of records, and when it makes it.
#include "cdrgrind/drain/session.h"

#include "cdrgrind/depend/result_table.h"
#include "tests/unit/catch.h"
#include "tests/unit/drain/fake_file.h"
#include "tests/unit/drain/record_stream.h"

using namespace cdr;
using namespace cdr::drain;
using namespace cdr::test;

namespace {

StreamStart start_of(StreamOptions options = {}) {
  static const std::vector<MetaEntry> meta = {{"program", "/bin/a"}, {"arg", ""}, {"arg", "three words here"}};
  options.epoch_blocks = 1000;
  return {{{.pid = 12, .parent_pid = 3, .process_start = 99, .wall_ns = 5, .fork_event = 4, .number = 2}, "/tmp/trace"},
          options,
          meta};
}

struct Program {
  RecordStream s;
  uint32_t store, load, call, ret;

  explicit Program(StreamOptions options = {}) {
    std::vector<uint64_t> payload;
    pack_start(start_of(options), payload);
    s.special(RecordKind::kStart, 0, payload);
    s.thread_start(1, {0x700000, 0x800000}, 0x7ff000);
    s.module();
    SuperblockParts writes = with_words(plain_block(kText), 1);
    writes.accesses[0].flags = kAccessStore;
    store = s.define(writes);
    load = s.define(with_words(plain_block(kText + 16), 1));
    call = s.define(call_block(kText + 32));
    ret = s.define(return_block(kText + 48));
  }
  Program& end() {
    s.text(RecordKind::kEnd, 0, "exit 3");
    return *this;
  }
  Program& work(uint64_t blocks) {
    for (uint64_t i = 0; i < blocks; ++i) s.block(i % 2 ? load : store, {0x5000 + 8 * (i / 2 % 16)});
    return *this;
  }
};

std::vector<uint8_t> bytes_of(const FakeFile& f) { return f.out.bytes; }

}  // namespace

TEST_CASE("a superblock and its data flow are the same behind the words of a record") {
  SuperblockParts p = with_words(straight(0x1234567890, 5, ExitKind::kReturn, 0x55), 3);
  p.sb.flags = kBlockHidden | kBlockPlt;
  p.sb.length = 0xfffffff0;
  p.sb.module = ModuleId(0x80000001);
  p.accesses[1].constant = -77;
  p.sp_changes = {{-8, 1, 2}, {16, 4, SpChange::kSpAtEntry}};
  FlowParts flow;
  flow.set_ends = {1, 2, 3};
  flow.slots = {1, 2, 3};
  std::vector<uint64_t> words;
  pack_superblock(p.view(), words);
  pack_dataflow(flow.view(), words);
  pack_text("tail", words);
  std::span<const uint64_t> rest = words;
  const Superblock sb = unpack_superblock(rest);
  CHECK((sb.addr == p.sb.addr && sb.flags == p.sb.flags && sb.length == p.sb.length && sb.module == p.sb.module));
  CHECK(std::equal(sb.insns.begin(), sb.insns.end(), p.insns.begin(), p.insns.end()));
  CHECK(std::equal(sb.accesses.begin(), sb.accesses.end(), p.accesses.begin(), p.accesses.end()));
  CHECK(std::equal(sb.sp_changes.begin(), sb.sp_changes.end(), p.sp_changes.begin(), p.sp_changes.end()));
  CHECK(std::equal(sb.exits.begin(), sb.exits.end(), p.exits.begin(), p.exits.end()));
  CHECK(FlowParts(unpack_dataflow(rest)) == flow);
  CHECK(unpack_text(rest) == "tail");
  CHECK(rest.empty());
}

TEST_CASE("texts of all lengths are the same behind the words of a record") {
  std::string text;
  for (int n = 0; n < 20; ++n, text += static_cast<char>('a' + n)) {
    std::vector<uint64_t> words;
    pack_text(text, words);
    CHECK(words.size() == 1 + (text.size() + 7) / 8);
    std::span<const uint64_t> rest = words;
    CHECK(unpack_text(rest) == text);
    CHECK(rest.empty());
  }
}

TEST_CASE("what a stream begins with is the same behind the words of its record") {
  StreamStart s = start_of();
  s.options.data = DataMode::kNonStack;
  s.options.deps = DepsMode::kLater;
  s.options.control = ControlForm::kRuns;
  s.options.drain = {.collect_at_start = false, .toggles = true};
  s.options.epoch_blocks = 1;
  s.options.epoch_bytes = 2;
  s.options.granularity = 3;
  s.options.deps_bytes = uint64_t{1} << 50;
  std::vector<uint64_t> words;
  pack_start(s, words);
  const StreamStart t = unpack_start(words);
  CHECK(t.process.run == s.process.run);
  CHECK(t.process.path == s.process.path);
  CHECK(t.meta == s.meta);
  CHECK(
      (t.options.data == s.options.data && t.options.deps == s.options.deps && t.options.control == s.options.control));
  CHECK((!t.options.drain.collect_at_start && t.options.drain.toggles));
  CHECK((t.options.epoch_blocks == 1 && t.options.epoch_bytes == 2 && t.options.granularity == 3));
  CHECK(t.options.deps_bytes == s.options.deps_bytes);
}

TEST_CASE("a session writes the whole trace of a process, however its records come") {
  Program p;
  p.work(2500).end();
  FakeFile whole, single;
  Session a(whole), b(single);
  a.consume(p.s.words);
  for (size_t i = 0; i < p.s.records(); ++i) b.consume(p.s.record(i));
  CHECK(bytes_of(whole) == bytes_of(single));
  CHECK((whole.closed && a.state().finished && !a.state().open));
  CHECK(a.status().totals.blocks == 2500);
  CHECK(a.status().bytes == bytes_of(whole).size());
  const trace::TraceFile file = open_bytes(bytes_of(whole));
  CHECK(file.status() == trace::Status::kComplete);
  CHECK(file.run() == start_of().process.run);
  CHECK(file.epochs().size() == 3);
  CHECK(file.depend().has_value());
  CHECK(file.event_count() == 2502);
  a.consume(p.s.words);  // over is over
  CHECK(bytes_of(whole) == bytes_of(single));
}

TEST_CASE("dependences are left where that is asked for, and only there") {
  for (const DepsMode mode : {DepsMode::kYes, DepsMode::kAuto, DepsMode::kLater}) {
    INFO("mode " << static_cast<int>(mode));
    StreamOptions o;
    o.deps = mode;
    Program p(o);
    p.work(100).end();
    FakeFile f;
    Session session(f);
    session.leave_dependences();  // nothing has begun
    session.consume(p.s.record(0));
    session.leave_dependences();
    for (size_t i = 1; i < p.s.records(); ++i) session.consume(p.s.record(i));
    const trace::TraceFile file = open_bytes(bytes_of(f));
    CHECK(file.depend().has_value() == (mode == DepsMode::kYes));
    CHECK(file.end()->texts.find("dependences").has_value() == (mode != DepsMode::kYes));
    CHECK(file.event_count() == 102);
  }
}

TEST_CASE("without dependences there is no table of them, without data there are no words") {
  for (const DataMode data : {DataMode::kAll, DataMode::kNonStack, DataMode::kNone})
    for (const bool deps : {false, true}) {
      INFO("data " << static_cast<int>(data) << ", dependences " << deps);
      StreamOptions o;
      o.data = data;
      o.deps = deps ? DepsMode::kYes : DepsMode::kNo;
      Program p(o);
      if (data == DataMode::kNone && !deps)
        p.s.block(p.call).block(p.ret);
      else
        p.work(100).s.block(p.load, {0x7ffe00});
      p.end();
      FakeFile f;
      Session session(f);
      session.consume(p.s.words);
      const trace::TraceFile file = open_bytes(bytes_of(f));
      CHECK(file.depend().has_value() == deps);
      size_t words = 0, present = 0;
      for (const OwnedEvent& e : all_events(file))
        for (const uint64_t w : e.words) ++words, present += w != 0;
      if (data == DataMode::kNone) CHECK(words == 0);
      if (data == DataMode::kNonStack) CHECK((words == 101 && present == 100));
      if (data == DataMode::kAll) CHECK((words == 101 && present == 101));
    }
}

TEST_CASE("a forked child has a file when it has executed enough, or ends") {
  for (const bool much : {false, true}) {
    Program p;
    p.work(10);
    FakeFile f;
    Session session(f);
    session.consume(p.s.words);
    RecordStream child;
    std::vector<uint64_t> payload = {1, 0x7777};
    pack_process({{.pid = 13, .number = 7}, "/tmp/child"}, payload);
    child.special(RecordKind::kForked, 1, payload);
    session.consume(child.words);
    CHECK((f.held && session.state().held));
    CHECK(f.created.empty());
    Program more;
    more.s.words.clear();
    session.consume(more.work(kBlocksForFile - 1).s.words);
    CHECK(f.created.empty());
    if (much) {
      more.s.words.clear();
      session.consume(more.work(1).s.words);
      CHECK(f.created == "/tmp/child");
      CHECK_FALSE(session.state().held);
    }
    RecordStream end;
    end.text(RecordKind::kEnd, 0, "exit 0");
    session.consume(end.words);
    CHECK(f.created == "/tmp/child");
    CHECK(session.state().number == 8);
    const trace::TraceFile file = open_bytes(bytes_of(f));
    CHECK(file.run().pid == 13);
    CHECK(file.run().parent_pid == 12);
    CHECK(file.run().fork_event == 12);
  }
}

TEST_CASE("a child that cannot have a file is not recorded any more, and a failed exec does not matter to it") {
  Program p;
  FakeFile f;
  Session session(f);
  session.consume(p.work(1).s.words);
  RecordStream child;
  std::vector<uint64_t> payload = {1, 0};
  pack_process({{.pid = 13}, "/tmp/child"}, payload);
  child.special(RecordKind::kForked, 1, payload).text(RecordKind::kExec, 1, "/bin/b");
  child.special(RecordKind::kExecFailed, 1, {2});
  session.consume(child.words);
  CHECK(session.state().open);
  RecordStream flush;
  flush.special(RecordKind::kFlush, 0);
  session.consume(flush.words);
  CHECK(open_bytes(bytes_of(f)).find(FrameType::kExec) == nullptr);
  session.consume(child.record(0));
  f.refuses = true;
  session.consume(flush.words);
  CHECK_FALSE(session.state().open);
  CHECK(session.state().error == 13);
}

TEST_CASE("what is flushed can be read, and a process that executes another program leaves what it did") {
  Program p;
  FakeFile f;
  Session session(f);
  session.consume(p.work(100).s.special(RecordKind::kFlush, 0).words);
  CHECK(open_bytes(bytes_of(f)).event_count() == 102);
  RecordStream exec;
  exec.text(RecordKind::kExec, 1, "/bin/b").special(RecordKind::kExecFailed, 1, {2});
  session.consume(exec.words);
  CHECK(open_bytes(bytes_of(f)).status() != trace::Status::kExec);
  exec.words.clear();
  exec.text(RecordKind::kExec, 1, "/bin/c");
  session.consume(exec.words);
  const trace::TraceFile file = open_bytes(bytes_of(f));
  CHECK(file.status() == trace::Status::kExec);
  CHECK(file.exec_path() == "/bin/c");
}

TEST_CASE("of a killed process all is kept but the last block, which may not have been executed") {
  Program p;
  p.work(100);
  FakeFile f;
  Session session(f);
  session.consume_last(p.s.words);
  CHECK_FALSE(f.closed);  // it had not begun

  FakeFile g;
  Session begun(g);
  begun.consume(p.s.words);
  p.s.words.clear();
  begun.consume_last(p.work(10).s.words);
  CHECK(g.closed);
  const trace::TraceFile file = open_bytes(bytes_of(g));
  CHECK(file.status() != trace::Status::kComplete);
  CHECK(file.event_count() == 111);
  CHECK(file.depend().has_value());
}

TEST_CASE("a file that takes no more is marked as cut, and the session goes on") {
  Program p;
  p.work(5000);
  FakeFile f;
  f.out.room = 1500;
  Session session(f);
  session.consume(p.s.words);
  CHECK(session.state().cut);
  CHECK(f.out.writes_after_failure == 0);
  p.s.words.clear();
  session.consume(p.work(3000).end().s.words);
  CHECK(session.state().finished);
  CHECK(f.out.writes_after_failure == 0);
  CHECK(open_bytes(bytes_of(f)).status() == trace::Status::kCut);
}
