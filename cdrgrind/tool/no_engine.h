#pragma once
#include "cdrgrind/base/event.h"
#include "cdrgrind/base/bytes.h"
namespace cdr::depend { struct Options{uint32_t granularity=1; uint64_t memory_bytes=0;}; struct R{}; struct Stats{uint64_t imprecise=0;};
struct Engine final: EventSink { Engine(const ModuleTable&,const BlockTable&,const Options&){} void block(ThreadId,BlockId,std::span<const uint64_t>) override{} void event(const Event&) override{} R results(){return {};} void finish(){} Stats stats(){return {};} };
inline void write(const R&, ByteWriter&){} }
