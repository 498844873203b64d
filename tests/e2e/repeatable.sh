# SPDX-License-Identifier: GPL-2.0-or-later
# A program that does the same again gives the same bytes, but for the RUN frame, which says when it ran. And
# the events of a trace, encoded again on the host, give the bytes of the file, also with threads.
. "$top_srcdir/tests/e2e/common.sh"

# The examples with one thread, and corners that ask for no pid (raise does): four recordings each have one sum.
single=("$programs"/corners/{calls,faults,repeats})
threaded=("$programs"/corners/{succession,dependences})
for source in "$top_srcdir"/examples/*.c; do
  name=$(basename "$source" .c)
  if grep -qE 'pthread_create|pragma omp' "$source"; then threaded+=("$examples/$name"); else single+=("$examples/$name"); fi
done

record() {
  vg -q --cdr-out-file="$1" "$2" </dev/null >out
  "$cdrgrind" verify "$1" >verify || fail "$2: $(cat verify)"
}

encoded_again() {
  "$programs/traces/again" "$1" | cmp - "$1" || fail "$2: encoded again it is another file"
}

for program in "${single[@]}"; do
  name=$(basename "$program")
  for i in 1 2 3 4; do
    record "$name.$i" "$program"
    "$programs/traces/without_run" "$name.$i" | cksum
  done >"$name.sums"
  [ "$(sort -u "$name.sums" | wc -l)" = 1 ] || fail "$name: recordings differ: $(cat "$name.sums")"
  ! cmp -s "$name.1" "$name.2" || fail "$name: the RUN frames do not differ: of what is the sum?"
  encoded_again "$name.1" "$name"
done

for program in "${threaded[@]}"; do
  name=$(basename "$program")
  record "$name.trace" "$program"
  encoded_again "$name.trace" "$name"
done
