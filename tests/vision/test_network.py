"""The networks run within the limits of the service: no executable memory, no system call for resources."""

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

TRAY = Path(__file__).parent.parent / "pictures" / "trays" / "00104.jpg"

LIMITS = """
import ctypes, errno, mmap, os, struct, sys

libc = ctypes.CDLL(None, use_errno=True)
PR_SET_MDWE, PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, FILTER = 65, 38, 22, 2
if libc.prctl(PR_SET_MDWE, 1, 0, 0, 0):
    sys.exit(77)
LOAD, JUMP_IF_EQUAL, RETURN, ALLOW, REFUSE = 0x20, 0x15, 0x06, 0x7FFF0000, 0x00050000 | errno.EPERM
# sched_setscheduler, sched_setparam, sched_setattr, sched_setaffinity, setpriority, setrlimit, mbind, set_mempolicy
calls = (144, 142, 314, 203, 141, 160, 237, 238)
tests = [struct.pack("HBBI", JUMP_IF_EQUAL, len(calls) - n, 0, call) for n, call in enumerate(calls)]
program = [struct.pack("HBBI", LOAD, 0, 0, 0), *tests]
program += [struct.pack("HBBI", RETURN, 0, 0, value) for value in (ALLOW, REFUSE)]
code = ctypes.create_string_buffer(b"".join(program))
header = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(program), ctypes.addressof(code)))
assert libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
assert libc.prctl(PR_SET_SECCOMP, FILTER, header, 0, 0) == 0
for refused in (
    lambda: mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC),
    lambda: os.sched_setaffinity(0, [0]),
):
    try:
        refused()
    except PermissionError:
        continue
    sys.exit("the limits do not hold")
"""
"""Python that puts its process under the limits of the service."""

READ = f"{LIMITS}\nfrom dicereader import read\nprint(*read(sys.argv[1]).faces)"


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the numbers of the system calls are those of x86-64")
def test_a_picture_is_read_under_the_limits_of_the_service() -> None:
    command = [sys.executable, "-c", READ, str(TRAY)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=os.environ, check=False)
    if done.returncode == 77:
        pytest.skip("expected a kernel that can refuse executable memory (Linux 6.3)")
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.split()) == ["1", "2", "2", "4", "5", "5"]
