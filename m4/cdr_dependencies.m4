# SPDX-License-Identifier: GPL-2.0-or-later

# CDR_DEPENDENCY_FILES: Automake makes an empty file of dependencies for each source, three processes each: five seconds.
# Here they are there before it looks. Before AC_PROG_CC, where Automake's own command is registered.
AC_DEFUN([CDR_DEPENDENCY_FILES],
[AC_CONFIG_COMMANDS([dependency-files],
[sed -n 's|^include \(.*\)\$(DEPDIR)\(/.*\.P@<:@lo@:>@\) @%:@ am--include-marker.*|\1.deps\2|p' Makefile >dependency-files.list
sed 's|/@<:@^/@:>@*$||' dependency-files.list | sort -u | xargs -r mkdir -p
while read cdr_file; do
  test -f "$cdr_file" || echo '@%:@ dummy' >"$cdr_file"
done <dependency-files.list
rm -f dependency-files.list])])
