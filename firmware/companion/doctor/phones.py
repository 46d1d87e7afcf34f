"""Check whether phones of the network reach the table's page, as far as one machine can tell."""

from companion.config import Config, is_open
from companion.doctor.findings import Finding, passed, warned
from companion.doctor.machine import Machine

HOTSPOT = "open the page on a phone; if there is no answer, open a hotspot on one phone, and let all others join it"

_COMPLETE = 0x2  # ATF_COM in linux/if_arp.h


def phones(machine: Machine, config: Config) -> Finding:
    """Return whether this machine is in a network, and has heard other machines there.

    Many public networks keep their guests apart: each reaches the router and nobody else. The kernel's table of
    neighbours (/proc/net/arp) then holds the router alone.
    """
    if not is_open(config.web.host):
        return passed("phones", "the page is for this machine alone (web.host)")
    routes = [line.split() for line in machine.text("proc/net/route").splitlines()[1:]]
    if not routes:
        return warned("phones", "this machine is in no network", "join a Wi-Fi, or the hotspot of a phone")
    routers = {_address(route[2]) for route in routes if len(route) > 2}
    rows = [line.split() for line in machine.text("proc/net/arp").splitlines()[1:]]
    heard = {row[0] for row in rows if len(row) > 2 and int(row[2], 16) & _COMPLETE} - routers
    if heard:
        return passed("phones", f"heard {len(heard)} other machine{'s' if len(heard) > 1 else ''} of the network")
    return warned("phones", "no other machine of the network was heard yet; many pubs keep their guests apart", HOTSPOT)


def _address(number: str) -> str:
    """Return an address of /proc/net/route, which is written in hexadecimal with its last byte first, with dots."""
    return ".".join(str(each) for each in reversed(bytes.fromhex(number)))
