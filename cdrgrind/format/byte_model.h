// SPDX-License-Identifier: GPL-2.0-or-later
// Makes short columns smaller than zstd can: from the bytes before, and from its place in a varint, a model tells of
// each bit how likely it is, and an arithmetic coder writes it in as many bits as that leaves. About a microsecond a
// byte both ways, so for short ones only. Several contexts are mixed by weights that are learned on the way (Mahoney
// 2005, Adaptive weighing of context models for lossless data compression). Whole numbers throughout: the same bytes
// on every machine.
#ifndef CDRGRIND_FORMAT_BYTE_MODEL_H
#define CDRGRIND_FORMAT_BYTE_MODEL_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cdr {

constexpr size_t kMostModelled = size_t{1} << 14;  // bytes
// What a modelled column begins with; a zstd frame begins otherwise.
constexpr uint8_t kModelled = 1;

// `bytes`: at most kMostModelled.
std::vector<uint8_t> modelled(std::span<const uint8_t> bytes);
inline bool is_modelled(std::span<const uint8_t> stored) { return !stored.empty() && stored[0] == kModelled; }
// So many bytes. False if they are too many, or fewer stored bytes would do.
bool read_modelled(std::span<const uint8_t> stored, uint64_t bytes, std::vector<uint8_t>& to);

}  // namespace cdr

#endif
