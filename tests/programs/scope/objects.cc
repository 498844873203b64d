// SPDX-License-Identifier: GPL-2.0-or-later
// Objects of all kinds, each with a line that stores it and loads it again; the comment says what the object is called. What
// optimised code has otherwise stands behind a bar. UNKNOWN: no debug information can tell; NONE: it is in a register.
// docs/dependences.md has them in a table.
#include <pthread.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#define STEP(object) \
  object = object + 1; object = object + 1
#define OWN __attribute__((noinline, noipa)) static

struct point { volatile int x, y; };
struct shape { point corner[2]; volatile char tag; volatile short sides; volatile double area; };
struct flags { volatile unsigned low : 3, high : 9; volatile unsigned char rest; };
union either { volatile long number; volatile unsigned char bytes[8]; };
struct outer { int first; struct { volatile int inside; } part; union { volatile int one; volatile float same; }; };
struct node { node* next; volatile int value; };
struct base { volatile int in_base; };
struct derived : base { volatile int own; };
struct state { volatile long start; volatile int steps[4]; point at; };

volatile int global_int;
static volatile int static_int;
volatile long global_array[8];
volatile int matrix[3][4];
point global_point;
static point points[4];
shape global_shape, shapes[2];
flags global_flags;
either global_either;
outer global_outer;
derived global_derived;
volatile double global_double;
volatile char text[16];
volatile bool global_bool;
namespace space { volatile int counted; struct tool { static volatile int made; }; volatile int tool::made; }
namespace { volatile int unnamed; }
volatile long double global_long_double;
volatile int* volatile moving;
volatile int* grown;
__thread volatile int thread_int;
static __thread point thread_point;
__thread volatile int thread_array[4];
state* Global;
static state* hidden_state;
volatile int* number_list;
volatile unsigned char* raw_bytes;
std::vector<int> numbers;
struct with_lists { long first; struct { volatile int* list; } part[2]; };
with_lists settings;
static const volatile int* elsewhere;

OWN void globals() {
  static volatile int kept;
  static point kept_point;
  STEP(global_int);               // global_int
  STEP(static_int);               // static_int
  STEP(kept);                     // globals::kept
  STEP(kept_point.y);             // globals::kept_point.y
  STEP(global_array[3]);          // global_array[…]
  STEP(matrix[2][1]);             // matrix[…][…]
  STEP(global_point.x);           // global_point.x
  STEP(points[2].y);              // points[…].y
  STEP(global_shape.corner[1].x); // global_shape.corner[…].x
  STEP(global_shape.sides);       // global_shape.sides
  STEP(global_shape.area);        // global_shape.area
  STEP(shapes[1].tag);            // shapes[…].tag
  STEP(global_flags.rest);        // global_flags.rest
  STEP(global_either.number);     // global_either.number
  STEP(global_outer.part.inside); // global_outer.part.inside
  STEP(global_outer.one);         // global_outer.one
  STEP(global_derived.in_base);   // global_derived.in_base
  STEP(global_derived.own);       // global_derived.own
  STEP(global_double);            // global_double
  STEP(text[5]);                  // text[…]
  global_bool = !global_bool; global_bool = !global_bool;  // global_bool
  STEP(space::counted);           // space::counted
  STEP(space::tool::made);        // space::tool::made
  STEP(unnamed);                  // (anonymous namespace)::unnamed
  STEP(global_long_double);       // global_long_double
  STEP(moving);                   // moving
}

OWN void bits() {
  STEP(global_flags.low);         // global_flags.low
}

OWN void threads() {
  STEP(thread_int);               // thread_int
  STEP(thread_point.y);           // thread_point.y
  STEP(thread_array[2]);          // thread_array[…]
}

OWN void* in_thread(void* unused) {
  STEP(thread_int);               // thread_int
  STEP(thread_point.x);           // thread_point.x
  return unused;
}

OWN void locals() {
  volatile int local = 0;
  volatile int local_array[6] = {};
  point local_point = {};
  shape local_shapes[2] = {};
  either local_either = {};
  STEP(local);                    // local
  STEP(local_array[4]);           // local_array[…]
  STEP(local_point.y);            // local_point.y | NONE
  STEP(local_shapes[1].corner[0].y);  // local_shapes[…].corner[…].y
  STEP(local_either.number);      // local_either.number | NONE
  {
    volatile int inner = 0;
    STEP(inner);                  // inner
  }
  {
    volatile long other = 0;
    STEP(other);                  // other
  }
}

OWN void arguments(volatile int given, point by_value, volatile int* where) {
  STEP(given);                    // given | UNKNOWN
  STEP(by_value.x);               // by_value.x | NONE
  STEP(*where);                   // callers_own of main
}

OWN void by_reference(volatile int& referred) {
  STEP(referred);                 // callers_own of main
}

OWN void variable_length(int n) {
  volatile int counted[n];
  counted[0] = 0;
  STEP(counted[0]);               // UNKNOWN
}

OWN void heap() {
  Global = static_cast<state*>(calloc(1, sizeof(state)));
  hidden_state = (state*)malloc(sizeof(state));  // AT hidden
  number_list = (volatile int*)calloc(10, sizeof(int));
  raw_bytes = (volatile unsigned char*)calloc(1, 33);
  STEP(Global->start);            // Global->start
  STEP(Global->steps[2]);         // Global->steps[…]
  STEP(Global->at.y);             // Global->at.y
  hidden_state->start = 0;
  STEP(hidden_state->start);      // hidden_state->start | block of 32 bytes at objects.cc:hidden
  STEP(number_list[7]);           // number_list[…]
  STEP(raw_bytes[9]);             // raw_bytes[…]
  grown = (volatile int*)malloc(16);  // AT grown
  grown = (volatile int*)realloc((void*)grown, 4000);
  STEP(grown[900]);               // grown[…] | block of 4000 bytes at objects.cc:grown
}

OWN void local_heap() {
  node* n = static_cast<node*>(calloc(1, sizeof(node)));  // AT n
  STEP(n->value);                 // n->value, block at objects.cc:n
  node* many = static_cast<node*>(calloc(5, sizeof(node)));  // AT many
  STEP(many[3].value);            // many[…].value, block at objects.cc:many
  free(n);
  free(many);
}

OWN void* take(size_t bytes) {
  void* p = malloc(bytes);        // AT take
  if (!p) abort();
  return p;
}
OWN state* make_state() {
  return static_cast<state*>(take(sizeof(state)));
}
OWN void wrapped() {
  state* made = make_state();
  made->start = 0;
  STEP(made->start);              // made->start, block at objects.cc:take
  free(made);
}

struct built {
  volatile int count;
  built();
};
__attribute__((noinline)) built::built() { count = 0; }
OWN void constructed() {
  auto* b = new built;            // AT built
  STEP(b->count);                 // b->count, block at objects.cc:built
  delete b;
}

OWN void nothing_certain() {
  void* bytes = calloc(1, 48);    // AT bytes
  auto* second = reinterpret_cast<volatile int*>(static_cast<char*>(bytes) + 8);
  STEP(*second);                  // block of 48 bytes at objects.cc:bytes
  free(bytes);
}

OWN void in_members() {
  settings.part[1].list = static_cast<volatile int*>(calloc(9, sizeof(int)));
  STEP(settings.part[1].list[4]); // settings.part[1].list[…]
}

OWN void library() {
  numbers.assign(4, 1);           // AT vector
  volatile int* element = &numbers[2];
  STEP(*element);                 // int[…], block at objects.cc:vector
  std::string word(40, 'a');      // AT string
  volatile char* letter = &word[30];
  STEP(*letter);                  // block of 41 bytes at objects.cc:string
}

int main() {
  volatile int callers_own = 0;
  globals();
  bits();
  threads();
  pthread_t t;
  pthread_create(&t, nullptr, in_thread, nullptr);
  pthread_join(t, nullptr);
  locals();
  arguments(1, {1, 2}, &callers_own);
  by_reference(callers_own);
  variable_length(5);
  heap();
  local_heap();
  wrapped();
  constructed();
  nothing_certain();
  in_members();
  library();
  elsewhere = &callers_own;
  return 0;
}
