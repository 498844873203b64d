// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/format/dataflow_codec.h"

#include <array>
#include <vector>

namespace cdr {
namespace {

constexpr uint64_t kMaxSets = 0xffff;

// An input, or the piece of a write: one byte, and more for what is rare.
//     r              the usual bytes of register r
//     kOdd + r       others: u8 offset in the register, u8 size
//     kLow + n       the lower half of the usual bytes: of integer register n, from 16 on of vector register n - 16
//     kLoad + a      load of access a; kFarLoad: varint a
constexpr uint8_t kOdd = kGuestRegisterCount;
constexpr uint8_t kLow = 2 * kGuestRegisterCount;
constexpr uint8_t kLoad = kLow + 16 + 17;
constexpr uint8_t kFarLoad = 255;
constexpr uint8_t kFirstVector = kGuestRegisterCount - 17;

// The register of kLow + n, and back; kGuestRegisterCount or more if it has no such code.
constexpr uint32_t low_register(uint32_t n) { return n < 16 ? n : kFirstVector + (n - 16); }
constexpr uint32_t low_code(uint32_t r) {
  return r < 16 ? r : r >= kFirstVector ? r - kFirstVector + 16 : kGuestRegisterCount;
}

// A set: 0 the empty one, kNewSet one that the column of sets tells next, kOldSet + n the one n before the newest.
constexpr uint64_t kNewSet = 1;
constexpr uint64_t kOldSet = 2;

// The columns of a payload.
enum Column : uint8_t { kSetRefs, kSets, kPieces, kColumns };

// A side exit, or a last one with a dynamic target.
bool has_condition(const Superblock& sb, size_t exit) {
  return exit + 1 < sb.exits.size() || sb.exits[exit].target == 0;
}

class Encoder {
 public:
  void superblock(const Superblock& sb, const Dataflow& d) {
    d_ = &d;
    told_ = 0;
    for (const uint16_t s : d.slots) set(s);
    for (size_t i = 0; i < d.accesses.size(); ++i) {
      if (sb.accesses[i].store()) set(d.accesses[i].value);
      if (sb.accesses[i].guarded()) set(d.accesses[i].guard);
    }
    uint32_t w = 0;
    for (size_t i = 0; i < d.exits.size(); ++i) {
      const ExitFlow& e = d.exits[i];
      columns_[kPieces].varint(e.writes - w);
      for (; w < e.writes; ++w) {
        piece(d.writes[w].piece, columns_[kPieces]);
        set(d.writes[w].set);
      }
      if (has_condition(sb, i)) set(e.condition);
    }
  }

  void write(ByteWriter& to) const {
    for (const ByteWriter& c : columns_) {
      to.varint(c.size());
      to.raw(c.bytes().data(), c.size());
    }
  }

 private:
  // Sets are numbered by first use.
  void set(uint32_t number) {
    if (number == 0) return columns_[kSetRefs].varint(0);
    if (number <= told_) return columns_[kSetRefs].varint(kOldSet + (told_ - number));
    columns_[kSetRefs].varint(kNewSet);
    ++told_;
    const FlowSet s = d_->set(number);
    columns_[kSets].varint(s.inputs.size() * 2 + (s.weak ? 1 : 0));
    for (const FlowInput& i : s.inputs) input(i);
  }

  void input(const FlowInput& i) {
    ByteWriter& to = columns_[kSets];
    if (!i.is_load()) return piece(i.piece(), to);
    if (i.first < kFarLoad - kLoad) return to.u8(static_cast<uint8_t>(kLoad + i.first));
    to.u8(kFarLoad);
    to.varint(i.first);
  }

  static void piece(StatePiece p, ByteWriter& to) {
    const uint32_t r = register_of(p.offset);
    const GuestRegister& reg = guest_register(r);
    if (p.offset == reg.offset && p.size == reg.usual) return to.u8(static_cast<uint8_t>(r));
    if (p.offset == reg.offset && p.size == reg.usual / 2 && low_code(r) < kGuestRegisterCount)
      return to.u8(static_cast<uint8_t>(kLow + low_code(r)));
    to.u8(static_cast<uint8_t>(kOdd + r));
    to.u8(static_cast<uint8_t>(p.offset - reg.offset));
    to.u8(static_cast<uint8_t>(p.size));
  }

  std::array<ByteWriter, kColumns> columns_;
  const Dataflow* d_ = nullptr;
  uint32_t told_ = 0;
};

class Decoder {
 public:
  explicit Decoder(ByteReader& payload) : columns_{column(payload), column(payload), column(payload)} {}

  // False if the columns do not hold a summary of `sb`.
  bool superblock(const Superblock& sb) {
    sb_ = &sb;
    inputs_.clear();
    set_ends_.clear();
    writes_.clear();
    exits_.clear();
    slots_.assign(sb.exits.back().words, 0);
    for (uint16_t& s : slots_) s = set();
    accesses_.assign(sb.accesses.size(), {});
    for (size_t i = 0; i < accesses_.size(); ++i) {
      if (sb.accesses[i].store()) accesses_[i].value = set();
      if (sb.accesses[i].guarded()) accesses_[i].guard = set();
    }
    for (size_t e = 0; e < sb.exits.size() && ok(); ++e) exit(has_condition(sb, e));
    return ok();
  }

  Dataflow view() const { return {inputs_, set_ends_, slots_, accesses_, writes_, exits_}; }
  bool at_end() const {
    for (const ByteReader& c : columns_)
      if (!c.at_end()) return false;
    return true;
  }

 private:
  static ByteReader column(ByteReader& payload) { return ByteReader(payload.raw(payload.varint())); }
  bool ok() const { return columns_[kSetRefs].ok() && columns_[kSets].ok() && columns_[kPieces].ok(); }

  void exit(bool condition) {
    ByteReader& from = columns_[kPieces];
    for (uint64_t n = from.bounded(from.left()); n > 0 && ok(); --n) {
      const StatePiece p = piece(from.u8(), from);
      writes_.push_back({p, set()});
    }
    if (writes_.size() > kMaxSets) from.fail();
    exits_.push_back({condition ? set() : uint16_t{0}, static_cast<uint16_t>(writes_.size())});
  }

  uint16_t set() {
    ByteReader& from = columns_[kSetRefs];
    const uint64_t code = from.varint();
    if (code == 0) return 0;
    if (code == kNewSet) return new_set();
    return code - kOldSet < set_ends_.size() ? static_cast<uint16_t>(set_ends_.size() - (code - kOldSet)) : from.fail();
  }

  uint16_t new_set() {
    ByteReader& from = columns_[kSets];
    const uint64_t header = from.varint();
    if (header / 2 > from.left() || set_ends_.size() >= kMaxSets) return from.fail();
    uint32_t before = 0;  // 1 + the order of the input before
    for (uint64_t n = header / 2; n > 0 && from.ok(); --n) {
      const FlowInput i = input(from);
      const uint32_t order = (i.is_load() ? uint32_t{1} << 16 : 0) + i.first + 1;
      if (order <= before) from.fail();
      before = order;
      inputs_.push_back(i);
    }
    set_ends_.push_back(static_cast<uint32_t>(inputs_.size()) * 2 + (header & 1));
    return static_cast<uint16_t>(set_ends_.size());
  }

  FlowInput input(ByteReader& from) const {
    const uint8_t code = from.u8();
    if (code < kLoad) return FlowInput::state(piece(code, from));
    const uint64_t access = code == kFarLoad ? from.varint() : uint64_t{code} - kLoad;
    if (access >= sb_->accesses.size() || sb_->accesses[access].store()) from.fail();
    return FlowInput::load(static_cast<uint16_t>(access));
  }

  static StatePiece piece(uint8_t code, ByteReader& from) {
    if (code >= kLoad) return from.fail(), StatePiece{};
    const GuestRegister& reg = guest_register(code >= kLow ? low_register(code - kLow) : code % kGuestRegisterCount);
    if (code < kOdd) return {reg.offset, reg.usual};
    if (code >= kLow) return {reg.offset, static_cast<uint16_t>(reg.usual / 2)};
    const uint8_t offset = from.u8(), size = from.u8();
    if (size == 0 || offset + size > reg.size) from.fail();
    return {static_cast<uint16_t>(reg.offset + offset), size};
  }

  std::array<ByteReader, kColumns> columns_;
  const Superblock* sb_ = nullptr;
  std::vector<FlowInput> inputs_;
  std::vector<uint32_t> set_ends_;
  std::vector<uint16_t> slots_;
  std::vector<AccessFlow> accesses_;
  std::vector<StateWrite> writes_;
  std::vector<ExitFlow> exits_;
};

}  // namespace

void encode_dataflow(const DataflowTable& flows, const BlockTable& blocks, TableRange which, ByteWriter& to) {
  to.varint(which.begin);
  to.varint(which.end - which.begin);
  Encoder encoder;
  for (uint32_t i = which.begin; i < which.end; ++i)
    encoder.superblock(blocks.superblock(SuperblockId(i + 1)), flows[SuperblockId(i + 1)]);
  encoder.write(to);
}

const char* decode_dataflow(std::span<const uint8_t> payload, const BlockTable& blocks, DataflowTable& flows) {
  ByteReader from(payload);
  const uint64_t first = from.varint(), count = from.varint();
  if (!from.ok() || first != flows.size()) return "summaries are missing before it";
  if (count > blocks.superblock_count() - first) return "it summarises an unknown superblock";
  Decoder decoder(from);
  for (uint64_t n = 0; n < count && from.ok(); ++n) {
    if (!decoder.superblock(blocks.superblock(SuperblockId(flows.size() + 1))))
      return "a summary is not one of its superblock";
    flows.add(decoder.view());
  }
  if (!from.ok()) return "a column is longer than the frame";
  return decoder.at_end() && from.at_end() ? nullptr : "bytes are left behind the last summary";
}

}  // namespace cdr
