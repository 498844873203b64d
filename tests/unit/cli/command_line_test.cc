// SPDX-License-Identifier: GPL-2.0-or-later
#include "cdrgrind/cli/command_line.h"

#include "cdrgrind/cli/failure.h"
#include "tests/unit/catch.h"

using namespace cdr::cli;

namespace {

struct Taken {
  std::string file, mode = "none", way, list;
  std::vector<std::string> rest, words;
  uint32_t number = 7;
  std::optional<uint64_t> most;
  bool flag = false, hidden = false;
  int runs = 0;
};
Taken taken;

Action add_all(CommandLine& line) {
  taken = {};
  line.add("FILE", taken.file, "the file").required();
  line.add_arguments("REST", taken.rest, "others");
  line.add("--mode", taken.mode, "a mode").value("MODE").one_of({"one", "two"});
  line.add_repeatable(
      "--word",
      [](const std::string& word) {
        if (word == "bad") throw WrongValue("it is bad");
        taken.words.push_back(word);
      },
      "a word");
  line.add("--list", taken.list, "some of them").list_of({"a", "b"});
  line.add_number("--number", taken.number, "a number").value("N").from_one();
  line.add_number("-n,--most", taken.most, "another").from_zero();
  line.add_flag("--flag", taken.flag, "a flag").excludes("--mode");
  line.add_flag("--way{any}", taken.way, "a way").hidden();
  return [&line] { return ++taken.runs, line.given("--number") ? 1 : 0; };
}

constexpr Command kCommands[] = {{"first", "one of them", add_all}, {"own", "parses itself", nullptr}};

int run(const std::vector<std::string>& words) {
  CommandParser parser(kCommands);
  const Request request = parser.parse(words);
  REQUIRE(request.action);
  CHECK(request.first_file == taken.file);
  return request.action();
}

std::string refused(const std::vector<std::string>& words) {
  try {
    CommandParser(kCommands).parse(words);
  } catch (const Failure& e) {
    CHECK(e.status() == kWrongUse);
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("what a line gives, and what it leaves") {
  CHECK(run({"first", "a"}) == 0);
  CHECK(taken.runs == 1);
  CHECK(taken.number == 7);
  CHECK_FALSE(taken.most);
  CHECK(run({"first", "--word=x", "a", "--number", "4294967295", "b", "--word", "y", "c", "-n0", "--way"}) == 1);
  CHECK(taken.file == "a");
  CHECK(taken.rest == std::vector<std::string>{"b", "c"});
  CHECK(taken.words == std::vector<std::string>{"x", "y"});
  CHECK(taken.number == 4294967295u);
  CHECK(taken.most == 0u);
  CHECK(taken.way == "any");
  CHECK(run({"first", "a", "--way=other"}) == 0);
  CHECK(taken.way == "other");
}

TEST_CASE("what a line may not be") {
  const std::string help = "; try 'cdrgrind first --help'";
  CHECK(refused({"first"}) == "FILE is required" + help);
  CHECK(refused({"first", "a", "--mode=three"}) == "--mode: 'three' is none of one, two" + help);
  CHECK(refused({"first", "a", "--word=bad"}) == "--word: it is bad" + help);
  for (const char* number : {"0", "-1", "+1", "x", "1x", "", "99999999999999999999"})
    CHECK(refused({"first", "a", "--number", number}) ==
          "--number: '" + std::string(number) + "' is none of the numbers from 1 on" + help);
  CHECK(refused({"first", "a", "--number=4294967296"}) ==
        "--number: '4294967296' is no number up to 4294967295" + help);
  CHECK(refused({"first", "a", "--flag", "--mode=one"}).find(" excludes --") != std::string::npos);
  CHECK(refused({"first", "a", "--unknown"}).ends_with(help));
  CHECK(refused({"--unknown"}).ends_with("; try 'cdrgrind --help'"));
}

TEST_CASE("what a command takes, without what is hidden") {
  const std::vector<CommandUsage> usages = CommandParser(kCommands).usages();
  REQUIRE(usages.size() == 2);
  CHECK(usages[1].name == "own");
  CHECK(usages[1].options.empty());
  std::vector<std::string> names;
  for (const OptionUsage& option : usages[0].options)
    for (const std::string& name : option.names) names.push_back(name);
  CHECK(names == std::vector<std::string>{"-h", "--help", "--version", "--mode", "--word", "--list", "--number", "-n",
                                          "--most", "--flag"});
  const auto& options = usages[0].options;
  CHECK(options[0].value.empty());
  CHECK(options[2].value == "MODE");
  CHECK(options[2].choices == std::vector<std::string>{"one", "two"});
  CHECK_FALSE(options[2].list);
  CHECK(options[3].repeatable);
  CHECK(options[4].list);
  CHECK(options[4].choices == std::vector<std::string>{"a", "b"});
  CHECK_FALSE(options[5].repeatable);
  CHECK(options[7].value.empty());
}

TEST_CASE("help is text, and nothing is run") {
  CommandParser parser(kCommands);
  const Request of_command = parser.parse({"first", "--help"});
  CHECK_FALSE(of_command.action);
  CHECK(of_command.text.find("--number N") != std::string::npos);
  CHECK(of_command.text.find("--way") == std::string::npos);
  CHECK(parser.parse({"--help"}).text.find("parses itself") != std::string::npos);
  CHECK(parser.parse({"first", "--version"}).text.starts_with("cdrgrind "));
  CHECK(parser.is_command("own"));
  CHECK_FALSE(parser.is_command("other"));
}
