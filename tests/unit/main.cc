// SPDX-License-Identifier: GPL-2.0-or-later
//
// The main() of all unit tests. Nothing else belongs here: Catch2 takes ten
// seconds to compile it.

#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
