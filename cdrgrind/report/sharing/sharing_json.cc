// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/json_writer.h"
#include "cdrgrind/report/sharing/sharing_report.h"

namespace cdr::report {

namespace {

void put_variable(const sharing::SharedVariable& v, const std::string& name, JsonWriter& to) {
  to.object().members("variable", name, "kind", name_of(v.memory)).key("threads").array();
  for (const auto& [thread, counts] : v.threads)
    to.object().members("thread", thread.value, "loads", counts.loads, "stores", counts.stores).end();
  to.end().members("hand_overs", v.hand_overs).key("pairs").array();
  for (const auto& [pair, count] : v.pairs)
    to.object().members("from", pair.first.value, "to", pair.second.value, "count", count).end();
  to.end().members("write_runs", v.write_runs, "repeated_stores", v.repeats, "read_between", v.read_between);
  to.members("protocol", protocol_of(v)).end();
}

void put_line(const sharing::SharedLine& l, const std::vector<NamedPart>& parts, const std::string& fix,
              JsonWriter& to) {
  to.object().members("address", l.addr, "misses", l.misses, "false_misses", l.false_misses).key("threads").array();
  for (const sharing::LineThread& t : l.threads) {
    to.object().members("thread", t.thread.value, "loads", t.loads, "stores", t.stores, "misses", t.misses);
    to.members("false_misses", t.misses - t.true_misses).end();
  }
  to.end().members("upgrades", l.upgrades, "updates", l.updates, "protocol", protocol_of(l)).key("parts").array();
  for (size_t i = 0; i < parts.size(); ++i) {
    to.object().members("begin", l.parts[i].begin, "end", l.parts[i].end, "name", parts[i].name);
    to.list("readers", l.parts[i].readers, &ThreadId::value)
        .list("writers", l.parts[i].writers, &ThreadId::value)
        .end();
  }
  to.end().key("fix");
  fix.empty() ? to.null() : to.value(fix);
  to.end();
}

void put_passed(const PassedLines& p, JsonWriter& to) {
  to.object();
  put_place("from", p.from, to);
  put_place("to", p.to, to);
  to.members("bytes", p.bytes).key("instructions").array();
  for (const sharing::Passed& i : p.instructions)
    to.object().members("from_ip", i.from.addr, "to_ip", i.to.addr, "bytes", i.bytes).end();
  to.end().end();
}

}  // namespace

void write_sharing_json(const SharingReport& report, Output& out) {
  const sharing::SharedMemory& m = report.memory;
  JsonWriter to(out);
  to.object().members("schema", "cdrgrind.sharing/1", "program", report.program);
  put_binaries(report.binaries, to);
  put_scope(report.scope, to);
  to.key("summary").object().members("line_size", report.line_size, "lines_touched", m.counts.touched);
  to.members("lines_shared", m.counts.shared, "lines_only_read", m.counts.read_only, "misses", m.misses);
  to.members("false_misses", m.false_misses, "invalidating", m.invalidating, "updating", m.updating);
  to.members("runtime_accesses", m.runtime, "gaps", m.gaps, "lines_left_out", m.lines_left_out).end();
  to.key("variables").rows();
  for (size_t i = 0; i < m.variables.size(); ++i) put_variable(m.variables[i], report.variables[i], to);
  to.end().key("lines").rows();
  for (size_t i = 0; i < m.lines.size(); ++i) put_line(m.lines[i], report.parts[i], report.fixes[i], to);
  to.end().key("passed").rows();
  for (const PassedLines& p : report.passed) put_passed(p, to);
  to.end().end();
  out.put('\n');
}

}  // namespace cdr::report
