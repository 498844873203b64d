// SPDX-License-Identifier: GPL-2.0-or-later
// The class of what a loop carries, from its rows and from what the code does with the values (values.h).
#ifndef CDRGRIND_ANALYSIS_ADVISE_CLASSES_H
#define CDRGRIND_ANALYSIS_ADVISE_CLASSES_H

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/advise/advice.h"
#include "cdrgrind/analysis/advise/call_returns.h"
#include "cdrgrind/analysis/advise/called_reads.h"
#include "cdrgrind/analysis/advise/code_writes.h"
#include "cdrgrind/analysis/advise/kept_registers.h"
#include "cdrgrind/analysis/advise/liveness.h"
#include "cdrgrind/analysis/advise/loop_entry.h"
#include "cdrgrind/analysis/advise/object_accesses.h"
#include "cdrgrind/analysis/advise/register_steps.h"
#include "cdrgrind/analysis/advise/truth_fold.h"
#include "cdrgrind/analysis/advise/walked_registers.h"

namespace cdr::advise {

using regions::RegisterSet;

class Classifier {
 public:
  explicit Classifier(const Advisor& with);

  // Fills in the class. `rows` of the carrier are known.
  void classify(LoopId loop, Carrier& carrier);
  // Whether the access's address is made of a value that was loaded from a place that is another one in each iteration.
  bool has_loaded_index(LoopId loop, SuperblockId sb, uint16_t access) const;
  // Reductions whose partial results are stored in one place: what is carried there is the same reduction.
  void join_kept(std::vector<Carrier>& carriers) const;
  // Elements that one iteration takes from each place; 1 if they are no vectors, or it is not known.
  uint32_t lanes(LoopId loop);
  // Instructions that lead out of the loop and do not merely compare an induction with what does not change;
  // `by_traversal`: those that a traversal decides.
  std::vector<uint64_t> other_exits(LoopId loop, std::vector<Carrier>& carriers, bool by_traversal);

 private:
  bool leaves_in_body(LoopId loop, uint64_t at) const;
  bool stays_by_invariant(LoopId loop, uint64_t at) const;
  using AccessPlace = std::pair<regions::ContextIndex, AccessId>;
  struct Update {
    bool known = false;
    AccessId old;                  // the access that loads the old value
    std::vector<AccessId> handed;  // instead, where it is handed to a function: one by each way to that
    // Where it is put aside around a call: the loads of it. `old` then is the load from where it was put, if that is
    // the frame, and else `held` the register.
    std::vector<AccessId> saved;
    uint8_t held = regions::kNoRegister;
    bool by_function = false;  // what registers hold behind the loop counts, too
    Operation operation = Operation::kOther;
    bool invariant = false;  // all that is added is the same in every iteration of a loop that the store is in itself
    bool by_number = false;
    std::string added;  // as text, whatever superblock it stands in; empty: none
    bool floating = false, of_truth = false;
  };

  // What is known of the stores that make a reduction: the accesses that load their old values, with their contexts.
  struct Reduction {
    Operation operation = Operation::kOther;
    bool floating = false, of_truth = false;
    std::set<AccessPlace> old_values;
  };
  // And of the accesses that make an extremum.
  struct Extremum {
    std::vector<std::string> compared, stored;
    std::vector<std::pair<SuperblockId, bool>> comparisons;  // true: the old value is on the left
    std::vector<regions::SiteIndex> stores;
    std::map<regions::SiteIndex, AccessId> kept;  // stores of the old value, and where it was loaded
  };

  const regions::CarriedRow& row(uint32_t r) const { return with_.regions.rows[r]; }
  const regions::Site& site(regions::SiteIndex s) const { return with_.regions.contexts.site(s); }
  bool is_invariant(LoopId loop, SuperblockId sb, const Leaf& l) const;
  bool are_the_same(LoopId loop, SuperblockId sb, RegisterSet registers) const;
  bool is_invariant_load(LoopId loop, SuperblockId sb, uint16_t load) const;
  bool reads_unchanged(LoopId loop, SuperblockId sb, uint16_t load) const;
  bool is_same(LoopId loop, SuperblockId sb, const Value& v) const;
  bool reads_one_place(LoopId loop, SuperblockId sb, uint16_t access) const;
  bool writes(LoopId loop, uint8_t reg) const;
  bool is_made_of(SuperblockId sb, const Leaf& l, const AccessId& access) const;
  bool is_loaded_through(AccessId access, const std::function<bool(SuperblockId, const Leaf&)>& f) const;
  bool is_choice_of_compared(SuperblockId sb, const Value& v) const;
  // What a store makes of the old value in its place.
  Update update_of(LoopId loop, regions::SiteIndex store) const;
  Update update_in(LoopId loop, const regions::Site& store, const Value& v, size_t old) const;
  Update update_of_saved(LoopId loop, regions::SiteIndex store, const Value& v) const;
  std::optional<std::vector<AccessId>> saved_in_frame(LoopId loop, const regions::Site& store, AccessId loaded) const;
  std::optional<std::vector<AccessId>> saved_in_register(LoopId loop, const regions::Site& store, uint8_t reg) const;
  regions::SiteIndex site_of(regions::ContextIndex context, AccessId access) const;
  bool is_put_aside_for(LoopId loop, regions::SiteIndex put, regions::SiteIndex load) const;
  bool is_same_place(LoopId loop, const regions::Site& store, AccessId old) const;
  bool add_address(AccessId access, RegisterSet& entries, std::vector<AccessId>& loads) const;
  std::optional<uint64_t> call_before(SuperblockId sb) const;
  Update update_by_call(const regions::Site& store, const Value& v) const;
  std::optional<AccessId> handed_over(SuperblockId caller, const regions::Site& store) const;
  std::optional<AccessId> loaded_by_result(const regions::Site& store, const Leaf& loaded) const;
  bool hands_place(SuperblockId caller, const regions::Site& store) const;
  static bool tells_or_decides(const Dataflow& flow, const std::function<bool(uint16_t)>& uses);
  bool goes_only_into_call(const AccessId& loaded) const;
  bool is_read_to_choose(regions::SiteIndex load, const std::set<AccessPlace>& old_values) const;
  bool is_once_an_iteration(LoopId loop, uint64_t addr) const;
  bool is_one_an_iteration(LoopId loop, const std::set<uint64_t>& addrs) const;
  bool is_once_a_call(CodeAddr function, uint64_t addr) const;
  bool find_once_a_call(CodeAddr function, uint64_t addr) const;
  bool is_once_an_iteration(LoopId loop, const Carrier& c, regions::SiteIndex s) const;
  bool is_own(const Carrier& c, regions::SiteIndex s) const;
  bool has_new_low_byte(LoopId loop, uint8_t reg) const;
  const Liveness& liveness_of(LoopId loop) const;
  const Liveness& liveness_of(CodeAddr function) const;
  const Liveness& liveness_at(LoopId loop, const regions::Site& s) const;
  bool has_other_uses(LoopId loop, regions::SiteIndex store, const Update& u) const;
  bool goes_elsewhere(const Liveness& live, const regions::Site& to, const std::vector<SuperblockId>& way,
                      RegisterSet held, std::optional<AccessId> loaded, RegisterSet into) const;

  bool is_induction(LoopId loop, const Carrier& c, const ObjectAccesses& accesses) const;
  AccessPlace place_of(regions::SiteIndex s, AccessId access) const { return {site(s).context, access}; }
  bool are_updates(LoopId loop, const ObjectAccesses& accesses, Reduction& r) const;
  bool is_reduction(LoopId loop, Carrier& c, const ObjectAccesses& accesses) const;
  bool are_of_extremum(const Carrier& c, const ObjectAccesses& accesses, Extremum& e) const;
  std::optional<AccessId> stored_back(const AccessId& store) const;
  bool is_extremum(LoopId loop, Carrier& c, const ObjectAccesses& accesses) const;
  bool may_be_truth(const Carrier& c) const;
  bool is_truth(LoopId loop, Carrier& c, const ObjectAccesses& accesses) const;
  bool register_truth(LoopId loop, Carrier& c) const;
  bool is_truth_in(LoopId innermost, const TruthHome& home, Carrier& c) const;
  bool is_read_in_stretch(LoopId loop, uint64_t store, const std::set<uint64_t>& stretch) const;
  bool may_be_other(LoopId loop, const Carrier& c, const ObjectAccesses& some) const;
  static constexpr uint64_t kEndOfBlock = 0;
  bool branches_before(SuperblockId id, uint64_t end) const;
  bool goes_straight_to(SuperblockId id, uint64_t addr) const;
  size_t stores_between(SuperblockId id, uint64_t end) const;
  Operation extremum_of(const Extremum& e) const;
  bool is_come_to_from(SuperblockId id, uint64_t addr) const;
  bool meet_at_store(const Extremum& e, uint64_t new_way, uint64_t old_way) const;
  regions::Walk walk_by(LoopId loop, uint64_t function, uint64_t call) const;
  bool is_traversal(LoopId loop, const Carrier& c, const ObjectAccesses& accesses) const;
  bool goes_on_once(LoopId loop, const Carrier& c, const ObjectAccesses& accesses) const;
  std::vector<regions::SiteIndex> stores_read_by(regions::ContextIndex context, const AccessId& load) const;
  bool reads_changing_link(LoopId loop, regions::ContextIndex context, const AccessId& load) const;
  bool is_loaded_through_old(LoopId loop, const regions::Site& store) const;
  const Leaf* copied(const regions::Site& store) const;
  std::optional<uint64_t> moving_call(LoopId loop, regions::SiteIndex s) const;
  bool moves_by_itself(LoopId loop, uint64_t call) const;
  bool may_move_more(LoopId loop) const;
  bool is_moved(LoopId loop, regions::SiteIndex store) const;
  bool is_next_by_call(LoopId loop, const regions::Site& store, const ObjectAccesses& accesses) const;
  bool calls_for_link(LoopId loop, regions::ContextIndex context, SuperblockId caller) const;
  bool returns_link(LoopId loop, regions::ContextIndex context, SuperblockId id) const;
  bool hands_old_value(SuperblockId caller, regions::ContextIndex context, const ObjectAccesses& accesses) const;
  const regions::MachineInsn& insn_at(const regions::Loop& l, uint64_t addr) const {
    return with_.values.insns().at({l.header.module, addr});
  }
  bool adds_invariant(LoopId loop, const regions::MachineInsn& m, uint8_t reg) const;
  bool is_left_behind(LoopId loop, uint64_t addr, uint8_t reg) const;
  bool is_compared(const regions::Loop& l, uint8_t reg) const;
  // By where they return to.
  std::map<uint64_t, RegisterSet> kept_by_calls(LoopId loop) const;
  const RegisterSteps& steps_of(LoopId loop) const;
  // Instructions, ascending, and whether they ran.
  struct FunctionCode {
    std::vector<uint64_t> addrs;
    std::vector<bool> ran;
    bool has(uint64_t addr) const { return std::binary_search(addrs.begin(), addrs.end(), addr); }
    bool has_run(uint64_t addr) const {
      const auto at = std::lower_bound(addrs.begin(), addrs.end(), addr);
      return at != addrs.end() && *at == addr && ran[static_cast<size_t>(at - addrs.begin())];
    }
  };
  const FunctionCode& code_of(const regions::Loop& l) const;
  const regions::Loop& as_run(LoopId loop) const;
  std::unique_ptr<regions::Loop> without_other_versions(LoopId loop, const RegisterSteps* steps) const;
  std::optional<uint64_t> comparison_before(const regions::Loop& l, uint64_t branch) const;
  bool is_decided_once(LoopId loop, uint64_t branch, const RegisterSteps* steps) const;
  std::map<Home, Step> loaded_before(LoopId loop, const RegisterSteps& steps) const;
  bool is_constant_made_anew(LoopId loop, uint8_t reg) const;
  bool steps(LoopId loop, uint8_t reg) const;
  bool steps_in_frame(LoopId loop, const Carrier& c) const;
  // Whether it is where calls lead from what it was, or another one that they lead on was, whatever way is taken.
  bool walks(LoopId loop, uint8_t reg, RegisterSet seen);
  std::span<const std::pair<uint64_t, AccessId>> loads_at(uint64_t addr) const;
  bool loads_unchanged(LoopId loop, uint64_t load);
  const WalkedRegisters& walked_of(LoopId loop);
  bool is_walked(LoopId loop, uint8_t reg);
  bool register_induction(LoopId loop, const Carrier& c);
  bool register_reduction(LoopId loop, Carrier& c) const;
  bool straight_reduction(LoopId loop, Carrier& c) const;
  bool is_by_registers(const Carrier& c) const;
  bool folded_reduction(LoopId loop, Carrier& c) const;
  bool decides_others(const regions::Loop& l, uint64_t compare, uint8_t reg) const;
  bool decides_by_itself(const regions::Loop& l, uint8_t reg) const;
  bool keeps_in_one_place(LoopId loop, uint64_t store) const;
  SuperblockId straight_body(LoopId loop) const;
  bool is_used_by(LoopId loop, SuperblockId body, uint8_t reg, Carrier& c) const;
  bool is_always_written(LoopId loop, SuperblockId id, uint8_t reg) const;
  bool is_reloadable(LoopId loop, const Carrier& c);
  bool is_made_ahead(LoopId loop, const Carrier& c);
  bool overlap(const AccessId& a, const AccessId& b) const;
  bool is_stored(LoopId loop, SuperblockId sb, uint8_t reg) const;
  bool are_steps(LoopId loop, const Leaf& l);
  bool follows_steps(LoopId loop, SuperblockId sb, const Leaf& l);
  bool holds_unchanged(LoopId loop, SuperblockId sb, uint8_t reg, RegisterSet seen);
  std::vector<const std::array<Value, 32>*> registers_at_end(LoopId loop, SuperblockId id) const;
  std::vector<uint16_t> places_of_header(LoopId loop, SuperblockId id) const;
  bool register_traversal(LoopId loop, const Carrier& c) const;
  void classify_register(LoopId loop, Carrier& c);
  bool has_flow(const Carrier& c) const;
  void classify_memory(LoopId loop, Carrier& c) const;
  bool is_stream(const Carrier& c) const;
  void classify_flow(LoopId loop, Carrier& c) const;
  bool reads_entry(LoopId loop, const Carrier& c) const;
  void classify_private(LoopId loop, Carrier& c) const;
  bool comes_to_nothing(LoopId loop) const;
  bool is_passed_by(LoopId loop) const;
  bool may_leave_unwritten(LoopId loop, const Carrier& c) const;
  void classify_library(Carrier& c) const;

  bool is_end_of_other_version(LoopId loop, uint64_t at, const std::vector<uint64_t>& others) const;
  bool exit_is_decided(LoopId loop, uint64_t at, std::vector<Carrier>& carriers, bool by_traversal);
  bool comparison_decides(LoopId loop, uint64_t at, std::vector<Carrier>& carriers, bool by_traversal);
  bool loads_invariant(LoopId loop, uint64_t addr) const;
  bool decides_before(LoopId loop, SuperblockId sb, const FlowInput& input, std::vector<Carrier>& carriers,
                      bool by_traversal, bool& any);
  static bool fits(const Carrier& c, bool by_traversal);
  bool decides(LoopId loop, SuperblockId sb, const FlowInput& input, std::vector<Carrier>& carriers, bool by_traversal,
               bool& any);
  bool decided_behind_call(LoopId loop, SuperblockId sb, const FlowInput& input, std::vector<Carrier>& carriers,
                           bool by_traversal, bool& any);
  bool has_same_arguments(LoopId loop, uint64_t call, SuperblockId caller, RegisterSet others = 0) const;
  bool does_the_same(LoopId loop, uint64_t call);
  bool stores_once(LoopId loop, regions::SiteIndex store,
                   const std::function<bool(SuperblockId, const Leaf&)>& is_leaf);
  bool is_put_aside(LoopId loop, regions::SiteIndex store, std::vector<Carrier>& carriers, bool by_traversal,
                    bool& by_step);
  bool reads_put_aside(LoopId loop, regions::SiteIndex load, std::vector<Carrier>& carriers, bool by_traversal,
                       bool& any);
  bool is_steady(LoopId loop, SuperblockId sb, const Leaf& l);
  bool is_steady_load(LoopId loop, SuperblockId sb, uint16_t load);
  bool decided_by_result(LoopId loop, uint64_t call, SuperblockId caller, std::vector<Carrier>& carriers,
                         bool by_traversal, bool& any);
  bool decided_by_register(LoopId loop, uint8_t reg, uint64_t at, std::vector<Carrier>& carriers, bool by_traversal,
                           bool& any);

  const Advisor& with_;
  AccessFinder accesses_;
  CallRegisters calls_;
  mutable std::map<std::pair<uint64_t, uint32_t>, std::unique_ptr<Liveness>> liveness_;  // by function and loop, or 0
  mutable std::map<uint32_t, std::unique_ptr<RegisterSteps>> steps_;                     // by loop
  std::map<uint32_t, std::unique_ptr<WalkedRegisters>> walked_;                          // by loop
  std::map<uint32_t, RegisterSet> made_ahead_;                                           // by loop
  mutable std::map<uint64_t, FunctionCode> codes_;                                       // by function
  mutable std::map<uint32_t, std::unique_ptr<regions::Loop>> as_run_;                    // by loop; null: as it is
  mutable LoopId in_steps_of_;                                                           // that are being found
  mutable std::vector<std::pair<uint64_t, AccessId>> loads_;   // by instruction; sorted, once they are asked for
  std::map<std::pair<uint32_t, uint16_t>, uint8_t> changing_;  // by superblock and access: the most of all contexts
  std::multimap<uint64_t, SuperblockId> begins_;               // superblocks by address
  std::multimap<uint64_t, SuperblockId> callers_;              // those that end in a call, by its instruction
  std::map<uint64_t, uint64_t> call_before_;                   // by where it returns to
  mutable CalledReads called_reads_;
  mutable CallReturns returns_;
  KeptRegisters kept_;
  mutable CodeWrites code_writes_;
  mutable std::map<std::pair<uint64_t, uint64_t>, bool> once_a_call_;         // by function and instruction
  std::vector<regions::SiteIndex> asked_;                                     // loads that reads_put_aside is about
  std::map<uint64_t, std::vector<std::pair<SuperblockId, uint16_t>>> exits_;  // by instruction
  std::vector<std::pair<uint64_t, uint64_t>> ways_taken_;                     // from branches: to where; ascending
  std::map<std::pair<uint32_t, uint32_t>, const regions::Escape*> escapes_;   // by loop and store
  std::map<std::pair<uint64_t, regions::Object>, std::vector<const regions::EntryRead*>>
      entry_reads_;                                   // by the loop's function, and object
  mutable std::map<uint32_t, bool> come_to_nothing_;  // by loop
};

}  // namespace cdr::advise

#endif
