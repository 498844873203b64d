#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# containerfile.sh list FILE: the instructions of a Containerfile, one a line.
# containerfile.sh build FILE COMMAND...: carries them out without containers, each stage in a copy of this machine's own
# tree, and then COMMAND in the last one, in its working folder. For a machine that is made to be thrown away
# (fresh-machine.sh): as root, with mounts, and with as much room as the tree has files.

set -euo pipefail

die() {
  echo "containerfile: error: $*" >&2
  exit 1
}

list() {
  sed -e '/^#/d' -e ':a' -e '/\\$/{N;s/\\\n *//;ba' -e '}' -e '/^$/d' "$1"
}

# The tree of a stage, and where the next instruction begins.
stages=/stages
stage='' folder=/

begin_stage() {
  [ $# = 1 ] || [ "$2" = AS ] || die "FROM $*"
  stage=$stages/${3:-last}
  folder=/
  mkdir -p "$stage"
  tar -C / --one-file-system --exclude=./source --exclude=".$stages" -cf - . | tar -C "$stage" -xf -
  mkdir -p "$stage/proc" "$stage/dev/pts"
  mount -t proc proc "$stage/proc"
  mount -t devpts -o newinstance,ptmxmode=666 devpts "$stage/dev/pts"
}

in_stage() {
  chroot "$stage" sh -c 'cd "$1" && shift && exec "$@"' sh "$folder" "$@"
}

copy() {
  local from=$PWD
  case $1 in --from=*) from=$stages/${1#--from=} && shift ;; esac
  mkdir -p "$stage$2"
  tar -C "$from/$1" -cf - . | tar -C "$stage$2" --no-same-owner -xf -
}

build() {
  local file=$1 instruction words
  shift
  [ "$(id -u)" = 0 ] || die "only root can make a stage's tree"
  while read -r instruction words <&3; do
    echo "=== $instruction $words"
    case $instruction in
      ARG | ENTRYPOINT) ;;
      FROM) # shellcheck disable=SC2086
        begin_stage $words
        ;;
      COPY) # shellcheck disable=SC2086
        copy $words
        ;;
      WORKDIR)
        folder=$words
        mkdir -p "$stage$folder"
        ;;
      RUN) in_stage sh -c "$words" </dev/null ;;
      *) die "$file: $instruction is not known here" ;;
    esac
  done 3< <(list "$file")
  [ $# = 0 ] || in_stage "$@"
}

command=${1:-}
shift || :
case $command in
  list) list "$@" ;;
  build) build "$@" ;;
  *) die "usage: containerfile.sh list FILE | build FILE COMMAND..." ;;
esac
