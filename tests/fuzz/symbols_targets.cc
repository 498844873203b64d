// SPDX-License-Identifier: GPL-2.0-or-later
// Targets that read object files.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "cdrgrind/symbols/dwarf/line_program.h"
#include "cdrgrind/symbols/dwarf/list_headers.h"
#include "cdrgrind/symbols/elf/elf_image.h"
#include "cdrgrind/symbols/symbols.h"
#include "tests/fuzz/targets.h"

namespace cdr::fuzz {
namespace {

using symbols::ElfImage;
using symbols::Symbols;

// A file in memory, with a path.
class MemoryFile {
 public:
  explicit MemoryFile(Bytes content) : fd_(::memfd_create("fuzz", MFD_CLOEXEC)) {
    if (fd_ < 0 || ::write(fd_, content.data(), content.size()) != static_cast<ssize_t>(content.size())) std::abort();
  }
  ~MemoryFile() { ::close(fd_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

void ask_address(Symbols& symbols, uint64_t address) {
  symbols.modules_at(address);
  const symbols::SourcePos line = symbols.line_of(1, address);
  symbols.inline_chain(1, address);
  symbols.function_of(1, address);
  symbols.variable_at(1, address);
  symbols.tls_variable_at(1, address);
  if (!line.known()) return;
  symbols.breakpoint_addresses(line.file, line.line);
  symbols.next_line_with_code(line.file, line.line + 1);
}

// Some addresses of each segment: the first ones, and steps through the rest.
void ask_segment(Symbols& symbols, uint64_t begin, uint64_t end) {
  constexpr uint64_t kQuestions = 64;
  const uint64_t step = (end - begin) / kQuestions | 1;
  for (uint64_t i = 0; i < kQuestions; ++i) {
    ask_address(symbols, begin + 4 * i);
    ask_address(symbols, begin + step * i);
  }
}

}  // namespace

void symbols(Bytes input) {
  const MemoryFile file(input);
  const auto image = ElfImage::read(file.path());
  symbols::SymbolOptions options;
  options.system_debug_dir = "/nonexistent";
  Symbols symbols(options);
  symbols::Module module;
  module.serial = 1;
  module.path = file.path();
  module.text_size = ~uint64_t{0};
  symbols.add_module(module);
  ask_address(symbols, 0);
  if (image) {
    size_t segments = 0;
    for (const auto& segment : image->segments) {
      if (++segments > 8) break;
      ask_segment(symbols, segment.begin, segment.end);
    }
  }
  symbols.coverage().summary();
}

void line_program(Bytes input) {
  size_t rows = 0;
  symbols::run_line_program(input, 0, [&](const std::vector<symbols::ProgramRow>& sequence) {
    if (sequence.empty() || !sequence.back().is_end) std::abort();
    rows += sequence.size();
  });
  if (rows > input.size()) std::abort();  // a row takes at least a byte
  symbols::has_sound_list_headers(input);
}

}  // namespace cdr::fuzz
