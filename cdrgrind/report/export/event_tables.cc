// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/export/event_tables.h"

#include <algorithm>

#include "cdrgrind/report/common/event_names.h"
#include "cdrgrind/trace/read/replay.h"

namespace cdr::report {

std::span<const Column> block_columns() {
  static constexpr Column kColumns[] = {
      {"event", "uint64", "number in the true order of all threads, from 0"},
      {"thread", "uint64", "serial number; main is 1"},
      {"block", "uint64", "superblock and exit"},
      {"module", "uint64", "serial number of the mapped file, 0: none"},
      {"address", "uint64", "of the first instruction"},
      {"exit", "string", "how it was left; partial: a fault stopped it"},
      {"instructions", "uint64", "executed"},
      {"accesses", "uint64", "that happened"},
      {"function", "string", "that the first instruction is in"},
      {"file", "string", "of the source, or the module where there are no lines"},
      {"line", "uint64", "of the first instruction"},
  };
  return kColumns;
}

std::span<const Column> access_columns() {
  static constexpr Column kColumns[] = {
      {"event", "uint64", "number in the true order of all threads, from 0"},
      {"access", "uint64", "in the superblock, or of the system call, from 0; guarded ones that did not happen count"},
      {"thread", "uint64", "serial number; main is 1"},
      {"kind", "string", "instruction or syscall"},
      {"ip", "uint64", "address of the instruction"},
      {"address", "uint64", "of the first byte"},
      {"size", "uint64", "bytes"},
      {"store", "bool", "1: written, 0: read"},
      {"atomic", "bool", "1: part of an atomic instruction"},
      {"function", "string", "that the instruction is in; not of system calls"},
      {"file", "string", "of the source, or the module where there are no lines"},
      {"line", "uint64", "of the instruction"},
  };
  return kColumns;
}

void BlockTableExport::load_names() {
  cells_.load([](const Superblock& sb) { return std::vector<uint32_t>(sb.insns.empty() ? 0 : 1); });
}

void BlockTableExport::see(const Event& e, uint64_t index) {
  if (e.kind != EventKind::kBlock && e.kind != EventKind::kPartial) return;
  const trace::Extent done = trace::extent_of(e, blocks_);
  const Superblock& sb = *done.superblock;
  const auto accesses =
      std::count_if(done.accesses.begin(), done.accesses.end(), [&](const Access& a) { return happened(a, e.words); });
  to_.number(index).number(uint64_t{e.thread.value}).number(uint64_t{e.block.value});
  to_.number(uint64_t{sb.module.value}).number(sb.addr);
  to_.cells(e.kind == EventKind::kPartial ? "partial" : name_of(blocks_.exit_of(e.block).kind));
  to_.number(uint64_t{done.insns}).number(static_cast<uint64_t>(accesses));
  to_.cells(sb.insns.empty() ? CodeCells::kNone : cells_.of(blocks_.block(e.block).superblock, 0)).end_row();
}

void AccessTableExport::load_names() {
  cells_.load([](const Superblock& sb) {
    std::vector<uint32_t> insns;
    for (const Access& a : sb.accesses)
      if (insns.empty() || insns.back() != a.insn) insns.push_back(a.insn);
    return insns;
  });
}

void AccessTableExport::see(const Event& e, uint64_t index) {
  uint64_t number = 0;
  const auto begin = [&] { to_.number(index).number(number).number(uint64_t{e.thread.value}); };
  if (e.kind == EventKind::kBlock || e.kind == EventKind::kPartial) {
    const trace::Extent done = trace::extent_of(e, blocks_);
    const SuperblockId id = blocks_.block(e.block).superblock;
    for (const Access& a : done.accesses) {
      if (happened(a, e.words)) {
        begin();
        to_.cells("instruction").number(done.superblock->insn_addr(a.insn)).number(address_of(a, e.words));
        to_.number(uint64_t{a.width}).flag(a.store()).flag(a.flags & kAccessAtomic).cells(cells_.of(id, a.insn));
        to_.end_row();
      }
      ++number;
    }
  } else if (e.kind == EventKind::kSyscall) {
    for (const MemorySpan& m : e.memory) {
      begin();
      to_.cells("syscall").number(e.ip).number(m.addr).number(m.size).flag(m.store).flag(false);
      to_.cells(CodeCells::kNone).end_row();
      ++number;
    }
  }
}

}  // namespace cdr::report
