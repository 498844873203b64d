// SPDX-License-Identifier: GPL-2.0-or-later
// Reads a superblock's VEX IR and finds what block_table.h wants to know: instructions, accesses and their
// base slots, SP changes, exits; and for the instrumenter, before which statement which word is stored.
//
// Base slots: the value of every 64-bit temporary is tracked as (root, constant) through Add64/Sub64 with
// constants, moves, and GET/PUT of whole registers. Two accesses whose addresses have the same root share a
// slot; the root's value is stored just before the first of them. In doubt a value is a root of its own: the
// trace is then a word longer and still right.
#ifndef CDRGRIND_TOOL_SUPERBLOCK_SCAN_H
#define CDRGRIND_TOOL_SUPERBLOCK_SCAN_H

#include <span>
#include <vector>

#include "cdrgrind/base/block_table.h"
#include "cdrgrind/tool/insn_class.h"
#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

// The word of slot `slot` (from 1) is stored before statement `stmt`: `value`, or guard ? value : 0.
struct WordStore {
  int stmt;
  uint16_t slot;
  IRExpr* value;
  IRExpr* guard;  // null: unconditional
};

class SuperblockScan {
 public:
  // With `accesses` false only what SP needs is recorded (shims, --cdr-data=none without dependences).
  SuperblockScan(const IRSB& sb, uint64_t addr, uint32_t length, bool accesses);

  Superblock superblock() const;  // address, length and spans; module and flags are the caller's
  const std::vector<WordStore>& word_stores() const { return stores_; }
  const std::vector<int>& exit_stmts() const { return exit_stmts_; }  // the last exit is not in it

 private:
  struct Value {  // root + constant; root < 0: the constant alone
    static constexpr int kNoRoot = -1;
    int root = kNoRoot;
    int64_t constant = 0;
    bool known = false;
  };

  void statement(const IRStmt& st);
  void imark(const IRStmt& st);
  void write_temp(IRTemp to, const IRExpr& e);
  void put(int offset, const IRExpr& data);
  void sp_put(const Value& v);
  void dirty(const IRDirty& d);
  void cas(const IRCAS& c);
  void side_exit(const IRStmt& st);
  void last_exit();

  Value value_of(const IRExpr& atom) const;
  Value get_value(int offset, IRTemp to);
  Value binop_value(IRTemp to, const IRExpr& e);
  void forget_registers(int offset, int size);
  void access(IRExpr* addr, uint32_t width, uint8_t flags);
  void guarded_access(IRExpr* addr, IRExpr* guard, uint32_t width, uint8_t flags);
  void add_access(uint16_t slot, int64_t constant, uint32_t width, uint8_t flags);
  uint16_t slot_of(int root);
  uint8_t insn_flags() const;
  void add_exit(Exit e);
  uint64_t next_insn_addr() const;
  int temp_size(IRTemp t) const;

  const IRSB& sb_;
  uint64_t addr_;
  uint32_t length_;
  bool want_accesses_;
  int stmt_ = 0;
  uint16_t next_slot_ = 1;
  InsnClass insn_class_;
  const IRExpr* mergeable_load_ = nullptr;  // address atom of the load that a store would make an M of
  uint32_t mergeable_width_ = 0;

  std::vector<Value> temps_;
  std::vector<Value> registers_;   // by offset / 8
  std::vector<uint16_t> slots_;    // by root; 0 = none yet
  std::vector<uint8_t> entry_sp_;  // by root: it is SP at the entry
  bool sp_put_seen_ = false;

  std::vector<Insn> insns_;
  std::vector<Access> accesses_;
  std::vector<SpChange> sp_changes_;
  std::vector<Exit> exits_;
  std::vector<WordStore> stores_;
  std::vector<int> exit_stmts_;
};

}  // namespace cdr::tool

#endif
