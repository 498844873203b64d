// SPDX-License-Identifier: GPL-2.0-or-later
//
// libdwarf's debugging information entries (DIEs) and attributes as values
// that free themselves. Every question has "nothing" as an answer: a damaged
// file has fewer facts, it raises no error.
#ifndef CDRGRIND_SYMBOLS_DWARF_DWARF_DIE_H
#define CDRGRIND_SYMBOLS_DWARF_DWARF_DIE_H

#include <libdwarf/libdwarf.h>

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace cdr::symbols {

// Receives a call's error and frees it.
class DwarfError {
 public:
  explicit DwarfError(Dwarf_Debug debug) : debug_(debug) {}
  ~DwarfError() {
    if (error_) dwarf_dealloc_error(debug_, error_);
  }
  DwarfError(const DwarfError&) = delete;
  DwarfError& operator=(const DwarfError&) = delete;

  Dwarf_Error* out() { return &error_; }
  Dwarf_Error get() const { return error_; }

 private:
  Dwarf_Debug debug_;
  Dwarf_Error error_ = nullptr;
};

// Where a DIE stands: its offset in .debug_info, or in .debug_types.
struct DieKey {
  std::uint64_t offset = 0;
  bool in_types = false;
  friend auto operator<=>(const DieKey&, const DieKey&) = default;
};

struct DieKeyHash {
  std::size_t operator()(const DieKey& key) const {
    return std::hash<std::uint64_t>()(key.offset * 2 + (key.in_types ? 1 : 0));
  }
};

class DieAttribute {
 public:
  DieAttribute() = default;
  DieAttribute(Dwarf_Debug debug, Dwarf_Attribute attribute) : debug_(debug), attribute_(attribute) {}
  ~DieAttribute() {
    if (attribute_) dwarf_dealloc(debug_, attribute_, DW_DLA_ATTR);
  }
  DieAttribute(DieAttribute&& other) noexcept
      : debug_(other.debug_), attribute_(std::exchange(other.attribute_, nullptr)) {}
  DieAttribute& operator=(DieAttribute&&) = delete;

  explicit operator bool() const { return attribute_ != nullptr; }
  Dwarf_Attribute raw() const { return attribute_; }
  Dwarf_Half form() const;
  std::optional<std::uint64_t> number() const;          // constants of all forms
  std::optional<std::uint64_t> address() const;         // addresses only
  std::optional<std::uint64_t> section_offset() const;  // of a list or table
  std::string_view text() const;
  bool flag() const;
  std::span<const std::uint8_t> expression() const;  // of an expression location

 private:
  Dwarf_Debug debug_ = nullptr;
  Dwarf_Attribute attribute_ = nullptr;
};

class Die {
 public:
  Die() = default;
  Die(Dwarf_Debug debug, Dwarf_Die die) : debug_(debug), die_(die) {}
  ~Die() {
    if (die_) dwarf_dealloc(debug_, die_, DW_DLA_DIE);
  }
  Die(Die&& other) noexcept : debug_(other.debug_), die_(std::exchange(other.die_, nullptr)) {}
  Die& operator=(Die&& other) noexcept {
    std::swap(debug_, other.debug_);
    std::swap(die_, other.die_);
    return *this;
  }

  explicit operator bool() const { return die_ != nullptr; }
  Dwarf_Debug debug() const { return debug_; }
  Dwarf_Die raw() const { return die_; }
  DieKey key() const;
  Dwarf_Half tag() const;
  Die child() const;
  Die sibling() const;

  DieAttribute attribute(Dwarf_Half name) const;
  bool has(Dwarf_Half name) const;
  std::optional<std::uint64_t> number(Dwarf_Half name) const { return attribute(name).number(); }
  std::optional<std::uint64_t> address(Dwarf_Half name) const { return attribute(name).address(); }
  std::string_view text(Dwarf_Half name) const;
  bool flag(Dwarf_Half name) const { return attribute(name).flag(); }

 private:
  Dwarf_Debug debug_ = nullptr;
  Dwarf_Die die_ = nullptr;
};

// Calls `visit(child)` for each child of a DIE.
template <class Visit>
void for_each_child(const Die& parent, Visit visit) {
  for (Die child = parent.child(); child; child = child.sibling()) visit(child);
}

}  // namespace cdr::symbols

#endif
