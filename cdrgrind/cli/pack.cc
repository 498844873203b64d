// SPDX-License-Identifier: GPL-2.0-or-later
// `cdrgrind pack`: puts what names a trace's addresses into the trace: the object files that it names, with their debug
// files, and the sources. So it says the same wherever it is read. Equal contents are there once.
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <deque>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "cdrgrind/base/checksum.h"
#include "cdrgrind/cli/command_line.h"
#include "cdrgrind/cli/command_watch.h"
#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/open_trace.h"
#include "cdrgrind/cli/options.h"
#include "cdrgrind/cli/output_file.h"
#include "cdrgrind/cli/packed_source.h"
#include "cdrgrind/report/common/output.h"
#include "cdrgrind/report/races/atomic_stores.h"
#include "cdrgrind/symbols/common/paths.h"
#include "cdrgrind/trace/read/pack.h"
#include "cdrgrind/trace/read/with_frame.h"

namespace cdr::cli {

namespace {

using report::visible;
using report::with_separators;
using trace::TraceFile;

struct PackOptions {
  SharedOptions shared;
  std::string output;
  bool no_sources = false;
  std::string interrupt;
};

// How many files have been read. Nothing is put in place of the trace if it is interrupted.
class PackProgress {
 public:
  explicit PackProgress(const std::string& interrupt) : watch_(interrupt), part_(watch_.watch(), "files", 0, 1) {}
  void file() {
    if (!part_.goes_on(files_++)) throw Failure(kInterrupted, "interrupted: nothing was written");
  }

 private:
  CommandWatch watch_;
  analysis::WatchedPart part_;
  uint64_t files_ = 0;
};

std::optional<std::vector<uint8_t>> bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  return std::vector<uint8_t>(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
}

// The contents of files, each once, by path until they are written.
class Contents {
 public:
  explicit Contents(PackProgress& progress) : progress_(progress) {}
  // No content if it cannot be read.
  trace::PackedFileRef add(const std::string& path) {
    progress_.file();
    struct stat state = {};
    if (path.empty() || stat(path.c_str(), &state) != 0 || !S_ISREG(state.st_mode)) return {};
    const auto bytes = bytes_of(path);
    if (!bytes) return {};
    if (bytes->size() >= kMaxRawBytes)
      throw Failure(kBadInput, fmt::format("{}: too large to be packed ({} bytes)", path, bytes->size()));
    const std::pair key(checksum64(*bytes), bytes->size());
    const auto [known, is_new] = numbers_.try_emplace(key, static_cast<uint32_t>(paths_.size() + 1));
    if (is_new) {
      paths_.push_back(path);
      bytes_ += bytes->size();
    }
    return {known->second, static_cast<int64_t>(state.st_mtime)};
  }
  const std::vector<std::string>& paths() const { return paths_; }
  uint64_t bytes() const { return bytes_; }

 private:
  PackProgress& progress_;
  std::map<std::pair<uint64_t, uint64_t>, uint32_t> numbers_;  // by checksum and size
  std::vector<std::string> paths_;                             // by number - 1
  uint64_t bytes_ = 0;
};

void add_binaries(symbols::Symbols& symbols, Contents& contents, trace::PackList& list) {
  for (const symbols::FoundBinary& b : symbols.found_binaries()) {
    trace::PackedBinaryRow row;
    row.path = b.module.path;
    row.build_id = b.module.build_id;
    row.checksum = b.module.checksum;
    row.bytes = b.note.bytes;
    row.state = static_cast<uint8_t>(b.note.state);
    row.present_build_id = b.note.present_build_id;
    row.present_bytes = b.note.present_bytes;
    row.file = b.note.file;
    row.image = contents.add(b.image);
    row.debug = contents.add(b.debug);
    list.binaries.push_back(std::move(row));
  }
}

// Those that have code, and the headers of the user's that they include: their macros say what is atomic.
void add_sources(symbols::Symbols& symbols, Contents& contents, trace::PackList& list) {
  list.has_sources = true;
  std::set<std::string> seen;
  std::deque<std::pair<std::string, std::string>> left;  // name, where it is
  for (const std::string_view name : symbols.files_matching("")) {
    const auto path = symbols.find_source(name);
    if (path && seen.insert(std::string(name)).second) left.emplace_back(name, *path);
  }
  for (; !left.empty(); left.pop_front()) {
    const auto& [name, path] = left.front();
    const trace::PackedFileRef file = contents.add(path);
    if (file.content == 0) continue;
    list.sources.push_back({name, path, file});
    for (const std::string& header : report::headers_beside(path))
      if (seen.insert(header).second) left.emplace_back(header, header);
  }
}

void write_packed(const TraceFile& file, const Contents& contents, const trace::PackList& list, PackProgress& progress,
                  OutputFile& to) {
  trace::FrameAppender appender(file, to);
  ByteWriter payload;
  for (const std::string& path : contents.paths()) {
    progress.file();
    const auto bytes = bytes_of(path);
    if (!bytes) throw Failure(kBadInput, fmt::format("{}: {}", path, std::strerror(errno)));
    payload.clear();
    trace::encode_pack_content(*bytes, payload);
    appender.add(FrameType::kPack, payload.bytes());
  }
  payload.clear();
  trace::encode_pack_list(list, payload);
  appender.add(FrameType::kPack, payload.bytes());
  appender.finish();
}

void check_input(const PackOptions& options, const TraceFile& file, bool in_place) {
  struct stat state = {};
  const bool from_input = options.shared.trace == kStandardInput;
  if (in_place && (from_input || stat(options.shared.trace.c_str(), &state) != 0 || !S_ISREG(state.st_mode)))
    throw Failure(kWrongUse, options.shared.trace + ": not a regular file; name the new one with -o");
  if (file.status() != trace::Status::kComplete)
    throw Failure(kBadInput, options.shared.trace + ": has no end: only a whole trace can be packed");
}

int run_pack(const PackOptions& options) {
  const TraceFile file = open_trace(options.shared.trace);
  const bool in_place = options.output.empty() || followed(options.output) == followed(options.shared.trace);
  check_input(options, file, in_place);
  report::Output out(STDOUT_FILENO);
  const std::string& name = in_place ? options.shared.trace : options.output;
  const bool packed = file.find(FrameType::kPack) != nullptr;
  struct stat state = {};
  if (stat(options.shared.trace.c_str(), &state) != 0) state.st_mode = 0644;
  if (!packed || !in_place) {
    PackProgress progress(options.interrupt);
    Contents contents(progress);
    trace::PackList list;
    OutputFile to(name, {.mode = state.st_mode & 07777, .keep = in_place ? "" : options.shared.trace});
    if (packed) {
      to.write(file.content());
    } else {
      symbols::Symbols symbols = symbols_of(file, options.shared.symbols);
      add_binaries(symbols, contents, list);
      if (!options.no_sources) add_sources(symbols, contents, list);
      write_packed(file, contents, list, progress, to);
    }
    to.put_in_place();
    if (!packed)
      out.print("{}: {} modules and {} sources, {} bytes of {} files\n", visible(name),
                with_separators(list.binaries.size()), with_separators(list.sources.size()),
                with_separators(contents.bytes()), with_separators(contents.paths().size()));
  }
  if (packed) out.print("{}: it was packed: left as it is\n", visible(file.name()));
  out.flush();
  return kFine;
}

}  // namespace

Action add_pack(CommandLine& line) {
  auto options = std::make_shared<PackOptions>();
  add_shared_options(line, kNamedTrace, options->shared);
  line.add("-o,--output", options->output, "write this file and leave FILE as it is").value("OUT");
  line.add_flag("--no-sources", options->no_sources, "leave the sources out");
  add_search_folders(line, options->shared.symbols);
  add_interrupt(line, options->interrupt);
  return [options] { return run_pack(*options); };
}

}  // namespace cdr::cli
