// SPDX-License-Identifier: GPL-2.0-or-later
// Cycles of a sequence (Gorton 2008, section III): a cycle is a stretch of elements that are all different, and
// the element that occurs again ends it. Basic blocks make cyclic paths; repeated paths make strata; repeated
// strata make the strata of the next layer. One piece of code does it for all of them.
//
// The paper's pseudo-code loses elements; here nothing is lost:
//  * the element that ends a cycle is the first of the next one;
//  * the open cycle is compared with the one before after each element, and if they are equal, it is counted
//    and emptied at once;
//  * at the end, and at kMostElements, the open cycle goes out as it is.
// So AABAABAAB is (A^2)(BA)(AB)(A^2)(B), as in the paper:
//
//     A    open A                       B    open AB
//     A    A again: cycle A;            A    A again: BA goes out; before: AB; open A
//          open A equals it: A^2        A    A again: AB goes out; before: A; open A equals it: A^2
//     B    open B                       B    open B
//     A    open BA                      end  A^2 and B go out
//     A    A again: A^2 goes out;
//          before: BA; open A
//
// Most of the time a program repeats what it did: then an element costs one comparison.
#ifndef CDRGRIND_ANALYSIS_PATHS_CYCLES_H
#define CDRGRIND_ANALYSIS_PATHS_CYCLES_H

#include <cstdint>
#include <span>
#include <vector>

namespace cdr::paths {

// A basic block, path or stratum, and how often it stands there. Pairs with different counts are different
// elements.
struct Element {
  uint64_t id = 0;
  uint64_t count = 1;
  bool operator==(const Element&) const = default;
};

// Which elements the open cycle has. Emptying it costs nothing.
class ElementSet {
 public:
  bool insert(Element e);  // false if it was there
  void clear() { ++round_, size_ = 0; }
  size_t bytes() const { return slots_.capacity() * sizeof(Slot); }

 private:
  struct Slot {
    Element element;
    uint64_t round = 0;  // of the last insertion
  };
  Slot& slot_of(Element e);
  void grow();

  std::vector<Slot> slots_;
  size_t size_ = 0;
  uint64_t round_ = 1;
};

// Cuts one sequence. What is ready goes to `out(span<const Element> cycle, uint64_t count)`: the cycle, and how
// many times it stands there in succession. Not thread-safe.
class CycleCutter {
 public:
  static constexpr size_t kMostElements = 2048;

  template <class Out>
  void add(Element e, Out&& out) {
    if (following_ < before_.size() && open_.empty() && before_[following_] == e) [[likely]] {
      if (++following_ == before_.size()) ++count_, following_ = 0;
      return;
    }
    add_slowly(e, out);
  }

  // A place in the sequence. Where the cutter is as it was there, elements that come again do again what those between
  // have done.
  struct Place {
    std::vector<Element> before, open;
    uint64_t count = 0;
    size_t following = 0;
  };
  void mark(Place& p) const {
    p.before = before_;
    p.open = open_;
    p.count = count_;
    p.following = following_;
  }
  // `quiet`: nothing went out since then; then the cycle before may have come more often.
  bool is_as(const Place& p, bool quiet) const {
    return following_ == p.following && (quiet || count_ == p.count) && open_ == p.open && before_ == p.before;
  }
  // Those elements so many times more, in which the same went out each time.
  void again(const Place& p, uint64_t times) { count_ += (count_ - p.count) * times; }

  // Everything goes out; the next element begins anew.
  template <class Out>
  void finish(Out&& out) {
    leave_before();
    emit_before(out);
    if (!open_.empty()) out(std::span<const Element>(open_), uint64_t{1});
    open_.clear();
    seen_.clear();
    before_.clear();
  }

  size_t bytes() const { return (before_.capacity() + open_.capacity()) * sizeof(Element) + seen_.bytes(); }

 private:
  // Invariant: the open cycle is the first `following_` elements of `before_` while open_ is empty, and open_
  // otherwise; seen_ has the elements of open_.
  template <class Out>
  void add_slowly(Element e, Out&& out) {
    leave_before();
    if (!seen_.insert(e)) {
      close(out);
      seen_.insert(e);
    }
    open_.push_back(e);
    if (open_.size() == before_.size() && open_ == before_) {
      ++count_;
      open_.clear();
      seen_.clear();
    } else if (open_.size() == kMostElements) {
      close(out);
    }
  }
  // The open cycle is done and becomes the one before.
  template <class Out>
  void close(Out&& out) {
    emit_before(out);
    before_.swap(open_);
    open_.clear();
    seen_.clear();
    count_ = 1;
  }
  template <class Out>
  void emit_before(Out&& out) {
    if (!before_.empty()) out(std::span<const Element>(before_), count_);
  }
  void leave_before();

  std::vector<Element> before_, open_;
  uint64_t count_ = 0;    // of before_
  size_t following_ = 0;  // elements of before_ that came again
  ElementSet seen_;
};

}  // namespace cdr::paths

#endif
