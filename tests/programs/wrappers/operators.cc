// SPDX-License-Identifier: GPL-2.0-or-later
// Every form of operator new and delete, and exceptions that leave them. All blocks have sizes that end in 007,
// by which the test knows them; other blocks are the libraries'.
#include <cstdint>
#include <cstdio>
#include <new>

namespace {

constexpr std::size_t kHuge = std::size_t{1} << 60;
constexpr auto k64 = std::align_val_t{64};

bool aligned(void* p) { return reinterpret_cast<std::uintptr_t>(p) % 64 == 0; }

void single() {
  ::operator delete(::operator new(1007));
  ::operator delete(::operator new(2007, std::nothrow), std::nothrow);
  ::operator delete (::operator new(3007), std::size_t{3007});
  ::operator delete(nullptr);
  void* p = ::operator new(4007, k64);
  std::printf("aligned: %d\n", aligned(p));
  ::operator delete(p, k64);
  ::operator delete(::operator new(5007, k64, std::nothrow), k64, std::nothrow);
  ::operator delete (::operator new(6007, k64), std::size_t{6007}, k64);
}

void array() {
  ::operator delete[](::operator new[](1007));
  ::operator delete[](::operator new[](2007, std::nothrow), std::nothrow);
  ::operator delete[](::operator new[](3007), std::size_t{3007});
  void* p = ::operator new[](4007, k64);
  std::printf("aligned: %d\n", aligned(p));
  ::operator delete[](p, k64);
  ::operator delete[](::operator new[](5007, k64, std::nothrow), k64, std::nothrow);
  ::operator delete[](::operator new[](6007, k64), std::size_t{6007}, k64);
}

void throws(std::size_t bytes) {
  try {
    ::operator delete(::operator new(bytes));
    std::puts("not thrown");
  } catch (const std::bad_alloc&) {
    std::puts("bad_alloc");
  } catch (int value) {
    std::printf("thrown by the handler: %d\n", value);
  }
}

void fail() {
  throws(kHuge);
  std::printf("nothrow: %d\n", ::operator new(kHuge, std::nothrow) == nullptr);
  std::set_new_handler([] { throw 7; });
  throws(kHuge);
  std::set_new_handler(nullptr);
  throws(7007);
}

}  // namespace

int main() {
  single();
  array();
  fail();
}
