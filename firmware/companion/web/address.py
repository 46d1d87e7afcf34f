"""The page's addresses as phones of the local network write them, whatever a VPN does to the routes; and QR codes."""

import fcntl
import io
import ipaddress
import os
import socket
import struct
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlsplit

import segno

MOST_OTHERS = 3
"""The most further addresses that a page offers."""

IPV6_ADDRESSES = Path("/proc/net/if_inet6")
"""This machine's IPv6 addresses, one a line, each begins with 32 digits (proc(5))."""

FLAGS_OF_INTERFACE, IPV4_OF_INTERFACE = 0x8913, 0x8915
"""The requests for an interface's flags and its IPv4 address (SIOCGIFFLAGS, SIOCGIFADDR; netdevice(7))."""

UP, LOOPBACK, POINT_TO_POINT = 0x1, 0x8, 0x10
"""Flags of an interface (netdevice(7)); a tunnel leads from point to point."""

ROUTES = Path("/proc/net/route")
"""The routes of the main table; a VPN that takes all traffic may have the first default route."""

INTERFACES = Path("/sys/class/net")

QR_COLOURS = "\x1b[97;40m{}\x1b[0m"
"""White on black, whatever the terminal's own colours are: many phones do not read an inverted code."""

STARTED_BY = "FARKLECRIB_STARTED_BY"
"""The environment variable by which `make play` tells that it has started the table."""


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
    for name, address, flags in _addressed_interfaces():
        if flags & UP and not flags & LOOPBACK:
            tunnel = bool(flags & POINT_TO_POINT) or (INTERFACES / name / "tun_flags").exists()
            found.append(Interface(name, address, tunnel, _has_device(name), metrics.get(name)))
    return tuple(found)


def _addressed_interfaces() -> Iterator[tuple[str, str, int]]:
    """Yield the name, the IPv4 address and the flags of each interface that has an address."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as asked:
        for _, name in socket.if_nameindex():
            request = struct.pack("256s", name.encode())
            with suppress(OSError):  # an interface without an address
                address = socket.inet_ntoa(fcntl.ioctl(asked, IPV4_OF_INTERFACE, request)[20:24])
                (flags,) = struct.unpack("H", fcntl.ioctl(asked, FLAGS_OF_INTERFACE, request)[16:18])
                yield name, address, flags


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


def played_with(option: str, environment: Mapping[str, str] = os.environ) -> str:
    """Return the line that starts the table with an option, in the way in which this table was started."""
    if environment.get(STARTED_BY) == "make":
        return f'make play ARGS="{option}"'
    return f"farklecrib play {option}"


def routed_address() -> str | None:
    """Return the IPv4 address at which phones most likely reach this machine, or None without a network."""
    return next(iter(reachable(read_interfaces())), None)


def other_addresses(host: str, address: str) -> tuple[str, ...]:
    """Return further addresses of a page, the most likely ones first, for phones that its first one does not reach.

    Args:
        host: The address that the page listens on.
        address: The page's first address for a browser.
    """
    if host not in {"0.0.0.0", "::"}:  # noqa: S104 - compared, not bound
        return ()
    place = urlsplit(address)
    others = [each for each in reachable(read_interfaces()) if each != place.hostname]
    return tuple(f"{place.scheme}://{each}:{place.port}/" for each in others[:MOST_OTHERS])


def own_hosts(host: str, names: Iterable[str] = ()) -> frozenset[str]:
    """Return the names of this table: localhost, its machine's now, the address that it is bound to, and `names`."""
    name = socket.gethostname().casefold()
    own = {"localhost", "127.0.0.1", "[::1]", name, f"{name}.local", host.casefold()}
    return frozenset(own | {each.casefold() for each in names})


def own_addresses() -> frozenset[str]:
    """Return the addresses of this machine's interfaces, without those that Linux does not tell."""
    found = {address for _, address, _ in _addressed_interfaces()}
    with suppress(OSError, ValueError):
        lines = IPV6_ADDRESSES.read_text(encoding="ascii").splitlines()
        found.update(str(ipaddress.IPv6Address(bytes.fromhex(line[:32]))) for line in lines)
    return frozenset(found)


def page_address(host: str, port: int, *, named: str | None = None, scheme: str = "http") -> str:
    """Return the page's address for a browser.

    If the page listens on all addresses, this is the name that avahi publishes, else the machine's address in the
    network, and its own name without a network.

    Args:
        host: The address that the page listens on.
        port: Its port.
        named: The name that avahi publishes for this machine, if it runs.
        scheme: `http` or `https`.
    """
    if host in {"0.0.0.0", "::"}:  # noqa: S104 - compared, not bound
        host = named or routed_address() or f"{socket.gethostname()}.local"
    with suppress(ValueError):
        host = f"[{host}]" if ipaddress.ip_address(host).version == 6 else host
    return f"{scheme}://{host}:{port}/"


def network_address(host: str) -> str:
    """Return the IPv4 address at which other machines reach a page that listens on `host`, or an empty text."""
    if host in {"0.0.0.0", "::"}:  # noqa: S104 - compared, not bound
        host = routed_address() or ""
    try:
        known = ipaddress.IPv4Address(host)
    except ValueError:
        return ""
    return "" if known.is_loopback else str(known)


def qr_text(address: str) -> str:
    """Return the QR code of an address for a terminal, two modules high a line."""
    drawn = io.StringIO()
    segno.make_qr(address).terminal(drawn, border=2, compact=True)
    return "".join(f"{QR_COLOURS.format(line)}\n" for line in drawn.getvalue().splitlines())


@lru_cache(maxsize=4)  # 10 ms each, and pages show the same few
def qr_svg(address: str) -> str:
    """Return the QR code of an address as SVG for a page: black on white, with its quiet zone."""
    return segno.make_qr(address).svg_inline(border=4, dark="#000", light="#fff", omitsize=True, svgclass="qr")
