// SPDX-License-Identifier: GPL-2.0-or-later
// Reads a superblock's VEX IR for its data flow (base/dataflow.h): what each temporary depends on, statement by
// statement. Numbers accesses and slots as SuperblockScan does.
//
//  * Every operand of an operation goes into its result, as far as flow_values.h knows no better; of a helper call,
//  those that its mask does not leave
//    out (constants that select, flags that it only may need). x ^ x, x - x and x == x depend on nothing.
//  * x87 registers are an array with a computed index: reading one reads all, writing one keeps the others.
//  * A compare-and-swap's old value and what it stores depend on memory and on the expected value.
//  * A dirty helper: all that it reads (arguments, state, memory, guard) goes into all that it writes. One that
//    names neither state nor memory asks something outside: its result is weak.
//  * Where accesses are not recorded, a load depends on its address, and is weak.
#ifndef CDRGRIND_TOOL_FLOW_SCAN_H
#define CDRGRIND_TOOL_FLOW_SCAN_H

#include <initializer_list>
#include <vector>

#include "cdrgrind/base/dataflow_builder.h"
#include "cdrgrind/tool/flow_values.h"
#include "cdrgrind/tool/superblock_scan.h"
#include "cdrgrind/tool/vg.h"

namespace cdr::tool {

class FlowScan {
 public:
  // `scan` is of the same `sb`, made with the same `accesses`.
  FlowScan(const IRSB& sb, const SuperblockScan& scan, bool accesses);

  // Spans are valid until the scan is gone.
  const Dataflow& summary() const { return summary_; }

 private:
  using Set = DataflowBuilder::Set;

  void statement(const IRStmt& st);
  void dirty(const IRDirty& d);
  Set state_read(const IRDirty& d);
  void write_state(const IRDirty& d, Set s);
  void cas(const IRCAS& c);
  Set of(const IRExpr* e);
  Set of_call(const IRExpr& e);
  Set of_other(const IRExpr& e);
  FlowValue value_of(const IRExpr& e);
  FlowValue of_operation(IROp op, const IRExpr& e, std::initializer_list<const IRExpr*> args);
  FlowValue of_masked(const IRExpr& e);
  FlowValue of_choice(const IRExpr& e);
  FlowValue get(int offset, uint32_t size);
  void put(int offset, const FlowValue& v);
  uint32_t size_of(const IRExpr& e) const;
  Set of_array(const IRRegArray& a);
  Set loaded(const IRExpr* addr, Set guard);
  void stored(Set value, Set guard);
  void set_temp(IRTemp t, Set s);

  const IRSB& sb_;
  bool accesses_;
  bool begun_ = false;  // an instruction has begun: what stands before is not recorded
  uint32_t access_count_ = 0;
  DataflowBuilder builder_;
  std::vector<FlowValue> temps_;
  Dataflow summary_;
};

}  // namespace cdr::tool

#endif
