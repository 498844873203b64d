// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/superblocks.h"

#include <algorithm>
#include <vector>

#include "cdrgrind/base/checksum.h"
#include "cdrgrind/base/flat_map.h"
#include "cdrgrind/base/module_table.h"
#include "cdrgrind/drain/superblock_words.h"
#include "cdrgrind/tool/flow_scan.h"
#include "cdrgrind/tool/instrument.h"
#include "cdrgrind/tool/modules.h"
#include "cdrgrind/tool/names.h"
#include "cdrgrind/tool/options.h"
#include "cdrgrind/tool/record_buffer.h"
#include "cdrgrind/tool/threads.h"

namespace cdr::tool {
namespace {

using drain::pack_dataflow;
using drain::pack_superblock;

struct KnownSuperblock {
  Addr addr;
  uint32_t length;
  uint32_t first_record;
  uint16_t words;
};

constinit std::vector<KnownSuperblock> known_superblocks;  // ascending first_record
constinit FlatMap<uint64_t, uint32_t> by_identity;
constinit uint32_t next_record = kFirstBlock;

uint64_t identity_of(const Superblock& sb) {
  const uint64_t code = checksum64({reinterpret_cast<const uint8_t*>(sb.addr), sb.length});
  uint64_t h = mix64(code ^ sb.addr);
  h = mix64(h ^ (static_cast<uint64_t>(sb.module.value) << 32 | sb.flags));
  return mix64(h ^ (sb.exits.size() << 32 | static_cast<uint64_t>(sb.exits.back().words)));
}

// What is recorded of its data flow; empty when nothing is.
void pack_flow(const IRSB& code, const SuperblockScan& scan, bool accesses, std::vector<uint64_t>& words) {
  if (!options.dataflow || options.data != DataMode::kAll) return pack_dataflow({}, words);
  pack_dataflow(FlowScan(code, scan, accesses).summary(), words);
}

template <class PackFlow>
uint32_t define(const Superblock& sb, bool toggle, PackFlow pack_flow) {
  const uint32_t first = next_record;
  next_record += static_cast<uint32_t>(sb.exits.size());
  known_superblocks.push_back({sb.addr, sb.length, first, sb.exits.back().words});
  std::vector<uint64_t> words = {first, toggle};
  pack_superblock(sb, words);
  pack_flow(words);
  record_buffer.append(RecordKind::kSuperblock, cdr::ThreadId(), words);
  return first;
}

template <class PackFlow>
uint32_t intern(const Superblock& sb, bool toggle, PackFlow pack_flow) {
  const auto [entry, is_new] = by_identity.insert(identity_of(sb));
  if (is_new) *entry = define(sb, toggle, pack_flow);
  return *entry;
}

}  // namespace

int words_of_record(uint32_t record, Addr ip) {
  auto e = std::upper_bound(known_superblocks.begin(), known_superblocks.end(), record,
                            [](uint32_t r, const KnownSuperblock& x) { return r < x.first_record; });
  if (e == known_superblocks.begin()) return -1;
  --e;
  return ip >= e->addr && ip < e->addr + e->length ? e->words : -1;
}

IRSB* instrument(VgCallbackClosure* closure, IRSB* in, const VexGuestLayout*, const VexGuestExtents* extents,
                 const VexArchInfo*, IRType, IRType) {
  tl_assert(extents->n_used == 1);
  update_modules();
  const Addr addr = extents->base[0];
  const MappedModule* const module = module_at(addr);
  const bool shim = module && (module->flags & kModulePreload) && !accesses_exactly(addr);
  const bool accesses = !shim && (options.data != DataMode::kNone || options.deps != DepsMode::kNo);
  const SuperblockScan scan(*in, addr, extents->len[0], accesses);
  Superblock sb = scan.superblock();
  const FunctionFacts facts = function_facts(addr);
  if (module) sb.module = module->id;
  if (facts.entry) sb.flags |= kBlockFunctionEntry;
  if (facts.hidden) sb.flags |= kBlockHidden;
  if (shim) sb.flags |= kBlockShim;
  if (module && module->plt.contains(addr)) sb.flags |= kBlockPlt;
  if (module && (module->flags & kModuleDynamicLinker)) sb.flags |= kBlockDynamicLinker;
  if (closure->nraddr != addr) sb.flags |= kBlockRedirected;
  const auto flow = [&](std::vector<uint64_t>& words) { pack_flow(*in, scan, accesses, words); };
  return add_recording(*in, scan, intern(sb, facts.toggle, flow));
}

}  // namespace cdr::tool
