# SPDX-License-Identifier: GPL-2.0-or-later
# locks.py FILE: locks the file, creating it if need be, as a recorder does that writes it; says so; holds the lock until
# its input ends.
import fcntl, os, struct, sys

fd = os.open(sys.argv[1], os.O_CREAT | os.O_WRONLY, 0o644)
fcntl.fcntl(fd, fcntl.F_OFD_SETLK, struct.pack("hhqqi", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0))
print("locked", flush=True)
sys.stdin.read()
