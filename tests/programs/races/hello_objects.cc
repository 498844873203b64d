// SPDX-License-Identifier: GPL-2.0-or-later
// Nothing races here but the C++ library with itself.
#include <future>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

int main() {
  auto shared = std::make_shared<std::string>("a greeting that is too long for the object itself");
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back([shared, i] { std::cout << *shared << ' ' << i << std::endl; });
  std::future<std::string> later = std::async(std::launch::async, [shared] { return *shared + ", later"; });
  std::promise<int> promise;
  std::thread keeper([&promise] {
    try {
      throw std::string("an exception in a thread");
    } catch (const std::string &) {
      promise.set_value(1);
    }
  });
  std::cout << later.get() << promise.get_future().get() << '\n';
  for (std::thread &t : threads) t.join();
  keeper.join();
  return 0;
}
