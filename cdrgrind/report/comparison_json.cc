// SPDX-License-Identifier: GPL-2.0-or-later
#include <nlohmann/json.hpp>

#include "cdrgrind/report/comparison.h"
#include "cdrgrind/report/trace_stats.h"

namespace cdr::report {

using analysis::Comparison;
using analysis::CompressedSizes;
using analysis::FileSizes;
using analysis::FrameGroup;
using analysis::GrammarSize;
using analysis::StreamComparison;
using analysis::ThreadComparison;
using Json = nlohmann::ordered_json;

namespace {

Json percent(uint64_t part, uint64_t whole) {
  return whole == 0 ? Json() : Json(100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

Json with_order(uint64_t raw, const GrammarSize& g, uint64_t order, uint64_t counts) {
  return {{"raw", raw},          {"grammar", g.bytes()},
          {"rules", g.rules},    {"symbols", g.symbols},
          {"s_synch", order},    {"percent", percent(g.bytes() + order, raw)},
          {"synch_cnt", counts}, {"percent_with_counts", percent(g.bytes() + order + counts, raw)}};
}

Json representations(const ThreadComparison& t, uint64_t order) {
  const uint64_t raw = t.raw_control() + t.raw_shared(), control = t.cor.bytes() + order + t.cor_counts;
  Json j = {{"blocks", t.blocks},
            {"accesses", t.accesses},
            {"shared_accesses", t.shared_accesses},
            {"syncs", t.syncs},
            {"cor", with_order(t.raw_control(), t.cor, order, t.cor_counts)},
            {"dor", with_order(t.raw_shared(), t.dor, order, t.dor_counts)},
            {"cdr",
             {{"raw", raw},
              {"cor", control},
              {"data", t.data_bytes()},
              {"total", control + t.data_bytes()},
              {"percent", percent(control + t.data_bytes(), raw)}}},
            {"streams",
             {{"streams", t.data.streams},
              {"raw", t.raw_shared()},
              {"seq", t.data.seq.bytes()},
              {"rle_seq", t.data.rle_seq.bytes(true)},
              {"diff_rle_seq", t.data_bytes()}}}};
  j["cor"]["packed"] = t.cor.packed;
  return j;
}

Json sizes(const CompressedSizes& s) { return {{"raw", s.raw}, {"gzip", s.gzip}, {"xz", s.xz}, {"zstd", s.zstd}}; }

Json frames(const FileSizes& f) {
  auto groups = Json::object(), types = Json::array();
  for (size_t g = 0; g < analysis::kFrameGroups; ++g)
    groups[analysis::name_of(static_cast<FrameGroup>(g))] = f.groups[g];
  for (const analysis::FrameSize& t : f.types)
    types.push_back({{"type", frame_type_name(t.type)}, {"frames", t.frames}, {"bytes", t.bytes}});
  return {{"whole", f.whole},   {"kernel", f.kernel()},       {"groups", groups},       {"frames", types},
          {"epochs", f.epochs}, {"run_epochs", f.run_epochs}, {"sync_log", f.sync_log}, {"symbols", f.grammar_symbols}};
}

Json streams(const StreamComparison& s) {
  return {{"streams", s.streams},
          {"words", s.words},
          {"zstd_together", s.zstd_together},
          {"zstd_apart", s.zstd_apart},
          {"long_streams", s.long_streams},
          {"larger", s.larger},
          {"larger_percent", percent(s.larger, s.long_streams)},
          {"largest_ratio", s.largest_ratio}};
}

Json ratios(const Comparison& c, const ThreadComparison& all) {
  const FileSizes& f = c.compact;
  const uint64_t raw = all.raw_control() + all.raw_addresses();
  return {{"kernel_control_percent", percent(f.kernel() - f[FrameGroup::kAddresses], all.raw_control())},
          {"kernel_percent", percent(f.kernel(), raw)},
          {"whole_percent", percent(f.whole, raw)},
          {"paths", c.control_ratio()},
          {"paths_as_grammar", c.grammar_ratio()},
          {"addresses", c.stream_ratio()}};
}

}  // namespace

void write_comparison_json(const trace::TraceFile& file, const Comparison& c, Output& out) {
  const ThreadComparison all = c.all();
  auto threads = Json::array();
  for (size_t t = 1; t < c.threads.size(); ++t) {
    if (c.threads[t].empty()) continue;
    Json one = representations(c.threads[t], 0);
    one["thread"] = t;
    threads.push_back(std::move(one));
  }
  Json compact = frames(c.compact);
  compact["rewritten"] = c.rewritten;
  compact["synch_cnt"] = c.compact_counts();
  compact["grammar_control"] = c.grammar_control;
  const Json document = {{"schema", "cdrgrind.compare/1"},
                         {"program", file.meta().find("program").value_or("")},
                         {"format", file.version()},
                         {"status", name_of(file.status())},
                         {"barriers", c.order.barriers},
                         {"operations", c.order.others},
                         {"restarts", c.restarts},
                         {"all", representations(all, c.order.bytes())},
                         {"threads", threads},
                         {"compressors", {{"control", sizes(c.control)}, {"addresses", sizes(c.addresses)}}},
                         {"file", frames(c.file)},
                         {"compact", compact},
                         {"address_streams", streams(c.streams)},
                         {"ratios", ratios(c, all)}};
  out.put(json_text(document, 1)).put('\n');
}

}  // namespace cdr::report
