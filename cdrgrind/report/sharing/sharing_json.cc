// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/json_writer.h"
#include "cdrgrind/report/sharing/sharing_report.h"

namespace cdr::report {

namespace {

// `"may":{WHAT…,"threads":[s,t],"pairs":[{"threads","count"}]}`; `threads` of the heaviest pair.
void put_pairs(const ThreadPairs& pairs, JsonWriter& to) {
  to.key("pairs").array();
  for (const auto& [pair, count] : pairs)
    to.object()
        .key("threads")
        .array()
        .value(pair.first.value)
        .value(pair.second.value)
        .end()
        .members("count", count)
        .end();
  to.end();
}

void put_may(const std::vector<sharing::MayPair>& pairs, JsonWriter& to) {
  uint64_t in_true = 0, in_false = 0;
  const sharing::MayPair* most = nullptr;
  const auto weight = [](const sharing::MayPair& p) { return p.true_sharing + p.false_sharing; };
  for (const sharing::MayPair& p : pairs) {
    in_true += p.true_sharing;
    in_false += p.false_sharing;
    if (!most || weight(*most) < weight(p)) most = &p;
  }
  to.key("may").object().members("true", in_true, "false", in_false).key("threads").array();
  if (most) to.value(most->first.value).value(most->second.value);
  to.end().key("pairs").array();
  for (const sharing::MayPair& p : pairs) {
    to.object().key("threads").array().value(p.first.value).value(p.second.value).end();
    to.members("true", p.true_sharing, "false", p.false_sharing).end();
  }
  to.end().end();
}

void put_variable(const sharing::SharedVariable& v, const std::string& name, JsonWriter& to) {
  to.object().members("variable", name, "kind", name_of(v.memory));
  to.key("may").object().members("true", v.may);
  put_pairs(v.may_pairs, to);
  to.end().key("threads").array();
  for (const auto& [thread, counts] : v.threads)
    to.object().members("thread", thread.value, "loads", counts.loads, "stores", counts.stores).end();
  to.end().members("hand_overs", v.hand_overs).key("pairs").array();
  for (const auto& [pair, count] : v.pairs)
    to.object().members("from", pair.first.value, "to", pair.second.value, "count", count).end();
  to.end().members("write_runs", v.write_runs, "repeated_stores", v.repeats, "read_between", v.read_between);
  to.members("protocol", protocol_of(v)).end();
}

void put_parts(std::string_view key, const std::vector<sharing::LinePart>& parts, const std::vector<NamedPart>& names,
               JsonWriter& to) {
  to.key(key).array();
  for (size_t i = 0; i < parts.size(); ++i) {
    to.object().members("begin", parts[i].begin, "end", parts[i].end, "name", names[i].name);
    to.list("readers", parts[i].readers, &ThreadId::value).list("writers", parts[i].writers, &ThreadId::value).end();
  }
  to.end();
}

void put_line(const sharing::SharedLine& l, const std::vector<NamedPart>& parts, JsonWriter& to) {
  to.object().members("address", l.addr);
  put_may(l.may, to);
  to.members("misses", l.misses, "false_misses", l.false_misses).key("threads").array();
  for (const sharing::LineThread& t : l.threads) {
    to.object().members("thread", t.thread.value, "loads", t.loads, "stores", t.stores, "misses", t.misses);
    to.members("false_misses", t.misses - t.true_misses).end();
  }
  to.end().members("upgrades", l.upgrades, "updates", l.updates, "protocol", protocol_of(l));
  put_parts("parts", l.parts, parts, to);
  to.end();
}

void put_false_sharing(const FalseSharing& f, const SharingReport& report, JsonWriter& to) {
  to.object().key("objects").array();
  for (const std::string& o : f.objects) to.value(o);
  to.end().key("kind");
  f.kind.empty() ? to.null() : to.value(f.kind);
  to.key("may").object().members("false", f.may);
  put_pairs(f.may_pairs, to);
  to.end().members("misses", f.misses, "false_misses", f.false_misses, "lines", f.lines.size());
  const size_t line = f.lines.front();
  put_parts("parts", false_parts(report.memory.lines[line]), report.false_names[line], to);
  to.key("fix");
  f.fix.empty() ? to.null() : to.value(f.fix);
  to.end();
}

void put_true_sharing(const TrueSharing& t, const SharingReport& report, JsonWriter& to) {
  to.object().members("object", t.object, "kind", t.kind).key("may").object().members("true", t.sum.may);
  put_pairs(t.sum.may_pairs, to);
  to.end().members("hand_overs", t.sum.hand_overs).key("variables").array();
  for (const size_t v : t.variables) to.value(report.variables[v]);
  to.end().end();
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
  to.object().members("schema", "cdrgrind.sharing/2", "program", report.program);
  put_binaries(report.binaries, to);
  put_scope(report.scope, to);
  to.key("summary").object().members("line_size", report.line_size, "lines_touched", m.counts.touched);
  to.members("may_true", m.may_true, "may_false", m.may_false);
  to.members("lines_shared", m.counts.shared, "lines_only_read", m.counts.read_only, "misses", m.misses);
  to.members("false_misses", m.false_misses, "invalidating", m.invalidating, "updating", m.updating);
  to.members("runtime_accesses", m.runtime, "gaps", m.gaps, "lines_left_out", m.lines_left_out).end();
  if (m.last_thread) {
    to.members("strand_accesses_not_compared", m.strand_accesses).key("strands").rows();
    for (const auto& [id, name] : report.strands)
      to.object().members("id", id.value, "name", name, "thread", m.strand(id)->thread.value).end();
    to.end();
  }
  to.key("false_sharing").rows();
  for (const FalseSharing& f : report.false_sharing) put_false_sharing(f, report, to);
  to.end().key("true_sharing").rows();
  for (const TrueSharing& t : report.true_sharing)
    if (t.sum.may) put_true_sharing(t, report, to);
  to.end().key("variables").rows();
  for (size_t i = 0; i < m.variables.size(); ++i) put_variable(m.variables[i], report.variables[i], to);
  to.end().key("lines").rows();
  for (size_t i = 0; i < m.lines.size(); ++i) put_line(m.lines[i], report.parts[i], to);
  to.end().key("passed").rows();
  for (const PassedLines& p : report.passed) put_passed(p, to);
  to.end().end();
  out.put('\n');
}

}  // namespace cdr::report
