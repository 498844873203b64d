// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/sarif.h"

#include <string>

#include "cdrgrind/config.h"
#include "cdrgrind/report/common/escape.h"

namespace cdr::report {

void begin_sarif(std::span<const SarifRule> rules, JsonWriter& to) {
  to.object().members("$schema", "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0");
  to.key("runs").array().object().key("tool").object().key("driver").object();
  to.members("name", "cdrgrind", "version", PACKAGE_VERSION, "semanticVersion", PACKAGE_VERSION).key("rules").array();
  for (const SarifRule& r : rules) {
    to.object().members("id", r.id, "name", r.name);
    put_sarif_text("shortDescription", r.text, to);
    if (r.help) put_sarif_text("help", r.help, to);
    to.key("defaultConfiguration").object().members("level", r.level).end().end();
  }
  to.end().end().end().members("columnKind", "unicodeCodePoints");
}

void end_sarif(JsonWriter& to) { to.end().end().end(); }

void put_sarif_text(std::string_view name, std::string_view text, JsonWriter& to) {
  to.key(name).object().members("text", text).end();
}

void put_sarif_message(std::string_view text, JsonWriter& to) { put_sarif_text("message", sarif_text(text), to); }

void put_sarif_uri(std::string_view file, JsonWriter& to) {
  to.members("uri", (file.starts_with('/') ? "file://" : "") + uri_path(file));
}

void put_sarif_function(std::string_view function, JsonWriter& to) {
  if (function.empty()) return;
  to.key("logicalLocations").array().object();
  to.members("fullyQualifiedName", function, "kind", "function").end().end();
}

}  // namespace cdr::report
