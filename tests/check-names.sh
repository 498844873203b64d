# SPDX-License-Identifier: GPL-2.0-or-later
#
# A class has its name in its namespace for itself, unless it stands in an unnamed one: of two with equal names the
# linker takes the functions of one for both, and says nothing.
cd "${top_srcdir:?}" || exit 1

find cdrgrind -type f \( -name '*.h' -o -name '*.cc' \) | LC_ALL=C sort |
  xargs awk '
    FNR == 1 { named = "?"; unnamed = 0 }
    /^namespace \{/ { unnamed = 1 }
    /^}  \/\/ namespace$/ { unnamed = 0 }
    /^namespace [a-z]/ { named = $2 }
    !unnamed && /^(class|struct|union|enum class) [A-Za-z0-9_]+[^;]*\{/ {
      word = $1 == "enum" ? $3 : $2
      if (word ~ /::/) next
      sub(/:$/, "", word)
      name = named "::" word
      if (name in place) { print FILENAME ":" FNR ": " name " is defined in " place[name] ", too"; bad = 1 }
      place[name] = FILENAME ":" FNR
    }
    END { exit bad }'
