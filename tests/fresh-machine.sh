#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# fresh-machine.sh RELEASE COMMAND...: runs COMMAND in a copy of the sources, as root of a Debian RELEASE (bookworm,
# trixie, …; - is this machine's) that has apt and nothing else. It is made with debootstrap and thrown away afterwards.
# Mirror, keys and proxies are those of this machine's apt; MIRROR=URL is another mirror. Needs root, for chroot and
# mounts, and up to 6 GB in TMPDIR (/var/tmp).

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source=$PWD

die() {
  echo "fresh-machine: error: $*" >&2
  exit 1
}

[ $# -ge 2 ] || die "usage: fresh-machine.sh RELEASE COMMAND..."
[ "$(id -u)" = 0 ] || die "a tree of its own for a release needs root"
command -v debootstrap >/dev/null || die "debootstrap is not installed"
release=$1
shift

# One line for each of this machine's apt sources: address, release, file of keys.
sources() {
  # shellcheck disable=SC2016 # apt's words, not the shell's
  apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(SIGNED_BY)' 'Created-By: Packages' 'Component: main' \
    'Origin: Debian' | LC_ALL=C sort -u
}
# Neither security updates nor others: what debootstrap can begin with.
read -r mirror own keys < <(sources | awk '$2 !~ /-/ { print; exit }') || :
[ "$release" != - ] || release=${own:-}
mirror=${MIRROR:-${mirror:-}}
[ -n "$mirror" ] && [ -n "$release" ] || die "apt names no Debian mirror here; say MIRROR=URL and a release"
[ -f "${keys:-}" ] || keys=/usr/share/keyrings/debian-archive-keyring.gpg

tree=$(mktemp -d "${TMPDIR:-/var/tmp}/fresh-$release.XXXXXX")
trap 'rm -rf --one-file-system "$tree"' EXIT
chmod 755 "$tree"
start=$SECONDS
# A mirror behind https needs certificates before apt can fetch any.
with=()
[[ $mirror != https:* ]] || with=(--include=ca-certificates)
debootstrap --variant=minbase --keyring="$keys" "${with[@]}" "$release" "$tree" "$mirror" >"$tree.log" 2>&1 ||
  { tail -n 5 "$tree.log" >&2 && rm -f "$tree.log" && die "debootstrap failed"; }
rm -f "$tree.log"
apt-config dump | grep -E '^Acquire::(https?|ftp|Retries|ForceIPv[46]|Check-Valid-Until|Languages)[: ]' \
  >"$tree/etc/apt/apt.conf.d/99as-outside" || :
cp -L /etc/resolv.conf /etc/hosts "$tree/etc/"
[[ $mirror != https:* ]] || cp -L /etc/ssl/certs/ca-certificates.crt "$tree/etc/ssl/certs/"
echo "fresh-machine: $release is there after $((SECONDS - start)) s"

# What git has, and would have: no builds.
mkdir "$tree/source"
git ls-files -z --cached --others --exclude-standard |
  while IFS= read -r -d '' file; do
    if [ -e "$file" ] || [ -L "$file" ]; then printf '%s\0' "$file"; fi
  done | tar -C "$source" --null --no-recursion -T - -cf - | tar -C "$tree/source" --no-same-owner -xf -

# Mounts and processes end with the command.
unshare --mount --pid --fork --kill-child bash -ec '
  tree=$1
  shift
  mount --make-rprivate /
  mount -t proc proc "$tree/proc"
  mount --rbind /sys "$tree/sys" && mount --make-rslave "$tree/sys" # libraries of MPI look for networks there
  mount -t devpts -o newinstance,ptmxmode=666 devpts "$tree/dev/pts"
  mount -t tmpfs tmpfs "$tree/dev/shm"
  exec chroot "$tree" /usr/bin/env -i HOME=/root TERM="${TERM:-dumb}" PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    ${JOBS:+JOBS=$JOBS} sh -c "cd /source && exec \"\$@\"" sh "$@"' bash "$tree" "$@"
