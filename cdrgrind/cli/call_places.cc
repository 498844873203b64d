// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/call_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "cdrgrind/cli/open_trace.h"
#include "cdrgrind/report/common/source_place.h"

namespace cdr::cli {

namespace {

const Module* module_of(const trace::TraceFile& file, uint64_t site) {
  const Module* found = nullptr;
  for (const Module& m : file.modules())
    if (m.text.contains(site)) found = &m;
  return found;
}

}  // namespace

void PlaceFinder::add(uint32_t number, trace::TraceFile file, mpi::RankLog& log) {
  std::unordered_map<uint64_t, uint32_t> of_sites;  // behind the code's number in codes_
  for (mpi::Call& c : log.calls) {
    const auto [known, added] = of_sites.try_emplace(c.site, 0);
    if (added)
      if (const Module* m = module_of(file, c.site)) {
        std::string key = fmt::format("{}:{}:{:x}", m->path, m->file_id, c.site - 1 - m->bias);
        const auto [code, is_new] = known_.try_emplace(key, static_cast<uint32_t>(codes_.size()));
        if (is_new) codes_.push_back({std::move(key), number, c.site});
        known->second = code->second + 1;
      }
    c.place = known->second;
  }
  std::error_code error;
  if (!std::filesystem::is_regular_file(names_[number], error)) kept_.emplace(number, std::move(file));
}

void PlaceFinder::find(std::vector<mpi::RankLog>& logs) {
  std::vector<ByteWriter> to(all_.count());
  mpi::put(to[0], codes_);
  std::vector<std::vector<Code>> codes(all_.count());
  const std::vector<mpi::Bytes> told = all_.exchange(std::move(to));
  for (size_t p = 0; all_.first() && p < told.size(); ++p) {
    ByteReader from(told[p]);
    mpi::get(from, codes[p]);
  }
  if (all_.first()) look_up(codes_of_all(codes));

  // What is known of each piece of code, for who asked.
  to = std::vector<ByteWriter>(all_.count());
  for (size_t p = 0; all_.first() && p < to.size(); ++p)
    for (const Code& c : codes[p]) {
      const auto place = std::lower_bound(places_.begin(), places_.end(), found_[c.key]);
      mpi::put(to[p], static_cast<uint32_t>(place - places_.begin()));
    }
  const std::vector<mpi::Bytes> answers = all_.exchange(std::move(to));
  std::vector<uint32_t> places = {0};
  for (ByteReader from(answers[0]); !from.at_end();) mpi::get(from, places.emplace_back());
  for (mpi::RankLog& log : logs)
    for (mpi::Call& c : log.calls) c.place = places[c.place];
  mpi::share_from_first(all_, places_);
}

// By the first file that has them.
std::vector<PlaceFinder::Code> PlaceFinder::codes_of_all(std::vector<std::vector<Code>>& by_process) const {
  std::vector<Code> all;
  std::set<std::string_view> known;
  for (const std::vector<Code>& codes : by_process)
    for (const Code& c : codes)
      if (known.insert(c.key).second) all.push_back(c);
  return all;
}

void PlaceFinder::look_up(const std::vector<Code>& codes) {
  for (size_t begin = 0, end; begin < codes.size(); begin = end) {
    for (end = begin; end < codes.size() && codes[end].file == codes[begin].file;) ++end;
    const std::span<const Code> of_file(codes.data() + begin, end - begin);
    if (const auto kept = kept_.find(codes[begin].file); kept != kept_.end())
      look_up(of_file, kept->second);
    else
      look_up(of_file, read_trace(names_[codes[begin].file]));
  }
  places_.emplace_back();
  for (const auto& [key, place] : found_) places_.push_back(place);
  std::sort(places_.begin(), places_.end());
  places_.erase(std::unique(places_.begin(), places_.end()), places_.end());
}

void PlaceFinder::look_up(std::span<const Code> codes, const trace::TraceFile& file) {
  symbols::Symbols symbols = symbols_of(file, options_);
  for (const Code& c : codes) {
    const Module* m = module_of(file, c.site);
    if (!m) continue;  // the file was another one when it was read before
    const CodeAddr site{m->id, c.site - 1};
    const report::SourcePlace p = report::source_place_of({&site, 1}, file.modules(), symbols);
    found_[c.key] = {std::string(p.file), p.line, std::string(p.function)};
  }
  for (const symbols::BinaryNote& note : symbols.binaries())
    if (std::none_of(binaries_.begin(), binaries_.end(), [&](const auto& known) { return known.path == note.path; }))
      binaries_.push_back(note);
}

report::CallPlaces PlaceFinder::take(report::BinaryNotes& binaries) {
  binaries = std::move(binaries_);
  return std::move(places_);
}

}  // namespace cdr::cli
