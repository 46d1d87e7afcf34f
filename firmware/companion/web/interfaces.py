"""The addresses at which phones reach this machine: those of the local network, whatever a VPN does to the routes."""

import fcntl
import socket
import struct
from collections.abc import Iterable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

FLAGS_OF_INTERFACE, IPV4_OF_INTERFACE = 0x8913, 0x8915
"""The requests for an interface's flags and its IPv4 address (SIOCGIFFLAGS, SIOCGIFADDR; netdevice(7))."""

UP, LOOPBACK, POINT_TO_POINT = 0x1, 0x8, 0x10
"""Flags of an interface (netdevice(7)); a tunnel leads from point to point."""

ROUTES = Path("/proc/net/route")
"""The routes of the main table; a VPN that takes all traffic may have the first default route."""

INTERFACES = Path("/sys/class/net")


@dataclass(frozen=True)
class Interface:
    """An interface of this machine that is up, with its IPv4 address.

    `tunnel`: it leads to one far machine, as that of a VPN. `device`: a card or an adapter is behind it, and not a
    program alone, as behind that of containers. `metric` is that of its default route, None without one.
    """

    name: str
    address: str
    tunnel: bool = False
    device: bool = True
    metric: int | None = None


def reachable(interfaces: Iterable[Interface]) -> tuple[str, ...]:
    """Return the addresses at which phones reach a machine, the most likely one first.

    First come the interfaces that lead to a router, by the metric of that route; then other cards, such as one that is
    a hotspot without a way out. Phones are not behind tunnels, nor in the networks that programs have made for
    themselves: such addresses are returned only where there is no other.
    """

    def rank(each: Interface) -> tuple[bool, bool, int]:
        return each.tunnel, each.metric is None, each.metric or 0

    every = sorted(interfaces, key=rank)
    local = [each for each in every if not each.tunnel and (each.device or each.metric is not None)]
    return tuple(each.address for each in local or every)


def read_interfaces() -> tuple[Interface, ...]:
    """Return the interfaces of this machine that are up, without loopback and those without an IPv4 address."""
    found, metrics = [], _default_metrics()
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as asked:
        for _, name in socket.if_nameindex():
            request = struct.pack("256s", name.encode())
            with suppress(OSError):  # an interface without an address
                address = socket.inet_ntoa(fcntl.ioctl(asked, IPV4_OF_INTERFACE, request)[20:24])
                (flags,) = struct.unpack("H", fcntl.ioctl(asked, FLAGS_OF_INTERFACE, request)[16:18])
                if flags & UP and not flags & LOOPBACK:
                    tunnel = bool(flags & POINT_TO_POINT) or (INTERFACES / name / "tun_flags").exists()
                    found.append(Interface(name, address, tunnel, _has_device(name), metrics.get(name)))
    return tuple(found)


def _default_metrics() -> dict[str, int]:
    """Return the least metric of the default routes by each interface."""
    found: dict[str, int] = {}
    with suppress(OSError, ValueError):
        for line in ROUTES.read_text(encoding="ascii").splitlines()[1:]:
            name, to, _, flags, _, _, metric, mask, *_ = line.split()
            if int(to, 16) == int(mask, 16) == 0 and int(flags, 16) & UP:
                found[name] = min(int(metric), found.get(name, int(metric)))
    return found


def _has_device(name: str) -> bool:
    """Return whether an interface, or one that a bridge joins, is a card or an adapter."""
    folder = INTERFACES / name
    return (folder / "device").exists() or any((each / "device").exists() for each in folder.glob("lower_*"))
