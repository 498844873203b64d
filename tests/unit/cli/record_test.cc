// SPDX-License-Identifier: GPL-2.0-or-later

#include <elf.h>
#include <sys/stat.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "cdrgrind/cli/failure.h"
#include "cdrgrind/cli/program_file.h"
#include "cdrgrind/cli/record_command.h"
#include "cdrgrind/cli/valgrind_launcher.h"
#include "tests/unit/catch.h"

using namespace cdr::cli;
namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

class Folder {
 public:
  Folder() {
    std::string name = fs::temp_directory_path() / "cdrgrind-test-XXXXXX";
    path_ = mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path_); }
  std::string file(const std::string& name, const std::string& text, mode_t mode = 0755) const {
    const std::string path = path_ / name;
    std::ofstream(path) << text;
    chmod(path.c_str(), mode);
    return path;
  }

 private:
  fs::path path_;
};

std::string elf(unsigned char elf_class, uint16_t machine) {
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = elf_class;
  header.e_machine = machine;
  return {reinterpret_cast<const char*>(&header), sizeof header};
}

template <class F>
int status_of(F f) {
  try {
    f();
  } catch (const Failure& e) {
    return e.status();
  }
  return 0;
}

}  // namespace

TEST_CASE("the first word without a dash is the program; what follows is its own") {
  const RecordArguments a = parse_record({"--deps=no", "-q", "prog", "--deps=yes", "-x"});
  CHECK(a.options == Words{"--deps=no", "-q"});
  CHECK(a.program == Words{"prog", "--deps=yes", "-x"});
}

TEST_CASE("the command adds the tool and, unless given, --vgdb=no") {
  CHECK(valgrind_command("/v", parse_record({"-q", "p", "a"})) ==
        Words{"/v", "--tool=cdrgrind", "--vgdb=no", "-q", "p", "a"});
  CHECK(valgrind_command("/v", parse_record({"--vgdb=full", "p"})) ==
        Words{"/v", "--tool=cdrgrind", "--vgdb=full", "p"});
  CHECK(valgrind_command("/v", parse_record({"--", "-p"})) == Words{"/v", "--tool=cdrgrind", "--vgdb=no", "--", "-p"});
}

TEST_CASE("record without a program, or with another tool, is wrong use") {
  CHECK(status_of([] { parse_record({"-q"}); }) == kWrongUse);
  CHECK(status_of([] { parse_record({"--tool=memcheck", "p"}); }) == kWrongUse);
}

TEST_CASE("a printed command can be given to a shell") {
  CHECK(as_shell_line("V", "/a b", {"p", "it's", ""}) == R"(V='/a b' p 'it'\''s' '')");
}

TEST_CASE("programs are found as the shell finds them") {
  const Folder folder;
  CHECK(find_program(folder.file("run", "#!/bin/sh\n")).ends_with("/run"));
  CHECK(status_of([&] { find_program(folder.file("text", "x", 0644)); }) == kNotExecutable);
  CHECK(status_of([] { find_program("/nonexistent/x"); }) == kNotFound);
  CHECK(status_of([] { find_program("cdrgrind-no-such-program"); }) == kNotFound);
  CHECK(find_program("sh").ends_with("/sh"));
}

TEST_CASE("32-bit programs and those of other machines cannot be recorded, nor scripts run by them") {
  const Folder folder;
  const std::string i386 = folder.file("i386", elf(ELFCLASS32, EM_386));
  CHECK(status_of([&] { check_recordable(i386); }) == kBadInput);
  CHECK(status_of([&] { check_recordable(folder.file("arm", elf(ELFCLASS64, EM_AARCH64))); }) == kBadInput);
  CHECK(status_of([&] { check_recordable(folder.file("amd64", elf(ELFCLASS64, EM_X86_64))); }) == 0);
  CHECK(status_of([&] { check_recordable(folder.file("script", "#! " + i386 + " -x\n")); }) == kBadInput);
  CHECK(status_of([&] { check_recordable(folder.file("fine", "#!/bin/sh\n")); }) == 0);
  CHECK(status_of([&] { check_recordable(folder.file("short", "#!")); }) == 0);
}

TEST_CASE("the program beside a launcher's script is preferred, and its version read") {
  const Folder folder;
  const std::string script = folder.file("valgrind", "#!/bin/sh\necho valgrind-1.2.3\n");
  CHECK(program_beside(script) == script);
  CHECK(version_of_valgrind(script) == "1.2.3");
  const std::string program = folder.file("valgrind.bin", "#!/bin/sh\necho other\n");
  CHECK(program_beside(script) == program);
  CHECK(version_of_valgrind(program) == "");
}
