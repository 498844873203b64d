// SPDX-License-Identifier: GPL-2.0-or-later
//
// The code added to a superblock with side exits 0..n-1 and last exit n (p is the record's start):
//
//     entry               p = *write_pointer; if (p & kBytes) { cdr_flush_from_code(); p = *write_pointer }
//                         p[0] = id(0)
//     before an access    p[1 + slot] = root
//     before side exit k  p[0] = id(k) (k > 0); *write_pointer = p + size(k), unless it is that already
//     after it            *write_pointer = p, if something that may fault comes before the next exit
//     end                 as before a side exit
//     a client request    handled by a call if it is ours; else left to Valgrind's scheduler
//
// So a fault leaves the pointer at a record that names its superblock. How far it came is told by the guest's IP, which
// is right at every memory access; before a division, which may raise SIGFPE, it is set.
#include "cdrgrind/tool/instrument.h"

#include <cstddef>

#include "cdrgrind/tool/options.h"
#include "cdrgrind/tool/record_buffer.h"
#include "cdrgrind/tool/requests.h"

namespace cdr::tool {
namespace {

bool divides(const IRStmt& st) {
  if (st.tag != Ist_WrTmp || st.Ist.WrTmp.data->tag != Iex_Binop) return false;
  switch (st.Ist.WrTmp.data->Iex.Binop.op) {
    case Iop_DivModU64to32:
    case Iop_DivModS64to32:
    case Iop_DivModU128to64:
    case Iop_DivModS128to64:
      return true;
    default:
      return false;
  }
}

// Whether the statement may fault, or call somebody who looks at the records.
bool may_fault(const IRStmt& st) {
  switch (st.tag) {
    case Ist_NoOp:
    case Ist_IMark:
    case Ist_AbiHint:
    case Ist_Put:
    case Ist_PutI:
    case Ist_Exit:
      return false;
    case Ist_WrTmp:
      return st.Ist.WrTmp.data->tag == Iex_Load || divides(st);
    default:
      return true;
  }
}

class Recorder {
 public:
  Recorder(const IRSB& in, const SuperblockScan& scan, uint32_t first_record)
      : in_(in),
        scan_(scan),
        block_(scan.superblock()),
        first_record_(first_record),
        out_(deepCopyIRSBExceptStmts(&in)) {}

  IRSB* run() {
    int i = 0;
    for (; i < in_.stmts_used && in_.stmts[i]->tag != Ist_IMark && in_.stmts[i]->tag != Ist_Exit; ++i)
      addStmtToIRSB(out_, in_.stmts[i]);
    entry();
    size_t store = 0, exit = 0;
    for (; i < in_.stmts_used; ++i) {
      for (; store < scan_.word_stores().size() && scan_.word_stores()[store].stmt == i; ++store)
        word(scan_.word_stores()[store]);
      if (in_.stmts[i]->tag == Ist_IMark) insn_addr_ = in_.stmts[i]->Ist.IMark.addr;
      if (told_words_ > 0 && may_fault(*in_.stmts[i])) take_back();
      if (divides(*in_.stmts[i]))
        addStmtToIRSB(out_, IRStmt_Put(offsetof(VexGuestAMD64State, guest_RIP), number(insn_addr_)));
      if (in_.stmts[i]->tag == Ist_Exit) before_exit(exit++);
      addStmtToIRSB(out_, in_.stmts[i]);
    }
    before_exit(exit);
    if (in_.jumpkind == Ijk_ClientReq && in_.next->tag == Iex_Const && options.test_switch == SwitchAt::kNowhere)
      answer_request();
    return out_;
  }

 private:
  static IRExpr* number(uint64_t v) { return IRExpr_Const(IRConst_U64(v)); }
  static IRExpr* read(IRTemp t) { return IRExpr_RdTmp(t); }
  static IRExpr* pointer_address() { return number(reinterpret_cast<uint64_t>(record_buffer.write_pointer_address())); }

  IRTemp assign(IRType type, IRExpr* e) {
    const IRTemp t = newIRTemp(out_->tyenv, type);
    addStmtToIRSB(out_, IRStmt_WrTmp(t, e));
    return t;
  }
  IRTemp load_pointer() { return assign(Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, pointer_address())); }
  IRTemp plus(uint64_t bytes) { return assign(Ity_I64, IRExpr_Binop(Iop_Add64, read(p_), number(bytes))); }
  void store(IRExpr* addr, IRExpr* data) { addStmtToIRSB(out_, IRStmt_Store(Iend_LE, addr, data)); }

  void entry() {
    const IRTemp before = load_pointer();
    const IRTemp bit = assign(Ity_I64, IRExpr_Binop(Iop_And64, read(before), number(RecordBuffer::kBytes)));
    const IRTemp full = assign(Ity_I1, IRExpr_Unop(Iop_CmpNEZ64, read(bit)));
    IRDirty* d = unsafeIRDirty_0_N(
        0, "cdr_flush_from_code", VG_(fnptr_to_fnentry)(reinterpret_cast<void*>(cdr_flush_from_code)), mkIRExprVec_0());
    d->guard = read(full);
    addStmtToIRSB(out_, IRStmt_Dirty(d));
    p_ = load_pointer();
    header(0);
  }

  void header(size_t exit) {
    const auto record = static_cast<uint32_t>(first_record_ + exit);
    store(read(p_), number(drain::block_header(record, block_.exits[exit].words)));
  }

  void word(const WordStore& w) {
    IRExpr* value = w.value;
    if (w.guard) value = read(assign(Ity_I64, IRExpr_ITE(w.guard, w.value, number(0))));
    store(read(plus(8u * w.slot)), value);
  }

  void before_exit(size_t exit) {
    if (exit > 0) header(exit);
    const uint32_t words = 1u + block_.exits[exit].words;
    if (told_words_ != words) store(pointer_address(), read(plus(8u * words)));
    told_words_ = words;
  }

  // The exit was not taken.
  void take_back() {
    store(pointer_address(), read(p_));
    told_words_ = 0;
  }

  // Leaving generated code, and coming back to it, takes ten times as long as our requests.
  void answer_request() {
    addStmtToIRSB(out_, IRStmt_Put(in_.offsIP, in_.next));
    const IRTemp left = newIRTemp(out_->tyenv, Ity_I64);
    IRDirty* d = unsafeIRDirty_1_N(left, 0, "cdr_request_from_code",
                                   VG_(fnptr_to_fnentry)(reinterpret_cast<void*>(cdr_request_from_code)),
                                   mkIRExprVec_1(IRExpr_GSPTR()));
    const auto effect = [&](size_t offset, IREffect fx) {
      auto& e = d->fxState[d->nFxState++];
      e = {};
      e.fx = fx;
      e.offset = static_cast<UShort>(offset);
      e.size = sizeof(ULong);
    };
    effect(offsetof(VexGuestAMD64State, guest_RAX), Ifx_Read);
    effect(offsetof(VexGuestAMD64State, guest_RDX), Ifx_Modify);
    effect(offsetof(VexGuestAMD64State, guest_RSP), Ifx_Read);
    effect(offsetof(VexGuestAMD64State, guest_RIP), Ifx_Read);
    addStmtToIRSB(out_, IRStmt_Dirty(d));
    const IRTemp others = assign(Ity_I1, IRExpr_Unop(Iop_CmpNEZ64, read(left)));
    addStmtToIRSB(out_, IRStmt_Exit(read(others), Ijk_ClientReq, in_.next->Iex.Const.con, in_.offsIP));
    out_->jumpkind = Ijk_Boring;
  }

  const IRSB& in_;
  const SuperblockScan& scan_;
  Superblock block_;
  uint32_t first_record_;
  IRSB* out_;
  IRTemp p_ = IRTemp_INVALID;
  uint64_t insn_addr_ = 0;
  uint32_t told_words_ = 0;  // of the record, that the write pointer counts already
};

}  // namespace

IRSB* add_recording(const IRSB& in, const SuperblockScan& scan, uint32_t first_record) {
  return Recorder(in, scan, first_record).run();
}

}  // namespace cdr::tool
