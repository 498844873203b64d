// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/binaries.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

#include "cdrgrind/report/common/escape.h"

namespace cdr::report {

namespace {

using symbols::BinaryNote;
using symbols::BinaryState;

constexpr const char* kWhatToDo = "keep the old file in a folder and give --debug-dir=DIR, or record again";

std::string shortened(const std::string& id) {
  constexpr size_t kShown = 8;
  return id.empty() ? "none" : id.size() <= kShown + 1 ? id : id.substr(0, kShown) + "…";
}

// How the file that stands there differs.
std::string difference(const BinaryNote& n) {
  if (n.build_id != n.present_build_id) {
    const std::string then = shortened(n.build_id), now = shortened(n.present_build_id);
    return then == now ? fmt::format("build-id {} then, {} now", n.build_id, n.present_build_id)
                       : fmt::format("build-id {} then, {} now", then, now);
  }
  return n.bytes == n.present_bytes ? "other content" : fmt::format("{} bytes then, {} now", n.bytes, n.present_bytes);
}

std::vector<std::string> sentence_words(const BinaryNotes& notes, BinaryState state) {
  std::vector<std::string> words;
  for (const BinaryNote& n : notes) {
    if (n.state != state) continue;
    const std::string path = visible(n.path);
    words.push_back(state == BinaryState::kChanged ? fmt::format("{} ({})", path, difference(n)) : path);
  }
  return words;
}

// "a, b and 3 more"
std::string enumeration(std::vector<std::string> words) {
  constexpr size_t kMost = 3;
  const size_t left_out = words.size() > kMost ? words.size() - kMost + 1 : 0;
  if (left_out) words.resize(kMost - 1);
  return fmt::format("{}{}", fmt::join(words, ", "), left_out ? fmt::format(" and {} more", left_out) : "");
}

std::string sentence(BinaryState state, const std::vector<std::string>& words) {
  const bool one = words.size() == 1;
  const std::string which = enumeration(words);
  switch (state) {
    case BinaryState::kChanged:
      return fmt::format("{} {} changed since the recording: names from {} are left out; {}", which,
                         one ? "has" : "have", one ? "it" : "them", kWhatToDo);
    case BinaryState::kMissing:
      return fmt::format("{} {} not there: names from {} are left out; {}", which, one ? "is" : "are",
                         one ? "it" : "them", kWhatToDo);
    case BinaryState::kNewer:
      return fmt::format(
          "{} {} newer than the recording, whose format does not tell binaries apart: names from {} may "
          "be wrong",
          which, one ? "is" : "are", one ? "it" : "them");
    default:
      return {};
  }
}

const char* name_of(BinaryState state) {
  return state == BinaryState::kChanged ? "changed" : state == BinaryState::kFound ? "found" : "missing";
}

}  // namespace

std::string build_id_of(const Module& m) {
  std::string id;
  if (m.file_id_kind != FileIdKind::kBuildId) return id;
  for (const char c : m.file_id) id += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return id;
}

std::optional<uint64_t> checksum_of(const Module& m) {
  uint64_t sum = 0;
  if (m.file_id_kind != FileIdKind::kChecksum || m.file_id.size() != sizeof sum) return std::nullopt;
  std::memcpy(&sum, m.file_id.data(), sizeof sum);
  return sum;
}

std::vector<std::string> sentences_of(const BinaryNotes& notes) {
  std::vector<std::string> sentences;
  for (const BinaryState state : {BinaryState::kChanged, BinaryState::kMissing, BinaryState::kNewer})
    if (const auto words = sentence_words(notes, state); !words.empty()) sentences.push_back(sentence(state, words));
  return sentences;
}

void put_binaries(const BinaryNotes& notes, JsonWriter& to) {
  const auto is_told = [](const BinaryNote& n) { return n.state != BinaryState::kNewer; };
  if (std::none_of(notes.begin(), notes.end(), is_told)) return;
  to.key("binaries").array();
  for (const BinaryNote& n : notes) {
    if (!is_told(n)) continue;
    to.object().members("path", n.path, "state", name_of(n.state)).key("build_id");
    n.build_id.empty() ? to.null() : to.value(n.build_id);
    if (!n.file.empty()) to.members("file", n.file);
    to.end();
  }
  to.end();
}

}  // namespace cdr::report
