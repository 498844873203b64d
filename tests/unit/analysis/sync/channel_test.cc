// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/sync/channel.h"

#include <set>
#include <string>

#include "tests/unit/catch.h"

namespace cdr::sync {
namespace {

// Who gave: letters.
struct Given {
  std::set<char> by;
  void join(const Given& other) { by.insert(other.by.begin(), other.by.end()); }
};
Given given(char by) { return {{by}}; }
std::string text(const Given& g) { return {g.by.begin(), g.by.end()}; }

class Traffic {
 public:
  explicit Traffic(ChannelKind kind) : channel_(kind) {}

  void send(char by, uint64_t units) { channel_.end_send(channel_.begin_send(given(by)), units, given(by)); }
  std::string receive(uint64_t units, bool stays = false) {
    return text(channel_.end_receive(channel_.begin_receive(), units, stays));
  }
  Channel<Given>& channel() { return channel_; }

 private:
  Channel<Given> channel_;
};

}  // namespace

TEST_CASE("A channel of bytes gives what those gave that sent the bytes", "[sync][channel]") {
  Traffic t(ChannelKind::kPipe);
  t.send('a', 10);
  t.send('b', 5);
  t.send('c', 1);
  CHECK(t.receive(4) == "a");
  CHECK(t.receive(6, true) == "a");
  CHECK(t.receive(7) == "ab");
  CHECK(t.receive(4) == "b");
  CHECK(t.receive(1) == "c");
  CHECK(t.receive(3).empty());  // of another process
  t.send('d', 2);
  CHECK(t.receive(2) == "d");
}

TEST_CASE("The end of a channel gives what those gave that ended it", "[sync][channel]") {
  Traffic t(ChannelKind::kSocket);
  t.send('a', 1);
  t.send('b', 0);
  CHECK(t.receive(1) == "a");
  CHECK(t.receive(0) == "b");
}

TEST_CASE("Bytes may be received before their sender's call is left", "[sync][channel]") {
  Traffic t(ChannelKind::kPipe);
  t.send('a', 1);
  const uint64_t b = t.channel().begin_send(given('b'));
  CHECK(t.receive(1) == "a");
  CHECK_FALSE(t.channel().was_received(b));
  CHECK(t.receive(1) == "b");
  CHECK(t.channel().was_received(b));
  t.channel().end_send(b, 2, given('B'));
  CHECK(t.receive(1) == "B");
  t.send('c', 1);
  CHECK(t.receive(1) == "c");
}

TEST_CASE("Of calls that overlap all may have been first", "[sync][channel]") {
  SECTION("those that send") {
    Traffic t(ChannelKind::kPipe);
    const uint64_t a = t.channel().begin_send(given('a'));
    t.send('b', 1);
    CHECK(t.receive(1, true) == "b");
    t.channel().end_send(a, 1, given('a'));
    CHECK(t.receive(1) == "ab");
    CHECK(t.receive(1) == "ab");
  }
  SECTION("those that receive") {
    Traffic t(ChannelKind::kPipe);
    t.send('a', 1);
    t.send('b', 1);
    const uint64_t first = t.channel().begin_receive();
    CHECK(t.receive(1) == "ab");
    CHECK(text(t.channel().end_receive(first, 1, false)) == "ab");
  }
  SECTION("those that fail give and get nothing") {
    Traffic t(ChannelKind::kPipe);
    t.channel().give_up_send(t.channel().begin_send(given('a')));
    t.channel().give_up_receive(t.channel().begin_receive());
    t.send('b', 1);
    CHECK(t.receive(1) == "b");
  }
}

TEST_CASE("An eventfd gives all since the last read, a shared channel or an epoll all", "[sync][channel]") {
  Traffic counter(ChannelKind::kCounter), shared(ChannelKind::kShared), epoll(ChannelKind::kEpoll);
  for (Traffic* t : {&counter, &shared, &epoll}) {
    t->send('a', 8);
    t->send('b', 8);
    CHECK(t->receive(8) == "ab");
    t->send('c', 8);
  }
  CHECK(counter.receive(8) == "c");
  CHECK(shared.receive(8) == "abc");
  CHECK(epoll.receive(1) == "abc");
}

TEST_CASE("What nobody receives does not pile up", "[sync][channel]") {
  Traffic t(ChannelKind::kPipe);
  for (int i = 0; i < 100'000; ++i) t.send(i == 0 ? 'a' : 'b', 1);
  CHECK(t.receive(1) == "ab");
  CHECK(t.receive(99'998) == "ab");
  t.send('c', 1);
  CHECK(t.receive(1) == "b");
  CHECK(t.receive(1) == "c");
}

}  // namespace cdr::sync
