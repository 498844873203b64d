// SPDX-License-Identifier: GPL-2.0-or-later
//
// The main() of all unit tests. Nothing else belongs here: version 2 of Catch2 takes ten seconds to compile it.

#define CATCH_CONFIG_RUNNER
#include "tests/unit/catch.h"

int main(int argc, char** argv) { return Catch::Session().run(argc, argv); }
