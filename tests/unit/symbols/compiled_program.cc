// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/unit/symbols/compiled_program.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <utility>

#include "tests/unit/catch.h"

namespace fs = std::filesystem;

namespace cdr::symbols::testing {

namespace {

// Everything that names are made of: namespaces, members, inlined calls in
// inlined calls, local and anonymous things, all shapes of variables.
constexpr std::string_view kSample = R"(
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
)";

class TestDir {
 public:
  TestDir() {
    std::string name = fs::current_path() / "symbols-test-XXXXXX";
    path_ = mkdtemp(name.data());
  }
  ~TestDir() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string from_environment(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value && *value ? value : otherwise;
}

}  // namespace

const std::string& test_dir() {
  static const TestDir dir;
  return dir.path();
}

std::string fresh_dir() {
  static int count = 0;
  std::string path = test_dir() + "/dir" + std::to_string(++count);
  fs::create_directories(path);
  return path;
}

std::string write_file(const std::string& path, std::string_view text) {
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

std::string run(const std::string& command) {
  FILE* pipe = popen(("LC_ALL=C; export LC_ALL; " + command).c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string output;
  std::array<char, 4096> buffer;
  for (std::size_t n; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) output.append(buffer.data(), n);
  INFO(command);
  REQUIRE(pclose(pipe) == 0);
  return output;
}

bool have_program(const std::string& name) {
  return std::system(("command -v " + name + " >/dev/null 2>&1").c_str()) == 0;
}

std::string cxx() { return from_environment("CXX", "g++"); }
std::string cc() { return from_environment("CC", "gcc"); }

std::string sample_path() {
  static const std::string path = write_file(test_dir() + "/src/sample.cc", kSample);
  return path;
}

std::uint32_t sample_line(std::string_view mark) {
  std::istringstream in{std::string(kSample)};
  const std::string wanted = "// " + std::string(mark);
  std::uint32_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.ends_with(wanted)) return number;
  }
  FAIL("no such mark: " << mark);
  return 0;
}

// Compiled with a relative name, as build systems do.
const std::string& sample_program(const std::string& compiler_and_flags) {
  static std::map<std::string, std::string> programs;
  std::string& program = programs[compiler_and_flags];
  if (program.empty()) {
    program = fresh_dir() + "/sample";
    run("cd " + fs::path(sample_path()).parent_path().string() + " && " + compiler_and_flags + " -o " + program +
        " sample.cc 2>&1");
  }
  return program;
}

std::uint64_t address_of(const std::string& program, const std::string& name) {
  std::istringstream in(run("nm -C " + program));
  for (std::string line; std::getline(in, line);) {
    if (line.size() > 19 && line.substr(19) == name) return std::stoull(line, nullptr, 16);
  }
  FAIL("no such symbol: " << name);
  return 0;
}

std::vector<std::uint64_t> instructions(const std::string& program, std::size_t step) {
  std::istringstream in(run("objdump -d -j .text --no-show-raw-insn " + program));
  static const std::regex start_code("^[0-9a-f]+ <(_start|_init|_fini|.*tm_clones|__do_global.*|frame_dummy|_dl_.*)>:");
  static const std::regex function("^[0-9a-f]+ <.*>:");
  static const std::regex instruction("^ +([0-9a-f]+):\t(.*)");
  static const std::regex padding("nop|data16|xchg +%ax,%ax|cs nop");
  std::vector<std::uint64_t> addresses;
  std::size_t count = 0;
  bool is_ours = false;
  for (std::string line; std::getline(in, line);) {
    std::smatch parts;
    if (std::regex_search(line, function)) {
      is_ours = !std::regex_search(line, start_code);
    } else if (is_ours && std::regex_match(line, parts, instruction)) {
      const std::string text = parts[2];
      if (!std::regex_search(text, padding) && count++ % step == 0) {
        addresses.push_back(std::stoull(parts[1], nullptr, 16));
      }
    }
  }
  return addresses;
}

Symbols symbols_for(const std::string& program, std::uint64_t bias, SymbolOptions options) {
  Symbols symbols(std::move(options));
  Module module;
  module.serial = 1;
  module.path = program;
  module.bias = bias;
  symbols.add_module(module);
  return symbols;
}

}  // namespace cdr::symbols::testing
