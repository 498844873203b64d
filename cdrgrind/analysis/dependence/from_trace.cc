// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/dependence/from_trace.h"

#include <algorithm>
#include <array>
#include <deque>
#include <vector>

#include "cdrgrind/analysis/events/event_parts.h"

namespace cdr::analysis {
namespace {

using depend::CrossingHit;
using depend::Engine;

class EngineParts final : public EventParts {
 public:
  EngineParts(const trace::TraceFile& file, const depend::Options& options, unsigned parts) {
    crossings_.fill(std::vector<std::vector<CrossingHit>>(parts));
    for (unsigned p = 0; p < parts; ++p) {
      depend::Options o = options;
      o.parts = parts;
      o.part = p;
      engines_.emplace_back(file.modules(), file.blocks(), o);
    }
  }

  unsigned count() const override { return static_cast<unsigned>(engines_.size()); }
  RunSink& part(unsigned number) override { return engines_[number]; }
  void taken(unsigned part, size_t batch) override {
    crossings_[batch][part] = engines_[part].take_crossings(results_);
  }
  void taken_by_all(size_t batch) override { results_.count(crossings_[batch]); }

  depend::ResultTable results(uint32_t granularity) {
    depend::Stats stats = engines_.front().stats();
    stats.imprecise = 0;
    for (Engine& e : engines_) {
      results_.add(e.part_rows());
      stats.imprecise += e.stats().imprecise;
    }
    return results_.table(granularity, stats);
  }

 private:
  std::deque<Engine> engines_;
  depend::PartResults results_;
  std::array<std::vector<std::vector<CrossingHit>>, kBatches> crossings_;  // by batch and part
};

}  // namespace

depend::ResultTable dependences_from(const trace::TraceFile& file, const depend::Options& options, unsigned parts,
                                     const Progress& progress) {
  uint64_t told = 0;
  const auto read = [&](uint64_t events) {
    if (!progress || events < told) return;
    progress("dependences", events, file.event_count());
    told = events + kEventsBetween;
  };
  if (parts <= 1) {
    Engine engine(file.modules(), file.blocks(), options);
    hand_out(file, engine, read);
    return engine.lasting_results();
  }
  EngineParts all(file, options, std::min(parts, kMostParts));
  hand_out(file, all, read);
  return all.results(options.granularity);
}

}  // namespace cdr::analysis
