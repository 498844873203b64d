// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/json_writer.h"
#include "cdrgrind/report/stats/comparison.h"
#include "cdrgrind/report/stats/trace_stats.h"

namespace cdr::report {

using compare::Comparison;
using compare::CompressedSizes;
using compare::FileSizes;
using compare::FrameGroup;
using compare::GrammarSize;
using compare::StreamComparison;
using compare::ThreadComparison;

namespace {

void put_percent(std::string_view name, uint64_t part, uint64_t whole, JsonWriter& to) {
  to.key(name);
  whole == 0 ? to.null() : to.value(100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

// The object is left open.
void put_with_order(std::string_view name, uint64_t raw, const GrammarSize& g, uint64_t order, uint64_t counts,
                    JsonWriter& to) {
  to.key(name).object().members("raw", raw, "grammar", g.bytes(), "rules", g.rules, "symbols", g.symbols);
  to.members("s_synch", order);
  put_percent("percent", g.bytes() + order, raw, to);
  to.members("synch_cnt", counts);
  put_percent("percent_with_counts", g.bytes() + order + counts, raw, to);
}

// The object is left open.
void put_representations(const ThreadComparison& t, uint64_t order, JsonWriter& to) {
  const uint64_t raw = t.raw_control() + t.raw_shared(), control = t.cor.bytes() + order + t.cor_counts;
  to.object().members("blocks", t.blocks, "accesses", t.accesses, "shared_accesses", t.shared_accesses);
  to.members("syncs", t.syncs);
  put_with_order("cor", t.raw_control(), t.cor, order, t.cor_counts, to);
  to.members("packed", t.cor.packed).end();
  put_with_order("dor", t.raw_shared(), t.dor, order, t.dor_counts, to);
  to.end().key("cdr").object().members("raw", raw, "cor", control, "data", t.data_bytes());
  to.members("total", control + t.data_bytes());
  put_percent("percent", control + t.data_bytes(), raw, to);
  to.end().key("streams").object().members("streams", t.data.streams, "raw", t.raw_shared());
  to.members("seq", t.data.seq.bytes(), "rle_seq", t.data.rle_seq.bytes(true), "diff_rle_seq", t.data_bytes()).end();
}

void put_sizes(std::string_view name, const CompressedSizes& s, JsonWriter& to) {
  to.key(name).object().members("raw", s.raw, "gzip", s.gzip, "xz", s.xz, "zstd", s.zstd).end();
}

// The object is left open.
void put_frames(std::string_view name, const FileSizes& f, JsonWriter& to) {
  to.key(name).object().members("whole", f.whole, "kernel", f.kernel()).key("groups").object();
  for (size_t g = 0; g < compare::kFrameGroups; ++g)
    to.members(compare::name_of(static_cast<FrameGroup>(g)), f.groups[g]);
  to.end().key("frames").array();
  for (const compare::FrameSize& t : f.types)
    to.object().members("type", frame_type_name(t.type), "frames", t.frames, "bytes", t.bytes).end();
  to.end().members("epochs", f.epochs, "run_epochs", f.run_epochs, "predicted_epochs", f.predicted_epochs, "sync_log",
                   f.sync_log);
  to.members("symbols", f.grammar_symbols);
}

void put_streams(const StreamComparison& s, JsonWriter& to) {
  to.key("address_streams").object().members("streams", s.streams, "words", s.words);
  to.members("zstd_together", s.zstd_together, "zstd_apart", s.zstd_apart, "long_streams", s.long_streams);
  to.members("larger", s.larger);
  put_percent("larger_percent", s.larger, s.long_streams, to);
  to.members("largest_ratio", s.largest_ratio).end();
}

void put_ratios(const Comparison& c, const ThreadComparison& all, JsonWriter& to) {
  const FileSizes& f = c.compact;
  to.key("ratios").object();
  put_percent("kernel_control_percent", f.kernel() - f[FrameGroup::kAddresses], all.raw_control(), to);
  put_percent("kernel_percent", f.kernel(), all.raw_control() + all.raw_addresses(), to);
  put_percent("whole_percent", f.whole, all.raw_control() + all.raw_addresses(), to);
  to.members("paths", c.control_ratio(), "paths_as_grammar", c.grammar_ratio(), "addresses", c.stream_ratio()).end();
}

}  // namespace

void write_comparison_json(const trace::TraceFile& file, const Comparison& c, Output& out) {
  const ThreadComparison all = c.all();
  JsonWriter to(out, JsonWriter::Layout::kIndented);
  to.object().members("schema", "cdrgrind.compare/1", "program", file.meta().find("program").value_or(""));
  to.members("format", file.version(), "status", name_of(file.status()), "barriers", c.order.barriers);
  to.members("operations", c.order.others, "restarts", c.restarts).key("all");
  put_representations(all, c.order.bytes(), to);
  to.end().key("threads").array();
  for (size_t t = 1; t < c.threads.size(); ++t) {
    if (c.threads[t].empty()) continue;
    put_representations(c.threads[t], 0, to);
    to.members("thread", t).end();
  }
  to.end().key("compressors").object();
  put_sizes("control", c.control, to);
  put_sizes("addresses", c.addresses, to);
  to.end();
  put_frames("file", c.file, to);
  to.end();
  put_frames("compact", c.compact, to);
  to.members("rewritten", c.rewritten, "synch_cnt", c.compact_counts(), "grammar_control", c.grammar_control).end();
  put_streams(c.streams, to);
  put_ratios(c, all, to);
  to.end();
  out.put('\n');
}

}  // namespace cdr::report
