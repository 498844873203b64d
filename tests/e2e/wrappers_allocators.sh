# SPDX-License-Identifier: GPL-2.0-or-later
# The heap of programs that do not use the C library's: an allocator in a library, one in the program, both as they
# are and as --soname-synonyms says; operator new and the guards of C++ in a program that libstdc++ is linked into.
. "$top_srcdir/tests/e2e/common.sh"
. "$top_srcdir/tests/e2e/wrappers_lib.sh"

"$CC" -O1 -fno-builtin -shared -fPIC -Wl,-soname,libown.so -o libown.so "$sources/own_library.c"
"$CC" -O1 -fno-builtin -fno-pie -no-pie -o library_user "$sources/library_user.c" -L. -lown -Wl,-rpath,"$work"
"$CXX" -std=c++20 -O1 -fno-pie -no-pie -pthread -static-libstdc++ -o once_static "$sources/once_cxx.cc"
ln -s "$programs/wrappers/own_allocator" .
cp "$sources/own_allocator.expect" own_allocator.expect
cp "$sources/once_cxx.expect" once_static.expect

# The blocks of both programs.
cat >library_user.expect <<'EOF'
thread 1 alloc 1007
thread 1 free 1007
thread 1 alloc 2007
thread 1 free 2007
thread 1 alloc 1007
thread 1 free 1007
EOF

mkdir wrappers
mv library_user own_allocator once_static wrappers
programs=$work sources=$work
wrapped() { check_wrapper "$@" >differences || fail "$*: $(head -n 20 differences)"; }

wrapped library_user
wrapped library_user --soname-synonyms=somalloc=libown.so
wrapped own_allocator
wrapped own_allocator --soname-synonyms=somalloc=NONE
wrapped once_static

# Somebody else's are not meant: the C library's calls are seen, but they reach the library's functions.
: >library_user.expect
wrapped library_user --soname-synonyms=somalloc=libother.so
