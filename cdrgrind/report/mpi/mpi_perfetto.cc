// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>

#include <utility>

#include "cdrgrind/analysis/mpi/arrows.h"
#include "cdrgrind/report/common/json_writer.h"
#include "cdrgrind/report/mpi/mpi_findings.h"

namespace cdr::report {

using mpi::Arrow;
using mpi::Call;

namespace {

// The events of one rank, a line each.
class RankEvents {
 public:
  RankEvents(const mpi::Program& program, const mpi::Times& times, const CallPlaces& places, uint64_t first_message)
      : program_(program), times_(times), places_(places), messages_(first_message) {}

  void write(uint32_t r, const std::vector<Arrow>& arrows) {
    const mpi::RankLog& log = program_.log(r);
    to_.object().members("ph", "M", "pid", r, "name", "process_name").key("args").object();
    to_.members("name", fmt::format("rank {}", r)).end();
    end();
    for (uint32_t i = 0; i < log.calls.size(); ++i) call(r, i, log.calls[i]);
    for (const Arrow& a : arrows) {
      ++messages_;
      end_of_arrow("s", a.from, a.from_thread, a.begin);
      end_of_arrow("f", a.to, a.to_thread, a.end);
    }
  }
  std::string take() { return std::exchange(text_, Output()).text(); }

 private:
  void end() {
    to_.end();
    text_.put('\n');
  }

  void call(uint32_t r, uint32_t number, const Call& c) {
    const uint64_t begun = times_.begin_of(r, number), ended = times_.end_of(r, number);
    to_.object().members("ph", "X", "pid", r, "tid", c.thread, "ts", begun, "dur", ended - begun);
    to_.members("name", mpi::function_name(c.function)).key("args").object();
    if (c.has_bytes) to_.members("bytes", c.bytes);
    if (c.has_peer) to_.members("tag", c.tag);
    to_.members("file", places_[c.place].file, "line", places_[c.place].line).end();
    end();
  }
  void end_of_arrow(const char* phase, uint32_t rank, uint32_t thread, uint64_t at) {
    to_.object().members("ph", phase, "id", messages_, "pid", rank, "tid", thread);
    to_.members("ts", at, "name", "message", "cat", "message");
    if (*phase == 'f') to_.members("bp", "e");
    end();
  }

  const mpi::Program& program_;
  const mpi::Times& times_;
  const CallPlaces& places_;
  Output text_;
  JsonWriter to_{text_};
  uint64_t messages_;
};

// Of the processes before this one.
uint64_t messages_before(mpi::Processes& all, const std::vector<std::vector<Arrow>>& arrows) {
  uint64_t own = 0, before = 0;
  for (const auto& of_rank : arrows) own += of_rank.size();
  ByteWriter mine;
  mpi::put(mine, own);
  const std::vector<mpi::Bytes> counts = mpi::told_by_all(all, mine);
  for (uint32_t p = 0; p < all.self(); ++p) before += ByteReader(counts[p]).varint();
  return before;
}

}  // namespace

// Rank by rank: the first process keeps the events of one rank at a time.
void write_mpi_perfetto(const mpi::Program& program, const mpi::Times& times, const CallPlaces& places, Output& out) {
  mpi::Processes& all = program.processes();
  const auto arrows = mpi::arrows_of(program, times);
  RankEvents events(program, times, places, messages_before(all, arrows));
  out.put("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
  bool any = false;
  for (uint32_t r = 0; r < program.ranks(); ++r) {
    std::string rows;
    if (program.here(r)) {
      events.write(r, arrows[r - program.begin()]);
      rows = events.take();
    }
    if (all.first() && !program.here(r)) {
      const mpi::Bytes bytes = all.receive(program.owner(r));
      rows.assign(bytes.begin(), bytes.end());
    }
    if (!all.first()) {
      if (program.here(r)) all.send(0, {reinterpret_cast<const uint8_t*>(rows.data()), rows.size()});
      continue;
    }
    for (size_t begin = 0, end; begin < rows.size(); begin = end + 1) {
      end = rows.find('\n', begin);
      out.put(std::exchange(any, true) ? ",\n" : "\n").put(std::string_view(rows).substr(begin, end - begin));
    }
  }
  out.put("\n]}\n");
}

}  // namespace cdr::report
