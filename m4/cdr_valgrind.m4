# SPDX-License-Identifier: GPL-2.0-or-later
#
# The installed Valgrind: where its parts are, and whether a tool that is
# built against it runs.

# CDR_PLUGIN_PLATFORM: refuse machines that the tool does not know.
AC_DEFUN([CDR_PLUGIN_PLATFORM],
[AC_REQUIRE([AC_CANONICAL_HOST])
AS_CASE([$host],[x86_64-*-linux*],[],
  [AC_MSG_ERROR([cdrgrind records x86-64 Linux programs only; this is $host])])])

# CDR_VALGRIND: VALGRIND_VERSION, VALGRIND_BIN, VALGRIND_LIBEXECDIR,
# VALGRIND_CPPFLAGS (headers of tools), VALGRIND_CLIENT_CPPFLAGS
# (<valgrind/valgrind.h>), VALGRIND_LIBS, VALGRIND_LOAD_ADDRESS.
AC_DEFUN([CDR_VALGRIND],
[AC_ARG_WITH([valgrind-libexec],
  [AS_HELP_STRING([--with-valgrind-libexec=DIR],
    [Valgrind's folder of tools and preload libraries @<:@probed@:>@])],
  [],[with_valgrind_libexec=])
AS_IF([test -z "$PKG_CONFIG"],[AC_MSG_ERROR([pkg-config is missing.
  On Debian: apt-get install pkg-config])])
PKG_CHECK_MODULES([VALGRIND_PC],[valgrind],[],
  [AC_MSG_ERROR([Valgrind with its headers and libraries is missing.
  On Debian: apt-get install valgrind])])
VALGRIND_VERSION=`$PKG_CONFIG --modversion valgrind`
CDR_VALGRIND_VERSION
cdr_vg_prefix=`$PKG_CONFIG --variable=prefix valgrind`
cdr_vg_libdir=`$PKG_CONFIG --variable=libdir valgrind`
cdr_vg_includedir=`$PKG_CONFIG --variable=includedir valgrind`
cdr_vg_platform=`$PKG_CONFIG --variable=platform valgrind`
VALGRIND_LOAD_ADDRESS=`$PKG_CONFIG --variable=valt_load_address valgrind`
AS_IF([test "$cdr_vg_platform" != amd64-linux],
  [AC_MSG_ERROR([this Valgrind is for '$cdr_vg_platform', not for amd64-linux])])

AC_MSG_CHECKING([for Valgrind's tool folder])
VALGRIND_LIBEXECDIR=
for cdr_dir in "$with_valgrind_libexec" "$cdr_vg_prefix/libexec/valgrind" \
    "$cdr_vg_libdir/valgrind" "$cdr_vg_prefix/lib/valgrind"; do
  AS_IF([test -z "$VALGRIND_LIBEXECDIR" && test -x "$cdr_dir/none-amd64-linux"],
    [VALGRIND_LIBEXECDIR=$cdr_dir])
  # What was asked for must do: no second guess.
  AS_IF([test -n "$with_valgrind_libexec"],[break])
done
AS_IF([test -z "$VALGRIND_LIBEXECDIR"],
  [AC_MSG_RESULT([not found])
   AC_MSG_ERROR([no none-amd64-linux in ${with_valgrind_libexec:-the usual places}; use --with-valgrind-libexec=DIR])])
AC_MSG_RESULT([$VALGRIND_LIBEXECDIR])

AC_PATH_PROG([VALGRIND_BIN],[valgrind],[],[$cdr_vg_prefix/bin$PATH_SEPARATOR$PATH])
AS_IF([test -z "$VALGRIND_BIN"],[CDR_MISSING([valgrind])])

VALGRIND_CPPFLAGS="-isystem $cdr_vg_includedir"
# A system folder named again would change the order of the system's headers.
VALGRIND_CLIENT_CPPFLAGS=
cdr_dir=`AS_DIRNAME(["$cdr_vg_includedir"])`
AS_IF([test "$cdr_dir" != /usr/include],[VALGRIND_CLIENT_CPPFLAGS="-isystem $cdr_dir"])
VALGRIND_LIBS="-L$cdr_vg_libdir/valgrind -lcoregrind-amd64-linux -lvex-amd64-linux -lgcc"
AS_IF([test -f "$cdr_vg_libdir/valgrind/libgcc-sup-amd64-linux.a"],
  [VALGRIND_LIBS="$VALGRIND_LIBS -lgcc-sup-amd64-linux"])

AC_SUBST([VALGRIND_VERSION])
AC_SUBST([VALGRIND_LIBEXECDIR])
AC_SUBST([VALGRIND_CPPFLAGS])
AC_SUBST([VALGRIND_CLIENT_CPPFLAGS])
AC_SUBST([VALGRIND_LIBS])
AC_SUBST([VALGRIND_LOAD_ADDRESS])
AC_DEFINE_UNQUOTED([CDRGRIND_VALGRIND_VERSION],["$VALGRIND_VERSION"],[the Valgrind that the tool was built for])
AC_DEFINE_UNQUOTED([CDRGRIND_VALGRIND_BIN],["$VALGRIND_BIN"],[its launcher])

# -gdwarf-4: Valgrind reads the tool's own debug information and 3.19 dies on
# clang's DWARF 5.
TOOL_CPPFLAGS="-DVGA_amd64=1 -DVGO_linux=1 -DVGP_amd64_linux=1 -DVGPV_amd64_linux_vanilla=1"
TOOL_CXXFLAGS="-O2 -g -gdwarf-4 -fno-exceptions -fno-rtti -fno-threadsafe-statics -fno-use-cxa-atexit -fno-asynchronous-unwind-tables -fno-stack-protector -fcf-protection=none -fno-pic -fno-pie -fno-strict-aliasing -U_FORTIFY_SOURCE"
TOOL_LDFLAGS="-static -no-pie -nodefaultlibs -nostartfiles -u _start -Wl,--build-id -Wl,-Ttext-segment=$VALGRIND_LOAD_ADDRESS"
AC_SUBST([TOOL_CPPFLAGS])
AC_SUBST([TOOL_CXXFLAGS])
AC_SUBST([TOOL_LDFLAGS])])

# CDR_VALGRIND_VERSION: the whole of `make check' passes with 3.19 and 3.24;
# older ones lack what the tool calls, others are tried.
AC_DEFUN([CDR_VALGRIND_VERSION],
[AS_IF([$PKG_CONFIG --atleast-version=3.19 valgrind],[],
  [AC_MSG_ERROR([this is Valgrind $VALGRIND_VERSION; cdrgrind wants 3.19 or newer])])
AS_CASE([$VALGRIND_VERSION],
  [3.19|3.19.*|3.24|3.24.*],[],
  [AC_MSG_WARN([cdrgrind is tested with Valgrind 3.19 and 3.24; Valgrind $VALGRIND_VERSION is tried])])])

# CDR_NULL_TOOL: build the smallest tool and run /bin/true under it. It names
# what the tool takes of Valgrind that stands in no public header.
AC_DEFUN([CDR_NULL_TOOL],
[AC_MSG_CHECKING([whether a tool built for this Valgrind runs])
AC_LANG_CONFTEST([AC_LANG_SOURCE([[
#include "cdrgrind/tool/vg.h"
extern "C" void VG_(client_exit)(Int);
extern "C" void VG_(kill_self)(Int);
template <typename Function>
static void need(Function* function) { asm volatile("" : : "r"(function)); }
static void post_clo_init() {
  need(&VG_(am_mmap_anon_float_valgrind));
  need(&VG_(am_shared_mmap_file_float_valgrind));
  need(&VG_(do_syscall));
  need(&VG_(safe_fd));
  need(&VG_(count_living_threads));
  need(&VG_(count_runnable_threads));
  need(&VG_(release_BigLock));
  need(&VG_(acquire_BigLock));
  need(&VG_(client_exit));
  need(&VG_(kill_self));
}
static void fini(Int) {}
static IRSB* instrument(VgCallbackClosure*, IRSB* sb, const VexGuestLayout*,
                        const VexGuestExtents*, const VexArchInfo*, IRType, IRType) {
  return sb;
}
static void pre_clo_init() {
  VG_(details_name)("cdrnull");
  VG_(details_description)("a null tool");
  VG_(details_copyright_author)("nobody");
  VG_(details_bug_reports_to)("nobody");
  VG_(basic_tool_funcs)(post_clo_init, instrument, fini);
}
VG_DETERMINE_INTERFACE_VERSION(pre_clo_init)
]])])
cdr_dir=`pwd`/conftest.vglib
rm -rf "$cdr_dir"
mkdir "$cdr_dir"
for cdr_file in default.supp vgpreload_core-amd64-linux.so; do
  ln -s "$VALGRIND_LIBEXECDIR/$cdr_file" "$cdr_dir/$cdr_file"
done
cdr_tool=$cdr_dir/cdrnull-amd64-linux
cdr_null_tool=no
cdr_cxx="$CXX $TOOL_CPPFLAGS -I$srcdir $VALGRIND_CPPFLAGS"
cdr_why="it cannot be compiled or linked"
AS_IF([{ AS_ECHO(["$cdr_cxx $TOOL_CXXFLAGS conftest.cpp $TOOL_LDFLAGS -o $cdr_tool $VALGRIND_LIBS"])
         $cdr_cxx $TOOL_CXXFLAGS conftest.cpp \
           $TOOL_LDFLAGS -o "$cdr_tool" $VALGRIND_LIBS; } >&AS_MESSAGE_LOG_FD 2>&1],
  [cdr_why="it is built but does not run: is $VALGRIND_BIN the Valgrind $VALGRIND_VERSION of these headers?"
   AS_IF([VALGRIND_LIB="$cdr_dir" "$VALGRIND_BIN" --tool=cdrnull --vgdb=no /bin/true >&AS_MESSAGE_LOG_FD 2>&1],
     [cdr_null_tool=yes])])
rm -rf "$cdr_dir" conftest.cpp
AC_MSG_RESULT([$cdr_null_tool])
AS_IF([test "$cdr_null_tool" = no],[AC_MSG_ERROR([a tool for Valgrind $VALGRIND_VERSION: $cdr_why.
  See config.log. On Debian: apt-get install valgrind g++ libc6-dev binutils])])])

# CDR_PLUGIN_DIR: plugindir (may hold ${libexecdir}), its absolute form and
# its place relative to bindir for the installed program.
AC_DEFUN([CDR_PLUGIN_DIR],
[AC_ARG_WITH([plugin-dir],
  [AS_HELP_STRING([--with-plugin-dir=DIR],
    [where the Valgrind tool is installed; a folder other than Valgrind's own
     gets links to Valgrind's files @<:@Valgrind's own tool folder@:>@])],
  [],[with_plugin_dir=$VALGRIND_LIBEXECDIR])
AS_CASE([$with_plugin_dir],
  [yes|no|''],[AC_MSG_ERROR([--with-plugin-dir wants a folder])],
  [/*|'$'*],[plugindir=$with_plugin_dir],
  [AC_MSG_ERROR([--with-plugin-dir wants an absolute folder, not '$with_plugin_dir'])])
AC_SUBST([plugindir])
CDR_EXPAND([CDR_PLUGIN_DIR_ABS],[$plugindir])
CDR_EXPAND([cdr_bindir],[$bindir])
AS_CASE([$CDR_PLUGIN_DIR_ABS],[/*],[],
  [AC_MSG_ERROR([--with-plugin-dir: '$with_plugin_dir' is no absolute folder])])
AC_DEFINE_UNQUOTED([CDRGRIND_PLUGIN_DIR],["$CDR_PLUGIN_DIR_ABS"],[the plug-in folder])
CDR_SEEN_FROM([CDR_PLUGIN_REL],[$cdr_bindir],[$CDR_PLUGIN_DIR_ABS])
AC_DEFINE_UNQUOTED([CDRGRIND_PLUGIN_REL],["$CDR_PLUGIN_REL"],[the plug-in folder seen from the folder of the program cdrgrind])])

# CDR_SEEN_FROM(VARIABLE, FOLDER, OTHER): how one comes from a folder to the other: up to the part that both share, then
# down.
AC_DEFUN([CDR_SEEN_FROM],
[cdr_up=
cdr_common=$2
while :; do
  AS_CASE([$3/],["$cdr_common"/*],[break])
  cdr_common=`AS_DIRNAME(["$cdr_common"])`
  cdr_up=../$cdr_up
  AS_CASE([$cdr_common],[/],[cdr_common=; break])
done
cdr_down=$3
cdr_down=${cdr_down@%:@"$cdr_common"}
$1=$cdr_up${cdr_down@%:@/}])

# CDR_EXPAND(VARIABLE, VALUE): VALUE with ${prefix} and its kin put in.
AC_DEFUN([CDR_EXPAND],
[cdr_save_prefix=$prefix
cdr_save_exec_prefix=$exec_prefix
AS_IF([test "$prefix" = NONE],[prefix=$ac_default_prefix])
AS_IF([test "$exec_prefix" = NONE],[exec_prefix=$prefix])
$1=$2
for cdr_i in 1 2 3 4; do
  AS_CASE([$$1],[*'$'*],[eval "$1=\"$$1\""])
done
prefix=$cdr_save_prefix
exec_prefix=$cdr_save_exec_prefix])
