// SPDX-License-Identifier: GPL-2.0-or-later
// Strands of parallel runtimes as the race analysis knows them: each has a number beside those of the threads, its own
// segments, and what it knows of others.
//
// A number is used again by a strand that knows all that the one before has done: so there are as many as there are
// strands that may run at the same time.
#ifndef CDRGRIND_ANALYSIS_RACES_CORE_STRAND_CLOCKS_H
#define CDRGRIND_ANALYSIS_RACES_CORE_STRAND_CLOCKS_H

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/races/core/lock_sections.h"
#include "cdrgrind/analysis/races/core/segments.h"
#include "cdrgrind/analysis/strands/strand_machine.h"

// strand_clocks.cc has it.
extern template class cdr::strands::StrandMachine<cdr::races::Knowledge>;

namespace cdr::races {

class StrandClocks final : strands::StrandClient<Knowledge> {
 public:
  // What the owner does when strands change hands.
  class Owner {
   public:
    virtual void strand_begins(ThreadId on, const strands::Strand& s) = 0;
    // No access of it comes any more.
    virtual void strand_ends(ThreadId on, const strands::Strand& s, ThreadId strand) = 0;
    virtual void task_data(ThreadId by, AddrRange data) = 0;
    virtual void asked(ThreadId by, uint64_t team, bool for_copies) = 0;
    virtual void copy_is_itself(ThreadId by, uint64_t team, uint64_t variable) = 0;
    virtual LockSetId lock_set(std::vector<LockKey> locks) = 0;

   protected:
    ~Owner() = default;
  };
  // Numbers of strands are greater than `last_thread`. `locks_order`: as if whoever gets a lock came behind all who had
  // it before.
  StrandClocks(Segments& segments, uint32_t last_thread, bool locks_order, Owner& owner)
      : segments_(segments), owner_(owner), machine_(*this), last_(last_thread), locks_order_(locks_order) {}

  // Before whatever event.
  void at(uint64_t index) { index_ = index; }
  void event(const Event& e, uint64_t index) {
    index_ = index;
    machine_.event(e, index);
  }
  bool in_runtime(ThreadId t) const { return machine_.in_runtime(t); }

  struct Running {
    strands::Strand strand;
    ThreadId number;
    OpenSections sections;
    LockSetId locks = 0;
    uint64_t begin = 0;  // event
    // It is a piece of the one that waits below: a part, an undeferred task.
    bool goes_on() const { return strands::lies_on_another(strand.kind) || strand.undeferred; }
  };
  // The strand that the thread executes; null: nothing but itself.
  const Running* running(ThreadId t) const {
    return t.value < threads_.size() && threads_[t.value].size() > 1 ? &threads_[t.value].back() : nullptr;
  }
  // Of those that lie on the thread the one with that number.
  const Running& find(ThreadId on, ThreadId number) { return stack(on)[index_of(on, number)]; }
  // f(strand), from that one to those that it goes on in.
  template <class F>
  void for_each_course(ThreadId on, ThreadId number, F f) {
    const std::vector<Running>& all = stack(on);
    size_t i = index_of(on, number);
    f(all[i]);
    for (; all[i].goes_on(); --i) f(all[i - 1]);
  }
  strands::StrandMachine<Knowledge>& machine() { return machine_; }
  // What the iteration lies on that the thread executes, or else what it executes; of a part what that lies on.
  const Running& base(ThreadId t) {
    const auto& all = stack(t);
    return all[all.size() - (all.back().strand.kind == strands::StrandKind::kIteration ? 2 : 1)];
  }
  const Running& lowest(ThreadId t) {
    return innermost(t, [](const Running& r) { return !strands::lies_on_another(r.strand.kind); });
  }
  // The implicit task below what the thread executes; none: the thread itself.
  const Running& member(ThreadId t) {
    return innermost(t, [](const Running& r) { return r.strand.kind == strands::StrandKind::kImplicit; });
  }
  // Before the thread gets what it is not told by an operation.
  void before_get(ThreadId t) { machine_.realize(t); }
  LockSetId locks(ThreadId t) { return stack(t).back().locks; }
  // Somebody got a lock that had been given back: `locks_order` may matter.
  bool had_lock_again() const { return lock_again_; }
  bool had_iterations() const { return iterations_; }
  std::vector<LockKey> held(ThreadId t) { return stack(t).back().sections.locks(); }
  // Before the access: a read comes behind the section that wrote what it reads.
  void accessed(ThreadId t, uint64_t addr, uint64_t width, bool store) {
    if (!stack(t).back().sections.empty()) before_get(t);
    const OpenSections& now = stack(t).back().sections;
    if (store)
      writes_.write(now, addr, width);
    else if (!now.empty())
      writes_.read(now, addr, width, [&](const Knowledge& k) { acquire(t, k); });
  }

 private:
  static constexpr size_t kLooks = 64;

  Knowledge release(ThreadId by) override {
    note_begun(by);
    return segments_.give(by);
  }
  void acquire(ThreadId by, const Knowledge& from) override { segments_.get(by, from, EdgeKind::kSync); }
  bool has_got(ThreadId by, const Knowledge& known) override {
    const ThreadId own = stack(by).back().number;
    Knowledge before = known;
    before.set(own, static_cast<SegmentNumber>(segments_.count(own)));
    return before.join(segments_.give(by), kOrderCount);
  }
  // Tasks that the thread executes behind the end of its implicit task access its variables as the thread itself, which
  // so comes behind that task, and with these accesses alone before the next one.
  void begins(ThreadId on, const strands::Strand& s, const Knowledge& from) override {
    if (s.kind != strands::StrandKind::kImplicit || stack(on).size() > 1 || segments_.count(on) == 0)
      return begin(on, s, from);
    segments_.give(on);
    Knowledge known = from;
    known.set(on, static_cast<SegmentNumber>(segments_.count(on)));
    begin(on, s, known);
  }
  void begin(ThreadId on, const strands::Strand& s, const Knowledge& from) {
    iterations_ |= s.kind == strands::StrandKind::kIteration;
    Running r{s, number_for(on, s, from), {}, 0, index_};
    const Running& waiting = stack(on).back();
    if (r.goes_on()) {
      r.sections = waiting.sections;
      r.locks = waiting.locks;
    }
    segments_.restart(r.number, from);
    stack(on).push_back(std::move(r));
    run(on);
    owner_.strand_begins(on, s);
  }
  Knowledge ends(ThreadId on, const strands::Strand& s) override {
    const ThreadId number = stack(on).back().number;
    owner_.strand_ends(on, s, number);
    segments_.run_on(on, number, {});
    Knowledge given = segments_.give(on);
    stack(on).pop_back();
    run(on);
    segments_.end(number);
    if (s.kind == strands::StrandKind::kImplicit) acquire(on, given);
    if (segments_.count(number))
      free_.add(number);
    else
      untouched_.push_back(number);
    if (is_of_static_loop(s)) of_iterations_[{on.value, s.iteration}] = number;
    return given;
  }
  void locked(ThreadId t, const LockKey& lock) override {
    const auto given = given_.find(lock);
    lock_again_ |= given != given_.end();
    if (locks_order_ && given != given_.end()) acquire(t, given->second);
    Running& r = stack(t).back();
    if (!r.sections.find(lock)) come_behind_begun(t, r.number, lock);
    r.sections.begin(lock);
    note_locks(t);
  }
  void unlocked(ThreadId t, const LockKey& lock) override {
    if (const auto section = stack(t).back().sections.end(lock)) section->given = segments_.give(t);
    given_[lock] = locks_order_ ? segments_.give(t) : Knowledge();
    note_locks(t);
  }
  // Whoever gets what is given now knows that the sections have begun.
  void note_begun(ThreadId t) {
    const Running& r = stack(t).back();
    for (const OpenSections::Section& s : r.sections.all()) {
      if (s.record->begun) continue;
      s.record->by = r.number;
      s.record->begun = segments_.use(r.number, {index_, 0});
      begun_.add(s.lock, s.record);
    }
  }
  void come_behind_begun(ThreadId t, ThreadId strand, const LockKey& lock) {
    begun_.for_each(lock, [&](const SectionRecord& s) {
      if (s.by == strand) return;
      for (const Order order : {Order::kSync, Order::kAtomics, Order::kFull})
        if (segments_.knows(strand, s.by, s.begun, order)) return segments_.get(t, s.given, order);
    });
  }
  void task_data(ThreadId by, AddrRange data) override { owner_.task_data(by, data); }
  void asked(ThreadId by, uint64_t team, bool for_copies) override { owner_.asked(by, team, for_copies); }
  void copy_is_itself(ThreadId by, uint64_t team, uint64_t variable) override {
    owner_.copy_is_itself(by, team, variable);
  }

  // The thread itself lies lowest.
  std::vector<Running>& stack(ThreadId t) {
    if (t.value >= threads_.size()) threads_.resize(t.value + 1);
    auto& all = threads_[t.value];
    if (all.empty()) all.push_back({{}, t, {}, 0, 0});
    return all;
  }
  // That is so; none: the thread itself.
  template <class Is>
  const Running& innermost(ThreadId on, Is is) {
    const std::vector<Running>& all = stack(on);
    size_t i = all.size() - 1;
    while (i > 0 && !is(all[i])) --i;
    return all[i];
  }
  size_t index_of(ThreadId on, ThreadId number) {
    const Running& found = innermost(on, [number](const Running& r) { return r.number == number; });
    return static_cast<size_t>(&found - stack(on).data());
  }
  void note_locks(ThreadId t) {
    Running& r = stack(t).back();
    r.locks = owner_.lock_set(r.sections.locks());
  }
  void run(ThreadId on) {
    const Running* const r = running(on);
    const auto& all = stack(on);
    Segments::Below below;
    for (size_t i = all.size() - 1, n = 0; i > 1 && strands::lies_on_another(all[i].strand.kind); --i)
      below[n++] = all[i - 1].number;
    segments_.run_on(on, r ? r->number : ThreadId(), below);
  }
  // Numbers of strands that have ended. One may be taken out of turn: then its place here stands for nothing.
  class FreeNumbers {
   public:
    void add(ThreadId number) {
      if (number.value >= states_.size()) states_.resize(number.value + 1);
      State& s = states_[number.value];
      s.free = true;
      if (!std::exchange(s.listed, true)) listed_.push_back(number);
    }
    bool take(ThreadId number) {
      return number.value < states_.size() && std::exchange(states_[number.value].free, false);
    }
    // Of the last so many the last one that is fit(number); none: there is none.
    template <class Fit>
    ThreadId take_last(size_t looks, Fit fit) {
      for (size_t look = 0; look < looks && look < listed_.size();) {
        const auto at = listed_.end() - static_cast<ptrdiff_t>(look) - 1;
        const ThreadId number = *at;
        State& s = states_[number.value];
        if (s.free && !fit(number)) {
          ++look;
          continue;
        }
        s.listed = false;
        listed_.erase(at);
        if (std::exchange(s.free, false)) return number;
      }
      return {};
    }

   private:
    struct State {
      bool free = false, listed = false;
    };
    std::vector<ThreadId> listed_;
    std::vector<State> states_;  // by number
  };
  static bool is_of_static_loop(const strands::Strand& s) {
    return s.kind == strands::StrandKind::kIteration && !s.of_part && s.task == 0;
  }
  // All segments of the one before lie before the new strand, in the weakest of the orders. Of loops in turn that is
  // the one of the same iteration.
  ThreadId number_for(ThreadId on, const strands::Strand& s, const Knowledge& from) {
    const VectorClock& known = from.in[static_cast<size_t>(Order::kSync)];
    const auto fits = [&](ThreadId number) { return known[number] >= segments_.count(number); };
    if (is_of_static_loop(s)) {
      const auto before = of_iterations_.find({on.value, s.iteration});
      if (before != of_iterations_.end() && fits(before->second) && free_.take(before->second)) return before->second;
    }
    if (!untouched_.empty()) {
      const ThreadId number = untouched_.back();
      untouched_.pop_back();
      return number;
    }
    const ThreadId number = free_.take_last(kLooks, fits);
    return number ? number : ThreadId(++last_);
  }

  Segments& segments_;
  Owner& owner_;
  strands::StrandMachine<Knowledge> machine_;
  uint32_t last_;
  uint64_t index_ = 0;  // of the event
  bool locks_order_;
  bool lock_again_ = false, iterations_ = false;  // there was one
  std::map<LockKey, Knowledge> given_;            // by who had it last, if locks order
  SectionWrites writes_;
  BegunSections begun_;
  std::vector<std::vector<Running>> threads_;  // by thread
  FreeNumbers free_;
  std::map<std::pair<uint32_t, uint64_t>, ThreadId> of_iterations_;  // by thread, iteration of a static loop: the last
  std::vector<ThreadId> untouched_;                                  // of those that none has accessed anything with
};

}  // namespace cdr::races

#endif
