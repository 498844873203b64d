// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/symbol_input.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/mpi_log.h"
#include "tests/unit/catch.h"

using namespace cdr;
using namespace cdr::cli;

namespace {

// A file with this text, as long as it lives.
class TextFile {
 public:
  explicit TextFile(const std::string& text) {
    const int fd = mkstemp(path_);
    REQUIRE(fd >= 0);
    for (size_t done = 0; done < text.size();) {
      const ssize_t n = ::write(fd, text.data() + done, text.size() - done);
      REQUIRE(n > 0);
      done += static_cast<size_t>(n);
    }
    ::close(fd);
  }
  ~TextFile() { std::remove(path_); }
  std::string path() const { return path_; }

 private:
  char path_[32] = "/tmp/cdrgrind-test-XXXXXX";
};

std::string joined(const analysis::SymbolSequence& sequence) {
  std::string words;
  for (size_t at = 0; at < sequence.symbols.size(); ++at) {
    if (!words.empty()) words += ' ';
    words += sequence.names.name(sequence.symbols[at]);
  }
  return words;
}

std::string read(const std::string& text, uint32_t most = kMostSymbols) {
  const TextFile text_file(text);
  InputFile file(text_file.path());
  return joined(read_symbols(file, {}, most));
}

std::string read_log(const std::string& text, const std::vector<std::string>& fields = {}) {
  const TextFile text_file(text);
  InputFile file(text_file.path());
  return joined(read_mpi_log(file, {fields, {}}, {}));
}

}  // namespace

TEST_CASE("symbols are words between any white space") {
  CHECK(read("").empty());
  CHECK(read(" \n\t").empty());
  CHECK(read("a") == "a");
  CHECK(read("\ta b\r\n\n a\v\fa,b ") == "a b a a,b");
}

TEST_CASE("words that lie across the pieces of a file stay whole") {
  // Pieces are 2^20 bytes: words end and begin at every place around the borders of two of them.
  for (size_t shift = 0; shift < 9; ++shift) {
    std::string text(shift, 'x');
    text += ' ';
    while (text.size() < (2 << 20) + 100) text += "abcdefg ";
    std::string expected = text.substr(0, text.size() - 1);
    if (shift == 0) expected.erase(0, 1);
    REQUIRE(read(text) == expected);
  }
  const std::string longer(3 << 20, 'y');
  CHECK(read("a " + longer + " b") == "a " + longer + " b");
}

TEST_CASE("too many symbols are refused in the file's name") {
  CHECK(read("a b c", 3) == "a b c");
  try {
    read("a b c d", 3);
    FAIL("not refused");
  } catch (const Failure& e) {
    CHECK(e.status() == kBadInput);
    CHECK(std::string(e.what()).find("more than 3 symbols") != std::string::npos);
  }
}

TEST_CASE("symbols of MPI calls depend on what is communicated with whom") {
  // The same but for buffer, tag, request, times: one symbol. Another peer, count or type: another one.
  const std::string call = "7#1#100#360#27#1#3000#138#555#0#1#2\n";
  CHECK(read_log(call + "7#2#200#360#27#1#4000#138#666#0#3#4\n") == "P1 P1");
  CHECK(read_log(call + "7#2#100#360#27#2#3000#138#555#0#1#2\n") == "P1 P2");
  CHECK(read_log(call + "7#2#100#361#27#1#3000#138#555#0#1#2\n") == "P1 P2");
  CHECK(read_log(call + "7#2#100#360#28#1#3000#138#555#0#1#2\n") == "P1 P2");
  CHECK(read_log(call + "9#2#100#360#27#1#3000#138#555#0#1#2\n") == "P1 P2");
  CHECK(read_log(call + "7#2#200#360#27#1#4000#138#666#0#3#4", {"tag"}) == "P1 P2");
  CHECK(read_log(call + "7#2#200#360#27#1#3000#138#666#0#3#4", {"tag"}) == "P1 P1");
}

TEST_CASE("letters of MPI symbols are numbered apart") {
  CHECK(read_log("1#1#91#0#1#1\n21#1#5#0#1#1\n1#2#92#0#1#1\n22#1#1#5#0#1#1\n22#2#2#5#6#0#1#1\n") == "M1 O1 M2 O2 O2");
}
