// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>

#include <algorithm>

#include "cdrgrind/report/common/json_writer.h"
#include "cdrgrind/report/mpi/mpi_findings.h"

namespace cdr::report {

using mpi::Call;

namespace {

class PerfettoWriter {
 public:
  PerfettoWriter(const MpiReport& report, Output& out) : report_(report), to_(out) {}

  void write() {
    to_.object().members("displayTimeUnit", "ns").key("traceEvents").rows();
    for (uint32_t r = 0; r < report_.program.ranks(); ++r) rank(r);
    to_.end().end();
  }

 private:
  void rank(uint32_t r) {
    const mpi::RankLog& log = report_.program.log(r);
    to_.object().members("ph", "M", "pid", r, "name", "process_name").key("args").object();
    to_.members("name", fmt::format("rank {}", r)).end().end();
    for (uint32_t i = 0; i < log.calls.size(); ++i) call(r, i, log.calls[i]);
    for (uint32_t i = 0; i < log.posts.size(); ++i)
      if (log.posts[i].send) message({r, i});
  }

  void call(uint32_t r, uint32_t number, const Call& c) {
    const uint64_t begin = report_.times.begin[r][number], end = report_.times.end[r][number];
    const CallPlace& p = report_.places.of(r, c);
    to_.object().members("ph", "X", "pid", r, "tid", c.thread, "ts", begin, "dur", end - begin);
    to_.members("name", mpi::function_name(c.function)).key("args").object();
    if (c.has_bytes) to_.members("bytes", c.bytes);
    if (c.has_peer) to_.members("tag", c.tag);
    to_.members("file", p.file, "line", p.line).end().end();
  }

  // From the call that sends to the one that completes the receive.
  void message(mpi::PostRef p) {
    const mpi::PostRef other = report_.program.partner(p);
    if (!other) return;
    const mpi::Post& receive = report_.program.post(other);
    const uint32_t from = report_.program.post(p).call;
    const uint32_t to = receive.done == mpi::kNone ? receive.call : receive.done;
    ++messages_;
    end_of_arrow("s", p.rank, from, report_.times.begin[p.rank][from]);
    end_of_arrow("f", other.rank, to, report_.times.end[other.rank][to]);
  }
  void end_of_arrow(const char* phase, uint32_t rank, uint32_t call, uint64_t at) {
    to_.object().members("ph", phase, "id", messages_, "pid", rank, "tid",
                         report_.program.log(rank).calls[call].thread);
    to_.members("ts", at, "name", "message", "cat", "message");
    if (*phase == 'f') to_.members("bp", "e");
    to_.end();
  }

  const MpiReport& report_;
  JsonWriter to_;
  uint64_t messages_ = 0;
};

}  // namespace

void write_mpi_perfetto(const MpiReport& report, Output& out) {
  PerfettoWriter(report, out).write();
  out.put('\n');
}

}  // namespace cdr::report
