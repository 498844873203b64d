// SPDX-License-Identifier: GPL-2.0-or-later
#include <nlohmann/json.hpp>

#include "cdrgrind/report/sharing_report.h"

namespace cdr::report {

using Json = nlohmann::ordered_json;

namespace {

Json threads_json(const std::vector<ThreadId>& threads) {
  Json list = Json::array();
  for (const ThreadId t : threads) list.push_back(t.value);
  return list;
}

Json place_json(const SourcePlace& p) { return {{"file", p.file}, {"line", p.line}, {"function", p.function}}; }

Json variable_json(const analysis::SharedVariable& v, const std::string& name) {
  Json j{{"variable", name},
         {"kind", name_of(v.memory)},
         {"threads", Json::array()},
         {"hand_overs", v.hand_overs},
         {"pairs", Json::array()}};
  for (const auto& [thread, counts] : v.threads)
    j["threads"].push_back({{"thread", thread.value}, {"loads", counts.loads}, {"stores", counts.stores}});
  for (const auto& [pair, count] : v.pairs)
    j["pairs"].push_back({{"from", pair.first.value}, {"to", pair.second.value}, {"count", count}});
  j["write_runs"] = v.write_runs;
  j["repeated_stores"] = v.repeats;
  j["read_between"] = v.read_between;
  j["protocol"] = protocol_of(v);
  return j;
}

Json line_json(const analysis::SharedLine& l, const std::vector<NamedPart>& parts, const std::string& fix) {
  Json j{{"address", l.addr}, {"misses", l.misses}, {"false_misses", l.false_misses}, {"threads", Json::array()}};
  for (const analysis::LineThread& t : l.threads)
    j["threads"].push_back({{"thread", t.thread.value},
                            {"loads", t.loads},
                            {"stores", t.stores},
                            {"misses", t.misses},
                            {"false_misses", t.misses - t.true_misses}});
  j["upgrades"] = l.upgrades;
  j["updates"] = l.updates;
  j["protocol"] = protocol_of(l);
  j["parts"] = Json::array();
  for (size_t i = 0; i < parts.size(); ++i)
    j["parts"].push_back({{"begin", l.parts[i].begin},
                          {"end", l.parts[i].end},
                          {"name", parts[i].name},
                          {"readers", threads_json(l.parts[i].readers)},
                          {"writers", threads_json(l.parts[i].writers)}});
  j["fix"] = fix.empty() ? Json() : Json(fix);
  return j;
}

Json passed_json(const PassedLines& p) {
  Json j{{"from", place_json(p.from)}, {"to", place_json(p.to)}, {"bytes", p.bytes}, {"instructions", Json::array()}};
  for (const analysis::Passed& i : p.instructions)
    j["instructions"].push_back({{"from_ip", i.from.addr}, {"to_ip", i.to.addr}, {"bytes", i.bytes}});
  return j;
}

// One entry a line.
template <class Make>
void put_entries(const char* name, size_t count, Make make, Output& out) {
  out.print(",\"{}\":[", name);
  for (size_t i = 0; i < count; ++i)
    out.put(i ? ",\n" : "\n").put(json_text(make(i)));
  out.put("\n]");
}

}  // namespace

void write_sharing_json(const SharingReport& report, Output& out) {
  const analysis::SharedMemory& m = report.memory;
  out.put(R"({"schema":"cdrgrind.sharing/1","program":)").put(json_string(report.program)).put(',');
  put_binaries(report.binaries, out);
  const Json summary{{"line_size", report.line_size},
                     {"lines_touched", m.counts.touched},
                     {"lines_shared", m.counts.shared},
                     {"lines_only_read", m.counts.read_only},
                     {"misses", m.misses},
                     {"false_misses", m.false_misses},
                     {"invalidating", m.invalidating},
                     {"updating", m.updating},
                     {"runtime_accesses", m.runtime},
                     {"gaps", m.gaps},
                     {"lines_left_out", m.lines_left_out}};
  out.put(R"("summary":)").put(summary.dump());
  put_entries(
      "variables", m.variables.size(), [&](size_t i) { return variable_json(m.variables[i], report.variables[i]); },
      out);
  put_entries(
      "lines", m.lines.size(), [&](size_t i) { return line_json(m.lines[i], report.parts[i], report.fixes[i]); }, out);
  put_entries(
      "passed", report.passed.size(), [&](size_t i) { return passed_json(report.passed[i]); }, out);
  out.put("}\n");
}

}  // namespace cdr::report
