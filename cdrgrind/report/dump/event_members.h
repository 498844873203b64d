// SPDX-License-Identifier: GPL-2.0-or-later
// What an event holds beside its block (docs/events.md), member by member.
#ifndef CDRGRIND_REPORT_DUMP_EVENT_MEMBERS_H
#define CDRGRIND_REPORT_DUMP_EVENT_MEMBERS_H

#include "cdrgrind/base/mpi_calls.h"
#include "cdrgrind/report/common/event_names.h"
#include "cdrgrind/report/dump/event_writer.h"

namespace cdr::report {

// Told to `Writer`, which has number, address, result, word, text, range, flags and memory.
template <class Writer>
class EventMembers {
 public:
  EventMembers(Writer& to, const ModuleTable& modules) : to_(to), modules_(modules) {}

  void tell(const Event& e) {
    switch (e.kind) {
      case EventKind::kPartial:
        to_.address("ip", e.ip);
        break;
      case EventKind::kCall:
      case EventKind::kSignalLeave:
        to_.address("ip", e.ip), to_.address("sp", e.sp);
        break;
      case EventKind::kReturn:
      case EventKind::kStackPointer:
        to_.address("sp", e.sp);
        break;
      case EventKind::kPop:
        to_.number("count", e.count);
        break;
      case EventKind::kStackSwitch:
        stack(e);
        break;
      case EventKind::kSignalEnter:
        to_.number("signal", e.count), to_.address("ip", e.ip), to_.address("sp", e.sp);
        break;
      case EventKind::kGapBegin:
        scope(e);
        break;
      case EventKind::kGapEnd:
        scope(e), to_.address("sp", e.sp);
        break;
      case EventKind::kSyncEnter:
      case EventKind::kSyncLeave:
        sync(e);
        break;
      case EventKind::kAlloc:
      case EventKind::kFree:
        to_.address("addr", e.addr), to_.number("size", e.size);
        break;
      case EventKind::kResize:
        to_.address("addr", e.addr), to_.number("size", e.size), to_.number("new_size", e.value);
        break;
      case EventKind::kThreadCreate:
        to_.number("child", e.child.value);
        break;
      case EventKind::kThreadStart:
        stack(e), to_.address("pthread", e.value), to_.number("creator", e.child.value);
        break;
      case EventKind::kSyscall:
        to_.number("number", e.value), to_.address("ip", e.ip), to_.result(e.result), to_.memory(e.memory);
        break;
      case EventKind::kMap:
        to_.range("", e.range), to_.flags(static_cast<uint32_t>(e.value), map_flag_names());
        break;
      case EventKind::kUnmap:
        to_.range("", e.range);
        break;
      case EventKind::kModuleMapped:
        module(e.module);
        break;
      case EventKind::kModuleUnmapped:
        to_.number("module", e.module.value);
        break;
      case EventKind::kMpiEnter:
        to_.word("function", mpi_function_name(e.count)), to_.address("return_to", e.value);
        break;
      case EventKind::kMpiWords:
        to_.word("what", e.count == CDR_MPI_IS_ARGUMENT ? "arguments" : "results"), to_.words(e.words);
        break;
      case EventKind::kMpiLeave:
        to_.word("function", mpi_function_name(e.count)), to_.result(e.result);
        break;
      case EventKind::kMark:
        to_.text("name", e.text);
        break;
      default:
        break;
    }
  }

 private:
  void stack(const Event& e) {
    to_.number("stack", e.stack.value);
    to_.range("", e.range);
    to_.address("sp", e.sp);
  }
  void scope(const Event& e) { to_.word("scope", e.count == 0 ? "process" : "thread"); }
  void sync(const Event& e) {
    to_.word("op", name_of(e.sync.op));
    to_.address("object", e.sync.object);
    to_.address("object2", e.sync.object2);
    to_.number("value", e.sync.value);
    if (e.kind == EventKind::kSyncLeave) to_.result(e.sync.result), to_.flags(e.sync.flags, sync_flag_names());
  }
  void module(ModuleId id) {
    const Module m = modules_.has(id) ? modules_[id] : Module();
    to_.number("module", id.value);
    to_.text("path", m.path);
    to_.text("soname", m.soname);
    to_.range("text", m.text);
    to_.address("bias", m.bias);
    to_.range("got", m.got);
    to_.range("got_plt", m.got_plt);
    to_.range("plt", m.plt);
    to_.flags(m.flags, module_flag_names());
  }

  Writer& to_;
  const ModuleTable& modules_;
};

}  // namespace cdr::report

#endif
