// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/flow_scan.h"

#include <array>
#include <cstddef>

namespace cdr::tool {
namespace {

// Where Valgrind keeps the guest's state, and where base/guest_state.h does.
struct Region {
  uint16_t vex, size, ours;
};
constexpr Region kRegions[] = {
    {offsetof(VexGuestAMD64State, guest_RAX), 128, kStateRax},  // the integer registers, in our order
    {offsetof(VexGuestAMD64State, guest_CC_OP), 32, kStateCcOp},
    {offsetof(VexGuestAMD64State, guest_DFLAG), 8, kStateDflag},
    {offsetof(VexGuestAMD64State, guest_ACFLAG), 8, kStateAcflag},
    {offsetof(VexGuestAMD64State, guest_IDFLAG), 8, kStateIdflag},
    {offsetof(VexGuestAMD64State, guest_FS_CONST), 8, kStateFs},
    {offsetof(VexGuestAMD64State, guest_GS_CONST), 8, kStateGs},
    {offsetof(VexGuestAMD64State, guest_SSEROUND), 8, kStateSseround},
    {offsetof(VexGuestAMD64State, guest_FPROUND), 8, kStateFpround},
    {offsetof(VexGuestAMD64State, guest_FC3210), 8, kStateFc3210},
    {offsetof(VexGuestAMD64State, guest_FTOP), 4, kStateFtop},
    {offsetof(VexGuestAMD64State, guest_FPTAG), 8, kStateFptag},
    {offsetof(VexGuestAMD64State, guest_FPREG), 64, kStateFpreg},
    {offsetof(VexGuestAMD64State, guest_YMM0), 17 * 32, kStateYmm0},
};
static_assert(offsetof(VexGuestAMD64State, guest_R15) == offsetof(VexGuestAMD64State, guest_RAX) + 120);
static_assert(offsetof(VexGuestAMD64State, guest_CC_NDEP) == offsetof(VexGuestAMD64State, guest_CC_OP) + 24);
static_assert(offsetof(VexGuestAMD64State, guest_YMM16) == offsetof(VexGuestAMD64State, guest_YMM0) + 16 * 32);

// Calls f(offset, size, Valgrind's offset) for the parts of Valgrind's range that are ours.
template <class F>
void for_parts(uint32_t vex, uint32_t size, F f) {
  for (const Region& r : kRegions) {
    const uint32_t begin = vex > r.vex ? vex : r.vex;
    const uint32_t vex_end = vex + size, r_end = r.vex + uint32_t{r.size};
    const uint32_t end = vex_end < r_end ? vex_end : r_end;
    if (begin < end) f(r.ours + (begin - r.vex), end - begin, begin);
  }
}

// Calls f for the parts of the state that the helper has to do with, but for those where it only does `not_this`.
template <class F>
void for_effects(const IRDirty& d, IREffect not_this, F f) {
  for (int i = 0; i < d.nFxState; ++i) {
    const auto& fx = d.fxState[i];
    if (fx.fx == not_this) continue;
    for (uint32_t r = 0; r <= fx.nRepeats; ++r) for_parts(fx.offset + r * fx.repeatLen, fx.size, f);
  }
}

bool always(const IRExpr* guard) { return guard->tag == Iex_Const && guard->Iex.Const.con->Ico.U1; }

}  // namespace

FlowScan::FlowScan(const IRSB& sb, const SuperblockScan& scan, bool accesses) : sb_(sb), accesses_(accesses) {
  temps_.resize(static_cast<size_t>(sb.tyenv->types_used));
  for (int i = 0; i < sb.stmts_used; ++i) statement(*sb.stmts[i]);
  builder_.exit(of(sb.next));
  tl_assert(access_count_ == scan.superblock().accesses.size());
  for (const WordStore& w : scan.word_stores()) builder_.slot(of(w.value));
  summary_ = builder_.finish();
}

void FlowScan::statement(const IRStmt& st) {
  switch (st.tag) {
    case Ist_IMark:
      begun_ = true;
      break;
    case Ist_WrTmp:
      temps_[st.Ist.WrTmp.tmp] = value_of(*st.Ist.WrTmp.data);
      break;
    case Ist_Put:
      put(st.Ist.Put.offset, value_of(*st.Ist.Put.data));
      break;
    case Ist_PutI: {
      const IRPutI& p = *st.Ist.PutI.details;
      const Set s = builder_.unite(of_array(*p.descr), builder_.unite(of(p.ix), of(p.data)));
      for_parts(p.descr->base, p.descr->nElems * sizeofIRType(p.descr->elemTy),
                [&](uint32_t offset, uint32_t size, uint32_t) { builder_.write(offset, size, s); });
      break;
    }
    case Ist_Store:
      stored(of(st.Ist.Store.data), DataflowBuilder::kEmpty);
      break;
    case Ist_StoreG:
      stored(of(st.Ist.StoreG.details->data), of(st.Ist.StoreG.details->guard));
      break;
    case Ist_LoadG: {
      const IRLoadG& g = *st.Ist.LoadG.details;
      const Set guard = of(g.guard);
      set_temp(g.dst, builder_.unite(loaded(g.addr, guard), builder_.unite(guard, of(g.alt))));
      break;
    }
    case Ist_Dirty:
      dirty(*st.Ist.Dirty.details);
      break;
    case Ist_CAS:
      cas(*st.Ist.CAS.details);
      break;
    case Ist_Exit:
      builder_.exit(of(st.Ist.Exit.guard));
      break;
    default:
      break;
  }
}

FlowScan::Set FlowScan::loaded(const IRExpr* addr, Set guard) {
  if (!accesses_ || !begun_) return builder_.weaken(builder_.unite(of(addr), guard));
  builder_.access(DataflowBuilder::kEmpty, guard);
  return builder_.load(static_cast<uint16_t>(access_count_++));
}

void FlowScan::stored(Set value, Set guard) {
  if (!accesses_ || !begun_) return;
  builder_.access(builder_.unite(value, guard), guard);
  ++access_count_;
}

FlowScan::Set FlowScan::state_read(const IRDirty& d) {
  Set all = DataflowBuilder::kEmpty;
  for_effects(d, Ifx_Write, [&](uint32_t offset, uint32_t size, uint32_t) {
    all = builder_.unite(all, builder_.read(offset, size));
  });
  return all;
}

void FlowScan::write_state(const IRDirty& d, Set s) {
  for_effects(d, Ifx_Read, [&](uint32_t offset, uint32_t size, uint32_t) {
    const Set before = always(d.guard) ? DataflowBuilder::kEmpty : builder_.read(offset, size);
    builder_.write(offset, size, builder_.unite(s, before));
  });
}

void FlowScan::dirty(const IRDirty& d) {
  const Set guard = of(d.guard);
  Set in = builder_.unite(guard, state_read(d));
  for (int i = 0; d.args[i]; ++i)
    if (!is_IRExpr_VECRET_or_GSPTR(d.args[i])) in = builder_.unite(in, of(d.args[i]));
  if (d.mFx == Ifx_Read || d.mFx == Ifx_Modify) in = builder_.unite(in, loaded(d.mAddr, guard));
  if (d.nFxState == 0 && d.mFx == Ifx_None) in = builder_.weaken(in);
  if (d.mFx == Ifx_Write || d.mFx == Ifx_Modify) stored(in, guard);
  write_state(d, in);
  set_temp(d.tmp, in);
}

void FlowScan::cas(const IRCAS& c) {
  Set expected = of(c.expdLo), data = of(c.dataLo);
  if (c.expdHi) expected = builder_.unite(expected, of(c.expdHi));
  if (c.dataHi) data = builder_.unite(data, of(c.dataHi));
  const Set old = builder_.unite(loaded(c.addr, DataflowBuilder::kEmpty), expected);
  stored(builder_.unite(old, data), DataflowBuilder::kEmpty);
  set_temp(c.oldLo, old);
  set_temp(c.oldHi, old);
}

FlowScan::Set FlowScan::of_array(const IRRegArray& a) {
  Set all = DataflowBuilder::kEmpty;
  for_parts(a.base, a.nElems * sizeofIRType(a.elemTy),
            [&](uint32_t offset, uint32_t size, uint32_t) { all = builder_.unite(all, builder_.read(offset, size)); });
  return all;
}

FlowScan::Set FlowScan::of_call(const IRExpr& e) {
  Set all = DataflowBuilder::kEmpty;
  for (unsigned i = 0; e.Iex.CCall.args[i]; ++i) {
    const IRExpr* const arg = e.Iex.CCall.args[i];
    const bool left_out = i < 32 && (e.Iex.CCall.cee->mcx_mask >> i & 1u);
    if (!left_out && !is_IRExpr_VECRET_or_GSPTR(arg)) all = builder_.unite(all, of(arg));
  }
  return all;
}

uint32_t FlowScan::size_of(const IRExpr& e) const {
  const IRType type = typeOfIRExpr(sb_.tyenv, &e);
  return type == Ity_I1 ? 1 : static_cast<uint32_t>(sizeofIRType(type));
}

void FlowScan::set_temp(IRTemp t, Set s) {
  if (t == IRTemp_INVALID) return;
  const IRType type = sb_.tyenv->types[t];
  temps_[t] = FlowValue::uniform(type == Ity_I1 ? 1 : static_cast<uint32_t>(sizeofIRType(type)), s);
}

void FlowScan::put(int offset, const FlowValue& v) {
  const auto at = static_cast<uint32_t>(offset);
  for_parts(at, v.size, [&](uint32_t ours, uint32_t size, uint32_t from) {
    builder_.write(ours, v.view().subspan(from - at, size));
  });
}

FlowValue FlowScan::get(int offset, uint32_t size) {
  FlowValue v = FlowValue::uniform(size, DataflowBuilder::kEmpty);
  const auto at = static_cast<uint32_t>(offset);
  for_parts(at, size, [&](uint32_t ours, uint32_t n, uint32_t from) {
    builder_.read(ours, std::span(v.bytes).subspan(from - at, n));
  });
  return v;
}

FlowScan::Set FlowScan::of(const IRExpr* e) {
  const FlowValue v = value_of(*e);
  return builder_.unite(v.view());
}

FlowValue FlowScan::of_operation(IROp op, const IRExpr& e, std::initializer_list<const IRExpr*> args) {
  std::array<FlowValue, 4> values;
  std::array<const FlowValue*, 4> pointers;
  size_t n = 0;
  for (const IRExpr* a : args) {
    values[n] = value_of(*a);
    pointers[n] = &values[n];
    ++n;
  }
  return flow_of_operation(op, size_of(e), std::span(pointers).first(n), builder_);
}

FlowValue FlowScan::value_of(const IRExpr& e) {
  switch (e.tag) {
    case Iex_RdTmp:
      return temps_[e.Iex.RdTmp.tmp];
    case Iex_Get:
      return get(e.Iex.Get.offset, size_of(e));
    case Iex_Unop:
      return of_operation(e.Iex.Unop.op, e, {e.Iex.Unop.arg});
    case Iex_Binop:
      if (cancels(e.Iex.Binop.op) && eqIRAtom(e.Iex.Binop.arg1, e.Iex.Binop.arg2)) break;
      if (e.Iex.Binop.op == Iop_And64 && e.Iex.Binop.arg2->tag == Iex_Const) return of_masked(e);
      return of_operation(e.Iex.Binop.op, e, {e.Iex.Binop.arg1, e.Iex.Binop.arg2});
    case Iex_Triop: {
      const IRTriop& t = *e.Iex.Triop.details;
      return of_operation(t.op, e, {t.arg1, t.arg2, t.arg3});
    }
    case Iex_Qop: {
      const IRQop& q = *e.Iex.Qop.details;
      return of_operation(q.op, e, {q.arg1, q.arg2, q.arg3, q.arg4});
    }
    case Iex_ITE:
      return of_choice(e);
    default:
      return FlowValue::uniform(size_of(e), of_other(e));
  }
  return FlowValue::uniform(size_of(e), DataflowBuilder::kEmpty);
}

// x & constant: the bytes that the constant lets through. Parts of registers are read so.
FlowValue FlowScan::of_masked(const IRExpr& e) {
  FlowValue v = value_of(*e.Iex.Binop.arg1);
  const uint64_t mask = e.Iex.Binop.arg2->Iex.Const.con->Ico.U64;
  for (uint32_t i = 0; i < v.size; ++i)
    if ((mask >> (8 * i) & 0xff) == 0) v.bytes[i] = DataflowBuilder::kEmpty;
  return FlowValue::uniform(v.size, builder_.unite(v.view()));
}

FlowValue FlowScan::of_choice(const IRExpr& e) {
  const FlowValue yes = value_of(*e.Iex.ITE.iftrue), no = value_of(*e.Iex.ITE.iffalse);
  const Set condition = of(e.Iex.ITE.cond);
  FlowValue v = FlowValue::uniform(yes.size, DataflowBuilder::kEmpty);
  for (uint32_t at = 0; at < v.size; at += 8) {
    const uint32_t n = v.size - at < 8 ? v.size - at : 8;
    const Set either =
        builder_.unite(builder_.unite(yes.view().subspan(at, n)), builder_.unite(no.view().subspan(at, n)));
    const Set all = builder_.unite(condition, either);
    for (uint32_t i = 0; i < n; ++i) v.bytes[at + i] = all;
  }
  return v;
}

FlowScan::Set FlowScan::of_other(const IRExpr& e) {
  switch (e.tag) {
    case Iex_GetI:
      return builder_.unite(of_array(*e.Iex.GetI.descr), of(e.Iex.GetI.ix));
    case Iex_Load:
      return loaded(e.Iex.Load.addr, DataflowBuilder::kEmpty);
    case Iex_CCall:
      return of_call(e);
    default:
      return DataflowBuilder::kEmpty;  // constants
  }
}

}  // namespace cdr::tool
