// SPDX-License-Identifier: GPL-2.0-or-later
// The processes that make one report together (docs/mpi.md, "Many processes"): each has a block of the ranks, in order,
// and all call the same functions of this folder in the same order. What is small goes to everybody, what grows with
// the run only to whose ranks it is for, and results go up a tree to the first process, which alone prints.
//
// One process is no special case: it is told nothing by others. Nothing in this folder knows how bytes travel.
#ifndef CDRGRIND_ANALYSIS_MPI_PROCESSES_H
#define CDRGRIND_ANALYSIS_MPI_PROCESSES_H

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "cdrgrind/analysis/mpi/transfer.h"

namespace cdr::mpi {

using Bytes = std::vector<uint8_t>;

class Processes {
 public:
  Processes() = default;
  virtual ~Processes() = default;
  Processes(const Processes&) = delete;

  virtual uint32_t count() const = 0;
  virtual uint32_t self() const = 0;
  bool first() const { return self() == 0; }
  // To another process, which receives it.
  virtual void send(uint32_t to, std::span<const uint8_t> bytes) = 0;
  virtual Bytes receive(uint32_t from) = 0;
  // What this one has for each goes out, what each had for this one comes back; also its own for itself.
  virtual std::vector<Bytes> exchange(std::vector<ByteWriter> to) = 0;

  // From here on nobody waits for anybody: what one throws, all know of.
  void end_together() { ends_together_ = true; }
  bool ends_together() const { return ends_together_; }

 private:
  bool ends_together_ = false;
};

class OneProcess : public Processes {
 public:
  uint32_t count() const override { return 1; }
  uint32_t self() const override { return 0; }
  void send(uint32_t, std::span<const uint8_t>) override {}
  Bytes receive(uint32_t) override { return {}; }
  std::vector<Bytes> exchange(std::vector<ByteWriter> to) override;
};

// Which process has what, of things numbered from 0 on: blocks in order that differ by one at most.
class Blocks {
 public:
  Blocks(uint32_t things, uint32_t processes) : things_(things), processes_(processes) {}

  uint32_t begin(uint32_t process) const { return static_cast<uint32_t>(uint64_t{things_} * process / processes_); }
  uint32_t end(uint32_t process) const { return begin(process + 1); }
  uint32_t owner(uint32_t thing) const {
    return static_cast<uint32_t>(((uint64_t{thing} + 1) * processes_ - 1) / things_);
  }
  uint32_t processes() const { return processes_; }

 private:
  uint32_t things_, processes_;
};

// What each process says, by process; the same everywhere.
std::vector<Bytes> told_by_all(Processes& all, const ByteWriter& mine);

// Up a tree: in the first process `value` is then that of all, in their order; elsewhere it is left empty. T is what
// transfer.h moves, and `merge(T& value, T of_later_processes)` puts two together.
template <class T, class Merge>
void merge_at_first(Processes& all, T& value, Merge&& merge) {
  for (uint32_t step = 1; step < all.count(); step *= 2) {
    if (all.self() & step) {
      ByteWriter to;
      put(to, value);
      value = T{};
      all.send(all.self() - step, to.bytes());
      return;
    }
    if (all.self() + step < all.count()) {
      const Bytes bytes = all.receive(all.self() + step);
      ByteReader from(bytes);
      T other;
      get(from, other);
      merge(value, std::move(other));
    }
  }
}
// Of lists: one behind the other.
template <class T>
void join_at_first(Processes& all, std::vector<T>& list) {
  merge_at_first(all, list, [](std::vector<T>& a, std::vector<T> b) {
    a.insert(a.end(), std::make_move_iterator(b.begin()), std::make_move_iterator(b.end()));
  });
}

// Down a tree: what the first process has, for all.
template <class T>
void share_from_first(Processes& all, T& value) {
  uint32_t step = 1;
  while (step < all.count() && !(all.self() & step)) step *= 2;
  if (!all.first()) {
    const Bytes bytes = all.receive(all.self() - step);
    ByteReader from(bytes);
    value = T{};
    get(from, value);
  }
  ByteWriter to;
  if (all.count() > 1) put(to, value);
  while ((step /= 2) > 0)
    if (all.self() + step < all.count()) all.send(all.self() + step, to.bytes());
}

}  // namespace cdr::mpi

#endif
