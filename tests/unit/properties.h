// SPDX-License-Identifier: GPL-2.0-or-later
//
// rc::prop of RapidCheck, for tests of properties. It takes version 3 of Catch2 if that was included before, else it
// asks for version 2; and it writes to std::cout.
#ifndef CDRGRIND_TESTS_UNIT_PROPERTIES_H
#define CDRGRIND_TESTS_UNIT_PROPERTIES_H

#include <iostream>

#include "tests/unit/catch.h"

#include <rapidcheck/catch.h>

#endif
