// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/trace/check/check_blocks.h"

#include <algorithm>

#include "cdrgrind/encode/event_fields.h"

namespace cdr::trace {
namespace {

std::string block_text(BlockId id) { return "block " + std::to_string(id.value); }

}  // namespace

void CheckBlocks::see(const Sight& s) {
  ids(s);
  modules(s);
  if (fields_of(s.e.kind) & kFieldBlock) module_of_block(s);
  if (s.e.kind == EventKind::kBlock || s.e.kind == EventKind::kPartial) words(s);
  if (s.e.kind == EventKind::kPartial) partial(s);
  if (s.e.kind == EventKind::kSyscall) syscall(s);
  control(s);
}

void CheckBlocks::ids(const Sight& s) {
  const auto next = [&](const char* what, uint32_t id, uint32_t& seen) {
    if (id > seen + 1)
      report_.add("ids-in-first-appearance-order", s.index,
                  std::string(what) + " " + std::to_string(id) + " after " + std::to_string(seen));
    seen = std::max(seen, id);
  };
  if (s.e.block) next("block", s.e.block.value, blocks_seen_);
  if (s.e.block) next("superblock", blocks_.block(s.e.block).superblock.value, superblocks_seen_);
  if (s.e.kind == EventKind::kModuleMapped) next("module", s.e.module.value, modules_seen_);
  if (s.e.stack) next("stack", s.e.stack.value, stacks_seen_);
}

void CheckBlocks::modules(const Sight& s) {
  bool right = true;
  if (s.e.kind == EventKind::kModuleMapped) {
    right = ever_mapped_.insert(s.e.module).second;
    mapped_.insert(s.e.module);
  } else if (s.e.kind == EventKind::kModuleUnmapped) {
    right = mapped_.erase(s.e.module) == 1;
  }
  if (!right) report_.add("module-mapped-once", s.index, "module " + std::to_string(s.e.module.value));
}

void CheckBlocks::module_of_block(const Sight& s) {
  const ModuleId module = blocks_.superblock_of(s.e.block).module;
  if (module && !mapped_.contains(module))
    report_.add("module-before-block", s.index, block_text(s.e.block) + " of module " + std::to_string(module.value));
}

void CheckBlocks::words(const Sight& s) {
  const Event& e = s.e;
  const size_t right = e.kind == EventKind::kBlock ? blocks_.exit_of(e.block).words
                                                   : executed_before(blocks_.superblock_of(e.block), e.ip).words;
  if (e.words.size() != right)
    report_.add(
        "words-match-exit", s.index,
        block_text(e.block) + " has " + std::to_string(e.words.size()) + " words instead of " + std::to_string(right));
}

void CheckBlocks::partial(const Sight& s) {
  const Superblock& sb = blocks_.superblock_of(s.e.block);
  if (blocks_.block(s.e.block).exit + 1u != sb.exits.size())
    report_.add("partial-names-last-exit", s.index, block_text(s.e.block));
  const bool at_insn =
      std::any_of(sb.insns.begin(), sb.insns.end(), [&](const Insn& i) { return sb.addr + i.offset == s.e.ip; });
  if (!at_insn)
    report_.add("partial-ip-in-block", s.index, hex(s.e.ip) + " is no instruction of " + block_text(s.e.block));
}

// What may send a thread elsewhere than its last block said makes that block forgotten.
void CheckBlocks::control(const Sight& s) {
  const Event& e = s.e;
  switch (e.kind) {
    case EventKind::kSignalEnter:
    case EventKind::kSignalLeave:
    case EventKind::kPartial:
      threads_[e.thread] = LastBlock{};
      return;
    case EventKind::kGapBegin:
    case EventKind::kGapEnd:
      if (e.count == 0)
        threads_.clear();
      else
        threads_[e.thread] = LastBlock{};
      return;
    case EventKind::kBlock:
      break;
    default:
      return;
  }
  LastBlock& t = threads_[e.thread];
  const Superblock& sb = blocks_.superblock_of(e.block);
  const bool elsewhere = sb.flags & (kBlockRedirected | kBlockShim);
  if (t.target != 0 && t.target != sb.addr && !elsewhere)
    report_.add(
        "jump-target-reached", s.index,
        block_text(e.block) + " at " + hex(sb.addr) + " instead of " + hex(t.target) + " after " + block_text(t.last));
  if (t.syscall_due) report_.add("syscall-after-syscall-exit", s.index, "no Syscall after " + block_text(t.last));
  t.last = e.block;
  t.syscall_due = blocks_.exit_of(e.block).kind == ExitKind::kSyscall;
  t.target = (sb.flags & kBlockShim) ? 0 : blocks_.exit_of(e.block).target;
}

void CheckBlocks::syscall(const Sight& s) {
  if (s.before.in_gap(s.e.thread)) return;
  const BlockId last = threads_[s.e.thread].last;
  threads_[s.e.thread].syscall_due = false;
  if (!last) return;  // a signal came between, or recording has just begun
  const Superblock& sb = blocks_.superblock_of(last);
  const bool leaves = blocks_.exit_of(last).kind == ExitKind::kSyscall;
  if (!leaves || s.e.ip < sb.addr || s.e.ip >= sb.addr + sb.length)
    report_.add("syscall-after-syscall-exit", s.index, "system call at " + hex(s.e.ip) + " after " + block_text(last));
}

}  // namespace cdr::trace
