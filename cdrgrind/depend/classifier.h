// SPDX-License-Identifier: GPL-2.0-or-later
// Says what a pair of accesses is: ancestor, endpoints, class; and counts it. The tree above two activations
// never changes, so the row of (source, context of the target, class of the address) is remembered in a small cache;
// what can change, names and hiddenness of live frames, gives a frame a new phase and with it new contexts, or empties
// the cache when other stacks have seen it (kNodeWatched, kNodeNameSeen).
//
// Where calls are short most contexts are new and have no row yet. Then all that makes a row is put together in two
// words, by which rows are remembered for ever (`Features`): of the ancestor and the call above it the number that its
// frame has, of a folded source its call site there, of either access the site where that is seen and else its flags.
// What both activations add to them is remembered for the source's, as long as the target's frame is on top; so is what
// a key takes from them where stacks differ. A remembered row counts beside its features, not in the table of rows.
#ifndef CDRGRIND_DEPEND_CLASSIFIER_H
#define CDRGRIND_DEPEND_CLASSIFIER_H

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "cdrgrind/depend/access_contexts.h"
#include "cdrgrind/depend/activation_tree.h"
#include "cdrgrind/depend/count_observer.h"
#include "cdrgrind/depend/ref.h"
#include "cdrgrind/depend/row_table.h"
#include "cdrgrind/depend/stacks.h"

namespace cdr::depend {

// tests/bench/floor_engine.cc measures an engine that follows all events and leaves references in memory, but looks for
// no rows and keeps no readers.
#ifdef CDRGRIND_DEPENDENCES_FLOOR
constexpr bool kFloor = true;
#else
constexpr bool kFloor = false;
#endif

// What the target access knows about the byte.
enum class AddressClass : uint32_t {
  kPlain = 0,
  kGot = 1,
  kStack = 2,  // byte >= sp(target) - 128
  kBelowStack = 3,
};

// The target access: what a witness shows, and a number that no other access has.
struct Target {
  ContextIndex context = 0;
  uint32_t width = 0;
  uint64_t serial = 0;
};

class Classifier {
 public:
  Classifier(ActivationTree& tree, AccessContexts& contexts, RowTable& row_table)
      : tree_(tree),
        contexts_(contexts),
        row_table_(row_table),
        cache_(std::make_unique<std::array<Slot, kSlots>>()),
        known_rows_(std::make_unique<std::array<KnownRow, kKnownRows>>()) {}

  // The stack on which the targets run.
  void set_stack(Stack* stack) {
    stack_ = stack;
    frames_changed();
  }
  // To be called when the frames of the stack, or what is known of them, are about to change.
  void frames_changed() { ++period_; }
  void empty_cache() {
    cache_->fill({});
    ++version_;
    ++period_;
  }
  // Changes when rows that were found may be wrong from now on.
  uint32_t version() const { return version_; }

  // The only pair of this access that can have its key: count it.
  void depend(Ref source, const Target& target, AddressClass address_class, uint64_t addr) {
    if constexpr (kFloor) return;
    const RowIndex r = row(source, target, address_class, addr);
    row_table_.count(r);
    tell(r, target.context, addr);
  }
  // The same for a context's first access: no row can be known.
  void depend_first(Ref source, const Target& target, AddressClass address_class, uint64_t addr) {
    if constexpr (kFloor) return;
    tell(find_row<true>(source, target, address_class, addr), target.context, addr);
  }
  // One of several: count it unless the key was counted for this access.
  void depend_once(Ref source, const Target& target, AddressClass address_class, uint64_t addr) {
    if constexpr (kFloor) return;
    const RowIndex r = row(source, target, address_class, addr);
    if (row_table_.count_once(r, target.serial)) tell(r, target.context, addr);
  }
  // The same for a context's first access.
  void depend_first_once(Ref source, const Target& target, AddressClass address_class, uint64_t addr) {
    if constexpr (kFloor) return;
    const RowIndex r = find_row<false>(source, target, address_class, addr);
    if (row_table_.count_once(r, target.serial)) tell(r, target.context, addr);
  }
  bool count_once(RowIndex row, uint64_t access) { return row_table_.count_once(row, access); }
  RowTable& row_table() { return row_table_; }
  // Counts what remembered rows have not counted yet.
  void count_known_rows();

  // Of the engine for all of the memory.
  EngineObservation& observation() { return observation_; }
  // That an access counted, where the functions above have not counted it.
  void tell(RowIndex row, ContextIndex target, uint64_t addr) const {
    if (observation_.any()) [[unlikely]]
      observation_.tell(row, addr, contexts_.site(target).code);
  }
  // The row of a pair.
  RowIndex row(Ref source, const Target& target, AddressClass address_class, uint64_t addr) {
    const uint64_t key = uint64_t{source} | uint64_t{target.context} << 31 | static_cast<uint64_t>(address_class) << 57;
    Slot& slot = (*cache_)[(key * 0x9e3779b97f4a7c15u) >> 51];
    if (slot.key != key) [[unlikely]]
      slot = {key, find_row<false>(source, target, address_class, addr)};
    return slot.row;
  }

 private:
  struct Slot {
    uint64_t key = 0;
    RowIndex row = 0;
  };
  static constexpr size_t kSlots = size_t{1} << 13;

  struct End {
    CodeIndex at = 0;
    EndpointCode code = EndpointCode::kOwn;
  };
  struct Relation {
    NodeIndex ancestor = 0;
    End source, target;
    bool hidden = false;  // the ancestor, or a frame above it
  };

  // A key but for what the two accesses and the location add.
  struct Ends {
    RowKey key;
    uint64_t period = 0;
    NodeIndex source = 0;
    VisitIndex visit = 0;  // of the source
    uint32_t number = 0;   // the same for equal ones, at any time; 0: there are too many
  };
  static constexpr size_t kEnds = 64;
  struct EndsHash {
    uint64_t operator()(const RowKey& k) const { return RowTable::hash(k); }
  };
  // A row by all that makes it, in small numbers: of equal ones it is the same for ever.
  struct Features {
    uint64_t target = 0, source = 0;
    bool operator==(const Features&) const = default;
  };
  struct KnownRow {
    Features features;  // none has 0
    RowIndex row = 0;
    uint32_t times = 0;  // since they were counted in the row table, which is far away
  };
  static constexpr unsigned kKnownRowBits = 14;
  static constexpr size_t kKnownRows = size_t{1} << kKnownRowBits;
  static constexpr unsigned kNumberBits = 18, kThreadBits = 26;
  // Where each feature lies.
  static constexpr unsigned kSourceFlags = 34, kSourceThread = 37;
  static constexpr unsigned kTargetFlags = 32, kUnderHidden = 35, kHiddenBelow = 36, kStates = 37, kNumber = 44;

  // What accesses of an activation add to features as sources, as long as the frame on top of the present stack stays.
  struct Source {
    uint64_t period = 0;
    NodeIndex node = 0;
    VisitIndex visit = 0;
    uint64_t source = 0, target = 0;
    uint32_t source_sites = 0, target_sites = 0;  // all bits where a feature is the access's site, else 0
  };
  static constexpr size_t kSources = 32;
  enum class Look { kKnown, kAcross, kUnknown };

  // kCount: and counts it.
  template <bool kCount>
  RowIndex find_row(Ref source, const Target& target, AddressClass address_class, uint64_t addr);
  template <bool kCount>
  RowIndex find_row_across(Ref source, const Target& target, AddressClass address_class, uint64_t addr);
  template <bool kCount>
  RowIndex counted(RowIndex row) {
    if (kCount) row_table_.count(row);
    return row;
  }
  Look look_at(Source& e, const Run& source);
  template <bool kCount>
  RowIndex row_by(Features f, const RowKey* ends, Ref source, const Target& target, AddressClass address_class,
                  uint64_t addr);
  RowIndex table_row(const RowKey* ends, Ref source, const Target& target, AddressClass address_class, uint64_t addr);
  bool known(const Ends& e, const Run& source) const {
    return e.source == source.node && e.period == period_ && e.visit == source.visit;
  }
  RowKey ends_of(const Relation& r, const Run& source, const Run& target) const;
  uint32_t number_of(const RowKey& ends);
  uint32_t number_of_frame(const Node& ancestor, uint32_t thread);
  Relation relate(const Run& source);
  Relation relate_across(const Run& source);
  void find_ways(const Run& source);
  Relation meet(Way source, Way target);
  ActivationTree& tree_;
  AccessContexts& contexts_;
  RowTable& row_table_;
  Stack* stack_ = nullptr;
  std::vector<Way> source_way_, target_way_;  // where they come onto a stack
  uint32_t version_ = 0;
  uint64_t period_ = 1;
  std::array<Source, kSources> sources_{};
  std::array<Ends, kEnds> ends_{};
  FlatMap<RowKey, uint32_t, EndsHash> ends_numbers_;
  std::unique_ptr<std::array<Slot, kSlots>> cache_;
  std::unique_ptr<std::array<KnownRow, kKnownRows>> known_rows_;
  [[no_unique_address]] EngineObservation observation_;
};

}  // namespace cdr::depend

#endif
