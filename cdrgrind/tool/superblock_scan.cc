// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/superblock_scan.h"

#include <algorithm>
#include <cstddef>

namespace cdr::tool {
namespace {

constexpr int kSpOffset = offsetof(VexGuestAMD64State, guest_RSP);
constexpr size_t kStateWords = sizeof(VexGuestAMD64State) / 8 + 1;

bool is_syscall(IRJumpKind k) { return k >= Ijk_Sys_syscall && k <= Ijk_Sys_sysenter; }

bool is_fault(IRJumpKind k) {
  switch (k) {
    case Ijk_SigILL:
    case Ijk_SigTRAP:
    case Ijk_SigSEGV:
    case Ijk_SigBUS:
    case Ijk_SigFPE:
    case Ijk_SigFPE_IntDiv:
    case Ijk_SigFPE_IntOvf:
      return true;
    default:
      return false;
  }
}

ExitKind exit_kind(IRJumpKind k, bool constant_target) {
  if (is_syscall(k)) return ExitKind::kSyscall;
  if (is_fault(k)) return ExitKind::kFault;
  switch (k) {
    case Ijk_Boring:
      return constant_target ? ExitKind::kBranch : ExitKind::kIndirectJump;
    case Ijk_Call:
      return constant_target ? ExitKind::kCall : ExitKind::kIndirectCall;
    case Ijk_NoRedir:
      return ExitKind::kIndirectCall;  // Valgrind's call of a wrapped original pushes a return address
    case Ijk_Ret:
      return ExitKind::kReturn;
    case Ijk_ClientReq:
      return ExitKind::kClientRequest;
    case Ijk_Yield:
      return ExitKind::kYield;
    case Ijk_NoDecode:
      return ExitKind::kUndecodable;
    default:
      return ExitKind::kOther;
  }
}

uint64_t constant_value(const IRConst& c) {
  switch (c.tag) {
    case Ico_U64:
      return c.Ico.U64;
    case Ico_U32:
      return c.Ico.U32;
    case Ico_U16:
      return c.Ico.U16;
    case Ico_U8:
      return c.Ico.U8;
    case Ico_U1:
      return c.Ico.U1;
    default:
      return 0;
  }
}

bool always(const IRExpr& guard) { return guard.tag == Iex_Const && constant_value(*guard.Iex.Const.con) == 1; }

bool same_atom(const IRExpr& a, const IRExpr& b) { return eqIRAtom(&a, &b); }

}  // namespace

SuperblockScan::SuperblockScan(const IRSB& sb, uint64_t addr, uint32_t length, bool accesses)
    : sb_(sb), addr_(addr), length_(length), want_accesses_(accesses) {
  const auto temps = static_cast<size_t>(sb.tyenv->types_used);
  temps_.resize(temps);
  slots_.resize(temps);
  entry_sp_.resize(temps);
  registers_.resize(kStateWords);
  for (stmt_ = 0; stmt_ < sb.stmts_used; ++stmt_) statement(*sb.stmts[stmt_]);
  last_exit();
}

Superblock SuperblockScan::superblock() const {
  Superblock s;
  s.addr = addr_;
  s.length = length_;
  s.insns = insns_;
  s.accesses = accesses_;
  s.sp_changes = sp_changes_;
  s.exits = exits_;
  return s;
}

void SuperblockScan::statement(const IRStmt& st) {
  switch (st.tag) {
    case Ist_IMark:
      imark(st);
      break;
    case Ist_WrTmp:
      write_temp(st.Ist.WrTmp.tmp, *st.Ist.WrTmp.data);
      break;
    case Ist_Put:
      put(st.Ist.Put.offset, *st.Ist.Put.data);
      break;
    case Ist_PutI: {
      const IRRegArray& a = *st.Ist.PutI.details->descr;
      forget_registers(a.base, a.nElems * sizeofIRType(a.elemTy));
      break;
    }
    case Ist_Store:
      access(st.Ist.Store.addr, sizeofIRType(typeOfIRExpr(sb_.tyenv, st.Ist.Store.data)), kAccessStore);
      break;
    case Ist_StoreG: {
      const IRStoreG& g = *st.Ist.StoreG.details;
      guarded_access(g.addr, g.guard, sizeofIRType(typeOfIRExpr(sb_.tyenv, g.data)), kAccessStore);
      break;
    }
    case Ist_LoadG: {
      const IRLoadG& g = *st.Ist.LoadG.details;
      IRType result, loaded;
      typeOfIRLoadGOp(g.cvt, &result, &loaded);
      guarded_access(g.addr, g.guard, sizeofIRType(loaded), 0);
      temps_[g.dst] = {static_cast<int>(g.dst), 0, true};
      break;
    }
    case Ist_Dirty:
      dirty(*st.Ist.Dirty.details);
      break;
    case Ist_CAS:
      cas(*st.Ist.CAS.details);
      break;
    case Ist_Exit:
      side_exit(st);
      break;
    default:
      break;
  }
}

void SuperblockScan::imark(const IRStmt& st) {
  const uint64_t addr = st.Ist.IMark.addr;
  const uint32_t len = st.Ist.IMark.len;
  insns_.push_back({static_cast<uint32_t>(addr - addr_), static_cast<uint8_t>(len)});
  insn_class_ = classify_insn({reinterpret_cast<const uint8_t*>(addr), len});
  mergeable_load_ = nullptr;
}

SuperblockScan::Value SuperblockScan::value_of(const IRExpr& atom) const {
  if (atom.tag == Iex_RdTmp) return temps_[atom.Iex.RdTmp.tmp];
  if (atom.tag == Iex_Const) return {Value::kNoRoot, static_cast<int64_t>(constant_value(*atom.Iex.Const.con)), true};
  return {};
}

void SuperblockScan::write_temp(IRTemp to, const IRExpr& e) {
  if (e.tag == Iex_Load) access(e.Iex.Load.addr, sizeofIRType(e.Iex.Load.ty), 0);
  if (sb_.tyenv->types[to] != Ity_I64) return;
  Value v{static_cast<int>(to), 0, true};
  if (e.tag == Iex_Get) v = get_value(e.Iex.Get.offset, to);
  if (e.tag == Iex_RdTmp || e.tag == Iex_Const) v = value_of(e);
  if (e.tag == Iex_Binop) v = binop_value(to, e);
  temps_[to] = v.known ? v : Value{static_cast<int>(to), 0, true};
}

SuperblockScan::Value SuperblockScan::get_value(int offset, IRTemp to) {
  if (offset % 8) return {};
  Value& held = registers_[offset / 8];
  if (!held.known) {
    held = {static_cast<int>(to), 0, true};
    entry_sp_[to] = offset == kSpOffset && !sp_put_seen_;
  }
  return held;
}

SuperblockScan::Value SuperblockScan::binop_value(IRTemp to, const IRExpr& e) {
  const IROp op = e.Iex.Binop.op;
  if (op != Iop_Add64 && op != Iop_Sub64) return {};
  Value a = value_of(*e.Iex.Binop.arg1), b = value_of(*e.Iex.Binop.arg2);
  if (!a.known || !b.known) return {};
  if (op == Iop_Add64 && a.root == Value::kNoRoot) std::swap(a, b);
  if (b.root != Value::kNoRoot) return {static_cast<int>(to), 0, true};
  const auto ua = static_cast<uint64_t>(a.constant), ub = static_cast<uint64_t>(b.constant);
  a.constant = static_cast<int64_t>(op == Iop_Add64 ? ua + ub : ua - ub);
  return a;
}

void SuperblockScan::put(int offset, const IRExpr& data) {
  const int size = sizeofIRType(typeOfIRExpr(sb_.tyenv, &data));
  forget_registers(offset, size);
  if (size != 8 || offset % 8) return;
  const Value v = value_of(data);
  if (typeOfIRExpr(sb_.tyenv, &data) == Ity_I64) registers_[offset / 8] = v;
  if (offset == kSpOffset) sp_put(v);
}

void SuperblockScan::sp_put(const Value& v) {
  sp_put_seen_ = true;
  if (insns_.empty()) return;
  SpChange c;
  c.insn = static_cast<uint16_t>(insns_.size() - 1);
  c.constant = v.constant;
  if (v.root == Value::kNoRoot)
    c.slot = 0;
  else if (!entry_sp_[v.root])
    c.slot = slot_of(v.root);
  // Several PUTs of one instruction: only the last counts at the boundary, but an exit may lie between.
  if (!sp_changes_.empty() && sp_changes_.back().insn == c.insn &&
      (exits_.empty() || exits_.back().insns < insns_.size()))
    sp_changes_.back() = c;
  else
    sp_changes_.push_back(c);
}

void SuperblockScan::forget_registers(int offset, int size) {
  for (int w = offset / 8; w <= (offset + size - 1) / 8; ++w)
    if (w >= 0 && static_cast<size_t>(w) < registers_.size()) registers_[w] = {};
}

uint16_t SuperblockScan::slot_of(int root) {
  if (slots_[root] == 0) {
    slots_[root] = next_slot_++;
    stores_.push_back({stmt_, slots_[root], IRExpr_RdTmp(static_cast<IRTemp>(root)), nullptr});
  }
  return slots_[root];
}

uint8_t SuperblockScan::insn_flags() const {
  return (insn_class_.linkage ? kAccessLinkage : 0) | (insn_class_.atomic ? kAccessAtomic : 0);
}

void SuperblockScan::access(IRExpr* addr, uint32_t width, uint8_t flags) {
  if (!want_accesses_ || insns_.empty()) return;
  if (flags & kAccessStore) {
    if (mergeable_load_ && mergeable_width_ == width && same_atom(*mergeable_load_, *addr)) flags |= kAccessModify;
    mergeable_load_ = nullptr;
  } else {
    mergeable_load_ = addr;
    mergeable_width_ = width;
  }
  const Value v = value_of(*addr);
  add_access(v.root == Value::kNoRoot ? 0 : slot_of(v.root), v.constant, width, flags);
}

void SuperblockScan::guarded_access(IRExpr* addr, IRExpr* guard, uint32_t width, uint8_t flags) {
  if (!want_accesses_ || insns_.empty()) return;
  if (always(*guard)) return access(addr, width, flags);
  mergeable_load_ = nullptr;
  const uint16_t slot = next_slot_++;
  stores_.push_back({stmt_, slot, addr, guard});
  add_access(slot, 0, width, flags | kAccessGuarded);
}

void SuperblockScan::add_access(uint16_t slot, int64_t constant, uint32_t width, uint8_t flags) {
  Access a;
  a.constant = constant;
  a.insn = static_cast<uint16_t>(insns_.size() - 1);
  a.slot = slot;
  a.width = static_cast<uint16_t>(std::min<uint32_t>(width, 0xffff));
  a.flags = flags | insn_flags();
  accesses_.push_back(a);
}

void SuperblockScan::dirty(const IRDirty& d) {
  const auto width = static_cast<uint32_t>(d.mSize);
  if (d.mFx == Ifx_Read || d.mFx == Ifx_Modify) guarded_access(d.mAddr, d.guard, width, 0);
  if (d.mFx == Ifx_Write || d.mFx == Ifx_Modify) guarded_access(d.mAddr, d.guard, width, kAccessStore);
  for (int i = 0; i < d.nFxState; ++i)
    if (d.fxState[i].fx != Ifx_Read)
      for (int r = 0; r <= d.fxState[i].nRepeats; ++r)
        forget_registers(d.fxState[i].offset + r * d.fxState[i].repeatLen, d.fxState[i].size);
  if (d.tmp != IRTemp_INVALID) temps_[d.tmp] = {static_cast<int>(d.tmp), 0, true};
}

void SuperblockScan::cas(const IRCAS& c) {
  uint32_t width = sizeofIRType(typeOfIRExpr(sb_.tyenv, c.dataLo));
  if (c.dataHi) width *= 2;
  access(c.addr, width, kAccessAtomic);
  access(c.addr, width, kAccessAtomic | kAccessStore);
  temps_[c.oldLo] = {static_cast<int>(c.oldLo), 0, true};
  if (c.oldHi != IRTemp_INVALID) temps_[c.oldHi] = {static_cast<int>(c.oldHi), 0, true};
}

uint64_t SuperblockScan::next_insn_addr() const {
  return insns_.empty() ? addr_ : addr_ + insns_.back().offset + insns_.back().length;
}

void SuperblockScan::add_exit(Exit e) {
  e.insns = static_cast<uint16_t>(insns_.size());
  e.accesses = static_cast<uint16_t>(accesses_.size());
  e.words = static_cast<uint16_t>(next_slot_ - 1);
  e.sp_changes = static_cast<uint16_t>(sp_changes_.size());
  if (insns_.empty()) e.insn_executed = true;  // nothing was begun: 0 instructions
  exits_.push_back(e);
  mergeable_load_ = nullptr;
}

void SuperblockScan::side_exit(const IRStmt& st) {
  Exit e;
  const IRJumpKind jk = st.Ist.Exit.jk;
  e.kind = exit_kind(jk, true);
  e.guard = ExitGuard::kCondition;
  e.target = constant_value(*st.Ist.Exit.dst);
  const uint64_t here = insns_.empty() ? addr_ : addr_ + insns_.back().offset;
  if (is_fault(jk)) {
    e.guard = ExitGuard::kAlignment;
    e.insn_executed = false;
  } else if (jk == Ijk_Boring && insn_class_.repeated) {
    e.guard = ExitGuard::kRepeat;
  } else if (jk == Ijk_Boring && insn_class_.atomic && e.target == here) {
    e.guard = ExitGuard::kRetry;
    e.insn_executed = false;
  }
  if (jk == Ijk_Boring && e.target == next_insn_addr()) e.kind = ExitKind::kFallThrough;
  add_exit(e);
  exit_stmts_.push_back(stmt_);
}

void SuperblockScan::last_exit() {
  Exit e;
  const bool constant = sb_.next->tag == Iex_Const;
  e.kind = exit_kind(sb_.jumpkind, constant);
  if (constant) e.target = constant_value(*sb_.next->Iex.Const.con);
  if (e.kind == ExitKind::kFault || e.kind == ExitKind::kUndecodable) e.insn_executed = false;
  if (e.kind == ExitKind::kBranch && e.target == next_insn_addr()) e.kind = ExitKind::kFallThrough;
  add_exit(e);
}

}  // namespace cdr::tool
