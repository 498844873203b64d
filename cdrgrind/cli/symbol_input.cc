// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/symbol_input.h"

#include <fmt/format.h>

#include "cdrgrind/cli/failure.h"

namespace cdr::cli {

namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Words may lie across the pieces of a file.
class WordReader {
 public:
  WordReader(InputFile& file, uint32_t most, analysis::SymbolSequence& sequence)
      : file_(file), most_(most), sequence_(sequence) {}

  void take(std::string_view piece) {
    const char* at = piece.data();
    const char* const end = at + piece.size();
    if (!begun_.empty()) at = finish_begun(at, end);
    while (at != end) {
      while (at != end && is_space(*at)) ++at;
      const char* const word = at;
      while (at != end && !is_space(*at)) ++at;
      if (at == end)
        begun_.assign(word, at);
      else
        add({word, static_cast<size_t>(at - word)});
    }
  }
  void finish() {
    if (!begun_.empty()) add(begun_);
    begun_.clear();
  }

 private:
  const char* finish_begun(const char* at, const char* end) {
    const char* const from = at;
    while (at != end && !is_space(*at)) ++at;
    begun_.append(from, at);
    if (at != end) finish();
    return at;
  }
  void add(std::string_view word) { append_symbol(sequence_, word, file_, most_); }

  InputFile& file_;
  uint32_t most_;
  analysis::SymbolSequence& sequence_;
  std::string begun_;
};

}  // namespace

void append_symbol(analysis::SymbolSequence& sequence, std::string_view word, const InputFile& from, uint32_t most) {
  if (sequence.symbols.size() >= most)
    throw Failure(kBadInput, fmt::format("{}: more than {} symbols; split it", from.name(), most));
  sequence.symbols.push_back(sequence.names.id_of(word));
}

analysis::SymbolSequence read_symbols(InputFile& file, const analysis::Progress& progress, uint32_t most) {
  analysis::SymbolSequence sequence;
  WordReader words(file, most, sequence);
  for (std::string_view piece; !(piece = file.next()).empty();) {
    words.take(piece);
    if (progress) progress("reading", file.bytes(), file.expected());
  }
  words.finish();
  return sequence;
}

}  // namespace cdr::cli
