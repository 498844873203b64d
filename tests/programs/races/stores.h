/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ways to store that stores.cc has from elsewhere. */
#define ANNOUNCE(where, what) __atomic_store_n(&(where), (what), __ATOMIC_RELEASE)
#define ANNOUNCE_TWICE(where, what) ANNOUNCE(where, what)
