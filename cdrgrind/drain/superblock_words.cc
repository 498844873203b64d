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
void unpack_span(std::span<const T>& s, std::span<const uint64_t>& from) {
  const size_t n = from[0];
  s = {reinterpret_cast<const T*>(from.data() + 1), n};
  from = from.subspan(1 + (n * sizeof(T) + 7) / 8);
}

// Their spans, in the order in which they are packed.
template <class S, class F>
void for_lists_of_code(S& superblock, F f) {
  f(superblock.insns);
  f(superblock.accesses);
  f(superblock.sp_changes);
  f(superblock.exits);
}
template <class D, class F>
void for_lists_of_flow(D& flow, F f) {
  f(flow.inputs);
  f(flow.set_ends);
  f(flow.slots);
  f(flow.accesses);
  f(flow.writes);
  f(flow.exits);
}

}  // namespace

void pack_superblock(const Superblock& sb, std::vector<uint64_t>& to) {
  to.push_back(sb.addr);
  to.push_back(static_cast<uint64_t>(sb.module.value) << 32 | sb.length);
  to.push_back(sb.flags);
  for_lists_of_code(sb, [&](const auto& list) { pack_span(list, to); });
}

Superblock unpack_superblock(std::span<const uint64_t>& from) {
  Superblock sb;
  sb.addr = from[0];
  sb.module = ModuleId(static_cast<uint32_t>(from[1] >> 32));
  sb.length = static_cast<uint32_t>(from[1]);
  sb.flags = static_cast<uint8_t>(from[2]);
  from = from.subspan(3);
  for_lists_of_code(sb, [&](auto& list) { unpack_span(list, from); });
  return sb;
}

void pack_dataflow(const Dataflow& flow, std::vector<uint64_t>& to) {
  for_lists_of_flow(flow, [&](const auto& list) { pack_span(list, to); });
}

Dataflow unpack_dataflow(std::span<const uint64_t>& from) {
  Dataflow flow;
  for_lists_of_flow(flow, [&](auto& list) { unpack_span(list, from); });
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
