"""Ask a web server of this machine at an address and a port, and print whether it answers.

192.0.2.1, an address outside the local networks, is first made a second address of this machine, if that is allowed.
"""

import fcntl
import socket
import struct
import sys
from contextlib import suppress

SIOCSIFADDR = 0x8916

with socket.socket() as asking:
    with suppress(PermissionError):
        address = struct.pack("16sHH4s16x", b"lo:1", socket.AF_INET, 0, socket.inet_aton("192.0.2.1"))
        fcntl.ioctl(asking, SIOCSIFADDR, address)
    asking.settimeout(20)
    asking.connect((sys.argv[1], int(sys.argv[2])))
    print(sys.argv[1], "answers")
