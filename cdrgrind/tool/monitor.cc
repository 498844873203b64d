// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/monitor.h"

#include <string_view>
#include <vector>

#include "cdrgrind/drain/superblock_words.h"
#include "cdrgrind/tool/record_buffer.h"
#include "cdrgrind/tool/recorder.h"
#include "cdrgrind/tool/shown_text.h"
#include "cdrgrind/tool/threads.h"

namespace cdr::tool {
namespace {

using drain::pack_text;

using Number = unsigned long long;

void print_help() {
  VG_(gdb_printf)(
      "\n"
      "cdrgrind monitor commands:\n"
      "  status                    threads, events, bytes written, whether it records\n"
      "  flush                     write everything recorded so far: the trace can be read\n"
      "  instrumentation [on|off]  record, or leave a gap; without a word: which it is\n"
      "  mark NAME                 put a mark into the trace\n"
      "\n");
}

// Everything recorded so far is counted.
bool ask(RecorderState& state) {
  if (recorder_state(state)) return true;
  VG_(gdb_printf)("this process is not recorded\n");
  return false;
}

Number count(const RecorderState& s, EventKind kind) { return s.session.totals.kinds[static_cast<uint8_t>(kind)]; }

void say_collecting(const RecorderState& s) {
  VG_(gdb_printf)("recording: %s\n", s.session.state.collecting ? "on" : "off");
}

void status() {
  RecorderState s;
  if (!ask(s)) return;
  say_collecting(s);
  VG_(gdb_printf)("threads: %llu (%llu started)\n", count(s, EventKind::kThreadStart) - count(s, EventKind::kThreadEnd),
                  Number{s.session.totals.threads});
  VG_(gdb_printf)("events: %llu (%llu blocks)\n", Number{s.session.totals.events}, Number{s.session.totals.blocks});
  VG_(gdb_printf)("bytes: %llu written to %s%s\n", Number{s.session.bytes},
                  s.file ? ShownText(s.file).text() : "memory, no file yet",
                  s.session.state.cut ? ", cut: it could not be written any further" : "");
}

void flush() {
  flush_recorder();
  RecorderState s;
  if (!ask(s)) return;
  if (s.session.state.cut)
    VG_(gdb_printf)("%s is cut: nothing more can be written\n", ShownText(s.file).text());
  else
    VG_(gdb_printf)("%s can be read up to event %llu\n", ShownText(s.file).text(), Number{s.session.totals.events});
}

void instrumentation(const HChar* word) {
  const bool on = word && VG_(strcmp)(word, "on") == 0;
  if (word && !on && VG_(strcmp)(word, "off") != 0) {
    VG_(gdb_printf)("instrumentation is 'on' or 'off', not '%s'\n", ShownText(word).text());
    return;
  }
  if (word) record_buffer.append(RecordKind::kCollect, running_thread(), {on});
  RecorderState s;
  if (ask(s)) say_collecting(s);
}

void mark(const HChar* name) {
  if (!name) {
    VG_(gdb_printf)("a mark needs a name\n");
    return;
  }
  std::vector<uint64_t> words;
  pack_text({name, VG_(strlen)(name)}, words);
  record_buffer.append(RecordKind::kMark, running_thread(), words);
  VG_(gdb_printf)("marked: %s\n", ShownText(name).text());
}

// gdb can stop the program in the middle of a block, which must not find the buffer changed. vgdb alone never
// does.
bool between_blocks() {
  if (!in_client_code() && running_thread()) return true;
  VG_(gdb_printf)("the program stands inside a block: ask from a shell, with vgdb\n");
  return false;
}

}  // namespace

bool handle_monitor_command(const HChar* line) {
  HChar text[1024];
  VG_(strncpy)(text, line, sizeof text - 1);
  text[sizeof text - 1] = 0;
  HChar* rest = nullptr;
  const HChar* const word = VG_(strtok_r)(text, " ", &rest);
  if (!word) return false;
  const Int command = VG_(keyword_id)("help status flush instrumentation mark", word, kwd_report_duplicated_matches);
  if (command == -2) return true;  // it might be several of them: that has been said
  if (command < 0) return false;
  if (command == 0) {
    print_help();
    return true;
  }
  if (!between_blocks()) return true;
  switch (command) {
    case 1:
      status();
      break;
    case 2:
      flush();
      break;
    case 3:
      instrumentation(VG_(strtok_r)(nullptr, " ", &rest));
      break;
    default:
      mark(VG_(strtok_r)(nullptr, "", &rest));  // all of the line
  }
  return true;
}

}  // namespace cdr::tool
