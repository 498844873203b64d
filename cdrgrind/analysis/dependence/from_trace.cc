// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/analysis/dependence/from_trace.h"

#include <algorithm>

#include "cdrgrind/analysis/events/event_parts.h"

namespace cdr::analysis {
namespace {

using depend::Engine;

class EngineParts final : public CountedParts<Engine, depend::PartResults> {
 public:
  EngineParts(const trace::TraceFile& file, const depend::Options& options, unsigned parts) {
    for (unsigned p = 0; p < parts; ++p) {
      depend::Options o = options;
      o.parts = parts;
      o.part = p;
      parts_.emplace_back(file.modules(), file.blocks(), o);
    }
  }

  depend::ResultTable results(uint32_t granularity) {
    depend::Stats stats = parts_.front().stats();
    stats.imprecise = 0;
    for (Engine& e : parts_) {
      all_.add(e.part_rows());
      stats.imprecise += e.stats().imprecise;
    }
    return all_.table(granularity, stats);
  }
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
