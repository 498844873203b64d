// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/trace_path.h"

#include "cdrgrind/format/frame.h"
#include "cdrgrind/tool/options.h"

namespace cdr::tool {
namespace {

const HChar* with_number(const HChar* path, uint32_t number) {
  const SizeT room = VG_(strlen)(path) + 16;
  auto* text = static_cast<HChar*>(VG_(malloc)("cdr.path", room));
  VG_(snprintf)(text, static_cast<Int>(room), "%s.%u", path, number);
  return text;
}

bool names_process(const HChar* pattern) {
  for (const HChar* p = pattern; *p; ++p) {
    if (*p != '%') continue;
    if (*++p == 'p') return true;
    if (!*p) break;
  }
  return false;
}

// Reading a pipe would wait, so only files.
bool is_file(const HChar* path) {
  struct vg_stat s;
  return !sr_isError(VG_(stat)(path, &s)) && (s.mode & 0170000) == 0100000;
}

bool read_run(const HChar* path, RunInfo& run) {
  uint8_t bytes[kFileHeaderBytes + kFrameHeaderBytes + kRunBytes];
  if (!is_file(path)) return false;
  const SysRes r = VG_(open)(path, VKI_O_RDONLY, 0);
  if (sr_isError(r)) return false;
  const auto fd = static_cast<Int>(sr_Res(r));
  const Int n = VG_(read)(fd, bytes, sizeof bytes);
  VG_(close)(fd);
  if (n != static_cast<Int>(sizeof bytes)) return false;
  uint32_t version = 0;
  FrameHeader h;
  const FileHeaderState state = decode_file_header({bytes, kFileHeaderBytes}, version);
  if (state != FileHeaderState::kOk && state != FileHeaderState::kCut) return false;
  if (!decode_frame_header({bytes + kFileHeaderBytes, kFrameHeaderBytes}, h) || h.type != FrameType::kRun) return false;
  return decode_run({bytes + kFileHeaderBytes + kFrameHeaderBytes, kRunBytes}, run);
}

void hand_on(const HChar* option) { VG_(addToXA)(VG_(args_for_valgrind), &option); }

// --cdr-out-file seen from `folder`, in which % is no pattern.
const HChar* absolute_option(const HChar* folder) {
  static const HChar* const option = "--cdr-out-file=";
  const SizeT room = VG_(strlen)(option) + 2 * VG_(strlen)(folder) + VG_(strlen)(options.out_file) + 2;
  auto* text = static_cast<HChar*>(VG_(malloc)("cdr.path", room));
  VG_(strcpy)(text, option);
  HChar* to = text + VG_(strlen)(text);
  for (const HChar* p = folder; *p; ++p) {
    if (*p == '%') *to++ = '%';
    *to++ = *p;
  }
  *to++ = '/';
  VG_(strcpy)(to, options.out_file);
  return text;
}

bool is_trace_of(const HChar* path, const RunInfo& self) {
  RunInfo run;
  return read_run(path, run) && run.pid == self.pid && run.process_start == self.process_start;
}

}  // namespace

const HChar* trace_path(const RunInfo& self, bool inherited) {
  const HChar* path = VG_(expand_file_name)("--cdr-out-file", options.out_file);
  const bool others = inherited && !names_process(options.out_file);
  if (others && !is_trace_of(path, self)) path = with_number(path, self.pid);
  if (!is_trace_of(path, self)) return path;
  uint32_t number = 1;
  while (is_trace_of(with_number(path, number), self)) ++number;
  return with_number(path, number);
}

void tell_successors() {
  if (options.successor) return;
  hand_on("--cdr-successor=yes");
  const HChar* const folder = VG_(get_startup_wd)();
  if (options.out_file[0] != '/' && folder) hand_on(absolute_option(folder));
}

}  // namespace cdr::tool
