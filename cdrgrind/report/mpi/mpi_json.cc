// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/json_writer.h"
#include "cdrgrind/report/mpi/mpi_findings.h"

namespace cdr::report {

using mpi::NestItem;
using mpi::NestItems;

namespace {

class MpiJson {
 public:
  MpiJson(const MpiReport& report, Output& out) : report_(report), to_(out) {}

  void write() {
    const mpi::Summary& summary = report_.summary;
    to_.object().members("schema", "cdrgrind.mpi/1", "program", report_.program_name, "ranks", report_.ranks);
    to_.members("length", summary.length, "waited", summary.waited, "forced", summary.forced);
    to_.key("eager");
    if (report_.eager == UINT64_MAX)
      to_.null();
    else
      to_.value(report_.eager);
    put_binaries(report_.binaries, to_);
    to_.line_break().key("classes").rows();
    for (const mpi::RankClass& c : report_.classes.classes) {
      to_.object().members("ranks", mpi::spelled(c.ranks), "calls", c.calls).key("nest");
      items(c.nest, false);
      to_.end();
    }
    to_.end().line_break().key("merged");
    items(report_.merged, true);
    messages();
    matrix();
    late();
    mismatches();
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

  void number_or_null(std::string_view name, int64_t number, bool known) {
    to_.key(name);
    if (known)
      to_.value(number);
    else
      to_.null();
  }

  void messages() {
    const mpi::Summary& summary = report_.summary;
    const Hints hints(report_);
    to_.line_break().key("messages").object().members("matched", summary.matched, "guessed", summary.guessed);
    to_.key("unmatched").rows();
    for (const mpi::UnmatchedPost& post : summary.unmatched) {
      to_.object().members("rank", post.at.rank, "call", function_of(post.at), "send", post.send);
      number_or_null("peer", post.peer, post.peer >= 0);
      number_or_null("tag", post.tag, post.tag != CDR_MPI_ANY);
      to_.members("bytes", post.bytes, "communicator", comm_text(post));
      place(place_of(report_, post.at));
      to_.members("hint", hints.of(post)).end();
    }
    to_.end().end();
  }

  void matrix() {
    to_.line_break().key("matrix").rows();
    for (const mpi::MatrixCell& c : report_.summary.matrix) {
      to_.object().members("from", c.from, "to", c.to, "messages", c.messages, "bytes", c.bytes);
      if (c.one_sided) to_.members("one_sided", c.one_sided, "one_sided_bytes", c.one_sided_bytes);
      to_.end();
    }
    to_.end();
  }

  void late() {
    to_.line_break().key("late").rows();
    for (const mpi::LateLine& l : report_.late) {
      const CallPlace& peer = report_.places[l.peer_place];
      to_.object().members("kind", name_of(l.kind), "rank", l.ranks.front(), "peer", l.peers.front());
      to_.members("count", l.waits, "instructions", l.instructions, "call", mpi::function_name(l.function));
      place(report_.places[l.place]);
      to_.members("peer_call", mpi::function_name(l.peer_function), "peer_file", peer.file, "peer_line", peer.line);
      to_.end();
    }
    to_.end();
  }

  void mismatches() {
    to_.line_break().key("mismatches").rows();
    for (const mpi::Mismatch& m : report_.mismatches) {
      const CallPlace& peer = place_of(report_, m.peer);
      to_.object().members("rank", m.at.rank, "call", function_of(m.at));
      place(place_of(report_, m.at));
      to_.members("peer", m.peer.rank, "peer_call", function_of(m.peer));
      to_.members("peer_file", peer.file, "peer_line", peer.line).end();
    }
    to_.end();
  }

  void unfinished() {
    for (const bool stuck : {true, false}) {
      to_.line_break().key(stuck ? "deadlock" : "unfinished").rows();
      for (const mpi::Waiting& w : report_.waiting) {
        if (w.stuck != stuck) continue;
        to_.object().members("rank", w.at.rank, "call", function_of(w.at), "any", w.any);
        place(place_of(report_, w.at));
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
