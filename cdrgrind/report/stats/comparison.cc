// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/stats/comparison.h"

namespace cdr::report {

using compare::Comparison;
using compare::CompressedSizes;
using compare::FileSizes;
using compare::FrameGroup;
using compare::ThreadComparison;

namespace {

std::string percent(uint64_t part, uint64_t whole) {
  return whole == 0 ? "-" : fmt::format("{:.3f}", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string ratio(double r) { return r == 0 ? "-" : fmt::format("{:.3f}", r); }

class ComparisonText {
 public:
  ComparisonText(const trace::TraceFile& file, const Comparison& c, const Style& style, Output& out)
      : file_(file), c_(c), all_(c.all()), style_(style), out_(out) {}

  void write(const std::string& command) {
    head(command);
    table("Control (COR)", {"raw", "WPP", "S_synch", "%", "synch_cnt", "%"}, &ComparisonText::cor);
    table("Shared data (DOR)", {"raw", "SEQ", "S_synch", "%", "synch_cnt", "%"}, &ComparisonText::dor);
    table("Control and shared data (CDR)", {"raw", "COR", "data", "total", "%", "streams"}, &ComparisonText::cdr);
    table("Shared data by instruction", {"raw", "SEQ", "RLE SEQ", "Diff RLE SEQ"}, &ComparisonText::streams);
    compressors();
    frames();
    ratios();
  }

 private:
  using Cells = std::vector<std::string>;

  void head(const std::string& command) {
    out_.put(section("Comparison", style_));
    line("File", file_.name());
    line("Command", command);
    line("Blocks", with_separators(all_.blocks));
    line("Accesses",
         fmt::format("{}, {} of them shared", with_separators(all_.accesses), with_separators(all_.shared_accesses)));
    line("Synchronisation",
         fmt::format("{} operations, {} barriers", with_separators(all_.syncs), with_separators(c_.order.barriers)));
    if (c_.restarts != 0) line("Restarts", fmt::format("{} (grammars larger than memory)", c_.restarts));
    out_.put('\n');
  }
  void line(std::string_view name, std::string_view value) {
    out_.print("{} {}\n", padded_right(std::string(name) + ":", 18), visible(value));
  }
  void row(std::string_view name, const Cells& cells) {
    out_.put(padded_right(name, 12));
    for (const std::string& cell : cells) out_.put(padded_left(cell, 16));
    out_.put('\n');
  }

  // A row for each thread and, if there are several, their sum.
  void table(std::string_view title, const Cells& head, Cells (ComparisonText::*cells)(const ThreadComparison&, bool)) {
    out_.put(section(title, style_));
    row("thread", head);
    unsigned shown = 0;
    for (size_t t = 1; t < c_.threads.size(); ++t) {
      if (c_.threads[t].empty()) continue;
      row(std::to_string(t), (this->*cells)(c_.threads[t], false));
      ++shown;
    }
    if (shown != 1) row("all", (this->*cells)(all_, true));
    out_.put('\n');
  }
  // The order of synchronisation belongs to no thread: it stands in the sum, and with a single thread.
  uint64_t order(bool sum) const { return sum || single_thread() ? c_.order.bytes() : 0; }
  bool single_thread() const {
    return std::count_if(c_.threads.begin(), c_.threads.end(), [](const auto& t) { return !t.empty(); }) == 1;
  }

  Cells grammar(uint64_t raw, uint64_t bytes, uint64_t order, uint64_t counts) {
    return {with_separators(raw),        with_separators(bytes),  with_separators(order),
            percent(bytes + order, raw), with_separators(counts), percent(bytes + order + counts, raw)};
  }
  Cells cor(const ThreadComparison& t, bool sum) {
    return grammar(t.raw_control(), t.cor.bytes(), order(sum), t.cor_counts);
  }
  Cells dor(const ThreadComparison& t, bool sum) {
    return grammar(t.raw_shared(), t.dor.bytes(), order(sum), t.dor_counts);
  }
  Cells cdr(const ThreadComparison& t, bool sum) {
    const uint64_t control = t.cor.bytes() + order(sum) + t.cor_counts, raw = t.raw_control() + t.raw_shared();
    return {with_separators(raw),
            with_separators(control),
            with_separators(t.data_bytes()),
            with_separators(control + t.data_bytes()),
            percent(control + t.data_bytes(), raw),
            with_separators(t.data.streams)};
  }
  Cells streams(const ThreadComparison& t, bool) {
    return {with_separators(t.raw_shared()), with_separators(t.data.seq.bytes()),
            with_separators(t.data.rle_seq.bytes(true)), with_separators(t.data_bytes())};
  }

  void compressors() {
    out_.put(section("Other compressors", style_));
    row("", {"raw", "gzip -9", "%", "xz -9", "%", "zstd -19", "%"});
    row("control", compressed(c_.control));
    row("addresses", compressed(c_.addresses));
    const CompressedSizes both = {c_.control.raw + c_.addresses.raw, c_.control.gzip + c_.addresses.gzip,
                                  c_.control.xz + c_.addresses.xz, c_.control.zstd + c_.addresses.zstd};
    row("both", compressed(both));
    row("plain SEQ", {"", "", "", "", "", with_separators(all_.cor.packed), percent(all_.cor.packed, c_.control.raw)});
    out_.put('\n');
  }
  Cells compressed(const CompressedSizes& s) {
    return {with_separators(s.raw), with_separators(s.gzip), percent(s.gzip, s.raw), with_separators(s.xz),
            percent(s.xz, s.raw),   with_separators(s.zstd), percent(s.zstd, s.raw)};
  }

  void frames() {
    out_.put(section("This trace", style_));
    if (c_.rewritten) out_.put("The file has the plain form; compact is what `cdrgrind repack` starts from.\n");
    row("", c_.rewritten ? Cells{"file", "% of it", "compact", "% of it"} : Cells{"file", "% of it"});
    for (size_t g = 0; g < compare::kFrameGroups; ++g) {
      const auto group = static_cast<FrameGroup>(g);
      if (c_.file[group] + c_.compact[group] == 0) continue;
      sizes(compare::name_of(group), c_.file[group], c_.compact[group]);
    }
    sizes("whole", c_.file.whole, c_.compact.whole);
    sizes("kernel", c_.file.kernel(), c_.compact.kernel());
    out_.put('\n');
    const FileSizes& f = c_.compact;
    line("Epochs", fmt::format("{}, {} of them as runs, {} predicted", f.epochs, f.run_epochs, f.predicted_epochs));
    line("S_synch in log", with_separators(f.sync_log));
    line("synch_cnt", fmt::format("{} bytes, if it were stored", with_separators(c_.compact_counts())));
    out_.put('\n');
  }
  void sizes(std::string_view name, uint64_t file, uint64_t compact) {
    Cells cells = {with_separators(file), percent(file, c_.file.whole)};
    if (c_.rewritten) {
      cells.push_back(with_separators(compact));
      cells.push_back(percent(compact, c_.compact.whole));
    }
    row(name, cells);
  }

  void ratios() {
    out_.put(section("Compact form against them", style_));
    const FileSizes& f = c_.compact;
    const uint64_t without_data = f.kernel() - f[FrameGroup::kAddresses];
    const uint64_t raw = all_.raw_control() + all_.raw_addresses();
    line("Kernel, control", percent(without_data, all_.raw_control()) + " % of raw");
    line("Kernel, all", percent(f.kernel(), raw) + " % of raw");
    line("Whole", percent(f.whole, raw) + " % of raw");
    line("Paths", fmt::format("{} of the better of xz and zstd on the blocks; as grammars {}",
                              ratio(c_.control_ratio()), ratio(c_.grammar_ratio())));
    const auto& s = c_.streams;
    line("Addresses", fmt::format("{} of zstd on the streams' words ({} together, {} apart)", ratio(c_.stream_ratio()),
                                  with_separators(s.zstd_together), with_separators(s.zstd_apart)));
    line("Long streams",
         fmt::format("{} of {} above 1.05 of zstd's size each; the largest {}", with_separators(s.larger),
                     with_separators(s.long_streams), ratio(s.largest_ratio)));
  }

  const trace::TraceFile& file_;
  const Comparison& c_;
  const ThreadComparison all_;
  const Style& style_;
  Output& out_;
};

}  // namespace

void write_comparison(const trace::TraceFile& file, const Comparison& c, const std::string& command, const Style& style,
                      Output& out) {
  ComparisonText(file, c, style, out).write(command);
}

}  // namespace cdr::report
