# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Read by tests that write to devices, after common.sh: to nodes of their own, never to those of the machine.
#   own_device NAME MAJOR MINOR SCRIPT ARGUMENT...
#        bash runs SCRIPT, in which a folder `dev' holds nothing but a character device NAME, seen by nobody else.
#        What it prints goes to the file device.out. False if this user may not make one, or not use it; then nothing has happened.

own_device() {
  local name=$1 major=$2 minor=$3
  shift 3
  mkdir -p dev
  [ "$(id -u)" = 0 ] || return 1
  unshare -m sh -ec 'mount -t tmpfs none dev && mknod "dev/$1" c $2 $3 && { : >>"dev/$1"; }' - "$name" "$major" "$minor" \
    2>/dev/null || return 1
  unshare -m sh -ec 'mount -t tmpfs none dev && mknod "dev/$1" c $2 $3 && shift 3 && exec bash -Eeuo pipefail -c "$@" >device.out 2>&1' \
    - "$name" "$major" "$minor" "$@" || fail "on a device of its own: $(cat device.out)"
}
