// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cdrgrind/report/mpi/mpi_findings.h"

namespace cdr::report {

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
    mismatches();
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
    const mpi::Summary& summary = report_.summary;
    title("MPI");
    if (!report_.program_name.empty()) line("Program", report_.program_name);
    for (const std::string& sentence : sentences_of(report_.binaries)) line("Binaries", sentence);
    line("Ranks", fmt::format("{} in {} {}", report_.ranks, report_.classes.classes.size(),
                              report_.classes.classes.size() == 1 ? "class" : "classes"));
    line("Library", summary.library == CDR_MPI_OPEN_MPI ? "Open MPI"
                    : summary.library == CDR_MPI_MPICH  ? "MPICH"
                                                        : "not known");
    line("Calls",
         with_separators(summary.calls) +
             (summary.in_vain ? fmt::format("; of these {} tests and probes that found nothing, left out below",
                                            with_separators(summary.in_vain))
                              : ""));
    line("Length", fmt::format("{} instructions, if messages take none", with_separators(summary.length)));
  }

  void nest() {
    out_.put('\n');
    title("Loop nest of all ranks");
    mpi::RankSet all;
    for (uint32_t r = 0; r < report_.ranks; ++r) all.push_back(r);
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
      out_.print("{}: {}\n", ranks_text(classes[i].ranks), line_of(classes[i].nest));
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
    const mpi::Summary& summary = report_.summary;
    const Hints hints(report_);
    out_.put('\n');
    title("Messages");
    line("Matched", with_separators(summary.matched) +
                        (summary.guessed ? fmt::format(", {} of them as what was left", summary.guessed) : ""));
    line("Unmatched", with_separators(summary.unmatched.size()));
    for (size_t i = 0; i < shown(summary.unmatched.size()); ++i) {
      const mpi::UnmatchedPost& post = summary.unmatched[i];
      const std::string hint = hints.of(post);
      out_.print("  rank {}: {}: {}{}{}\n", post.at.rank, function_of(post.at), post_text(post), at(post.at),
                 hint.empty() ? "" : "; " + visible(hint));
    }
    rest(summary.unmatched.size());
  }

  void matrix() {
    auto cells = report_.summary.matrix;
    if (cells.empty()) return;
    out_.put('\n');
    title("Who sends to whom");
    std::stable_sort(cells.begin(), cells.end(), [](const auto& a, const auto& b) {
      return a.bytes + a.one_sided_bytes > b.bytes + b.one_sided_bytes;
    });
    const bool one_sided = std::any_of(cells.begin(), cells.end(), [](const auto& c) { return c.one_sided > 0; });
    out_.print("{:>8}{:>8}{:>14}{:>18}", "from", "to", "messages", "bytes");
    out_.put(one_sided ? fmt::format("{:>14}{:>18}\n", "one-sided", "their bytes") : "\n");
    for (size_t i = 0; i < shown(cells.size()); ++i) {
      const mpi::MatrixCell& c = cells[i];
      out_.print("{:>8}{:>8}{:>14}{:>18}", c.from, c.to, with_separators(c.messages), with_separators(c.bytes));
      out_.put(one_sided
                   ? fmt::format("{:>14}{:>18}\n", with_separators(c.one_sided), with_separators(c.one_sided_bytes))
                   : "\n");
    }
    rest(cells.size());
  }

  void waits() {
    const auto& lines = report_.late;
    if (lines.empty()) return;
    const mpi::Summary& summary = report_.summary;
    out_.put('\n');
    title("Waiting");
    line("In all", fmt::format("{} instructions, of {} on all ranks together", with_separators(summary.waited),
                               with_separators(summary.length * report_.ranks)));
    for (size_t i = 0; i < shown(lines.size()); ++i) {
      const mpi::LateLine& l = lines[i];
      const bool collective = l.kind == mpi::LateKind::kCollective;
      out_.print("  {:>14}  {}: {} {}{} ({}) for {}{} ({})\n", with_separators(l.instructions),
                 collective ? std::string("late arrival") : fmt::format("late {}", name_of(l.kind)),
                 with_separators(l.waits), mpi::function_name(l.function), at(l.place), ranks_text(l.ranks),
                 mpi::function_name(l.peer_function), at(l.peer_place), ranks_text(l.peers));
    }
    rest(lines.size());
    if (summary.forced)
      out_.print("  {} calls had to go on without what they wait for\n", with_separators(summary.forced));
  }

  void mismatches() {
    for (const mpi::Mismatch& m : report_.mismatches)
      out_.print("\nRank {} calls {}{} where rank {} calls {}{}: {}\n", m.at.rank, function_of(m.at), at(m.at),
                 m.peer.rank, function_of(m.peer), at(m.peer),
                 m.at.function == m.peer.function ? "with another root" : "the same collective of one communicator");
  }

  void unfinished() {
    if (report_.waiting.empty()) return;
    const bool stuck =
        std::any_of(report_.waiting.begin(), report_.waiting.end(), [](const mpi::Waiting& w) { return w.stuck; });
    out_.put('\n');
    title(stuck ? "Deadlock" : "Where the traces end");
    for (const mpi::Waiting& w : report_.waiting)
      out_.print("  rank {}: {}{}{}{}\n", w.at.rank, function_of(w.at), at(w.at),
                 w.for_ranks.empty() ? " waits for nothing that is missing"
                                     : fmt::format(" waits for {}{}", w.any ? "one of " : "", ranks_text(w.for_ranks)),
                 w.stuck || !stuck ? "" : " (not stuck)");
  }

  std::string at(uint32_t place) const {
    const std::string text = short_place(report_.places[place]);
    return text.empty() ? "" : " at " + visible(text);
  }
  std::string at(const mpi::CallSpot& spot) const { return at(spot.place); }

  const MpiReport& report_;
  Output& out_;
};

}  // namespace

void write_mpi_text(const MpiReport& report, Output& out) { MpiText(report, out).write(); }

}  // namespace cdr::report
