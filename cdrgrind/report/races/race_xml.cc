// SPDX-License-Identifier: GPL-2.0-or-later
// Valgrind's XML output, protocol 4, in the shape that helgrind gives it: readers of it know helgrind's elements in
// helgrind's order and nothing else.
#include <algorithm>

#include "cdrgrind/config.h"
#include "cdrgrind/report/races/race_report.h"
#include "cdrgrind/symbols/common/paths.h"

namespace cdr::report {

namespace {

class XmlRaces {
 public:
  explicit XmlRaces(Output& out) : out_(out) {}

  void write(const RaceReport& report, const RaceXmlRun& run) {
    out_.put(
        "<?xml version=\"1.0\"?>\n\n<valgrindoutput>\n\n<protocolversion>4</protocolversion>\n"
        "<protocoltool>helgrind</protocoltool>\n\n");
    preamble(run);
    for (const RaceXmlRun::Thread& t : run.threads) announce(t);
    uint64_t unique = 0;
    std::string counts;
    for (const RaceFinding& f : report.findings) {
      if (f.status == races::Verdict::Status::kArtifact && !run.artifacts) continue;
      error(f, unique);
      counts +=
          fmt::format("  <pair>\n    <count>{}</count>\n    <unique>0x{:X}</unique>\n  </pair>\n", f.instances, unique);
      ++unique;
    }
    status("FINISHED");
    out_.print("<errorcounts>\n{}</errorcounts>\n\n<suppcounts>\n</suppcounts>\n\n</valgrindoutput>\n", counts);
  }

 private:
  void element(const char* indent, const char* name, std::string_view text) {
    out_.put(indent).put('<').put(name).put('>').put(xml_text(text)).put("</").put(name).put(">\n");
  }
  void status(const char* state) {
    out_.print("<status>\n  <state>{}</state>\n  <time>00:00:00:00.000 </time>\n</status>\n\n", state);
  }

  void preamble(const RaceXmlRun& run) {
    std::string line = "Command:";
    for (const std::string& word : run.command) line += " " + word;
    out_.put("<preamble>\n");
    element("  ", "line", "cdrgrind " PACKAGE_VERSION ", data races of a recorded run");
    element("  ", "line", line);
    out_.print("</preamble>\n\n<pid>{}</pid>\n<ppid>{}</ppid>\n<tool>helgrind</tool>\n\n<args>\n  <vargv>\n", run.pid,
               run.parent_pid);
    element("    ", "exe", run.recorder);
    for (const std::string& word : run.options) element("    ", "arg", word);
    out_.put("  </vargv>\n  <argv>\n");
    for (size_t i = 0; i < run.command.size(); ++i) element("    ", i == 0 ? "exe" : "arg", run.command[i]);
    out_.put("  </argv>\n</args>\n\n");
    status("RUNNING");
  }

  void announce(const RaceXmlRun::Thread& t) {
    out_.print("<announcethread>\n  <hthreadid>{}</hthreadid>\n", t.thread);
    if (t.thread == 1 || t.created.empty())
      out_.put("  <isrootthread></isrootthread>\n");
    else
      stack(t.created);
    out_.put("</announcethread>\n\n");
  }

  void stack(const std::vector<RaceFrame>& frames) {
    out_.put("  <stack>\n");
    for (const RaceFrame& f : frames) frame(f);
    if (frames.empty()) frame({});
    out_.put("  </stack>\n");
  }
  void frame(const RaceFrame& f) {
    out_.print("    <frame>\n      <ip>0x{:X}</ip>\n", f.ip);
    if (!f.module.empty()) element("      ", "obj", f.module);
    if (!f.function.empty()) element("      ", "fn", f.function);
    if (f.pos.known()) {
      const size_t slash = f.pos.file.rfind('/');
      if (slash != std::string_view::npos) element("      ", "dir", f.pos.file.substr(0, slash));
      element("      ", "file", f.pos.file.substr(slash + 1));
      out_.print("      <line>{}</line>\n", f.pos.line);
    }
    out_.put("    </frame>\n");
  }

  void error(const RaceFinding& f, uint64_t unique) {
    const RaceSide &now = f.second, &before = f.first;
    out_.print("<error>\n  <unique>0x{:X}</unique>\n  <tid>{}</tid>\n  <kind>Race</kind>\n  <xwhat>\n", unique,
               now.thread);
    element("    ", "text",
            fmt::format("Possible data race during {} of size {} at 0x{:X} by thread #{}", verb(now), now.width,
                        now.addr, now.thread));
    out_.print("    <hthreadid>{}</hthreadid>\n  </xwhat>\n", now.thread);
    stack(now.stack);
    out_.put("  <xauxwhat>\n");
    element("    ", "text",
            fmt::format("This conflicts with a previous {} of size {} by thread #{}", verb(before), before.width,
                        before.thread));
    out_.print("    <hthreadid>{}</hthreadid>\n  </xauxwhat>\n", before.thread);
    stack(before.stack);
    location(f);
    if (f.variables.size() > 1) element("  ", "auxwhat", "both accesses cover " + all_variables(f));
    for (const std::string& note : all_notes(f)) element("  ", "auxwhat", note);
    out_.put("</error>\n\n");
  }
  static const char* verb(const RaceSide& s) { return s.free ? "free" : s.write ? "write" : "read"; }

  void location(const RaceFinding& f) {
    if (!f.declared.known() || f.kind == "heap") {
      element("  ", "auxwhat", fmt::format("Location 0x{:x} is {}", f.second.addr, f.variable));
      if (!f.allocated.empty()) stack(f.allocated);
      return;
    }
    out_.put("  <xauxwhat>\n");
    element("    ", "text",
            fmt::format("Location 0x{:x} is inside {}, declared at {}:{}", f.second.addr, f.variable,
                        symbols::base_name(f.declared.file), f.declared.line));
    element("    ", "file", f.declared.file);
    out_.print("    <line>{}</line>\n  </xauxwhat>\n", f.declared.line);
  }

  Output& out_;
};

}  // namespace

void write_races_xml(const RaceReport& report, const RaceXmlRun& run, Output& out) { XmlRaces(out).write(report, run); }

}  // namespace cdr::report
