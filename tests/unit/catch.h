// SPDX-License-Identifier: GPL-2.0-or-later
//
// Catch2, of version 2 (one header for all) or 3 (a library): the only file that includes its headers. Tests write what
// version 3 calls things.
#ifndef CDRGRIND_TESTS_UNIT_CATCH_H
#define CDRGRIND_TESTS_UNIT_CATCH_H

#if __has_include(<catch2/catch_test_macros.hpp>)

#include <catch2/catch_message.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
// Asked for by tests/unit/main.cc.
#ifdef CATCH_CONFIG_RUNNER
#include <catch2/catch_session.hpp>
#endif

#else

#include <catch2/catch.hpp>

namespace Catch::Matchers {
inline auto ContainsSubstring(const std::string& part) { return Contains(part); }
}  // namespace Catch::Matchers

#endif

#endif
