# SPDX-License-Identifier: GPL-2.0-or-later
#
# Looking for libraries. What is missing is remembered by Debian package name;
# CDR_STOP_IF_MISSING tells all of it in one message.

# CDR_MISSING(PACKAGE): the build cannot go on without PACKAGE.
AC_DEFUN([CDR_MISSING],
[AS_CASE([" $cdr_missing "],[*" $1 "*],[],[cdr_missing="$cdr_missing $1"])])

# CDR_HAS_HEADER(HEADER, IF-THERE, IF-NOT): is it found, with all that it includes? Compiling a large C++ header takes
# seconds.
AC_DEFUN([CDR_HAS_HEADER],
[AS_VAR_PUSHDEF([cdr_header],[cdr_cv_header_$1])
AC_CACHE_CHECK([for $1],[cdr_header],
[AC_PREPROC_IFELSE([AC_LANG_SOURCE([[#include <$1>]])],[AS_VAR_SET([cdr_header],[yes])],[AS_VAR_SET([cdr_header],[no])])])
AS_VAR_IF([cdr_header],[yes],[$2],[$3])
AS_VAR_POPDEF([cdr_header])])

# CDR_HEADER(HEADER, PACKAGE)
AC_DEFUN([CDR_HEADER],[CDR_HAS_HEADER([$1],[],[CDR_MISSING([$2])])])

# CDR_STOP_IF_MISSING
AC_DEFUN([CDR_STOP_IF_MISSING],
[AS_IF([test -n "$cdr_missing"],[AC_MSG_ERROR([missing packages.
  On Debian: apt-get install$cdr_missing])])])

# CDR_TEST_HEADER(HEADER, PACKAGE): needed by `make check' only.
AC_DEFUN([CDR_TEST_HEADER],
[CDR_HAS_HEADER([$1],[],
  [TEST_PACKAGES_MISSING="${TEST_PACKAGES_MISSING:+$TEST_PACKAGES_MISSING }$2"])])

# CDR_CATCH2: CATCH2_LIBS. Version 3 is a library, version 2 one header;
# tests/unit/catch.h includes what is there.
AC_DEFUN([CDR_CATCH2],
[CATCH2_LIBS=
CDR_HAS_HEADER([catch2/catch_test_macros.hpp],[CATCH2_LIBS=-lCatch2],
  [CDR_TEST_HEADER([catch2/catch.hpp],[catch2])])
AC_SUBST([CATCH2_LIBS])])

# CDR_TEST_PACKAGES: TEST_PACKAGES_MISSING, conditional HAVE_TEST_PACKAGES.
AC_DEFUN([CDR_TEST_PACKAGES],
[AC_SUBST([TEST_PACKAGES_MISSING])
AM_CONDITIONAL([HAVE_TEST_PACKAGES],[test -z "$TEST_PACKAGES_MISSING"])])

# CDR_M32: can 32-bit test programs be built? (conditional HAVE_M32)
AC_DEFUN([CDR_M32],
[AC_CACHE_CHECK([whether $CC -m32 links],[cdr_cv_m32],
[AC_LANG_PUSH([C])
cdr_save_CFLAGS=$CFLAGS
CFLAGS="-m32"
AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <stdio.h>]],[[puts("");]])],
  [cdr_cv_m32=yes],[cdr_cv_m32=no])
CFLAGS=$cdr_save_CFLAGS
AC_LANG_POP([C])])
AM_CONDITIONAL([HAVE_M32],[test "$cdr_cv_m32" = yes])])

# CDR_LIBDWARF: the header, and the signature of dwarf_init_path: twelve
# arguments up to 2021, eight from release 0.4 on.
AC_DEFUN([CDR_LIBDWARF],
[AC_CHECK_HEADER([libdwarf/libdwarf.h],
[AC_CACHE_CHECK([how many arguments dwarf_init_path takes],[cdr_cv_dwarf_init_path],
[cdr_cv_dwarf_init_path=none
AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <libdwarf/libdwarf.h>]],
  [[Dwarf_Debug d; Dwarf_Error e; char b[9];
    return dwarf_init_path("x", b, 9, DW_GROUPNUMBER_ANY, 0, 0, &d, &e);]])],
  [cdr_cv_dwarf_init_path=8])
AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <libdwarf/libdwarf.h>]],
  [[Dwarf_Debug d; Dwarf_Error e; char b[9];
    return dwarf_init_path("x", b, 9, DW_DLC_READ, DW_GROUPNUMBER_ANY, 0, 0, &d, 0, 0, 0, &e);]])],
  [cdr_cv_dwarf_init_path=12])])
AS_CASE([$cdr_cv_dwarf_init_path],
  [8],[AC_DEFINE([HAVE_DWARF_INIT_PATH_8],[1],[dwarf_init_path takes 8 arguments (libdwarf 0.4 and newer)])],
  [12],[AC_DEFINE([HAVE_DWARF_INIT_PATH_12],[1],[dwarf_init_path takes 12 arguments (libdwarf up to 2021)])],
  [CDR_MISSING([libdwarf-dev])])],
[CDR_MISSING([libdwarf-dev])])])

# CDR_PAGE_TOOLS: ESBUILD, TSC, PAGE_PACKAGES_MISSING. `cdrgrind report' needs both when this is built.
AC_DEFUN([CDR_PAGE_TOOLS],
[AC_CHECK_PROG([ESBUILD],[esbuild],[esbuild])
AC_CHECK_PROG([TSC],[tsc],[tsc])
AS_IF([test -z "$ESBUILD"],[PAGE_PACKAGES_MISSING=esbuild])
AS_IF([test -z "$TSC"],[PAGE_PACKAGES_MISSING="${PAGE_PACKAGES_MISSING:+$PAGE_PACKAGES_MISSING }node-typescript"])])

# CDR_MPI: MPI_CPPFLAGS, MPI_LIBS, MPI_MISSING; the conditional MPI. Of Open MPI, for `cdrgrind mpi' among several processes.
AC_DEFUN([CDR_MPI],
[AC_ARG_WITH([mpi],
  [AS_HELP_STRING([--without-mpi],[do not build cdrgrind-mpi, which 'mpirun -n K cdrgrind mpi' needs])],
  [],[with_mpi=maybe])
MPI_CPPFLAGS= MPI_LIBS= MPI_MISSING=
AS_IF([test "$with_mpi" != no],
  [AC_PATH_PROGS([MPICC],[mpicc.openmpi mpicc])
  AS_IF([test -n "$MPICC"],
    [MPI_CPPFLAGS=`$MPICC --showme:compile 2>/dev/null`
    MPI_LIBS=`$MPICC --showme:link 2>/dev/null`])
  AC_CACHE_CHECK([for Open MPI],[cdr_cv_open_mpi],
    [cdr_save_CPPFLAGS=$CPPFLAGS cdr_save_LIBS=$LIBS
    CPPFLAGS="$CPPFLAGS $MPI_CPPFLAGS" LIBS="$MPI_LIBS $LIBS"
    AC_LINK_IFELSE([AC_LANG_PROGRAM([[
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>]],[[return MPI_Init(0, 0) + OMPI_MAJOR_VERSION;]])],[cdr_cv_open_mpi=yes],[cdr_cv_open_mpi=no])
    CPPFLAGS=$cdr_save_CPPFLAGS LIBS=$cdr_save_LIBS])
  AS_IF([test $cdr_cv_open_mpi = no],[MPI_MISSING=libopenmpi-dev])
  AS_IF([test $cdr_cv_open_mpi$with_mpi = noyes],[AC_MSG_ERROR([--with-mpi: no Open MPI; package libopenmpi-dev])])])
AM_CONDITIONAL([MPI],[test "$with_mpi" != no && test $cdr_cv_open_mpi = yes])
AC_SUBST([MPI_CPPFLAGS])
AC_SUBST([MPI_LIBS])
CDR_EXPAND([cdr_libexecdir],[$libexecdir])
AC_DEFINE_UNQUOTED([CDRGRIND_LIBEXEC_DIR],["$cdr_libexecdir/cdrgrind"],[where cdrgrind-mpi is installed])
CDR_SEEN_FROM([cdr_libexec_rel],[$cdr_bindir],[$cdr_libexecdir/cdrgrind])
AC_DEFINE_UNQUOTED([CDRGRIND_LIBEXEC_REL],["$cdr_libexec_rel"],[the same, seen from the folder of the program cdrgrind])])
