#include <atomic>
struct shared { long plain; std::atomic<int> hits[3]; };
namespace g { shared s; std::atomic_flag flag; }
int main() { return g::s.hits[1].load() + g::flag.test_and_set(); }
