// SPDX-License-Identifier: GPL-2.0-or-later
// generate SEED [--threads]: prints a C program for the comparison of the dependence profiler with its slow
// reference. The first line of the program tells the flags to compile it with: `// flags: -O1 …`. Every index is
// masked, every loop and call is paid for from a budget (`fuel`), so that each program ends and none errs.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>
#include <vector>

#include "tests/programs/random/prelude.h"

namespace {

// splitmix64: the same numbers everywhere.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  int below(int n) { return static_cast<int>(next() % static_cast<uint64_t>(n)); }
  int from_to(int first, int last) { return first + below(last - first + 1); }
  bool chance(int percent) { return below(100) < percent; }

 private:
  uint64_t state_;
};

class Generator {
 public:
  Generator(uint64_t seed, bool threads)
      : random_(seed * 2 + threads), seed_(seed), threads_(threads), functions_(random_.from_to(4, 9)) {
    for (int i = 0; i < functions_; ++i)
      names_of_functions_.push_back((random_.chance(20) ? "hidden_f" : "f") + std::to_string(i));
  }
  std::string program();

 private:
  using Maker = std::string (Generator::*)();
  static const Maker kStatements[];

  std::string flags();
  std::string declarations();
  std::string function(int index);
  std::string result();
  std::string worker();
  std::string main_function();
  std::string threads_round();

  std::string number() { return std::to_string(random_.from_to(1, 200)); }
  std::string expression(int depth = 2);
  std::string atom();
  std::string index(int size) { return "(" + expression(1) + ") & " + std::to_string(size - 1); }
  std::string callee() { return names_of_functions_[random_.below(functions_)]; }
  std::string block(int statements);
  std::string statement();
  std::string assign(const std::string& to) { return to + (random_.chance(40) ? " += " : " = ") + expression() + ";"; }
  std::string bytes_place(int width);

  std::string quads();
  std::string globals();
  std::string bytes();
  std::string overlapping();
  std::string reals();
  std::string vectors();
  std::string bit_fields();
  std::string records();
  std::string copies();
  std::string fills();
  std::string repeated();
  std::string heap();
  std::string stack_memory();
  std::string variable_array();
  std::string call();
  std::string callback();
  std::string many_arguments();
  std::string jump();
  std::string system();
  std::string coroutines();
  std::string sort();
  std::string text();
  std::string own_static();
  std::string atomic();
  std::string shared();
  std::string touch(const std::string& place);
  std::string touch_link(int word);
  std::string touches();
  std::string recycled();
  std::string dead();
  std::string all_touches(const std::string& words);
  std::string relays(bool dead_too);
  std::string loop();
  std::string condition();
  std::string cases();

  Random random_;
  uint64_t seed_;
  bool threads_;
  int functions_;
  std::vector<std::string> names_of_functions_;
  int nesting_ = 0;
  int names_ = 0;
};

// A kind that stands here twice is twice as likely.
const Generator::Maker Generator::kStatements[] = {
    &Generator::quads,    &Generator::quads,    &Generator::globals,        &Generator::globals,
    &Generator::bytes,    &Generator::bytes,    &Generator::overlapping,    &Generator::overlapping,
    &Generator::reals,    &Generator::vectors,  &Generator::bit_fields,     &Generator::records,
    &Generator::copies,   &Generator::fills,    &Generator::repeated,       &Generator::heap,
    &Generator::heap,     &Generator::heap,     &Generator::stack_memory,   &Generator::variable_array,
    &Generator::call,     &Generator::call,     &Generator::call,           &Generator::callback,
    &Generator::callback, &Generator::jump,     &Generator::many_arguments, &Generator::system,
    &Generator::sort,     &Generator::text,     &Generator::own_static,     &Generator::atomic,
    &Generator::shared,   &Generator::shared,   &Generator::loop,           &Generator::loop,
    &Generator::touches,  &Generator::recycled, &Generator::dead,           &Generator::condition,
    &Generator::cases,    &Generator::coroutines, &Generator::coroutines,
};

// ---- Expressions ----

std::string Generator::atom() {
  switch (random_.below(10)) {
    case 0:
      return "a";
    case 1:
      return "b";
    case 2:
      return number() + "ul";
    case 3:
      return "x[" + number() + " & 7]";
    case 4:
      return "x[a & 7]";
    case 5:
      return "g_quad[b & 31]";
    case 6:
      return "(u64)g_byte[" + number() + " & 127]";
    case 7:
      return "(u64)u.h[" + std::to_string(random_.below(32)) + "]";
    case 8:
      return "t_quad[" + std::to_string(random_.below(8)) + "]";
    default:
      return "(u64)c[a & 31]";
  }
}

std::string Generator::expression(int depth) {
  static const char* const kOperators[] = {" + ", " - ", " * ", " ^ ", " | ", " & "};
  if (depth == 0 || random_.chance(30)) return atom();
  if (random_.chance(15)) return "(" + expression(depth - 1) + " >> " + std::to_string(random_.below(20)) + ")";
  return "(" + expression(depth - 1) + kOperators[random_.below(6)] + expression(depth - 1) + ")";
}

// An address at which `width` bytes may be read and written.
std::string Generator::bytes_place(int width) {
  static const struct {
    const char* name;
    int size;
  } kAreas[] = {{"g_byte", 128}, {"g_mixed.b", 64}, {"u.b", 64}, {"c", 32}, {"(u8 *)g_quad", 256}, {"(u8 *)x", 64}};
  const auto& area = kAreas[random_.below(static_cast<int>(std::size(kAreas)))];
  return std::string(area.name) + " + (" + expression(1) + ") % " + std::to_string(area.size - width + 1);
}

// ---- Statements ----

std::string Generator::quads() { return assign("x[" + index(8) + "]"); }

std::string Generator::globals() {
  return assign(random_.chance(70) ? "g_quad[" + index(32) + "]" : "t_quad[" + index(8) + "]");
}

std::string Generator::bytes() {
  return assign(random_.chance(50) ? "c[" + index(32) + "]" : "g_byte[" + index(128) + "]");
}

std::string Generator::overlapping() {
  static const struct {
    const char* name;
    int size;
  } kViews[] = {{"b", 64}, {"h", 32}, {"w", 16}, {"q", 8}};
  const auto view = [&] {
    const auto& v = kViews[random_.below(4)];
    return std::string(random_.chance(50) ? "u." : "g_mixed.") + v.name + "[" + index(v.size) + "]";
  };
  const std::string to = view();
  return assign(to) + " x[" + std::to_string(random_.below(8)) + "] ^= " + view() + ";";
}

std::string Generator::reals() {
  const std::string real = "g_real[" + index(16) + "]";
  const std::string value = "(double)((" + expression(1) + ") & 1023)";
  if (random_.chance(40)) return "u.f[" + index(16) + "] = (float)" + value + " * 0.5f;";
  return real + " = " + real + " * 0.25 + " + value + ";";
}

std::string Generator::vectors() {
  const std::string place = "g_vector[" + index(8) + "]";
  if (random_.chance(50)) return place + " += (v4){a, b, " + number() + ", " + number() + "};";
  return place + " = v ^ g_vector[" + index(8) + "]; v += " + place + ";";
}

std::string Generator::bit_fields() {
  static const char* const kFields[] = {"a", "b", "c", "d", "e", "f"};
  const auto field = [&] { return std::string("g_bits.") + kFields[random_.below(6)]; };
  return field() + " = " + expression() + "; x[" + index(8) + "] += " + field() + ";";
}

std::string Generator::records() {
  const std::string i = "g_rec[" + index(8) + "]", j = "g_rec[" + index(8) + "]";
  switch (random_.below(5)) {
    case 0:
      return i + " = " + j + ";";
    case 1:
      return "r = " + i + "; r.half += a;";
    case 2:
      return i + " = r; r.quad ^= b;";
    case 3:
      return "r = make_rec(" + expression() + ");";
    default:
      return i + ".tail[(" + expression() + ") % 24] = " + expression(1) + ";";
  }
}

std::string Generator::copies() {
  static const int kWidths[] = {1, 2, 4, 8, 16, 24, 31};
  const std::string width = std::to_string(kWidths[random_.below(7)]);
  const std::string to = bytes_place(std::stoi(width)), from = bytes_place(std::stoi(width));
  return "memmove(" + to + ", " + from + ", " + width + ");";
}

std::string Generator::fills() {
  if (random_.chance(50)) return "memset(" + bytes_place(16) + ", (int)a, " + number() + " & 15);";
  return "{ u8 fresh[40]; memcpy(fresh, g_byte + (b & 63), 40); g_byte[a & 127] ^= fresh[b % 40]; }";
}

std::string Generator::repeated() {
  if (random_.chance(50)) return "rep_fill(u.q + (a & 3), " + expression(1) + ", 1 + (b & 3));";
  return "rep_copy(" + bytes_place(12) + ", " + bytes_place(12) + ", " + std::to_string(random_.below(13)) + ");";
}

std::string Generator::heap() {
  const std::string slot = std::to_string(random_.below(8));
  switch (random_.below(9)) {
    case 0:
    case 1:
      return "x[1] += pool_new(" + slot + ", " + expression(1) + ");";
    case 2:
      return "x[2] += pool_zero(" + slot + ", " + expression(1) + ");";
    case 3:
      return "x[3] ^= pool_resize(" + slot + ", " + expression(1) + ");";
    case 4:
      return "pool_drop(" + slot + ");";
    case 5:
      return "x[4] += " + std::string(random_.chance(20) ? "big_block(a);" : "pool_touch(a, b);");
    case 6: {
      const std::string name = "p" + std::to_string(names_++);
      return "{ u64 *" + name + " = malloc(48); " + name + "[0] = a; " + name + "[b % 5 + 1] = b; x[a & 7] += " + name +
             "[0]; free(" + name + "); }";
    }
    default:
      return "x[5] += pool_touch(" + slot + ", " + expression(1) + ");";
  }
}

std::string Generator::stack_memory() {
  return "{ u8 *p = alloca(16 + (a & 63)); memset(p, (int)b, 16 + (a & 63)); x[a & 7] += p[b & 15]; c[b & 31] = "
         "p[a & 15]; }";
}

std::string Generator::variable_array() {
  return "{ u64 n = 1 + (b & 7), v[n]; for (u64 k = 0; k < n; k++) v[k] = a + k; x[b & 7] ^= v[a % n]; }";
}

std::string Generator::call() {
  return "x[" + index(8) + "] += " + callee() + "(depth - 1, " + expression() + ", " + expression() + ");";
}

std::string Generator::callback() {
  return "x[" + index(8) + "] += apply(table[(" + expression(1) + ") % " + std::to_string(functions_) +
         "], depth - 1, " + expression(1) + ", b);";
}

std::string Generator::many_arguments() {
  std::string all = "x[6] += many(";
  for (int i = 0; i < 10; ++i) all += expression(1) + ", ";
  return all + "(double)(a & 3), r, v);";
}

std::string Generator::jump() {
  const std::string function = random_.chance(50) ? callee() : "NULL";
  const std::string depth = std::to_string(random_.from_to(1, 5));
  return "x[7] += catcher(" + function + ", " + depth + ", a, " + (random_.chance(30) ? "1" : "0") + ");";
}

std::string Generator::system() {
  switch (random_.below(6)) {
    case 0:
      return "x[0] += through_pipe(a);";
    case 1:
      return "x[0] += fresh_page(b);";
    case 2:
      return "x[0] += fault(a);";
    default:
      return "x[0] += provoke(a);";
  }
}

std::string Generator::coroutines() {
  const std::string which = std::to_string(random_.below(4));
  switch (random_.below(4)) {
    case 0:
      return "yield();";
    case 1:
      return "hand_over(" + which + ", " + expression(1) + ");";
    default:
      return "x[" + index(8) + "] += resume(" + which + ", " + expression(1) + ");";
  }
}

std::string Generator::sort() { return "x[1] ^= sorted(a, " + expression(1) + ");"; }

std::string Generator::text() {
  if (random_.chance(50)) return "snprintf((char *)c, sizeof c, \"%lx:%d\", a, (int)(b & 255));";
  return "{ char s[24]; strcpy(s, \"overlap\"); s[a % 7] = 'x'; strcat(s, \"ping\"); x[2] += strlen(s) + "
         "!strcmp(s, \"overlapping\"); }";
}

std::string Generator::own_static() {
  const std::string name = "kept" + std::to_string(names_++);
  return "{ static u64 " + name + "[4]; " + name + "[a & 3] += b; x[b & 7] += " + name + "[b & 3]; }";
}

std::string Generator::atomic() {
  if (random_.chance(40)) return "x[3] += compare_and_swap(a, b);";
  if (random_.chance(50)) return "x[3] += __atomic_exchange_n(&g_atomic[a & 3], b, __ATOMIC_SEQ_CST);";
  return "x[3] += __atomic_fetch_add(&g_atomic[b & 3], a, __ATOMIC_SEQ_CST);";
}

// Data that threads share: under the lock, and a local array of main() without it.
std::string Generator::shared() {
  if (random_.chance(50)) return "x[4] += locked_add(a, " + expression(1) + ");";
  return assign("g_shared[" + index(16) + "]") + " x[5] ^= g_shared[" + index(16) + "];";
}

// A load or a store of a word, by the function itself or one below it.
std::string Generator::touch(const std::string& place) {
  static const char* const kTouches[] = {"LOAD", "STORE", "load", "store", "hidden_load", "hidden_store"};
  return std::string(kTouches[random_.below(6)]) + "(" + place + "); ";
}

std::string Generator::touch_link(int word) {
  static const char* const kTouches[] = {"LOAD", "KEEP", "load", "keep", "hidden_load", "hidden_keep"};
  return std::string(kTouches[random_.below(6)]) + "(LINK(" + std::to_string(word) + ")); ";
}

std::string Generator::touches() {
  if (random_.chance(30)) return touch_link(0) + touch_link(0) + touch_link(1) + touch_link(1);
  const std::string place = random_.chance(60) ? "&x[" + index(8) + "]" : "&relay_global[a & 7]";
  return "{ u64 *p = " + place + "; " + touch("p") + touch("p") + touch("p") + touch("p") + "}";
}

// A heap block freed and allocated again.
std::string Generator::recycled() {
  return "{ u64 *p = malloc(72); " + touch("p + 4") + touch("p + 6") + "free(p); p = malloc(72); " + touch("p + 4") +
         touch("p + 6") + "free(p); }";
}

// Stack memory that is no longer, or not yet, anybody's.
std::string Generator::dead() {
  const std::string own = "{ u64 v[60 + (n & 1)]; p = v; " + touch("v") + touch("v + 1") + "}\n";
  return "{ u64 n = a, *p;\n" + own + "DEAD(" + touch("p") + touch("p + 1") + ")\n" + own + "}";
}

// Eight words.
std::string Generator::all_touches(const std::string& words) {
  std::string all;
  for (int i = 0; i < 8; ++i) all += touch(words + " + " + std::to_string(i));
  return all + "\n";
}

// What main() and its threads do to the same words.
std::string Generator::relays(bool dead_too) {
  std::string all = all_touches("relay_global") + all_touches("relay_stack") + all_touches("relay_heap + 4");
  if (dead_too) all += "DEAD(" + all_touches("relay_dead") + all_touches("relay_dead + 8") + ")\n";
  for (int i = 0; i < 8; ++i) all += touch_link(i);
  return all + "\n";
}

std::string Generator::loop() {
  if (nesting_ >= 2) return quads();
  const std::string i = "i" + std::to_string(names_++);
  return "for (u64 " + i + " = 0; " + i + " < " + std::to_string(random_.from_to(2, 5)) + "; " + i + "++) {\nx[" + i +
         " & 7] += " + i + ";\n" + block(random_.from_to(1, 3)) + "}";
}

std::string Generator::condition() {
  if (nesting_ >= 2) return bytes();
  std::string all = "if ((" + expression() + ") & " + std::to_string(1 << random_.below(4)) + ") {\n";
  all += block(random_.from_to(1, 2)) + "}";
  return random_.chance(50) ? all : all + " else {\n" + block(1) + "}";
}

std::string Generator::cases() {
  if (nesting_ >= 1) return quads();
  std::string all = "switch ((" + expression() + ") % 6) {\n";
  for (int i = 0; i < 5; ++i) all += "case " + std::to_string(i) + ":\n" + block(1) + "break;\n";
  return all + "default: x[0]++;\n}";
}

std::string Generator::statement() {
  const Maker maker = kStatements[random_.below(static_cast<int>(std::size(kStatements)))];
  return (this->*maker)() + "\n";
}

std::string Generator::block(int statements) {
  ++nesting_;
  std::string all;
  for (int i = 0; i < statements; ++i) all += statement();
  --nesting_;
  return all;
}

// ---- Functions ----

std::string Generator::declarations() {
  std::string all, table = "static const function table[] = {";
  for (int i = 0; i < functions_; ++i) {
    const std::string& name = names_of_functions_[i];
    all += std::string("static ") + (random_.chance(80) || name[0] == 'h' ? "NOINLINE " : "") + "u64 " + name +
           "(int, u64, u64);\n";
    table += name + ", ";
  }
  return all + table + "};\nstatic function work_of(u64 a) { return table[a % " + std::to_string(functions_) + "]; }\n";
}

std::string Generator::result() {
  if (random_.chance(35)) return "return " + callee() + "(depth - 1, a ^ " + number() + ", b + x[0]);\n";
  return "return " + expression() + ";\n";
}

std::string Generator::function(int index) {
  const std::string& name = names_of_functions_[index];
  std::string all = "\nstatic u64 " + name + "(int depth, u64 a, u64 b) {\n";
  all += "if (depth <= 0 || --fuel < 0) return a + " + number() + ";\n";
  all += "u64 x[8]; u8 c[32]; union mixed u; struct rec r = g_rec[a & 7]; v4 v = g_vector[b & 7];\n";
  all += "for (int i = 0; i < 8; i++) x[i] = a + i;\n";
  all += random_.chance(50) ? "memset(&u, (int)b, sizeof u);\n" : "u = g_mixed;\n";
  all += "memcpy(c, g_byte + (a & 63), 32);\n";
  nesting_ = 0;
  const int statements = random_.from_to(3, 9);
  for (int i = 0; i < statements; ++i) all += statement();
  return all + result() + "}\n";
}

// ---- Threads and main() ----

std::string Generator::worker() {
  std::string all = "\nstatic void *worker(void *argument) {\nu64 *box = argument, sum = 0;\n";
  all += "fuel = " + std::to_string(random_.from_to(10, 50)) + ";\n";
  all += "switch (box[0] % 3) {\n";
  for (int i = 0; i < 3; ++i) all += "case " + std::to_string(i) + ":\n" + relays(true) + "break;\n";
  all += "}\nfor (u64 i = 0; i < 4; i++) sum += apply(table[(box[0] + i) % " + std::to_string(functions_) +
         "], 5, box[0], i);\n";
  return all + "g_shared[box[0] & 15] += sum;\nbox[1] = sum;\nclean_up();\nreturn box;\n}\n";
}

// Threads that run while main() itself runs, or waits: only then may they write below its SP.
std::string Generator::threads_round() {
  const bool waits = random_.chance(70);
  const std::string n = std::to_string(random_.from_to(1, 3));
  const auto deep = [&] {
    return "{\nu64 deep[size];\n" + all_touches("deep") + all_touches("deep + 8") + "DEAD(relay_dead = deep;)\n}\n";
  };
  const std::string renew = "free(heap);\nheap = malloc(112);\n";
  std::string all = "{\npthread_t threads[" + n + "];\nu64 *heap = malloc(112), size = 6000 + (sum & 7);\n";
  all += "relay_heap = heap;\nrelay_stack = shared;\nrelay_dead = spare;\n";
  if (waits) all += deep();
  all += relays(false);
  if (random_.chance(70)) all += renew;
  all += "relay_heap = heap;\nfor (u64 i = 0; i < " + n + "; i++) {\nu64 *box = malloc(16);\nbox[0] = i + " + number();
  all += ";\npthread_create(&threads[i], NULL, worker, box);\n}\n";
  if (!waits) all += "sum += " + callee() + "(4, " + number() + ", 1);\n";
  all += "for (u64 i = 0; i < " + n + "; i++) {\nvoid *box;\npthread_join(threads[i], &box);\n";
  all += "sum += ((u64 *)box)[1];\nfree(box);\n}\n";
  if (waits) all += deep();
  if (random_.chance(70)) all += renew + "relay_heap = heap;\n";
  return all + relays(false) + "free(heap);\n}\n";
}

std::string Generator::main_function() {
  std::string all = "\nint main(void) {\nu64 shared[16] = {0}, spare[16] = {0}, sum = 0;\n";
  all += "g_shared = shared;\nset_up(" + std::string(random_.chance(40) ? "1" : "0") + ");\n";
  all += "make_coroutines(" + std::to_string(random_.below(3)) + ");\n";
  all += "fuel = " + std::to_string(random_.from_to(150, 500)) + ";\n";
  const int rounds = random_.from_to(2, 4);
  for (int i = 0; i < rounds; ++i) {
    all += "for (u64 i = 0; i < " + std::to_string(random_.from_to(2, 6)) + "; i++) sum += " + callee() + "(" +
           std::to_string(random_.from_to(3, 8)) + ", i * " + number() + ", sum);\n";
    if (threads_) all += threads_round();
  }
  all += "clean_up();\nfor (int i = 0; i < 32; i++) sum = sum * 31 + g_quad[i];\n";
  return all + "for (int i = 0; i < 128; i++) sum = sum * 31 + g_byte[i];\nprintf(\"%lx\\n\", sum);\nreturn 0;\n}\n";
}

std::string Generator::flags() {
  static const char* const kMore[] = {
      "", "", "", " -fno-omit-frame-pointer", " -fno-pie -no-pie", " -Wl,-z,now", " -fno-plt"};
  const std::string level = std::to_string(random_.below(3));
  return "-O" + level + " -std=gnu11 -w -g -pthread" + kMore[random_.below(static_cast<int>(std::size(kMore)))];
}

std::string Generator::program() {
  const std::string flags = this->flags();
  const bool lazy = flags.find("now") == std::string::npos && flags.find("no-plt") == std::string::npos;
  std::string all = "// flags: " + flags + "\n// seed: " + std::to_string(seed_) + (threads_ ? " --threads" : "") +
                    "\n#define BOUND_LAZILY " + (lazy ? "1" : "0") + kPrelude + declarations();
  for (int i = 0; i < functions_; ++i) all += function(i);
  if (threads_) all += worker();
  return all + main_function();
}

}  // namespace

int main(int argc, char** argv) {
  const bool threads = argc == 3 && std::strcmp(argv[2], "--threads") == 0;
  if (argc != 2 && !threads) {
    std::fputs("usage: generate SEED [--threads]\n", stderr);
    return 2;
  }
  std::fputs(Generator(std::strtoull(argv[1], nullptr, 10), threads).program().c_str(), stdout);
}
