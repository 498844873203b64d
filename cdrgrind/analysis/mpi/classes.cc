// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/mpi/classes.h"

#include <array>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "cdrgrind/analysis/loops/greedy.h"
#include "cdrgrind/analysis/loops/nest_walk.h"
#include "cdrgrind/analysis/loops/optimal.h"

namespace cdr::mpi {
namespace {

enum class Relation : uint8_t { kOffset, kModulo, kXor, kAbsolute };
constexpr size_t kRelations = 4;

// How a peer can be written.
using Candidates = std::array<int64_t, kRelations>;
Candidates candidates_of(int64_t rank, int64_t size, int64_t peer) {
  const int64_t n = size > 0 ? size : 1;
  return {peer - rank, ((peer - rank) % n + n) % n, rank ^ peer, peer};
}

// The place of a peer in the program's text, nearly: function, receiving half or not, communicator.
struct Context {
  uint32_t function = 0;
  bool receiving = false;
  uint32_t comm = 0;  // of the rank
  auto operator<=>(const Context&) const = default;
};
struct Expression {
  Context context;
  Relation relation = Relation::kOffset;
  int64_t value = 0;
  auto operator<=>(const Expression&) const = default;
  template <class S>
  static auto fields(S& s) {
    return std::tie(s.context.function, s.context.receiving, s.context.comm, s.relation, s.value);
  }
};
// For how many ranks each expression holds.
using Votes = std::map<Expression, uint32_t>;

class Writer {
 public:
  Writer(const Program& program, const ClassOptions& options) : program_(program), options_(options) {
    for (uint32_t r = program.begin(); r < program.end(); ++r) vote(r);
    merge_at_first(program.processes(), votes_, [](Votes& a, const Votes& b) {
      for (const auto& [expression, votes] : b) a[expression] += votes;
    });
    share_from_first(program.processes(), votes_);
  }

  // The rank's sequence.
  std::vector<uint32_t> symbols_of(uint32_t rank, analysis::NameTable& names) {
    const RankLog& log = program_.log(rank);
    std::vector<uint32_t> symbols;
    std::map<std::pair<Context, int64_t>, std::string> known;
    std::string text;
    for (const Call& c : log.calls) {
      if (c.in_vain) continue;
      text.assign(function_name(c.function));
      if (c.comm != kNone && c.comm != kWorld) text += c.comm == kSelf ? "[self]" : '[' + label(c.comm) + ']';
      std::string inside;
      const auto add = [&](std::string_view part) { inside.append(inside.empty() ? "" : ", ").append(part); };
      const auto peer = [&](bool receiving, int64_t p) {
        const Context context{c.function, receiving, c.comm};
        auto [at, added] = known.try_emplace({context, p});
        if (added) at->second = spelled_peer(rank, context, p);
        return at->second;
      };
      if (c.has_peer) add(peer(false, c.peer));
      if (c.has_receive) add(peer(true, c.receive_peer));
      if (c.has_root) add(c.root == CDR_MPI_ROOT_HERE ? "root here" : "root " + std::to_string(c.root));
      if (c.has_peer && options_.tags) add("tag " + std::to_string(c.tag));
      if (c.has_bytes && options_.bytes) add(std::to_string(c.bytes));
      if (c.requests > 1) add(std::to_string(c.requests) + " requests");
      if (!inside.empty()) text.append("(").append(inside).append(")");
      if (c.open) text += " (not finished)";
      symbols.push_back(names.id_of(text));
    }
    return symbols;
  }

 private:
  // Communicators that a rank got, from 1 on.
  static std::string label(uint32_t comm) { return "c" + std::to_string(comm - kSelf); }

  template <class F>
  void for_each_peer(uint32_t rank, F f) const {
    for (const Call& c : program_.log(rank).calls) {
      if (c.comm == kNone) continue;
      if (c.has_peer && c.peer >= 0) f(Context{c.function, false, c.comm}, c.peer);
      if (c.has_receive && c.receive_peer >= 0) f(Context{c.function, true, c.comm}, c.receive_peer);
    }
  }

  void vote(uint32_t r) {
    std::set<std::pair<Context, int64_t>> seen;
    for_each_peer(r, [&](const Context& context, int64_t peer) { seen.emplace(context, peer); });
    for (const auto& [context, peer] : seen) {
      const Communicator& comm = program_.log(r).communicators[context.comm];
      const Candidates candidates = candidates_of(comm.rank, comm.size, peer);
      for (size_t i = 0; i < kRelations; ++i) ++votes_[{context, static_cast<Relation>(i), candidates[i]}];
    }
  }

  std::string spelled_peer(uint32_t rank, const Context& context, int64_t peer) const {
    if (peer == CDR_MPI_ANY) return "any";
    if (peer < 0 || context.comm == kNone) return peer < 0 ? "null" : "rank " + std::to_string(peer);
    const Communicator& comm = program_.log(rank).communicators[context.comm];
    const Candidates candidates = candidates_of(comm.rank, comm.size, peer);
    size_t best = 0;
    uint32_t most = 0;
    for (size_t i = 0; i < kRelations; ++i)
      if (const uint32_t votes = votes_.at({context, static_cast<Relation>(i), candidates[i]}); votes > most)
        best = i, most = votes;
    const std::string value = std::to_string(candidates[best]);
    switch (static_cast<Relation>(best)) {
      case Relation::kOffset:
        return candidates[best] < 0 ? value : "+" + value;
      case Relation::kModulo:
        return "+" + value + " mod " + std::to_string(comm.size);
      case Relation::kXor:
        return "xor " + value;
      default:
        return "rank " + value;
    }
  }

  const Program& program_;
  const ClassOptions& options_;
  Votes votes_;
};

uint64_t hash_of(const std::vector<uint32_t>& symbols) {
  uint64_t h = 0x9e3779b97f4a7c15;
  for (const uint32_t s : symbols) h = (h ^ s) * 0xff51afd7ed558ccd, h ^= h >> 32;
  return h;
}

class TreeMaker {
 public:
  explicit TreeMaker(const std::vector<uint32_t>& symbols) : symbols_(symbols) { open_.emplace_back(); }

  void symbol(uint32_t at) { open_.back().push_back({symbols_[at], 0, {}, {}}); }
  void open(const loops::Loop&) { open_.emplace_back(); }
  void close(const loops::Loop& loop) {
    NestItem item{0, loop.count, std::move(open_.back()), {}};
    open_.pop_back();
    open_.back().push_back(std::move(item));
  }
  NestItems take() { return std::move(open_.front()); }

 private:
  const std::vector<uint32_t>& symbols_;
  std::vector<NestItems> open_;
};

// Of one process: a sequence is kept once for all ranks that have it.
class LocalClasses {
 public:
  void add(uint32_t rank, std::vector<uint32_t> symbols) {
    const uint64_t hash = hash_of(symbols);
    const auto [begin, end] = by_hash_.equal_range(hash);
    auto same = begin;
    while (same != end && sequences_[same->second] != symbols) ++same;
    if (same != end) return ranks_[same->second].push_back(rank);
    by_hash_.emplace(hash, sequences_.size());
    sequences_.push_back(std::move(symbols));
    ranks_.push_back({rank});
  }
  std::vector<RankClass> take(bool greedy) {
    std::vector<RankClass> classes;
    for (size_t i = 0; i < sequences_.size(); ++i) {
      const std::vector<uint32_t> symbols = std::move(sequences_[i]);
      TreeMaker maker(symbols);
      loops::walk(greedy ? loops::greedy_nest(symbols) : loops::optimal_nest(symbols), maker);
      classes.push_back({std::move(ranks_[i]), symbols.size(), maker.take()});
    }
    return classes;
  }

 private:
  std::unordered_multimap<uint64_t, size_t> by_hash_;
  std::vector<std::vector<uint32_t>> sequences_;
  std::vector<RankSet> ranks_;
};

// The classes of some processes, by their first rank.
struct ClassList {
  std::vector<std::string> names;
  std::vector<RankClass> classes;
  template <class S>
  static auto fields(S& s) {
    return std::tie(s.names, s.classes);
  }
};

void rename(NestItems& items, const std::vector<uint32_t>& names) {
  for (NestItem& item : items) {
    if (item.count == 0) item.symbol = names[item.symbol];
    rename(item.body, names);
  }
}

std::string key_of(const NestItems& nest) {
  ByteWriter to;
  put(to, nest);
  return {reinterpret_cast<const char*>(to.bytes().data()), to.size()};
}

// Equal sequences have equal nests, and only they. All ranks of `b` come behind those of `a`.
void merge_lists(ClassList& a, ClassList b) {
  std::unordered_map<std::string, uint32_t> ids;
  for (const std::string& name : a.names) ids.emplace(name, static_cast<uint32_t>(ids.size()));
  std::vector<uint32_t> renamed;
  for (std::string& name : b.names) {
    const auto [known, added] = ids.emplace(name, static_cast<uint32_t>(ids.size()));
    if (added) a.names.push_back(std::move(name));
    renamed.push_back(known->second);
  }
  std::unordered_map<std::string, size_t> by_nest;
  for (size_t i = 0; i < a.classes.size(); ++i) by_nest.emplace(key_of(a.classes[i].nest), i);
  for (RankClass& c : b.classes) {
    rename(c.nest, renamed);
    const auto [same, added] = by_nest.emplace(key_of(c.nest), a.classes.size());
    if (added) {
      a.classes.push_back(std::move(c));
    } else {
      RankSet& ranks = a.classes[same->second].ranks;
      ranks.insert(ranks.end(), c.ranks.begin(), c.ranks.end());
    }
  }
}

}  // namespace

std::string_view function_name(uint32_t number) {
#define CDR_MPI_CASE(value, Name, name, kind, parameters) \
  case value:                                             \
    return #Name;
  switch (number) {
    CDR_MPI_CALLS(CDR_MPI_CASE)
    default:
      return "unknown";
  }
#undef CDR_MPI_CASE
}

RankClasses classes_of(const Program& program, const ClassOptions& options) {
  RankClasses result;
  ClassList own;
  {
    Writer writer(program, options);
    LocalClasses classes;
    for (uint32_t r = program.begin(); r < program.end(); ++r) classes.add(r, writer.symbols_of(r, result.names));
    own.classes = classes.take(options.greedy);
  }
  for (uint32_t id = 0; id < result.names.size(); ++id) own.names.emplace_back(result.names.name(id));
  merge_at_first(program.processes(), own, merge_lists);
  result.names = {};
  for (const std::string& name : own.names) result.names.id_of(name);
  result.classes = std::move(own.classes);
  return result;
}

}  // namespace cdr::mpi
