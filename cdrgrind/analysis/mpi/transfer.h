// SPDX-License-Identifier: GPL-2.0-or-later
// Values as bytes, from one process of this program to another of the same build: numbers, texts, lists, maps, and
// structures that list their members: `template <class S> static auto fields(S& s) { return std::tie(s.a, s.b); }`.
// Not a format: nothing of it is kept.
#ifndef CDRGRIND_ANALYSIS_MPI_TRANSFER_H
#define CDRGRIND_ANALYSIS_MPI_TRANSFER_H

#include <concepts>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "cdrgrind/base/bytes.h"

namespace cdr::mpi {

template <class T>
concept Listed = requires(T& t) {
  T::fields(t);
};
template <class T>
concept Paired = requires(T& t) {
  t.first, t.second;
};

template <class T>
void put(ByteWriter& to, const T& value) {
  if constexpr (std::same_as<T, bool>) {
    to.u8(value);
  } else if constexpr (std::is_enum_v<T>) {
    to.varint(static_cast<uint64_t>(value));
  } else if constexpr (std::unsigned_integral<T>) {
    to.varint(value);
  } else if constexpr (std::signed_integral<T>) {
    to.svarint(value);
  } else if constexpr (std::same_as<T, std::string>) {
    to.text(value);
  } else if constexpr (Listed<const T>) {
    std::apply([&](const auto&... member) { (put(to, member), ...); }, T::fields(value));
  } else if constexpr (Paired<const T>) {
    put(to, value.first), put(to, value.second);
  } else {
    to.varint(value.size());
    for (const auto& item : value) put(to, item);
  }
}

template <class T>
void get(ByteReader& from, T& value) {
  if constexpr (std::same_as<T, bool>) {
    value = from.u8() != 0;
  } else if constexpr (std::is_enum_v<T> || std::unsigned_integral<T>) {
    value = static_cast<T>(from.varint());
  } else if constexpr (std::signed_integral<T>) {
    value = static_cast<T>(from.svarint());
  } else if constexpr (std::same_as<T, std::string>) {
    value = from.text();
  } else if constexpr (Listed<T>) {
    std::apply([&](auto&... member) { (get(from, member), ...); }, T::fields(value));
  } else if constexpr (Paired<T>) {
    get(from, value.first), get(from, value.second);
  } else if constexpr (requires { typename T::mapped_type; }) {
    for (uint64_t i = from.bounded(from.left()); i > 0; --i) {
      std::pair<typename T::key_type, typename T::mapped_type> item;
      get(from, item);
      value.insert(value.end(), std::move(item));
    }
  } else {
    value.resize(from.bounded(from.left()));
    for (auto& item : value) get(from, item);
  }
}

}  // namespace cdr::mpi

#endif
