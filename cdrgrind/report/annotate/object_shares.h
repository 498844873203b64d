// SPDX-License-Identifier: GPL-2.0-or-later
// How often the dependences of each row were about which object, with names.
#ifndef CDRGRIND_REPORT_ANNOTATE_OBJECT_SHARES_H
#define CDRGRIND_REPORT_ANNOTATE_OBJECT_SHARES_H

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "cdrgrind/analysis/dependence/object_counts.h"
#include "cdrgrind/report/common/numbered_objects.h"
#include "cdrgrind/report/common/style.h"

namespace cdr::report {

struct ObjectShare {
  ObjectName name;  // as the row's function would say it
  uint64_t count = 0;
  const NumberedObject* object = nullptr;
};

class ObjectShares {
 public:
  // `numbers` are those of all counts.
  explicit ObjectShares(const NumberedObjects& numbers) : numbers_(numbers) {}

  void add(const analysis::DependenceRow& row, analysis::ObjectCounts counts);

  // In the order in which they first occur.
  std::vector<ObjectShare> of(const analysis::DependenceRow& row) const;
  uint64_t others(const analysis::DependenceRow& row) const;
  // "a[…]"; "a[…] (3,400), b[…] (12), others (5)": those with names, the most frequent four. Where blocks of the heap
  // are told apart only by who allocated them: "n->next, block at list.c:12 from list.c:30". Empty: none has a name.
  std::string text(const analysis::DependenceRow& row, const Style& style) const;
  // The name of the most frequent one that has a name; empty: none has.
  std::string most_frequent(const analysis::DependenceRow& row) const;

 private:
  const analysis::ObjectCounts& counts(const analysis::DependenceRow& row) const;
  std::vector<ObjectShare> named(const analysis::DependenceRow& row) const;
  static std::string origin(const ObjectShare& share, std::span<const ObjectShare> all);

  const NumberedObjects& numbers_;
  std::map<uint32_t, analysis::ObjectCounts> counts_;  // by the row's first key
};

}  // namespace cdr::report

#endif
