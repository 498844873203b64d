// SPDX-License-Identifier: GPL-2.0-or-later
// judge TRACE NAME=ADDRESS…: threads 2 and 3, 4 and 5 and so on are pairs. Of the races of a pair on these addresses,
// the first access of one together with the last one before it of the other, which follow from which: a line for each,
// with the number of the pair: `1 NAME: root`, `artifact of OTHER`, `possibly follows from OTHER`, `undecided`. Names
// without a race are left out. Does not look at synchronisation. With --reasons the steps behind it.
#include <cstdio>
#include <cstring>
#include <exception>
#include <map>
#include <string>
#include <vector>

#include "cdrgrind/analysis/slice/event_control.h"
#include "cdrgrind/report/common/symbol_names.h"
#include "cdrgrind/symbols/symbols.h"
#include "cdrgrind/trace/read/cursor.h"
#include "cdrgrind/trace/read/dataflow_reader.h"
#include "cdrgrind/trace/read/replay.h"

using namespace cdr;

namespace {

struct Code final : slice::CodeBytes {
  explicit Code(symbols::Symbols& s) : symbols(s) {}
  std::span<const uint8_t> code_at(ModuleId module, uint64_t addr, uint32_t size) override {
    return symbols.code_at(module.value, addr, size);
  }
  symbols::Symbols& symbols;
};

struct Touch {
  analysis::AccessPosition at;
  ThreadId thread;
  bool store = false;
};

struct Watch {
  std::string name;
  uint64_t addr = 0;
  std::vector<Touch> touches;
};

void find_touches(const trace::TraceFile& file, std::vector<Watch>& watches) {
  trace::Cursor cursor(file);
  for (Event e; cursor.next(e);) {
    if (e.kind != EventKind::kBlock || e.thread.value < 2) continue;
    const auto accesses = trace::extent_of(e, file.blocks()).accesses;
    for (uint32_t i = 0; i < accesses.size(); ++i) {
      const Access& a = accesses[i];
      if (!happened(a, e.words)) continue;
      const uint64_t addr = address_of(a, e.words);
      for (Watch& w : watches)
        if (addr <= w.addr && w.addr < addr + a.width) w.touches.push_back({{cursor.index(), i}, e.thread, a.store()});
    }
  }
}

uint32_t pair_of(ThreadId t) { return t.value / 2; }

bool find_race(const Watch& w, uint32_t pair, slice::RacePair& race) {
  for (size_t j = 1; j < w.touches.size(); ++j)
    for (size_t i = j; i-- > 0;) {
      const Touch &a = w.touches[i], &b = w.touches[j];
      if (pair_of(a.thread) != pair || pair_of(b.thread) != pair) continue;
      if (a.thread == b.thread || !(a.store || b.store)) continue;
      race = {a.at, b.at};
      return true;
    }
  return false;
}

const char* name_of(slice::FlowStep::Kind k) {
  static const char* const names[] = {"address", "condition", "load", "store", "before"};
  return names[static_cast<int>(k)];
}

class Judge {
 public:
  Judge(const trace::TraceFile& file, std::vector<Watch> watches, bool reasons)
      : file_(file),
        watches_(std::move(watches)),
        reasons_(reasons),
        code_(symbols_),
        flows_(trace::read_dataflow(file)) {
    find_touches(file, watches_);
    report::add_modules(file.modules(), symbols_);
  }

  void pair(uint32_t number) {
    std::vector<const char*> names;
    std::vector<slice::RacePair> races;
    for (const Watch& w : watches_) {
      slice::RacePair race;
      if (!find_race(w, number, race)) continue;
      names.push_back(w.name.c_str());
      races.push_back(race);
    }
    slice::ListedRaces ends(races);
    slice::EventControl control(file_, flows_, code_, ends, races);
    for (uint32_t i = 0; i < races.size(); ++i) {
      const slice::Judgement j = control.judge(races[i], i);
      std::printf("%u %s: ", number, names[i]);
      if (j.undecided)
        std::puts("undecided");
      else if (j.of.empty())
        std::puts("root");
      else
        print(j.of[0], names[j.of[0].race], control);
    }
  }

 private:
  void print(const slice::ArtifactOf& of, const char* name, slice::EventControl& control) {
    std::printf("%s %s\n", of.weak ? "possibly follows from" : "artifact of", name);
    if (!reasons_) return;
    for (const slice::FlowStep& s : control.reasons({of})[0])
      std::printf("  %s: thread %u event %llu ip %#llx line %u\n", name_of(s.kind), s.thread.value,
                  static_cast<unsigned long long>(s.at.event), static_cast<unsigned long long>(s.ip),
                  symbols_.line_of(2, s.ip).line);
  }

  const trace::TraceFile& file_;
  std::vector<Watch> watches_;
  bool reasons_;
  symbols::Symbols symbols_;
  Code code_;
  DataflowTable flows_;
};

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 3) return 2;
  bool reasons = false;
  std::vector<Watch> watches;
  for (const std::string& word : std::vector<std::string>(argv + 2, argv + argc)) {
    const size_t equals = word.find('=');
    if (word == "--reasons")
      reasons = true;
    else if (equals != word.npos)
      watches.push_back({word.substr(0, equals), std::stoull(word.substr(equals + 1), nullptr, 0), {}});
  }
  const trace::TraceFile file = trace::TraceFile::open(argv[1]);
  const auto threads = file.end() ? file.end()->counter("threads").value_or(0) : 0;
  Judge judge(file, std::move(watches), reasons);
  for (uint32_t pair = 1; 2 * pair + 1 <= threads; ++pair) judge.pair(pair);
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
