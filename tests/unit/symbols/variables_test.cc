// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "cdrgrind/symbols/dwarf/frame_rules.h"
#include "cdrgrind/symbols/symbols.h"
#include "tests/unit/catch.h"
#include "tests/unit/symbols/compiled_program.h"

using namespace cdr::symbols;
using namespace cdr::symbols::testing;

namespace {

std::vector<std::string> all_flags() {
  std::vector<std::string> flags = {cxx() + " -O2 -g", cxx() + " -O2 -gdwarf-4", cxx() + " -O0 -g",
                                    cxx() + " -O2 -g -fdebug-types-section", cxx() + " -O2 -g -flto=1"};
  if (have_program("clang++")) {
    flags.push_back("clang++ -O2 -gdwarf-4");
    flags.push_back("clang++ -O2 -gdwarf-5");
  }
  return flags;
}

std::string name_at(const std::string& program, const std::string& symbol, std::uint64_t offset) {
  constexpr std::uint64_t kBias = 0x7000;
  Symbols symbols = symbols_for(program, kBias);
  const auto name = symbols.variable_at(1, address_of(program, symbol) + offset + kBias);
  return name ? name->name : "";
}

}  // namespace

TEST_CASE("an address in a variable is named as in C") {
  for (const std::string& flags : all_flags()) {
    INFO(flags);
    const std::string program = sample_program(flags);
    // struct cell: id 0, tag 4, pair 8, u 24; 32 bytes
    CHECK(name_at(program, "grid", 3 * 32 + 8) == "grid[3].pair.left");
    CHECK(name_at(program, "grid", 9 * 32 + 16) == "grid[9].pair.right");
    CHECK(name_at(program, "grid", 6) == "grid[0].tag[2]");
    CHECK(name_at(program, "matrix", (2 * 4 + 1) * 8) == "matrix[2][1]");
    CHECK(name_at(program, "one", 0) == "one.key");
    CHECK(name_at(program, "one", 8) == "one.more");
    CHECK(name_at(program, "ns::counter", 0) == "ns::counter");
    CHECK(name_at(program, "ns::(anonymous namespace)::hidden", 0) == "ns::(anonymous namespace)::hidden");
    CHECK(name_at(program, "ns::boxed", 0) == "ns::boxed.value");
    CHECK(name_at(program, "derived::made", 0) == "derived::made");
    CHECK(name_at(program, "words", 8) == "words[1]");
  }
}

TEST_CASE("a variable that is read alone is what it is where all are read") {
  constexpr std::uint64_t kBias = 0x7000, kAround = 6000;
  const auto described = [](const std::optional<DataName>& d) {
    if (!d) return std::string();
    return std::string(d->variable) + '|' + d->name + '|' + d->pattern + '|' + std::string(d->variable_type) + '|' +
           std::string(d->type) + '|' + std::to_string(d->variable_size) + '|' + std::to_string(d->variable_address) +
           '|' + std::to_string(d->offset) + '|' + std::to_string(d->part_offset) + '|' + std::string(d->decl.file) +
           ':' + std::to_string(d->decl.line);
  };
  for (const std::string& flags : all_flags()) {
    INFO(flags);
    const std::string program = sample_program(flags);
    Symbols alone = symbols_for(program, kBias), whole = symbols_for(program, kBias);
    REQUIRE(!whole.compilers(1).empty());  // which all units tell
    size_t named = 0;
    const std::uint64_t middle = address_of(program, "grid") + kBias;
    for (std::uint64_t at = middle - kAround; at < middle + kAround; ++at) {
      const std::string one = described(alone.variable_at(1, at));
      if (one != described(whole.variable_at(1, at))) FAIL(at << ": " << one);
      named += !one.empty();
    }
    for (std::uint64_t at = 0; at < 64; ++at)
      CHECK(described(alone.tls_variable_at(1, at)) == described(whole.tls_variable_at(1, at)));
    CHECK(named > 300);
  }
}

TEST_CASE("a static variable of a function is named with the function") {
  for (const std::string& flags : {cxx() + " -O0 -g", cxx() + " -O0 -gdwarf-4"}) {
    CHECK(name_at(sample_program(flags), "ns::worker::work(int) const::calls", 0) == "ns::worker::work::calls");
  }
}

TEST_CASE("a name comes with pattern, types, sizes and declaration") {
  for (const std::string& flags : all_flags()) {
    INFO(flags);
    const std::string program = sample_program(flags);
    Symbols symbols = symbols_for(program);
    const std::uint64_t grid = address_of(program, "grid");
    const auto name = symbols.variable_at(1, grid + 3 * 32 + 18);
    REQUIRE(name);
    CHECK(name->name == "grid[3].pair.right");
    CHECK(name->pattern == "grid[…].pair.right");
    CHECK(name->variable == "grid");
    CHECK(name->variable_type == "cell [10]");
    CHECK(name->type == "long");
    CHECK(name->variable_address == grid);
    CHECK(name->variable_size == 320);
    CHECK(name->offset == 3 * 32 + 18);
    CHECK(name->part_offset == 2);
    CHECK(name->element == 32);
    const auto element_at = [&](const char* symbol) {
      return symbols.variable_at(1, address_of(program, symbol))->element;
    };
    CHECK(element_at("matrix") == 8);
    CHECK(element_at("ticks") == 8);
    CHECK(element_at("one") == 16);
    CHECK(name->decl.file == sample_path());
    CHECK(name->decl.line == sample_line("grid"));
    CHECK_FALSE(name->is_atomic);
  }
}

TEST_CASE("types are written as in C") {
  for (const std::string& flags : all_flags()) {
    INFO(flags);
    const std::string program = sample_program(flags);
    Symbols symbols = symbols_for(program);
    const auto type_of = [&](const std::string& variable) {
      const auto name = symbols.variable_at(1, address_of(program, variable));
      return name ? std::string(name->variable_type) : "";
    };
    CHECK(type_of("matrix") == "double [3][4]");
    CHECK(type_of("words") == "const char *[2]");
    CHECK(type_of("hook") == "int (*)(long, char *)");
    CHECK(type_of("ticks") == "volatile unsigned long");
    CHECK(type_of("ns::boxed") == "ns::box<long>");
  }
}

TEST_CASE("bit fields are found in the byte where they begin and end") {
  for (const std::string& flags : {cxx() + " -O0 -g", cxx() + " -O0 -gdwarf-4"}) {
    const std::string program = sample_program(flags);
    // a: bits 0..2, b: bits 3..9, c: bits 10..21 behind `more`, at byte 10
    CHECK(name_at(program, "one", 10) == "one.a");
    CHECK(name_at(program, "one", 11) == "one.b");
    CHECK(name_at(program, "one", 12) == "one.c");
  }
}

TEST_CASE("thread-local variables are found by their offset in the block") {
  for (const std::string& flags : all_flags()) {
    INFO(flags);
    Symbols symbols = symbols_for(sample_program(flags));
    const auto name = symbols.tls_variable_at(1, 4);
    REQUIRE(name);
    CHECK(name->name == "per_thread[1]");
    CHECK_FALSE(symbols.tls_variable_at(1, 8).has_value());
  }
}

TEST_CASE("atomic variables are known as such, and not taken apart") {
  const std::string dir = fresh_dir();
  write_file(dir + "/a.cc",
             "#include <atomic>\n"
             "struct shared { long plain; std::atomic<int> hits[3]; };\n"
             "namespace g { shared s; std::atomic_flag flag; }\n"
             "int main() { return g::s.hits[1].load() + g::flag.test_and_set(); }\n");
  write_file(dir + "/b.c", "_Atomic int count; int main(void) { return count; }\n");
  run("cd " + dir + " && " + cxx() + " -g -o a a.cc && " + cc() + " -g -o b b.c");
  Symbols symbols = symbols_for(dir + "/a");
  const auto name = symbols.variable_at(1, address_of(dir + "/a", "g::s") + 16);
  REQUIRE(name);
  CHECK(name->name == "g::s.hits[2]");
  CHECK(name->type == "std::atomic<int>");
  CHECK(name->is_atomic);
  const auto plain = symbols.variable_at(1, address_of(dir + "/a", "g::s"));
  REQUIRE(plain);
  CHECK_FALSE(plain->is_atomic);
  const auto flag = symbols.variable_at(1, address_of(dir + "/a", "g::flag"));
  REQUIRE(flag);
  CHECK(flag->is_atomic);
  Symbols of_c = symbols_for(dir + "/b");
  const auto count = of_c.variable_at(1, address_of(dir + "/b", "count"));
  REQUIRE(count);
  CHECK(count->is_atomic);
  CHECK(count->type == "_Atomic(int)");
}

TEST_CASE("structs of C are written with their keyword, unions by their first member") {
  const std::string dir = fresh_dir();
  write_file(dir + "/a.c",
             "struct node { struct node *next; union { int i; char c[8]; } u; };\n"
             "typedef struct { int x, y; } point;\n"
             "struct node list[2]; point corner; enum color { red } paint; int open[];\n"
             "int main(void) { return list[0].u.i + corner.x + paint + open[0]; }\n");
  run("cd " + dir + " && " + cc() + " -g -o a a.c 2>&1");
  Symbols symbols = symbols_for(dir + "/a");
  const auto at = [&](const std::string& variable, std::uint64_t offset) {
    return *symbols.variable_at(1, address_of(dir + "/a", variable) + offset);
  };
  CHECK(at("list", 24).name == "list[1].u.i");
  CHECK(at("list", 16 + 13).name == "list[1].u.c[5]");
  CHECK(at("list", 0).variable_type == "struct node [2]");
  CHECK(at("list", 0).type == "struct node *");
  CHECK(at("corner", 4).name == "corner.y");
  CHECK(at("corner", 4).variable_type == "point");
  CHECK(at("paint", 0).type == "enum color");
  CHECK(at("open", 0).name == "open[0]");
}

TEST_CASE("without debug information variables have the names of their symbols") {
  const std::string program = sample_program(cxx() + " -O2 -g0");
  Symbols symbols = symbols_for(program);
  const auto name = symbols.variable_at(1, address_of(program, "ns::boxed") + 4);
  REQUIRE(name);
  CHECK(name->name == "ns::boxed");
  CHECK(name->offset == 4);
  CHECK(name->part_offset == 4);
  CHECK(name->variable_size == 8);
  CHECK(name->type.empty());
}

TEST_CASE("an address outside of every variable has no name") {
  const std::string program = sample_program(cxx() + " -O2 -g");
  Symbols symbols = symbols_for(program);
  CHECK_FALSE(symbols.variable_at(1, 0x7fff00000000).has_value());
  CHECK_FALSE(symbols.variable_at(1, address_of(program, "main")).has_value());
}

TEST_CASE("a function of whose code a rarely executed part lies before it has its variables by its entry") {
  const std::string source = write_file(fresh_dir() + "/parted.cc", R"(
struct counted { int count; int others[20]; };
__attribute__((noinline, noipa)) void use(counted& c, int n) { if (n > 100) throw n; c.count++; }
__attribute__((noinline)) int parted(int n) { counted kept{}; use(kept, n); try { use(kept, n + 1); } catch (int x) { return x; } return kept.count; }
int main(int argc, char**) { return parted(argc); }
)");
  const std::string program = source + ".out";
  run(cxx() + " -O2 -g -freorder-blocks-and-partition -o " + program + " " + source);
  if (run("nm -C " + program).find("parted(int) [clone .cold]") == std::string::npos) return;  // it has made one piece
  Symbols symbols = symbols_for(program);
  const auto locals = symbols.locals_of(1, address_of(program, "parted(int)"));
  CHECK(std::any_of(locals.begin(), locals.end(), [](const LocalName& l) { return l.name == "kept"; }));
}

namespace {

// Prints where variables are, as bytes from the canonical frame address of their function: the caller's stack pointer.
constexpr std::string_view kFramePlaces = R"(
#include <stdio.h>
char *frame, *places[4];
__asm__(".text\n.type call_it,@function\ncall_it: push %rbx\nmov %rdi, %rax\nmov %esi, %edi\n"
        "mov frame@GOTPCREL(%rip), %rcx\nmov %rsp, (%rcx)\ncall *%rax\npop %rbx\nret\n");
int call_it(int (*function)(int), int n);
__attribute__((noinline)) int many(int a, int b, int c, int d, int e, int f, int g, int h, char *p) {
  __asm__ volatile("" : : "r"(p) : "memory");
  return a + b + c + d + e + f + g + h + p[0];
}
__attribute__((noinline)) int calling(int n) {
  if (n == 12345) return 3;
  int buf[64], one = n;
  for (int i = 0; i < 64; i++) buf[i] = n * i;
  int sum = many(n, 2, 3, 4, 5, 6, 7, 8, (char *)buf) + many(n, 1, 3, 4, 5, 6, 7, 8, (char *)&one);
  places[0] = (char *)buf, places[1] = (char *)&one;
  return sum + many(sum, 1, n, 4, 5, n, 7, n, (char *)buf);
}
__attribute__((noinline)) int leaf(int n) {
  int low[64];
  places[2] = (char *)low;
  for (int i = 0; i < n; i++) low[i * 7 & 63] = n * i;
  __asm__ volatile("" : : "r"(low) : "memory");
  return low[n & 63];
}
#ifndef __clang__
__attribute__((noinline)) int outer(int n) {
  int first = n, second[9] = {n};
  __attribute__((noinline)) int inner(int k) { first += k; second[k & 7] += first; return first; }
  places[3] = (char *)&first;
  for (int i = 0; i < n; i++) inner(i);
  __asm__ volatile("" : : "r"(&first) : "memory");
  return second[n & 7];
}
#else
int outer(int n) { return n; }
#endif
int main(void) {
  int sum = call_it(outer, 4);
  if (places[3]) printf("first %td ", places[3] - frame);
  sum += call_it(calling, 5);
  printf("buf %td one %td ", places[0] - frame, places[1] - frame);
  sum += call_it(leaf, 6);
  printf("low %td\n", places[2] - frame);
  return sum == 7;
}
)";

// By name.
std::map<std::string, std::set<std::int64_t>> frame_offsets(const std::string& program, const std::string& function) {
  constexpr std::uint64_t kBias = 0x7000;
  Symbols symbols = symbols_for(program, kBias);
  const std::uint64_t entry = address_of(program, function) + kBias;
  std::map<std::string, std::set<std::int64_t>> found;
  for (const LocalName& l : symbols.locals_of(1, entry)) {
    if (l.reg != LocalName::kInFrame) continue;
    CHECK(l.code.begin >= entry);
    found[std::string(l.name)].insert(l.offset);
  }
  return found;
}

}  // namespace

TEST_CASE("a variable at a distance from the stack pointer is told by the frame address") {
  const std::string source = write_file(fresh_dir() + "/places.c", kFramePlaces);
  std::vector<std::string> all = {cc() + " -O2", cc() + " -O1 -fno-omit-frame-pointer"};
  if (have_program("clang"))
    for (const char* flags : {"-O1", "-O2", "-Os", "-O3", "-O2 -gdwarf-4", "-O2 -mno-red-zone", "-O2 -no-pie",
                              "-O2 -fno-omit-frame-pointer", "-O2 -fno-asynchronous-unwind-tables"})
      all.push_back(std::string("clang ") + flags);
  for (const std::string& flags : all) {
    INFO(flags);
    const std::string program = source + ".out";
    run(flags + " -g -o " + program + " " + source);
    auto offsets = frame_offsets(program, "calling");
    offsets.merge(frame_offsets(program, "leaf"));
    offsets.merge(frame_offsets(program, "outer"));
    std::istringstream places(run(program));
    std::string name;
    for (std::int64_t offset = 0; places >> name >> offset;) {
      INFO(name);
      CHECK(offsets[name] == std::set{offset});
    }
    CHECK(name == "low");
  }
}

TEST_CASE("without frame information variables at a distance from the stack pointer have no place") {
  if (!have_program("clang")) return;
  const std::string source = write_file(fresh_dir() + "/places.c", kFramePlaces), program = source + ".out";
  run("clang -O2 -g -o " + program + " " + source);
  run("objcopy --only-keep-debug " + program + " " + program +
      ".debug && objcopy --strip-debug --add-gnu-debuglink=" + program + ".debug " + program);
  CHECK(symbols_for(program).locals_of(1, address_of(program, "leaf")).size() > 0);
  CHECK_FALSE(frame_offsets(program, "leaf").contains("low"));
}

TEST_CASE("the body's distance from the frame address is that by which a variable has room, and where calls end") {
  const auto frame = [](std::vector<std::pair<int, int>> bytes_at) {
    FunctionFrame f;
    for (const auto& [bytes, distance] : bytes_at) {
      const std::uint64_t begin = f.end;
      f.rules.push_back({begin, f.end += static_cast<std::uint64_t>(bytes), kStackPointer, distance});
    }
    return f;
  };
  // Much code before the stack pointer is moved, then calls whose arguments take more of it than the body itself.
  const FunctionFrame calls = frame({{100, 8}, {20, 48}, {30, 56}, {30, 64}, {4, 48}, {30, 56}, {4, 48}, {1, 8}});
  CHECK(body_distance(calls, 0, 4) == 48);
  CHECK(body_distance(calls, 36, 4) == 48);
  CHECK_FALSE(body_distance(calls, -200, std::uint64_t{1} << 50));
  // A call that does not return; and, of a large frame, steps.
  CHECK(body_distance(frame({{4, 8}, {90, 48}, {4, 8}, {2, 56}, {9, 64}}), 16, 4) == 48);
  CHECK(body_distance(frame({{7, 8}, {15, 4104}, {15, 8200}, {90, 9008}, {1, 8}}), 16, 4) == 9008);
  // Registers are saved while it moves.
  FunctionFrame saving = frame({{4, 8}, {2, 16}, {4, 24}, {9, 32}, {2, 24}, {1, 16}, {1, 8}});
  saving.saved = 24;
  CHECK(body_distance(saving, 4, 4) == 32);
  CHECK_FALSE(body_distance(saving, 4, 8));
  CHECK(body_distance(saving, -64, 64) == 32);
  // An argument in the caller's frame.
  CHECK(body_distance(frame({{4, 8}, {40, 16}, {9, 24}, {5, 32}, {9, 16}, {1, 8}}), 16, 8) == 16);
  // Another register: none.
  CHECK_FALSE(body_distance({100, {{0, 100, kFramePointer, 16}}, 16}, 0, 4));
}
