// SPDX-License-Identifier: GPL-2.0-or-later
// Several processes come to what one comes to. They are threads here, with no MPI.
#include "cdrgrind/analysis/mpi/processes.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <random>
#include <thread>

#include "cdrgrind/analysis/mpi/arrows.h"
#include "cdrgrind/analysis/mpi/classes.h"
#include "cdrgrind/analysis/mpi/deadlock.h"
#include "cdrgrind/analysis/mpi/late_lines.h"
#include "cdrgrind/analysis/mpi/summary.h"
#include "tests/unit/analysis/mpi/calls.h"
#include "tests/unit/catch.h"

using namespace cdr;
using namespace cdr::mpi;

namespace {

struct Mail {
  std::mutex mutex;
  std::condition_variable came;
  std::map<std::pair<uint32_t, uint32_t>, std::deque<Bytes>> boxes;  // from, to
};

class Threads : public Processes {
 public:
  Threads(Mail& mail, uint32_t count, uint32_t self) : mail_(mail), count_(count), self_(self) {}
  uint32_t count() const override { return count_; }
  uint32_t self() const override { return self_; }
  void send(uint32_t to, std::span<const uint8_t> bytes) override {
    const std::lock_guard lock(mail_.mutex);
    mail_.boxes[{self_, to}].emplace_back(bytes.begin(), bytes.end());
    mail_.came.notify_all();
  }
  Bytes receive(uint32_t from) override {
    std::unique_lock lock(mail_.mutex);
    auto& box = mail_.boxes[{from, self_}];
    mail_.came.wait(lock, [&] { return !box.empty(); });
    Bytes bytes = std::move(box.front());
    box.pop_front();
    return bytes;
  }
  std::vector<Bytes> exchange(std::vector<ByteWriter> to) override {
    std::vector<Bytes> from;
    for (uint32_t p = 0; p < count_; ++p) send(p, to[p].bytes());
    for (uint32_t p = 0; p < count_; ++p) from.push_back(receive(p));
    return from;
  }

 private:
  Mail& mail_;
  uint32_t count_, self_;
};

// f of each process, and what the first one's returned.
template <class F>
Bytes among(uint32_t count, F&& f) {
  Mail mail;
  Bytes result;
  std::vector<std::thread> others;
  for (uint32_t p = 1; p < count; ++p)
    others.emplace_back([&, p] {
      Threads all(mail, count, p);
      f(all);
    });
  Threads all(mail, count, 0);
  result = f(all);
  for (std::thread& t : others) t.join();
  return result;
}

// Everything that is found, as bytes.
Bytes report_of(Processes& all, const std::vector<RankLog>& logs, uint64_t eager) {
  const Blocks blocks(static_cast<uint32_t>(logs.size()), all.count());
  const Program program(all, static_cast<uint32_t>(logs.size()),
                        {logs.begin() + blocks.begin(all.self()), logs.begin() + blocks.end(all.self())});
  const Collectives collectives(program);
  const Times times = replayed_times(program, collectives, eager);
  const RankClasses classes = classes_of(program, {});
  ByteWriter to;
  for (const RankClass& c : classes.classes) put(to, c);
  for (uint32_t id = 0; id < classes.names.size(); ++id) put(to, std::string(classes.names.name(id)));
  put(to, summary_of(program, times));
  put(to, late_lines(all, times, true));
  put(to, late_lines(all, times, false));
  put(to, unfinished_calls(program, collectives));
  put(to, collectives.mismatches());
  const std::vector<std::vector<Arrow>> arrows = arrows_of(program, times);
  std::vector<uint64_t> numbers;
  for (uint32_t r = program.begin(); r < program.end(); ++r) {
    for (const uint64_t t : times.end[r - program.begin()]) numbers.push_back(t);
    for (const Arrow& a : arrows[r - program.begin()]) numbers.insert(numbers.end(), {a.from, a.to, a.begin, a.end});
  }
  join_at_first(all, numbers);
  put(to, numbers);
  const auto bytes = to.bytes();
  return {bytes.begin(), bytes.end()};
}

// Messages that are lost, late, of unknown senders; collectives of all kinds, some not alike; ranks that stay in a
// call.
std::vector<RankLog> random_logs(uint32_t ranks, uint32_t seed) {
  constexpr uint32_t kScan = 65, kReduce = 52;
  std::mt19937 draw(seed);
  const auto below = [&](uint32_t n) { return static_cast<uint32_t>(draw() % n); };
  std::vector<TestRank> all;
  for (uint32_t r = 0; r < ranks; ++r) all.emplace_back(r, ranks);
  for (TestRank& r : all) r.dup(300);
  for (uint32_t i = 0; i < 40 * ranks; ++i) {
    const uint32_t from = below(ranks), to = below(ranks), tag = below(3);
    const uint64_t comm = below(2) ? kTestWorld : 300;
    all[from].work(below(50));
    switch (below(24)) {
      case 0:
        for (TestRank& r : all) r.collective(kTestBcast, from, comm);
        break;
      case 1:
        for (TestRank& r : all) r.collective(kScan, -1, comm);
        break;
      case 2:
        for (TestRank& r : all) r.collective(kReduce, to, comm);
        break;
      case 3:
        for (TestRank& r : all) r.collective(below(300) ? kTestBarrier : kTestBcast, -1, comm);
        break;
      case 4:
        all[from].message(kTestSend, to, tag, 8, comm);
        break;
      case 5:
        all[to].message(kTestRecv, from, tag, 8, comm);
        break;
      case 6:
        all[from].message(kTestSend, to, tag, 8, comm);
        all[to].message(kTestRecv, CDR_MPI_ANY, tag, 8, comm);
        break;
      default:
        all[from].message(below(2) ? kTestSsend : kTestSend, to, tag, 8 * below(3), comm);
        all[to].message(kTestRecv, from, tag, 8, comm);
    }
  }
  std::vector<RankLog> logs;
  for (TestRank& r : all) logs.push_back((below(10) == 0 ? r.stays() : r).log());
  return logs;
}

}  // namespace

TEST_CASE("things are shared out in blocks whose owners are known") {
  for (uint32_t things = 1; things < 40; ++things)
    for (uint32_t processes = 1; processes < 12; ++processes) {
      const Blocks blocks(things, processes);
      CHECK(blocks.begin(0) == 0);
      CHECK(blocks.end(processes - 1) == things);
      for (uint32_t p = 0; p < processes; ++p)
        for (uint32_t t = blocks.begin(p); t < blocks.end(p); ++t) CHECK(blocks.owner(t) == p);
    }
}

TEST_CASE("what processes have goes up a tree in their order, and down again") {
  for (uint32_t count = 1; count < 10; ++count) {
    std::vector<uint32_t> right(count);
    among(count, [&](Processes& all) {
      std::vector<uint32_t> list = {all.self()};
      join_at_first(all, list);
      share_from_first(all, list);
      for (uint32_t i = 0; i < count; ++i) right[all.self()] += list.size() == count && list[i] == i;
      return Bytes();
    });
    for (uint32_t p = 0; p < count; ++p) CHECK(right[p] == count);
  }
}

TEST_CASE("several processes find what one finds") {
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    const std::vector<RankLog> logs = random_logs(2 + seed % 6, seed);
    const uint64_t eager = seed % 2 ? UINT64_MAX : 4;
    OneProcess alone;
    const Bytes wanted = report_of(alone, logs, eager);
    for (const uint32_t count : {2u, 3u, 4u, 9u}) {
      INFO("seed " << seed << ", " << count << " processes");
      CHECK(among(count, [&](Processes& all) { return report_of(all, logs, eager); }) == wanted);
    }
  }
}
