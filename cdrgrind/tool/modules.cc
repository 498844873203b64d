// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/modules.h"

#include <string_view>
#include <vector>

#include "cdrgrind/base/checksum.h"
#include "cdrgrind/base/module_table.h"
#include "cdrgrind/drain/superblock_words.h"
#include "cdrgrind/tool/file_id.h"
#include "cdrgrind/tool/files.h"
#include "cdrgrind/tool/record_buffer.h"
#include "cdrgrind/tool/threads.h"

namespace cdr::tool {
namespace {

using drain::pack_text;

struct Known {
  MappedModule module;
  uint64_t identity = 0;  // of file name and addresses
  bool seen = false;
};

constinit std::vector<Known> known;
constinit uint32_t last_module = 0;
constinit bool changed = true;
constinit size_t last_hit = 0;

AddrRange section(Addr begin, SizeT size) { return size ? AddrRange{begin, begin + size} : AddrRange{}; }

// The whole executable mapping around .text: .init and .plt too.
AddrRange executable_mapping(const DebugInfo* di) {
  const AddrRange text = section(VG_(DebugInfo_get_text_avma)(di), VG_(DebugInfo_get_text_size)(di));
  const NSegment* seg = VG_(am_find_nsegment)(text.begin);
  if (text.empty() || !seg) return text;
  return {seg->start, seg->end + 1};
}

// Valgrind's list holds the tool itself too.
bool is_clients(const DebugInfo* di) {
  if (VG_(DebugInfo_get_text_size)(di) == 0) return false;
  const NSegment* seg = VG_(am_find_nsegment)(VG_(DebugInfo_get_text_avma)(di));
  return seg && seg->kind != SkFileV && seg->kind != SkAnonV;
}

FileId mapped_file(const DebugInfo* di) {
  const NSegment* seg = VG_(am_find_nsegment)(VG_(DebugInfo_get_text_avma)(di));
  return seg && seg->kind == SkFileC ? file_id_of(VG_(DebugInfo_get_filename)(di), *seg) : FileId();
}

uint64_t identity_of(const DebugInfo* di) {
  const std::string_view path = view(VG_(DebugInfo_get_filename)(di));
  const uint64_t name = checksum64({reinterpret_cast<const uint8_t*>(path.data()), path.size()});
  return mix64(name ^ VG_(DebugInfo_get_text_avma)(di)) ^ reinterpret_cast<uint64_t>(di);
}

uint8_t flags_of(const DebugInfo* di) {
  const std::string_view path = view(VG_(DebugInfo_get_filename)(di));
  const std::string_view soname = view(VG_(DebugInfo_get_soname)(di));
  uint8_t flags = 0;
  if (soname.starts_with("ld-linux") || soname.starts_with("ld.so") || soname.starts_with("ld-2."))
    flags |= kModuleDynamicLinker;
  if (path.find("/vgpreload_cdrgrind-") != std::string_view::npos) flags |= kModulePreload;
  return flags;
}

void add(const DebugInfo* di, uint64_t identity) {
  Known k;
  k.module.id = ModuleId(++last_module);
  k.module.info = di;
  k.module.text = executable_mapping(di);
  k.module.plt = section(VG_(DebugInfo_get_plt_avma)(di), VG_(DebugInfo_get_plt_size)(di));
  k.module.flags = flags_of(di);
  k.identity = identity;
  k.seen = true;
  known.push_back(k);
  const AddrRange got = section(VG_(DebugInfo_get_got_avma)(di), VG_(DebugInfo_get_got_size)(di));
  const AddrRange got_plt = section(VG_(DebugInfo_get_gotplt_avma)(di), VG_(DebugInfo_get_gotplt_size)(di));
  const FileId id = mapped_file(di);
  std::vector<uint64_t> words = {k.module.text.begin,
                                 k.module.text.end,
                                 static_cast<uint64_t>(VG_(DebugInfo_get_text_bias)(di)),
                                 got.begin,
                                 got.end,
                                 got_plt.begin,
                                 got_plt.end,
                                 k.module.plt.begin,
                                 k.module.plt.end,
                                 k.module.flags,
                                 id.file_bytes,
                                 static_cast<uint64_t>(id.kind)};
  pack_text(view(VG_(DebugInfo_get_filename)(di)), words);
  pack_text(view(VG_(DebugInfo_get_soname)(di)), words);
  pack_text(id.bytes(), words);
  record_buffer.append(RecordKind::kModule, running_thread(), words);
}

Known* find_known(uint64_t identity) {
  for (Known& k : known)
    if (k.identity == identity) return &k;
  return nullptr;
}

void remove_unseen() {
  for (size_t i = 0; i < known.size();) {
    if (known[i].seen) {
      ++i;
      continue;
    }
    record_buffer.append(RecordKind::kModuleUnmapped, running_thread(), {known[i].module.id.value});
    known.erase(known.begin() + static_cast<long>(i));
    last_hit = 0;
  }
}

}  // namespace

void note_mappings_changed() { changed = true; }

void update_modules() {
  if (!changed || !running_thread()) return;
  changed = false;
  for (Known& k : known) k.seen = false;
  for (const DebugInfo* di = VG_(next_DebugInfo)(nullptr); di; di = VG_(next_DebugInfo)(di)) {
    if (!is_clients(di)) continue;
    const uint64_t identity = identity_of(di);
    if (Known* k = find_known(identity))
      k->seen = true;
    else
      add(di, identity);
  }
  remove_unseen();
}

const MappedModule* module_at(Addr addr) {
  if (last_hit < known.size() && known[last_hit].module.text.contains(addr)) return &known[last_hit].module;
  for (size_t i = 0; i < known.size(); ++i) {
    if (!known[i].module.text.contains(addr)) continue;
    last_hit = i;
    return &known[i].module;
  }
  return nullptr;
}

}  // namespace cdr::tool
