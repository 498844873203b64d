// SPDX-License-Identifier: GPL-2.0-or-later
// The header for users' programs is C++ as well.
#include "tests/programs/client_requests.c"
