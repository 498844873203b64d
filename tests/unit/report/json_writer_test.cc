// SPDX-License-Identifier: GPL-2.0-or-later
// What is written is what nlohmann's documents look like.
#include "cdrgrind/report/common/json_writer.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "tests/unit/catch.h"

using namespace cdr::report;
using Json = nlohmann::ordered_json;

namespace {

void write(const Json& j, JsonWriter& to) {
  switch (j.type()) {
    case Json::value_t::object:
      to.object();
      for (const auto& [key, value] : j.items()) write(value, to.key(key));
      to.end();
      return;
    case Json::value_t::array:
      to.array();
      for (const Json& one : j) write(one, to);
      to.end();
      return;
    case Json::value_t::string:
      return void(to.value(j.get_ref<const std::string&>()));
    case Json::value_t::boolean:
      return void(to.value(j.get<bool>()));
    case Json::value_t::number_integer:
      return void(to.value(j.get<int64_t>()));
    case Json::value_t::number_unsigned:
      return void(to.value(j.get<uint64_t>()));
    case Json::value_t::number_float:
      return void(to.value(j.get<double>()));
    default:
      return void(to.null());
  }
}

}  // namespace

TEST_CASE("documents look as nlohmann's") {
  const Json documents[] = {
      1,
      -7,
      "text",
      nullptr,
      true,
      Json::object(),
      Json::array(),
      {{"a", 1}},
      Json::array({1, 2}),
      {{"a", {{"b", Json::array()}, {"c", Json::object()}}}, {"quoted \"\\\n\t\r\x01", "\xc3\xa4"}, {"d", false}},
      Json::array({Json::array({1, Json::object()}), {{"x", {1.5, 0.0, -2.0, 100.0, 1e300, 1.0 / 3, 12345678.25}}}}),
      {{"most", UINT64_MAX}, {"least", INT64_MIN}}};
  for (const Json& j : documents)
    for (const bool indented : {false, true}) {
      cdr::report::Output out;
      JsonWriter to(out, indented ? JsonWriter::Layout::kIndented : JsonWriter::Layout::kLine);
      write(j, to);
      CHECK(out.text() == j.dump(indented ? 1 : -1));
    }
}

TEST_CASE("rows stand on a line each, and members where a line is broken") {
  cdr::report::Output out;
  JsonWriter to(out);
  to.object().members("schema", "s", "n", 1).line_break().key("rows").rows();
  for (int i = 0; i < 2; ++i) to.object().members("i", i, "half", i / 2.0).end();
  to.end().key("none").rows().end().end();
  CHECK(out.text() ==
        "{\"schema\":\"s\",\"n\":1,\n\"rows\":[\n{\"i\":0,\"half\":0.0},\n{\"i\":1,\"half\":0.5}\n],"
        "\"none\":[\n]}");
  CHECK(Json::parse(out.text())["rows"].size() == 2);
}

TEST_CASE("no text and no number makes JSON ill-formed") {
  cdr::report::Output out;
  JsonWriter to(out);
  to.object();
  to.key("\xff\"").value("\xff\x1b[2J\n");
  to.key("inf").value(std::numeric_limits<double>::infinity()).key("nan").value(std::nan(""));
  to.end();
  const Json read = Json::parse(out.text());
  CHECK(read.size() == 3);
  CHECK(read["inf"].is_null());
  CHECK(out.text().find('\x1b') == std::string::npos);
}
