// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cdrgrind/report/mpi/mpi_findings.h"

namespace cdr::report {

using mpi::Call;
using mpi::NestItem;
using mpi::NestItems;

namespace {

std::string ranks_text(const mpi::RankSet& ranks) {
  return (ranks.size() == 1 ? "rank " : "ranks ") + mpi::spelled(ranks);
}

// Of those around them; said by who is missing, if that is much shorter.
std::string ranks_text(const mpi::RankSet& ranks, const mpi::RankSet& around) {
  constexpr size_t kShort = 40;
  const std::string text = ranks_text(ranks);
  if (text.size() <= kShort) return text;
  mpi::RankSet missing;
  std::set_difference(around.begin(), around.end(), ranks.begin(), ranks.end(), std::back_inserter(missing));
  const std::string others = ranks_text(missing);
  return 2 * others.size() < text.size() ? "all but " + others : text;
}

std::string at_text(const CallPlace& p) {
  const std::string place = short_place(p);
  return place.empty() ? "" : " at " + place;
}

class MpiText {
 public:
  MpiText(const MpiReport& report, Output& out) : report_(report), out_(out) {}

  void write() {
    head();
    nest();
    classes();
    messages();
    matrix();
    waits();
    collectives();
    unfinished();
  }

 private:
  void title(std::string_view text) { out_.put(section(text, report_.style)); }
  void line(std::string_view name, std::string_view value) {
    out_.print("{} {}\n", padded_right(std::string(name) + ":", 18), visible(value));
  }
  // How many rows of so many.
  size_t shown(size_t all) const { return report_.most == 0 ? all : std::min<size_t>(all, report_.most); }
  void rest(size_t all) {
    if (shown(all) < all) out_.print("  and {} more (-n 0 shows all)\n", with_separators(all - shown(all)));
  }

  void head() {
    const mpi::Program& program = report_.program;
    uint64_t calls = 0, in_vain = 0;
    for (uint32_t r = 0; r < program.ranks(); ++r)
      calls += program.log(r).calls.size(), in_vain += program.log(r).in_vain;
    title("MPI");
    if (!report_.program_name.empty()) line("Program", report_.program_name);
    for (const std::string& sentence : sentences_of(report_.binaries)) line("Binaries", sentence);
    line("Ranks", fmt::format("{} in {} {}", program.ranks(), report_.classes.classes.size(),
                              report_.classes.classes.size() == 1 ? "class" : "classes"));
    line("Library", program.log(0).library == CDR_MPI_OPEN_MPI ? "Open MPI"
                    : program.log(0).library == CDR_MPI_MPICH  ? "MPICH"
                                                               : "not known");
    line("Calls", with_separators(calls) +
                      (in_vain ? fmt::format("; of these {} tests and probes that found nothing, left out below",
                                             with_separators(in_vain))
                               : ""));
    line("Length", fmt::format("{} instructions, if messages take none", with_separators(report_.times.length)));
  }

  void nest() {
    out_.put('\n');
    title("Loop nest of all ranks");
    mpi::RankSet all;
    for (uint32_t r = 0; r < report_.program.ranks(); ++r) all.push_back(r);
    out_.print("{}\n", ranks_text(all));
    items(report_.merged, all, 1);
  }
  void items(const NestItems& list, const mpi::RankSet& around, size_t depth) {
    const std::string indent(2 * depth, ' ');
    for (const NestItem& item : list) {
      const std::string ranks = item.ranks == around ? "" : ranks_text(item.ranks, around) + ": ";
      if (item.count == 0) {
        out_.print("{}{}{}\n", indent, ranks, report_.classes.names.name(item.symbol));
        continue;
      }
      out_.print("{}{}(\n", indent, ranks);
      items(item.body, item.ranks, depth + 1);
      out_.print("{})^{}\n", indent, with_separators(item.count));
    }
  }

  void classes() {
    const auto& classes = report_.classes.classes;
    if (classes.size() < 2) return;
    out_.put('\n');
    title("Classes of ranks");
    for (size_t i = 0; i < shown(classes.size()); ++i)
      out_.print("{}: {}\n", ranks_text(classes[i].ranks), line_of(mpi::nest_items(classes[i])));
    rest(classes.size());
  }
  std::string line_of(const NestItems& list) const {
    std::string text;
    for (const NestItem& item : list) {
      if (!text.empty()) text += "; ";
      if (item.count)
        text += fmt::format("({})^{}", line_of(item.body), item.count);
      else
        text += report_.classes.names.name(item.symbol);
    }
    return text;
  }

  void messages() {
    const mpi::Program& program = report_.program;
    const auto& unmatched = program.unmatched();
    out_.put('\n');
    title("Messages");
    line("Matched", with_separators(program.matched()) +
                        (program.guessed() ? fmt::format(", {} of them as what was left", program.guessed()) : ""));
    line("Unmatched", with_separators(unmatched.size()));
    for (size_t i = 0; i < shown(unmatched.size()); ++i) {
      const mpi::PostRef p = unmatched[i];
      const Call& call = program.log(p.rank).calls[program.post(p).call];
      const std::string hint = hint_of(report_, p);
      out_.print("  rank {}: {}: {}{}{}\n", p.rank, mpi::function_name(call.function), post_text(report_, p),
                 visible(at_text(report_.places.of(p.rank, call))), hint.empty() ? "" : "; " + visible(hint));
    }
    rest(unmatched.size());
  }

  void matrix() {
    auto cells = report_.program.matrix();
    if (cells.empty()) return;
    out_.put('\n');
    title("Who sends to whom");
    std::stable_sort(cells.begin(), cells.end(), [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
    out_.print("{:>8}{:>8}{:>14}{:>18}\n", "from", "to", "messages", "bytes");
    for (size_t i = 0; i < shown(cells.size()); ++i)
      out_.print("{:>8}{:>8}{:>14}{:>18}\n", cells[i].from, cells[i].to, with_separators(cells[i].messages),
                 with_separators(cells[i].bytes));
    rest(cells.size());
  }

  void waits() {
    const auto lines = late_lines(report_, false);
    if (lines.empty()) return;
    out_.put('\n');
    title("Waiting");
    line("In all",
         fmt::format("{} instructions, of {} on all ranks together", with_separators(report_.times.total_waited),
                     with_separators(report_.times.length * report_.program.ranks())));
    for (size_t i = 0; i < shown(lines.size()); ++i) {
      const LateLine& l = lines[i];
      const bool collective = l.kind == mpi::LateKind::kCollective;
      out_.print("  {:>14}  {}: {} {}{} ({}) for {}{} ({})\n", with_separators(l.instructions),
                 collective ? std::string("late arrival") : fmt::format("late {}", name_of(l.kind)),
                 with_separators(l.waits), l.function, visible(at_text(*l.place)), ranks_text(l.ranks), l.peer_function,
                 visible(at_text(*l.peer_place)), ranks_text(l.peers));
    }
    rest(lines.size());
    if (report_.times.forced)
      out_.print("  {} calls had to go on without what they wait for\n", with_separators(report_.times.forced));
  }

  void collectives() {
    for (const mpi::Mismatch& m : report_.collectives.mismatches()) {
      const Call& a = report_.program.log(m.rank).calls[m.call];
      const Call& b = report_.program.log(m.peer).calls[m.peer_call];
      out_.print("\nRank {} calls {}{} where rank {} calls {}{}: {}\n", m.rank, mpi::function_name(a.function),
                 visible(at_text(report_.places.of(m.rank, a))), m.peer, mpi::function_name(b.function),
                 visible(at_text(report_.places.of(m.peer, b))),
                 a.function == b.function ? "with another root" : "the same collective of one communicator");
    }
  }

  void unfinished() {
    if (report_.waiting.empty()) return;
    const bool stuck =
        std::any_of(report_.waiting.begin(), report_.waiting.end(), [](const mpi::Waiting& w) { return w.stuck; });
    out_.put('\n');
    title(stuck ? "Deadlock" : "Where the traces end");
    for (const mpi::Waiting& w : report_.waiting) {
      const Call& call = report_.program.log(w.rank).calls[w.call];
      out_.print("  rank {}: {}{}{}{}\n", w.rank, mpi::function_name(call.function),
                 visible(at_text(report_.places.of(w.rank, call))),
                 w.for_ranks.empty() ? " waits for nothing that is missing"
                                     : fmt::format(" waits for {}{}", w.any ? "one of " : "", ranks_text(w.for_ranks)),
                 w.stuck || !stuck ? "" : " (not stuck)");
    }
  }

  const MpiReport& report_;
  Output& out_;
};

}  // namespace

void write_mpi_text(const MpiReport& report, Output& out) { MpiText(report, out).write(); }

}  // namespace cdr::report
