// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/drain/superblock_words.h"

#include <cstring>

namespace cdr::drain {
namespace {

void pack_bytes(const void* p, size_t bytes, std::vector<uint64_t>& to) {
  const size_t at = to.size();
  to.resize(at + (bytes + 7) / 8);
  if (bytes) std::memcpy(to.data() + at, p, bytes);
}

template <class T>
void pack_span(std::span<const T> s, std::vector<uint64_t>& to) {
  to.push_back(s.size());
  pack_bytes(s.data(), s.size_bytes(), to);
}

template <class T>
std::span<const T> unpack_span(std::span<const uint64_t>& from) {
  const size_t n = from[0];
  const auto* p = reinterpret_cast<const T*>(from.data() + 1);
  from = from.subspan(1 + (n * sizeof(T) + 7) / 8);
  return {p, n};
}

}  // namespace

void pack_superblock(const Superblock& sb, std::vector<uint64_t>& to) {
  to.push_back(sb.addr);
  to.push_back(static_cast<uint64_t>(sb.module.value) << 32 | sb.length);
  to.push_back(sb.flags);
  pack_span(sb.insns, to);
  pack_span(sb.accesses, to);
  pack_span(sb.sp_changes, to);
  pack_span(sb.exits, to);
}

Superblock unpack_superblock(std::span<const uint64_t>& from) {
  Superblock sb;
  sb.addr = from[0];
  sb.module = ModuleId(static_cast<uint32_t>(from[1] >> 32));
  sb.length = static_cast<uint32_t>(from[1]);
  sb.flags = static_cast<uint8_t>(from[2]);
  from = from.subspan(3);
  sb.insns = unpack_span<Insn>(from);
  sb.accesses = unpack_span<Access>(from);
  sb.sp_changes = unpack_span<SpChange>(from);
  sb.exits = unpack_span<Exit>(from);
  return sb;
}

void pack_dataflow(const Dataflow& flow, std::vector<uint64_t>& to) {
  pack_span(flow.inputs, to);
  pack_span(flow.set_ends, to);
  pack_span(flow.slots, to);
  pack_span(flow.accesses, to);
  pack_span(flow.writes, to);
  pack_span(flow.exits, to);
}

Dataflow unpack_dataflow(std::span<const uint64_t>& from) {
  Dataflow flow;
  flow.inputs = unpack_span<FlowInput>(from);
  flow.set_ends = unpack_span<uint32_t>(from);
  flow.slots = unpack_span<uint16_t>(from);
  flow.accesses = unpack_span<AccessFlow>(from);
  flow.writes = unpack_span<StateWrite>(from);
  flow.exits = unpack_span<ExitFlow>(from);
  return flow;
}

void pack_text(std::string_view s, std::vector<uint64_t>& to) {
  to.push_back(s.size());
  pack_bytes(s.data(), s.size(), to);
}

std::string_view unpack_text(std::span<const uint64_t>& from) {
  const size_t n = from[0];
  const std::string_view s(reinterpret_cast<const char*>(from.data() + 1), n);
  from = from.subspan(1 + (n + 7) / 8);
  return s;
}

}  // namespace cdr::drain
