// SPDX-License-Identifier: GPL-2.0-or-later
// Changes a trace file behind its checksums: payloads and their columns are taken out of their compression, changed
// here and there, compressed again, and everything that a reader checks first is put right: lengths, checksums,
// sequence numbers, the numbers of events, INDEX. What is changed follows from the seed alone.
#ifndef CDRGRIND_TESTS_FUZZ_MUTATION_H
#define CDRGRIND_TESTS_FUZZ_MUTATION_H

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "cdrgrind/format/frame.h"
#include "tests/fuzz/targets.h"

namespace cdr::fuzz {

// A trace file in pieces. Takes anything that begins like a trace; what cannot be taken apart is left out.
class LooseTrace {
 public:
  explicit LooseTrace(Bytes file);
  bool empty() const { return frames_.empty(); }

  // One change. Returns what was done, for people.
  std::string change(std::mt19937_64& random);
  // The column of the first frame of the type that has so many; null if none has.
  std::vector<uint8_t>* column(FrameType type, size_t number);
  // The file. Numbers of events are those that the frames of turns tell, if that is not many times as many as before.
  std::vector<uint8_t> file() const;

 private:
  using Text = std::vector<uint8_t>;
  struct Frame {
    FrameHeader header;
    bool in_columns = false;
    std::vector<Text> texts;  // its columns, or its payload
  };
  bool read_frame(const FrameHeader& h, Bytes stored);
  std::string change_text(std::mt19937_64& random);
  std::string change_columns(std::mt19937_64& random);
  std::string change_frames(std::mt19937_64& random);
  std::string change_header(std::mt19937_64& random);
  size_t some_frame(std::mt19937_64& random) const;
  uint64_t events_of(size_t control) const;

  uint32_t version_ = 0;
  std::vector<Frame> frames_;
};

// `changes` changes of the file.
std::vector<uint8_t> mutated(Bytes file, uint64_t seed, unsigned changes, std::string* told = nullptr);

// The file with a column changed: of the first frame of the type that has so many.
std::vector<uint8_t> with_changed_column(Bytes file, FrameType type, size_t column,
                                         const std::function<void(std::vector<uint8_t>&)>& change);

}  // namespace cdr::fuzz

#endif
