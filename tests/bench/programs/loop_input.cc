// SPDX-License-Identifier: GPL-2.0-or-later
// Symbols for `cdrgrind loops --symbols=-`: loop_input KIND LENGTH, on standard output.
//   lu          the nest of Xu and Subhlok's LU C: 1,292 = (4)^160 + (4)^160 + 12 symbols an iteration, 48 symbols
//               and a different first iteration before; LENGTH 323048 is theirs
//   random      bits
//   fibonacci   prefixes of the Fibonacci word, the densest in repetitions that cut one another
//   squares     random words of 1, 2, 3 … symbols, twice each: as many different periods as can be
//   words       random, of 1,000,000 different words
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

uint64_t state = 88172645463325252;
uint64_t random_number() {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

uint64_t length = 0;
void put(const std::string& word) {
  if (length == 0) return;
  --length;
  std::fwrite(word.data(), 1, word.size(), stdout);
  std::putchar(length == 0 ? '\n' : ' ');
}

void put_lu_iteration(const char* suffix) {
  for (const char* phase : {"L", "U"})
    for (int i = 0; i < 160; ++i)
      for (const char* call : {"r", "w", "s", "t"}) put(std::string(phase) + call);
  for (int i = 0; i < 12; ++i) put("c" + std::to_string(i) + suffix);
}

void put_lu() {
  for (int i = 0; i < 48; ++i) put("b" + std::to_string(i));
  put_lu_iteration("'");
  while (length > 0) put_lu_iteration("");
}

void put_squares() {
  for (size_t size = 1; length > 0; ++size) {
    std::vector<std::string> words(size);
    for (std::string& word : words) word = std::to_string(random_number() % 50);
    for (int i = 0; i < 2; ++i)
      for (const std::string& word : words) put(word);
  }
}

void put_fibonacci() {
  std::string word = "a";
  std::string before = "b";
  while (word.size() < length) {
    const std::string next = word + before;
    before = word;
    word = next;
  }
  for (const char c : std::string(word, 0, length)) put(std::string(1, c));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  length = std::strtoull(argv[2], nullptr, 10);
  const std::string kind = argv[1];
  if (kind == "lu") put_lu();
  if (kind == "fibonacci") put_fibonacci();
  if (kind == "squares") put_squares();
  while (length > 0 && kind == "random") put(random_number() >> 63 ? "b" : "a");
  while (length > 0 && kind == "words") put("w" + std::to_string(random_number() % 1000000));
  return length > 0 ? 2 : 0;
}
