// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/report/common/program_scope.h"

#include "cdrgrind/analysis/events/program_modules.h"
#include "tests/unit/catch.h"

namespace cdr::report {
namespace {

ModuleId add(ModuleTable& table, std::string_view path, uint8_t flags = 0) {
  Module m;
  m.path = path;
  m.flags = flags;
  return table.add(m);
}

}  // namespace

TEST_CASE("the system's folders of libraries", "[program_scope]") {
  for (const char* path :
       {"/lib/x86_64-linux-gnu/libc.so.6", "/lib64/ld-linux-x86-64.so.2", "/usr/lib/libz.so.1", "/usr/lib32/libz.so.1",
        "/usr/lib64/a/b/c.so", "/usr/libexec/helper/x.so", "/libx32/libc.so"})
    CHECK(analysis::in_system_library_folder(path));
  for (const char* path : {"/usr/local/lib/libz.so", "/opt/lib/libz.so", "/home/a/lib/x.so", "/usr/bin/xz",
                           "/library/x.so", "/libexec/x", "lib/x.so", "", "/", "/usr/", "/lib", "/usr/libraries/x.so"})
    CHECK_FALSE(analysis::in_system_library_folder(path));
}

TEST_CASE("the program is the executable wherever it lies, and what is not the system's", "[program_scope]") {
  ModuleTable table;
  const ModuleId linker = add(table, "/lib64/ld-linux-x86-64.so.2", kModuleDynamicLinker);
  const ModuleId program = add(table, "/usr/lib/git-core/git");
  const ModuleId wrappers = add(table, "/home/a/vglib/wrappers.so", kModulePreload);
  const ModuleId core = add(table, "/home/a/vglib/vgpreload_core-amd64-linux.so");
  const ModuleId own = add(table, "/opt/a/plugin.so");
  const ModuleId libc = add(table, "/usr/lib/libc.so.6");
  const ModuleId ssl = add(table, "/usr/lib/x86_64-linux-gnu/libssl.so.3");
  const ModuleId again = add(table, "/usr/lib/git-core/git");

  const ProgramScope scope(table, {});
  for (const ModuleId m : {program, own, again}) CHECK(scope.has(m));
  for (const ModuleId m : {linker, wrappers, core, libc, ssl}) CHECK_FALSE(scope.has(m));
  CHECK(scope.has(ModuleId()));  // made while it ran
  CHECK(scope.has_any({{libc, 1}, {program, 2}}));
  CHECK_FALSE(scope.has_any({{libc, 1}, {linker, 2}}));
  CHECK_FALSE(scope.has_any({}));

  CHECK(ProgramScope(table, {"libssl*"}).has(ssl));
  CHECK(ProgramScope(table, {"/usr/lib/x86_64*"}).has(ssl));
  CHECK_FALSE(ProgramScope(table, {"libssl*"}).has(libc));
  CHECK_FALSE(ProgramScope(table, {"*"}).has(wrappers));
}

}  // namespace cdr::report
