// SPDX-License-Identifier: GPL-2.0-or-later

#include "cdrgrind/report/dump/event_writer.h"

#include <nlohmann/json.hpp>

#include "tests/unit/catch.h"

using namespace cdr;
using namespace cdr::report;

namespace {

// One superblock: a load and a store that lackey calls M, a guarded load, a rep exit, a push, a call.
struct Sample {
  ModuleTable modules;
  BlockTable blocks;
  SuperblockId superblock;
  BlockId whole, at_rep;

  Sample() {
    const std::vector<Insn> insns = {{0, 3}, {3, 2}, {5, 5}};
    const std::vector<Access> accesses = {{8, 0, 1, 4, 0},
                                          {8, 0, 1, 4, kAccessStore | kAccessModify},
                                          {0, 1, 2, 8, kAccessGuarded},
                                          {-8, 2, 3, 8, kAccessStore | kAccessLinkage}};
    const std::vector<SpChange> sp = {{-8, 2, SpChange::kSpAtEntry}};
    const std::vector<Exit> exits = {{0x2000, 2, 2, 1, 0, ExitKind::kBranch, ExitGuard::kRepeat, false},
                                     {0x3000, 3, 4, 3, 1, ExitKind::kCall, ExitGuard::kAlways, true}};
    Superblock sb;
    sb.addr = 0x1000;
    Module prog;
    prog.path = "/bin/prog";
    prog.text = {0x1000, 0x9000};
    sb.module = modules.add(prog);
    sb.flags = kBlockFunctionEntry;
    sb.insns = insns;
    sb.accesses = accesses;
    sb.sp_changes = sp;
    sb.exits = exits;
    superblock = blocks.add_superblock(sb);
    at_rep = blocks.add_block(superblock, 0);
    whole = blocks.add_block(superblock, 1);
  }
};

Event start(uint64_t sp) {
  Event e;
  e.kind = EventKind::kThreadStart;
  e.thread = ThreadId(1);
  e.stack = StackId(1);
  e.range = {0x7000, 0x9000};
  e.sp = sp;
  return e;
}

Event run(BlockId id, std::span<const uint64_t> words, uint32_t thread = 1) {
  Event e;
  e.kind = EventKind::kBlock;
  e.thread = ThreadId(thread);
  e.block = id;
  e.words = words;
  return e;
}

std::string dump(const Sample& s, DumpFormat format, const std::vector<Event>& events,
                 const ListOptions& options = {}) {
  cdr::report::Output out;
  const auto writer = make_event_writer(format, s.modules, options.events, {"/bin/prog", {"/bin/prog", "a\xff"}}, out);
  EventLister lister(s.blocks, options, *writer);
  for (const Event& e : events) lister.list(e);
  return out.text();
}

const std::vector<uint64_t> kWords = {0x5000, 0, 0x8000};

}  // namespace

TEST_CASE("lackey's lines: M for a merged store, none for an access that did not happen") {
  const Sample s;
  CHECK(dump(s, DumpFormat::kLackey, {start(0x8000), run(s.whole, kWords)}) ==
        "I  00001000,3\n M 00005008,4\nI  00001003,2\nI  00001005,5\n S 00007ff8,8\n");
}

TEST_CASE("lackey's lines have the instruction at a guarded exit though it was not executed") {
  const Sample s;
  CHECK(dump(s, DumpFormat::kLackey, {run(s.at_rep, std::span(kWords).first(1))}) ==
        "I  00001000,3\n M 00005008,4\nI  00001003,2\n");
}

TEST_CASE("lackey's lines can be instructions or accesses alone") {
  const Sample s;
  ListOptions options;
  options.events = {};
  add_events(options.events, "access");
  CHECK(dump(s, DumpFormat::kLackey, {run(s.whole, kWords)}, options) == " M 00005008,4\n S 00007ff8,8\n");
}

TEST_CASE("a JSON line has the members of docs/events.md") {
  const Sample s;
  const std::string text = dump(s, DumpFormat::kJson, {start(0x8000), run(s.whole, kWords)});
  std::istringstream lines(text);
  std::string header, first, second;
  std::getline(lines, header);
  std::getline(lines, first);
  std::getline(lines, second);
  CHECK(header == R"({"schema":"cdrgrind.events/1","program":"/bin/prog","command":["/bin/prog","a)"
                  "\\\\xff\"]}");
  CHECK(nlohmann::json::parse(first)["event"] == "thread-start");
  CHECK(nlohmann::json::parse(second) == nlohmann::json::parse(R"({"i":1,"thread":1,"event":"block","block":2,
      "module":1,"addr":4096,"flags":["entry"],"insns":[4096,4099,4101],
      "exit":{"kind":"call","guard":"always","executed":true,"target":12288},
      "accesses":[{"insn":0,"ip":4096,"addr":20488,"width":4,"store":false,"flags":[]},
                  {"insn":0,"ip":4096,"addr":20488,"width":4,"store":true,"flags":["modify"]},
                  {"insn":2,"ip":4101,"addr":32760,"width":8,"store":true,"flags":["linkage"]}],
      "sp_in":32768,"sp":[{"insn":2,"ip":4101,"sp":32760}]})"));
}

TEST_CASE("a partial block has the instructions before the fault") {
  const Sample s;
  Event e = run(s.whole, std::span(kWords).first(1));
  e.kind = EventKind::kPartial;
  e.ip = 0x1003;
  const auto json =
      nlohmann::json::parse(dump(s, DumpFormat::kJson, {e}).substr(0).substr(dump(s, DumpFormat::kJson, {}).size()));
  CHECK(json["event"] == "partial");
  CHECK(json["ip"] == 0x1003);
  CHECK(json["insns"] == std::vector<int>{0x1000});
  CHECK(json["accesses"].size() == 2);
  CHECK(!json.contains("exit"));
}

TEST_CASE("text has one line an event") {
  const Sample s;
  CHECK(dump(s, DumpFormat::kText, {start(0x8000), run(s.whole, kWords)}) ==
        "0 1 thread-start stack=1 range=0x7000-0x9000 sp=0x8000 pthread=0x0 creator=0\n"
        "1 1 block block=2 module=1 addr=0x1000 flags=entry exit=call target=0x3000 sp_in=0x8000 "
        "@0x1000 L 0x5008,4 S 0x5008,4:modify @0x1003 @0x1005 S 0x7ff8,8:linkage sp=0x7ff8\n");
}

TEST_CASE("indices count all events, whatever is selected") {
  const Sample s;
  ListOptions options;
  options.from = 1;
  options.count = 2;
  options.thread = ThreadId(2);
  const std::vector<Event> events = {run(s.whole, kWords, 2), run(s.whole, kWords, 1), run(s.whole, kWords, 2),
                                     run(s.whole, kWords, 2)};
  const std::string text = dump(s, DumpFormat::kText, events, options);
  CHECK(text.substr(0, 4) == "2 2 ");
  CHECK(std::count(text.begin(), text.end(), '\n') == 1);
}

TEST_CASE("a listing can begin at a thread's synchronisation event") {
  const Sample s;
  Event lock;
  lock.kind = EventKind::kSyncEnter;
  lock.thread = ThreadId(1);
  lock.sync.op = SyncOp::kMutexLock;
  lock.sync.object = 0x40;
  ListOptions options;
  options.at_sync = 2;
  CHECK(dump(s, DumpFormat::kText, {lock, run(s.whole, kWords), lock}, options) ==
        "2 1 sync-enter op=mutex-lock object=0x40 object2=0x0 value=0\n");
}

TEST_CASE("events are selected by groups and by name") {
  EventSet set;
  CHECK(add_events(set, "sync"));
  CHECK(add_events(set, "turn"));
  CHECK(!add_events(set, "bogus"));
  CHECK(set.has(EventKind::kSyncLeave));
  CHECK(set.has(EventKind::kTurn));
  CHECK(!set.has(EventKind::kBlock));
}
