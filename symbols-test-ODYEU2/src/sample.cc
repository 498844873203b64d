
#define KEEP __attribute__((used))
extern "C" int plain(int n);
struct cell { int id; char tag[4]; struct { long left, right; } pair; union { int i; float f; } u; };
struct base { long key; };
struct derived : base { short more; unsigned a : 3, b : 7, c : 12; static int made; };
KEEP cell grid[10];                     // grid
KEEP static double matrix[3][4];
KEEP derived one;
KEEP int derived::made = 3;
KEEP const char *words[] = {"a", "b"};
KEEP int (*hook)(long, char *);
KEEP volatile unsigned long ticks;
KEEP __thread int per_thread[2] = {1, 2};
namespace ns {
KEEP int counter = 1;
namespace { KEEP int hidden = 2; }
template <class T> struct box { T value; T get() const { return value + ticks; } };
KEEP box<long> boxed;
}
inline __attribute__((always_inline)) int inner(int a) {
  ticks += a;                           // inner
  return a * 3 + ns::hidden;
}
inline __attribute__((always_inline)) int outer(int a) {
  int sum = inner(a + 1);               // outer first
  sum += inner(a + 2);                  // outer second
  return sum;
}
namespace ns {
namespace { __attribute__((noinline)) int secret(int a) { return outer(a) + hidden; } }
struct worker {
  int state;
  worker(int s) : state(s) { counter += s; }
  __attribute__((noinline)) int work(int n) const;
};
int worker::work(int n) const {
  static int calls;
  ++calls;                              // work
  return secret(n) + outer(state);
}
}
__attribute__((noinline)) int plain(int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum += grid[i].pair.left;           // loop body
  auto add = [&](int k) { sum += k; return inner(sum); };
  return add(n) + add(n + 1);
}
int main(int argc, char **) {
  ns::worker w(argc);
  matrix[argc][1] = per_thread[argc];
  one.b = argc;
  if (hook) return hook(argc, 0);
  return w.work(argc) + plain(argc) + outer(argc) + ns::boxed.get() + *words[1];
}
