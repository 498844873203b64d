// SPDX-License-Identifier: GPL-2.0-or-later
//
// Loaded into every recorded program. Holds the wrappers of the functions
// whose calls are events; without any, it only marks its presence.

extern "C" __attribute__((visibility("default"))) const char cdrgrind_preload_marker[];
extern "C" const char cdrgrind_preload_marker[] = "cdrgrind";
