"""Ask the network by multicast DNS for web pages, from an address of this machine, for 60 s or until one has a port.

Prints a line for each page: its port and the first label of its host.
"""

import socket
import struct
import sys
import time

MDNS = ("224.0.0.251", 5353)
PTR, SRV = 12, 33
QUESTION = struct.pack("!6H", 1, 0, 1, 0, 0, 0) + b"\5_http\4_tcp\5local\0" + struct.pack("!2H", PTR, 1)


def name_at(data: bytes, at: int) -> tuple[str, int]:
    """Return the first label of a name, and the place behind the name."""
    first = ""
    while (length := data[at]) and length < 0xC0:
        first = first or data[at + 1 : at + 1 + length].decode("ascii", "replace")
        at += 1 + length
    if length:  # a pointer to the rest of the name
        first = first or name_at(data, struct.unpack_from("!H", data, at)[0] & 0x3FFF)[0]
        at += 1
    return first, at + 1


def pages(data: bytes) -> set[tuple[int, str]]:
    """Return port and host of each service in an answer."""
    _, _, questions, *records = struct.unpack_from("!6H", data)
    at, found = 12, set()
    for _ in range(questions):
        at = name_at(data, at)[1] + 4
    for _ in range(sum(records)):
        at = name_at(data, at)[1]
        kind, _, _, length = struct.unpack_from("!HHIH", data, at)
        if kind == SRV:
            found.add((struct.unpack_from("!H", data, at + 14)[0], name_at(data, at + 16)[0]))
        at += 10 + length
    return found


address, wanted = sys.argv[1], int(sys.argv[2])
seen: set[tuple[int, str]] = set()
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
    asking.bind((address, 0))
    asking.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(address))
    asking.settimeout(2)
    until_s = time.monotonic() + 60
    while time.monotonic() < until_s and wanted not in {port for port, _ in seen}:
        asking.sendto(QUESTION, MDNS)
        try:
            seen |= pages(asking.recv(9000))
        except TimeoutError:
            continue
for port, host in sorted(seen):
    print(port, host)
