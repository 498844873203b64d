// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/events/frames_at.h"

#include <algorithm>

#include "cdrgrind/trace/index/frame_walk.h"

namespace cdr::analysis {

std::vector<CallFrame> frames_at(trace::Seeker& seeker, ThreadId thread, uint64_t index) {
  trace::TracePosition place;
  if (!seeker.before_index(thread, index, place)) return {};
  std::vector<trace::StackFrame> frames;
  trace::FrameWalk walk(seeker, place, trace::BelowHandler::kOwnStack);
  for (trace::StackFrame f; walk.next(f, true);) frames.push_back(f);
  const auto function_of = [&](const trace::StackFrame& f) {
    if (!f.name) return CodeAddr();
    const Superblock& sb = seeker.file().blocks().superblock_of(f.name);
    return CodeAddr{sb.module, sb.addr};
  };
  std::vector<CallFrame> out(frames.size());
  for (size_t i = 0; i < frames.size(); ++i) {
    out[i].function = function_of(frames[i]);
    if (frames[i].call_ip == 0) continue;
    // The caller's function is in the module of the block that named it, so that is where the call is.
    const CodeAddr caller = i + 1 < frames.size() ? function_of(frames[i + 1]) : CodeAddr();
    out[i].site = {caller.module, frames[i].call_ip};
    out[i].base = frames[i].sp + sizeof(uint64_t);
  }
  std::reverse(out.begin(), out.end());
  return out;
}

}  // namespace cdr::analysis
