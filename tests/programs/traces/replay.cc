// SPDX-License-Identifier: GPL-2.0-or-later
// replay CAPTURE TRACE: the trace of what --cdr-capture-raw wrote, made outside Valgrind. Recordings of a single
// process.
#include <cerrno>
#include <cstdio>
#include <string>
#include <vector>

#include "cdrgrind/drain/session.h"
#include "tests/programs/traces/captured.h"

namespace {

class File final : public cdr::drain::StreamFile {
 public:
  ~File() { close(); }

  bool create(std::string_view path, uint32_t) override {
    file_ = std::fopen(std::string(path).c_str(), "wb");
    return file_ != nullptr;
  }
  uint32_t number() const override { return 0; }
  void hold() override {}
  void close() override {
    if (file_) std::fclose(file_);
    file_ = nullptr;
  }
  uint64_t error() const override { return 0; }
  bool write(std::span<const uint8_t> bytes) override {
    return std::fwrite(bytes.data(), 1, bytes.size(), file_) == bytes.size();
  }

 private:
  std::FILE* file_ = nullptr;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::FILE* const from = std::fopen(argv[1], "rb");
  File file;
  if (!from || !file.create(argv[2], 0)) {
    std::perror(argv[from ? 2 : 1]);
    return 1;
  }
  cdr::drain::Session session(file);
  for (std::vector<uint64_t> words; read_batch(from, words);) session.consume(words);
  std::fclose(from);
  return session.state().finished ? 0 : 1;
}
