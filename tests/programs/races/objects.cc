// SPDX-License-Identifier: GPL-2.0-or-later
// The C++ library: mutexes, shared locks, conditions, futures, call_once, local statics, shared_ptr.
#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>

#include "order.h"

static std::mutex m, n;
static std::shared_mutex s;
static std::recursive_mutex r;
static std::once_flag once;

static int guarded;
static void guarded_1() { std::lock_guard<std::mutex> l(m); guarded = 1; }
static void guarded_2() { std::unique_lock<std::mutex> l(m); guarded = 2; }

static int guarded_apart;
static void guarded_apart_1() { std::lock_guard<std::mutex> l(m); guarded_apart = 1; }
static void guarded_apart_2() { std::lock_guard<std::mutex> l(n); guarded_apart = 2; }

static int both;
static void both_1() { std::scoped_lock l(m, n); both = 1; }
static void both_2() { std::scoped_lock l(n, m); both = 2; }

static int shared;
static void shared_1() { std::shared_lock<std::shared_mutex> l(s); int x = shared; (void)x; }
static void shared_2() { std::unique_lock<std::shared_mutex> l(s); shared = 2; }

static int write_shared;
static void write_shared_1() { std::shared_lock<std::shared_mutex> l(s); write_shared = 1; }
static void write_shared_2() { std::shared_lock<std::shared_mutex> l(s); write_shared = 2; }

static int recursively;
static void recursively_1() { r.lock(); r.lock(); recursively = 1; r.unlock(); r.unlock(); }
static void recursively_2() { r.lock(); recursively = 2; r.unlock(); }

static int called_once;
static void called_once_1() { std::call_once(once, [] { called_once = 1; }); int x = called_once; (void)x; }
static void called_once_2() { std::call_once(once, [] { called_once = 2; }); int x = called_once; (void)x; }

struct Table {
  int value;
  Table() : value(7) {}
};
static Table &table() {
  static Table local_static;
  return local_static;
}
static void local_1() { int x = table().value; (void)x; }
static void local_2() { int x = table().value; (void)x; }

static Table &changed_table() {
  static Table changed_static;
  return changed_static;
}
static void changed_1() { changed_table().value = 1; }
static void changed_2() { changed_table().value = 2; }

static std::shared_ptr<int> first_owner, second_owner;
static void owners_1() { *first_owner += 1; first_owner.reset(); }
static void owners_2() { second_owner.reset(); }

static std::shared_ptr<int> last_1, last_2;
static void last_owner_1() { *last_1 = 1; last_1.reset(); }
static void last_owner_2() { *last_2 = 2; last_2.reset(); }

static std::condition_variable c;
static std::mutex cm;
static bool ready;
static int by_condition;
static void by_condition_1() { std::unique_lock<std::mutex> l(cm); c.wait(l, [] { return ready; }); by_condition = 2; }
static void by_condition_2() { by_condition = 1; { std::lock_guard<std::mutex> l(cm); ready = true; } c.notify_one(); }

int main() {
  prepare();
  in_turn(guarded_1, guarded_2);
  in_turn(guarded_apart_1, guarded_apart_2);
  in_turn(both_1, both_2);
  in_turn(shared_1, shared_2);
  in_turn(write_shared_1, write_shared_2);
  in_turn(recursively_1, recursively_2);
  in_turn(called_once_1, called_once_2);
  in_turn(local_1, local_2);
  in_turn(changed_1, changed_2);
  first_owner = second_owner = std::make_shared<int>(1);
  in_turn(owners_1, owners_2);
  last_1 = last_2 = std::make_shared<int>(1);
  in_turn(last_owner_1, last_owner_2);
  together(by_condition_1, by_condition_2);
  static volatile int of_future;
  auto f = std::async(std::launch::async, [] { of_future = 1; return std::string("a text that needs memory of its own"); });
  const std::string got = f.get();
  of_future = 2;
  return got.empty() || of_future != 2;
}
