// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/races/race_baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "cdrgrind/report/common/escape.h"
#include "cdrgrind/symbols/common/paths.h"

namespace cdr::report {
namespace {

using Json = nlohmann::json;

struct IdentitySide {
  std::string file, function, access;
  uint64_t line = 0;
};

// Without indices, offsets and lines: "grid[3].left" and "block of 40 bytes at list.c:12 + 8" as the same in another
// run.
std::string stable(std::string_view variable) {
  std::string out;
  for (size_t i = 0; i < variable.size(); ++i) {
    const bool digit = variable[i] >= '0' && variable[i] <= '9';
    const bool behind = i > 0 && (variable[i - 1] == '[' || variable[i - 1] == ':' || out.ends_with('#'));
    if (digit && behind) {
      if (!out.ends_with('#')) out += '#';
      continue;
    }
    if (variable.substr(i).starts_with("…")) {
      out += '#';
      i += std::string_view("…").size() - 1;
      continue;
    }
    out += variable[i];
  }
  return out;
}

std::string identity(std::string_view kind, std::string_view variable, IdentitySide a, IdentitySide b,
                     bool with_lines) {
  const auto text = [&](const IdentitySide& s) {
    std::string t = fmt::format("{} {} {}", symbols::base_name(s.file), s.function, s.access);
    return with_lines ? t + fmt::format(" {}", s.line) : t;
  };
  std::string first = text(a), second = text(b);
  if (second < first) std::swap(first, second);
  return fmt::format("{}|{}|{}|{}", kind, stable(variable), first, second);
}

// As a report in JSON has it.
IdentitySide side_of(const RaceSide& s) {
  return {utf8_text(s.file), utf8_text(s.function), s.write ? "write" : "read", s.line};
}

IdentitySide side_of(const Json& s) {
  return {s.at("file").get<std::string>(), s.at("function").get<std::string>(), s.at("access").get<std::string>(),
          s.at("line").get<uint64_t>()};
}

std::string identity(const Json& race, bool with_lines) {
  return identity(race.at("location").at("kind").get<std::string>(), race.at("variable").get<std::string>(),
                  side_of(race.at("first")), side_of(race.at("second")), with_lines);
}

bool take_one(std::map<std::string, uint64_t>& from, const std::string& key) {
  const auto found = from.find(key);
  if (found == from.end() || found->second == 0) return false;
  --found->second;
  return true;
}

}  // namespace

std::string race_identity(const RaceFinding& f, bool with_lines) {
  return identity(f.kind, utf8_text(f.variable), side_of(f.first), side_of(f.second), with_lines);
}

std::string RaceBaseline::read(const std::string& text, const std::string& name) {
  try {
    const Json report = Json::parse(text);
    if (!report.is_object() || report.value("schema", "") != "cdrgrind.races/1")
      return name + ": not a report of cdrgrind races --format=json";
    for (const Json& race : report.at("races")) {
      ++by_lines_[identity(race, true)];
      ++by_identity_[identity(race, false)];
    }
  } catch (const Json::exception& e) {
    return fmt::format("{}: not a report of cdrgrind races --format=json ({})", name, e.what());
  }
  return {};
}

void RaceBaseline::remove_known(RaceReport& report) {
  std::set<const RaceFinding*> known;
  for (const RaceFinding& f : report.findings)
    if (take_one(by_lines_, race_identity(f, true)) && take_one(by_identity_, race_identity(f, false)))
      known.insert(&f);
  for (const RaceFinding& f : report.findings)
    if (!known.count(&f) && take_one(by_identity_, race_identity(f, false))) known.insert(&f);
  std::vector<RaceFinding> rest;
  for (RaceFinding& f : report.findings)
    if (!known.count(&f)) rest.push_back(std::move(f));
  report.with_baseline = true;
  report.known = known.size();
  report.findings = std::move(rest);
}

}  // namespace cdr::report
