// SPDX-License-Identifier: GPL-2.0-or-later
//
// Chains of inlined calls, against what addr2line says of the same program.
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "cdrgrind/symbols/common/paths.h"
#include "cdrgrind/symbols/symbols.h"
#include "tests/unit/catch.h"
#include "tests/unit/symbols/compiled_program.h"

using namespace cdr::symbols;
using namespace cdr::symbols::testing;

namespace {

struct Frame {
  std::string function;
  std::string place;  // FILE:LINE, or "?"
};
using Chains = std::map<std::uint64_t, std::vector<Frame>>;

std::string place_text(std::string_view file, std::string_view line) {
  if (line == "?" || line == "0") return "?";
  return normal_path(file) + ':' + std::string(line);
}

std::string address_list(const std::vector<std::uint64_t>& addresses) {
  std::ostringstream text;
  for (std::uint64_t address : addresses) text << std::hex << address << '\n';
  return text.str();
}

Chains chains_of_addr2line(const std::string& program, const std::vector<std::uint64_t>& addresses) {
  const std::string list = write_file(fresh_dir() + "/addresses", address_list(addresses));
  std::istringstream in(run("addr2line -fiaC -e " + program + " <" + list));
  Chains chains;
  std::vector<Frame>* chain = nullptr;
  for (std::string line, place; std::getline(in, line);) {
    if (line.starts_with("0x")) {
      chain = &chains[std::stoull(line, nullptr, 16)];
    } else if (chain && std::getline(in, place)) {
      place = place.substr(0, place.find(" (discriminator"));
      const std::size_t colon = place.rfind(':');
      chain->push_back({line, place_text(place.substr(0, colon), place.substr(colon + 1))});
    }
  }
  return chains;
}

Chains our_chains(const std::string& program, const std::vector<std::uint64_t>& addresses) {
  constexpr std::uint64_t kBias = 0x555555554000;
  Symbols symbols = symbols_for(program, kBias);
  Chains chains;
  for (std::uint64_t address : addresses) {
    for (const InlineFrame& frame : symbols.inline_chain(1, address + kBias)) {
      chains[address].push_back(
          {std::string(frame.function), place_text(frame.pos.file, std::to_string(frame.pos.line))});
    }
  }
  return chains;
}

// "a::b<c>(d) const" and "a::b<c>(d) const [clone .part.0]" are a::b.
std::string bare_name(std::string name) {
  name = name.substr(0, name.find(" [clone"));
  const std::string anonymous = "(anonymous namespace)";
  for (std::size_t at; (at = name.find(anonymous)) != std::string::npos;) name.replace(at, anonymous.size(), "{anon}");
  name = name.substr(0, name.find('('));
  return name;
}

// addr2line gives functions with internal linkage their unqualified name, or
// that of the symbol around them.
bool same_function(const std::string& theirs, const std::string& ours) {
  if (theirs == ours || ours.find("{lambda}") != std::string::npos) return true;
  const std::string wanted = bare_name(theirs);
  const std::string got = bare_name(ours);
  return got == wanted || got.ends_with("::" + wanted);
}

std::string text_of(const std::vector<Frame>& chain) {
  std::string text;
  for (const Frame& frame : chain) text += "    " + frame.function + " " + frame.place + "\n";
  return text;
}

bool same_chain(const std::vector<Frame>& theirs, const std::vector<Frame>& ours) {
  if (theirs.size() != ours.size()) return false;
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    if (theirs[i].place != ours[i].place || !same_function(theirs[i].function, ours[i].function)) return false;
  }
  return true;
}

// The first few.
std::string differences(const Chains& theirs, const Chains& ours) {
  std::ostringstream text;
  int count = 0;
  for (const auto& [address, chain] : theirs) {
    auto found = ours.find(address);
    const std::vector<Frame> mine = found == ours.end() ? std::vector<Frame>{} : found->second;
    if (!same_chain(chain, mine) && ++count <= 3) {
      text << std::hex << address << "\n  expected\n" << text_of(chain) << "  got\n" << text_of(mine);
    }
  }
  if (count > 3) text << "and " << std::dec << count - 3 << " more\n";
  return text.str();
}

void check_against_addr2line(const std::string& compiler_and_flags) {
  INFO(compiler_and_flags);
  const std::string program = sample_program(compiler_and_flags);
  const std::vector<std::uint64_t> addresses = instructions(program);
  REQUIRE(addresses.size() > 50);
  CHECK(differences(chains_of_addr2line(program, addresses), our_chains(program, addresses)) == "");
}

// Two programs of the same code whose debug information is written differently.
void check_same_chains(const std::string& compiler_and_flags, const std::string& others) {
  INFO(compiler_and_flags << " and " << others);
  const std::vector<std::uint64_t> addresses = instructions(sample_program(compiler_and_flags));
  const Chains expected = our_chains(sample_program(compiler_and_flags), addresses);
  CHECK(differences(expected, our_chains(sample_program(others), addresses)) == "");
}

}  // namespace

TEST_CASE("without optimisation, functions and lines are those of addr2line") {
  check_against_addr2line(cxx() + " -O0 -g");
}

TEST_CASE("inlined calls are those of addr2line") { check_against_addr2line(cxx() + " -O2 -g"); }

TEST_CASE("inlined calls of DWARF 4 are those of addr2line") { check_against_addr2line(cxx() + " -O2 -gdwarf-4"); }

TEST_CASE("compressed debug sections are read") { check_against_addr2line(cxx() + " -O2 -g -gz"); }

TEST_CASE("functions of link-time optimisation are named in other units") {
  check_against_addr2line(cxx() + " -O2 -gdwarf-4 -flto=1");
  // binutils 2.40 names the wrong file of DWARF 5 here.
  check_same_chains(cxx() + " -O2 -gdwarf-4 -flto=1", cxx() + " -O2 -gdwarf-5 -flto=1");
}

TEST_CASE("type units change neither names nor lines") {
  check_same_chains(cxx() + " -O2 -g", cxx() + " -O2 -g -fdebug-types-section");
  check_same_chains(cxx() + " -O2 -g", cxx() + " -O2 -gdwarf-4 -fdebug-types-section");
}

TEST_CASE("programs of clang are read, in DWARF 4 and 5") {
  if (!have_program("clang++")) return;
  check_against_addr2line("clang++ -O2 -gdwarf-4");
  // binutils 2.40 does not read clang's range lists of DWARF 5.
  check_same_chains("clang++ -O2 -gdwarf-4", "clang++ -O2 -gdwarf-5");
}

TEST_CASE("the sample has inlined calls in inlined calls") {
  const std::string program = sample_program(cxx() + " -O2 -g");
  std::set<std::string> chains;
  Symbols symbols = symbols_for(program);
  for (std::uint64_t address : instructions(program)) {
    std::string text;
    for (const InlineFrame& frame : symbols.inline_chain(1, address)) {
      text += std::string(frame.function) + (frame.inlined ? " < " : "");
    }
    chains.insert(text);
  }
  CHECK(chains.contains("inner(int) < outer(int) < main"));
  CHECK(chains.contains("inner(int) < outer(int) < ns::(anonymous namespace)::secret(int)"));
  CHECK(chains.contains("plain"));
  CHECK(chains.contains("ns::worker::work(int) const"));
}
