// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/tool/flow_values.h"

#include <algorithm>

namespace cdr::tool {
namespace {

using Set = DataflowBuilder::Set;
using Args = std::span<const FlowValue* const>;

enum class Shape : uint8_t {
  kMix,          // every byte depends on all
  kPart,         // the bytes from `n` on
  kLowThenZero,  // the argument, then zeros
  kConcat,       // the last argument, then the ones before it
  kReplaceLow,   // the first argument, its lowest bytes replaced by the second
  kLowLane,      // the lowest n bytes of all arguments mixed; the others are the first argument's
  kLanes,        // lane by lane of n bytes; arguments of another size go into all
  kHighHalves,   // the upper 8 bytes of the second, then of the first argument
  kLowHalves,    // the lower ones
};
struct OpShape {
  Shape shape = Shape::kMix;
  uint8_t n = 0;
};

OpShape conversion(IROp op) {
  switch (op) {
    case Iop_64to32:
    case Iop_64to16:
    case Iop_64to8:
    case Iop_32to16:
    case Iop_32to8:
    case Iop_16to8:
    case Iop_64to1:
    case Iop_32to1:
    case Iop_128to64:
    case Iop_V128to64:
    case Iop_V128to32:
    case Iop_V256toV128_0:
    case Iop_V256to64_0:
    case Iop_ReinterpF64asI64:
    case Iop_ReinterpI64asF64:
    case Iop_ReinterpF32asI32:
    case Iop_ReinterpI32asF32:
      return {Shape::kPart, 0};
    case Iop_16HIto8:
      return {Shape::kPart, 1};
    case Iop_32HIto16:
      return {Shape::kPart, 2};
    case Iop_64HIto32:
      return {Shape::kPart, 4};
    case Iop_128HIto64:
    case Iop_V128HIto64:
    case Iop_V256to64_1:
      return {Shape::kPart, 8};
    case Iop_V256toV128_1:
    case Iop_V256to64_2:
      return {Shape::kPart, 16};
    case Iop_V256to64_3:
      return {Shape::kPart, 24};
    case Iop_32UtoV128:
    case Iop_64UtoV128:
      return {Shape::kLowThenZero, 0};
    case Iop_8HLto16:
    case Iop_16HLto32:
    case Iop_32HLto64:
    case Iop_64HLto128:
    case Iop_64HLtoV128:
    case Iop_V128HLtoV256:
    case Iop_64x4toV256:
      return {Shape::kConcat, 0};
    case Iop_SetV128lo32:
    case Iop_SetV128lo64:
      return {Shape::kReplaceLow, 0};
    case Iop_InterleaveHI64x2:
      return {Shape::kHighHalves, 0};
    case Iop_InterleaveLO64x2:
      return {Shape::kLowHalves, 0};
    default:
      return {};
  }
}

OpShape lanes(IROp op) {
  switch (op) {
    case Iop_Add32F0x4:
    case Iop_Sub32F0x4:
    case Iop_Mul32F0x4:
    case Iop_Div32F0x4:
    case Iop_Max32F0x4:
    case Iop_Min32F0x4:
    case Iop_CmpEQ32F0x4:
    case Iop_CmpLT32F0x4:
    case Iop_CmpLE32F0x4:
    case Iop_CmpUN32F0x4:
    case Iop_RSqrtEst32F0x4:
    case Iop_RecipEst32F0x4:
    case Iop_Sqrt32F0x4:
      return {Shape::kLowLane, 4};
    case Iop_Add64F0x2:
    case Iop_Sub64F0x2:
    case Iop_Mul64F0x2:
    case Iop_Div64F0x2:
    case Iop_Max64F0x2:
    case Iop_Min64F0x2:
    case Iop_CmpEQ64F0x2:
    case Iop_CmpLT64F0x2:
    case Iop_CmpLE64F0x2:
    case Iop_CmpUN64F0x2:
    case Iop_Sqrt64F0x2:
      return {Shape::kLowLane, 8};
    case Iop_AndV128:
    case Iop_OrV128:
    case Iop_XorV128:
    case Iop_NotV128:
    case Iop_AndV256:
    case Iop_OrV256:
    case Iop_XorV256:
    case Iop_NotV256:
    case Iop_Add8x16:
    case Iop_Sub8x16:
    case Iop_CmpEQ8x16:
    case Iop_CmpGT8Sx16:
    case Iop_Max8Ux16:
    case Iop_Min8Ux16:
    case Iop_Max8Sx16:
    case Iop_Min8Sx16:
    case Iop_Avg8Ux16:
    case Iop_QAdd8Ux16:
    case Iop_QSub8Ux16:
    case Iop_Add8x32:
    case Iop_Sub8x32:
    case Iop_CmpEQ8x32:
    case Iop_CmpGT8Sx32:
    case Iop_Min8Ux32:
    case Iop_Max8Ux32:
    case Iop_Add16x8:
    case Iop_Sub16x8:
    case Iop_Mul16x8:
    case Iop_CmpEQ16x8:
    case Iop_CmpGT16Sx8:
    case Iop_ShlN16x8:
    case Iop_ShrN16x8:
    case Iop_SarN16x8:
    case Iop_MulHi16Sx8:
    case Iop_MulHi16Ux8:
    case Iop_Add16x16:
    case Iop_Sub16x16:
    case Iop_Mul16x16:
    case Iop_CmpEQ16x16:
    case Iop_CmpGT16Sx16:
    case Iop_Add32x4:
    case Iop_Sub32x4:
    case Iop_Mul32x4:
    case Iop_CmpEQ32x4:
    case Iop_CmpGT32Sx4:
    case Iop_Max32Sx4:
    case Iop_Min32Sx4:
    case Iop_Max32Ux4:
    case Iop_Min32Ux4:
    case Iop_ShlN32x4:
    case Iop_ShrN32x4:
    case Iop_SarN32x4:
    case Iop_Add32x8:
    case Iop_Sub32x8:
    case Iop_Mul32x8:
    case Iop_CmpEQ32x8:
    case Iop_CmpGT32Sx8:
    case Iop_ShlN32x8:
    case Iop_ShrN32x8:
    case Iop_SarN32x8:
    case Iop_Add32Fx4:
    case Iop_Sub32Fx4:
    case Iop_Mul32Fx4:
    case Iop_Div32Fx4:
    case Iop_Max32Fx4:
    case Iop_Min32Fx4:
    case Iop_CmpEQ32Fx4:
    case Iop_CmpLT32Fx4:
    case Iop_CmpLE32Fx4:
    case Iop_CmpUN32Fx4:
    case Iop_Sqrt32Fx4:
    case Iop_Add32Fx8:
    case Iop_Sub32Fx8:
    case Iop_Mul32Fx8:
    case Iop_Div32Fx8:
    case Iop_Max32Fx8:
    case Iop_Min32Fx8:
      return {Shape::kLanes, 4};
    case Iop_Add64x2:
    case Iop_Sub64x2:
    case Iop_CmpEQ64x2:
    case Iop_CmpGT64Sx2:
    case Iop_ShlN64x2:
    case Iop_ShrN64x2:
    case Iop_Add64x4:
    case Iop_Sub64x4:
    case Iop_CmpEQ64x4:
    case Iop_CmpGT64Sx4:
    case Iop_ShlN64x4:
    case Iop_ShrN64x4:
    case Iop_Add64Fx2:
    case Iop_Sub64Fx2:
    case Iop_Mul64Fx2:
    case Iop_Div64Fx2:
    case Iop_Max64Fx2:
    case Iop_Min64Fx2:
    case Iop_CmpEQ64Fx2:
    case Iop_CmpLT64Fx2:
    case Iop_CmpLE64Fx2:
    case Iop_CmpUN64Fx2:
    case Iop_Sqrt64Fx2:
    case Iop_Add64Fx4:
    case Iop_Sub64Fx4:
    case Iop_Mul64Fx4:
    case Iop_Div64Fx4:
    case Iop_Max64Fx4:
    case Iop_Min64Fx4:
      return {Shape::kLanes, 8};
    default:
      return {};
  }
}

OpShape shape_of(IROp op) {
  const OpShape s = conversion(op);
  return s.shape == Shape::kMix ? lanes(op) : s;
}

// Bytes [from, from + n) of all arguments; all of those that have another size than the result.
Set mix(Args args, uint32_t from, uint32_t n, uint32_t size, DataflowBuilder& builder) {
  Set all = DataflowBuilder::kEmpty;
  for (const FlowValue* a : args)
    all = builder.unite(all, builder.unite(a->size == size ? a->view().subspan(from, n) : a->view()));
  return all;
}

void fill(FlowValue& v, uint32_t from, uint32_t n, Set s) { std::fill_n(v.bytes.begin() + from, n, s); }

// `n` bytes of `from`, beginning at `first`; a constant has nothing to copy.
void copy(FlowValue& to, uint32_t at, const FlowValue& from, uint32_t first, uint32_t n) {
  std::copy_n(from.bytes.begin() + first, n, to.bytes.begin() + at);
}

}  // namespace

FlowValue flow_of_operation(IROp op, uint32_t size, Args args, DataflowBuilder& builder) {
  FlowValue v = FlowValue::uniform(size, DataflowBuilder::kEmpty);
  const OpShape s = shape_of(op);
  switch (s.shape) {
    case Shape::kMix:
      fill(v, 0, size, mix(args, 0, size, size, builder));
      break;
    case Shape::kPart:
      copy(v, 0, *args[0], s.n, size);
      break;
    case Shape::kLowThenZero:
      copy(v, 0, *args[0], 0, args[0]->size);
      break;
    case Shape::kConcat: {
      uint32_t at = 0;
      for (size_t i = args.size(); i-- > 0; at += args[i]->size) copy(v, at, *args[i], 0, args[i]->size);
      break;
    }
    case Shape::kReplaceLow:
      copy(v, 0, *args[0], 0, size);
      copy(v, 0, *args[1], 0, args[1]->size);
      break;
    case Shape::kLowLane:
      copy(v, 0, *args[0], 0, size);
      fill(v, 0, s.n, mix(args, 0, s.n, size, builder));
      break;
    case Shape::kLanes:
      for (uint32_t at = 0; at < size; at += s.n) fill(v, at, s.n, mix(args, at, s.n, size, builder));
      break;
    case Shape::kHighHalves:
    case Shape::kLowHalves: {
      const uint32_t first = s.shape == Shape::kHighHalves ? 8 : 0;
      copy(v, 0, *args[1], first, 8);
      copy(v, 8, *args[0], first, 8);
      break;
    }
  }
  return v;
}

bool cancels(IROp op) {
  switch (op) {
    case Iop_Sub8:
    case Iop_Sub16:
    case Iop_Sub32:
    case Iop_Sub64:
    case Iop_Xor8:
    case Iop_Xor16:
    case Iop_Xor32:
    case Iop_Xor64:
    case Iop_XorV128:
    case Iop_XorV256:
    case Iop_CmpEQ8:
    case Iop_CmpEQ16:
    case Iop_CmpEQ32:
    case Iop_CmpEQ64:
    case Iop_CmpNE8:
    case Iop_CmpNE16:
    case Iop_CmpNE32:
    case Iop_CmpNE64:
    case Iop_CmpEQ8x16:
    case Iop_CmpEQ16x8:
    case Iop_CmpEQ32x4:
    case Iop_CmpEQ64x2:
    case Iop_CmpEQ8x32:
    case Iop_CmpEQ16x16:
    case Iop_CmpEQ32x8:
    case Iop_CmpEQ64x4:
    case Iop_Sub8x16:
    case Iop_Sub16x8:
    case Iop_Sub32x4:
    case Iop_Sub64x2:
    case Iop_Sub8x32:
    case Iop_Sub16x16:
    case Iop_Sub32x8:
    case Iop_Sub64x4:
      return true;
    default:
      return false;
  }
}

}  // namespace cdr::tool
