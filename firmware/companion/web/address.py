"""The page's address as a phone of the same network writes it, and its QR code."""

import fcntl
import io
import ipaddress
import os
import socket
import struct
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlsplit

import segno

from companion.web.interfaces import IPV4_OF_INTERFACE, reachable, read_interfaces

MOST_OTHERS = 3
"""The most further addresses that a page offers."""

IPV6_ADDRESSES = Path("/proc/net/if_inet6")
"""This machine's IPv6 addresses, one a line, each begins with 32 digits (proc(5))."""

QR_COLOURS = "\x1b[97;40m{}\x1b[0m"
"""White on black, whatever the terminal's own colours are: many phones do not read an inverted code."""


STARTED_BY = "FARKLECRIB_STARTED_BY"
"""The environment variable by which `make play` tells that it has started the table."""


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


def own_addresses() -> frozenset[str]:
    """Return the addresses of this machine's interfaces, without those that Linux does not tell."""
    found = set()
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as asked:
        for _, name in socket.if_nameindex():
            with suppress(OSError):  # an interface without an address
                answer = fcntl.ioctl(asked, IPV4_OF_INTERFACE, struct.pack("256s", name.encode()))
                found.add(socket.inet_ntoa(answer[20:24]))
    with suppress(OSError, ValueError):
        lines = IPV6_ADDRESSES.read_text(encoding="ascii").splitlines()
        found.update(str(ipaddress.IPv6Address(bytes.fromhex(line[:32]))) for line in lines)
    return frozenset(found)


def page_address(
    host: str,
    port: int,
    *,
    named: str | None = None,
    routed: Callable[[], str | None] = routed_address,
    scheme: str = "http",
) -> str:
    """Return the page's address for a browser.

    If the page listens on all addresses, this is the name that avahi publishes, else the machine's address in the
    network, and its own name without a network.

    Args:
        host: The address that the page listens on.
        port: Its port.
        named: The name that avahi publishes for this machine, if it runs.
        routed: Returns this machine's address in the network, or None.
        scheme: `http` or `https`.
    """
    if host in {"0.0.0.0", "::"}:  # noqa: S104 - compared, not bound
        host = named or routed() or f"{socket.gethostname()}.local"
    with suppress(ValueError):
        host = f"[{host}]" if ipaddress.ip_address(host).version == 6 else host
    return f"{scheme}://{host}:{port}/"


def network_address(host: str, *, routed: Callable[[], str | None] = routed_address) -> str:
    """Return the IPv4 address at which other machines reach a page that listens on `host`, or an empty text."""
    if host in {"0.0.0.0", "::"}:  # noqa: S104 - compared, not bound
        host = routed() or ""
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
