// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/dump/dataflow_lines.h"

#include <string>

namespace cdr::report {
namespace {

std::string piece_text(StatePiece p) {
  const GuestRegister& r = guest_register(register_of(p.offset));
  if (p.offset == r.offset && p.size == r.size) return std::string(r.name);
  return fmt::format("{}[{}:{}]", r.name, p.offset - r.offset, p.end() - r.offset);
}

std::string set_text(const FlowSet& set) {
  std::string text = "{";
  for (const FlowInput& i : set.inputs) {
    if (text.size() > 1) text += ", ";
    text += i.is_load() ? fmt::format("load {}", i.first) : piece_text(i.piece());
  }
  return text + (set.weak ? "}?" : "}");
}

void write_access(const Superblock& sb, const Dataflow& flow, size_t number, Output& out) {
  const Access& a = sb.accesses[number];
  out.print("  +{} {} {}: {} bytes; address {}", sb.insns[a.insn].offset, a.store() ? "store" : "load", number, a.width,
            set_text(flow.set(a.slot == 0 ? 0 : flow.slots[a.slot - 1u])));
  if (a.guarded()) out.print("; guard {}", set_text(flow.set(flow.accesses[number].guard)));
  if (a.store()) out.print("; value {}", set_text(flow.set(flow.accesses[number].value)));
  out.put('\n');
}

void write_exit(const Superblock& sb, const Dataflow& flow, size_t number, uint32_t& write, Output& out) {
  const Exit& e = sb.exits[number];
  const bool last = number + 1 == sb.exits.size();
  out.print("  +{} exit {}", exit_addr(sb, e) - sb.addr, number);
  if (!last || e.target == 0)
    out.print(": {} {}", last ? "target" : "condition", set_text(flow.set(flow.exits[number].condition)));
  out.put('\n');
  for (; write < flow.exits[number].writes; ++write)
    out.print("     {} = {}\n", piece_text(flow.writes[write].piece), set_text(flow.set(flow.writes[write].set)));
}

}  // namespace

void write_dataflow_lines(const BlockTable& blocks, const DataflowTable& flows, Output& out) {
  for (uint32_t id = 1; id <= flows.size(); ++id) {
    const Superblock& sb = blocks.superblock(SuperblockId(id));
    const Dataflow& flow = flows[SuperblockId(id)];
    out.print("superblock {:#x}\n", sb.addr);
    size_t access = 0;
    uint32_t write = 0;
    for (size_t e = 0; e < sb.exits.size(); ++e) {
      for (; access < sb.exits[e].accesses; ++access) write_access(sb, flow, access, out);
      write_exit(sb, flow, e, write, out);
    }
  }
}

}  // namespace cdr::report
