// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/trace_path.h"

#include "cdrgrind/format/frame.h"
#include "cdrgrind/tool/files.h"
#include "cdrgrind/tool/options.h"
#include "cdrgrind/tool/output_place.h"

namespace cdr::tool {
namespace {

bool names_process(const HChar* pattern) {
  for (const HChar* p = pattern; *p; ++p) {
    if (*p != '%') continue;
    if (*++p == 'p') return true;
    if (!*p) break;
  }
  return false;
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

// The highest number of a trace of this process, in a row of files without a hole; -1 if there is none.
int64_t last_of_own(const HChar* file, const RunInfo& self) {
  int64_t last = -1;
  for (uint32_t number = 0;; ++number) {
    const std::vector<HChar> path = numbered_path(view(file), number);
    if (is_trace_of(path.data(), self))
      last = number;
    else if (number > 0 && !is_regular(path.data()))
      return last;
  }
}

}  // namespace

std::vector<HChar> numbered_path(std::string_view file, uint32_t number) {
  std::vector<HChar> text(file.size() + 16);
  VG_(memcpy)(text.data(), file.data(), file.size());
  if (number > 0) VG_(snprintf)(text.data() + file.size(), 16, ".%u", number);
  return text;
}

const HChar* path_of(const TraceName& name) {
  return name.number == 0 ? name.file : VG_(strdup)("cdr.path", numbered_path(view(name.file), name.number).data());
}

TraceName trace_name(const RunInfo& self, bool inherited) {
  const HChar* file = VG_(expand_file_name)("--cdr-out-file", options.out_file);
  int64_t last = last_of_own(file, self);
  if (last < 0 && inherited && !names_process(options.out_file)) {
    file = path_of({file, self.pid});
    last = last_of_own(file, self);
  }
  return {file, static_cast<uint32_t>(last + 1)};
}

bool out_file_is_special() { return is_special(VG_(expand_file_name)("--cdr-out-file", options.out_file)); }

// A FIFO that takes the file's place meanwhile must not make us wait.
bool read_run(const HChar* path, RunInfo& run) {
  uint8_t bytes[kFileHeaderBytes + kFrameHeaderBytes + kRunBytes];
  if (!is_regular(path)) return false;
  const SysRes r = VG_(open)(path, VKI_O_RDONLY | VKI_O_NONBLOCK, 0);
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

bool is_trace_of(const HChar* path, const RunInfo& self) {
  RunInfo run;
  return read_run(path, run) && run.pid == self.pid && run.process_start == self.process_start;
}

void tell_successors() {
  if (options.successor) return;
  hand_on("--cdr-successor=yes");
  const HChar* const folder = VG_(get_startup_wd)();
  if (options.out_file[0] != '/' && folder) hand_on(absolute_option(folder));
}

}  // namespace cdr::tool
