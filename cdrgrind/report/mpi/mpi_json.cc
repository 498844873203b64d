// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/json_writer.h"
#include "cdrgrind/report/mpi/mpi_findings.h"

namespace cdr::report {

using mpi::Call;
using mpi::NestItem;
using mpi::NestItems;

namespace {

class MpiJson {
 public:
  MpiJson(const MpiReport& report, Output& out) : report_(report), to_(out) {}

  void write() {
    const mpi::Program& program = report_.program;
    to_.object().members("schema", "cdrgrind.mpi/1", "program", report_.program_name, "ranks", program.ranks());
    to_.members("length", report_.times.length, "waited", report_.times.total_waited, "forced", report_.times.forced);
    to_.key("eager");
    if (report_.eager == UINT64_MAX)
      to_.null();
    else
      to_.value(report_.eager);
    put_binaries(report_.binaries, to_);
    to_.line_break().key("classes").rows();
    for (const mpi::RankClass& c : report_.classes.classes) {
      to_.object().members("ranks", mpi::spelled(c.ranks), "calls", c.symbols.size()).key("nest");
      items(mpi::nest_items(c), false);
      to_.end();
    }
    to_.end().line_break().key("merged");
    items(report_.merged, true);
    messages();
    matrix();
    late();
    collectives();
    unfinished();
    to_.end();
  }

 private:
  void items(const NestItems& list, bool with_ranks) {
    to_.array();
    for (const NestItem& item : list) {
      if (item.count == 0 && !with_ranks) {
        to_.value(report_.classes.names.name(item.symbol));
        continue;
      }
      to_.object();
      if (with_ranks) to_.members("ranks", mpi::spelled(item.ranks));
      if (item.count == 0) {
        to_.members("call", report_.classes.names.name(item.symbol));
      } else {
        to_.members("count", item.count).key("body");
        items(item.body, with_ranks);
      }
      to_.end();
    }
    to_.end();
  }

  void place(const CallPlace& p) { to_.members("file", p.file, "line", p.line); }

  void messages() {
    const mpi::Program& program = report_.program;
    to_.line_break().key("messages").object().members("matched", program.matched(), "guessed", program.guessed());
    to_.key("unmatched").rows();
    for (const mpi::PostRef p : program.unmatched()) {
      const mpi::Post& post = program.post(p);
      const Call& call = program.log(p.rank).calls[post.call];
      const int64_t peer = program.peer_of(p.rank, post);
      to_.object().members("rank", p.rank, "call", mpi::function_name(call.function), "send", post.send);
      to_.key("peer");
      if (peer < 0)
        to_.null();
      else
        to_.value(peer);
      to_.key("tag");
      if (post.tag == CDR_MPI_ANY)
        to_.null();
      else
        to_.value(post.tag);
      to_.members("bytes", post.bytes, "communicator", comm_text(program, p.rank, post.comm));
      place(report_.places.of(p.rank, call));
      to_.members("hint", hint_of(report_, p)).end();
    }
    to_.end().end();
  }

  void matrix() {
    to_.line_break().key("matrix").rows();
    for (const mpi::MatrixCell& c : report_.program.matrix())
      to_.object().members("from", c.from, "to", c.to, "messages", c.messages, "bytes", c.bytes).end();
    to_.end();
  }

  void late() {
    to_.line_break().key("late").rows();
    for (const LateLine& l : late_lines(report_, true)) {
      to_.object().members("kind", name_of(l.kind), "rank", l.ranks.front(), "peer", l.peers.front());
      to_.members("count", l.waits, "instructions", l.instructions, "call", l.function);
      place(*l.place);
      to_.members("peer_call", l.peer_function, "peer_file", l.peer_place->file, "peer_line", l.peer_place->line);
      to_.end();
    }
    to_.end();
  }

  void collectives() {
    to_.line_break().key("mismatches").rows();
    for (const mpi::Mismatch& m : report_.collectives.mismatches()) {
      to_.object();
      side("", m.rank, m.call);
      side("peer_", m.peer, m.peer_call);
      to_.end();
    }
    to_.end();
  }
  void side(const std::string& before, uint32_t rank, uint32_t number) {
    const Call& call = report_.program.log(rank).calls[number];
    const CallPlace& p = report_.places.of(rank, call);
    to_.members(before.empty() ? "rank" : "peer", rank, before + "call", mpi::function_name(call.function));
    to_.members(before + "file", p.file, before + "line", p.line);
  }

  void unfinished() {
    for (const bool stuck : {true, false}) {
      to_.line_break().key(stuck ? "deadlock" : "unfinished").rows();
      for (const mpi::Waiting& w : report_.waiting) {
        if (w.stuck != stuck) continue;
        const Call& call = report_.program.log(w.rank).calls[w.call];
        to_.object().members("rank", w.rank, "call", mpi::function_name(call.function), "any", w.any);
        place(report_.places.of(w.rank, call));
        to_.list("waits_for", w.for_ranks).end();
      }
      to_.end();
    }
  }

  const MpiReport& report_;
  JsonWriter to_;
};

}  // namespace

void write_mpi_json(const MpiReport& report, Output& out) {
  MpiJson(report, out).write();
  out.put('\n');
}

}  // namespace cdr::report
