"""The addresses that phones are offered: the local network's, with a VPN, a hotspot or containers beside it."""

import json
import subprocess
import sys

import pytest
from namespaces import inside, lacking, network

from companion.web.address import (
    LOOPBACK,
    POINT_TO_POINT,
    UP,
    Interface,
    other_addresses,
    reachable,
    read_interfaces,
)

WIFI = Interface("wlan0", "192.168.1.9", metric=600)
CABLE = Interface("eth0", "10.0.0.7", metric=100)
HOTSPOT = Interface("wlan1", "10.42.0.1")
TUNNEL = Interface("tun0", "10.8.0.2", tunnel=True, device=False, metric=50)
CONTAINERS = Interface("docker0", "172.17.0.1", device=False)
BRIDGE = Interface("br0", "192.168.5.2", device=False, metric=425)


@pytest.mark.parametrize(
    ("interfaces", "offered"),
    [
        ([], []),
        ([HOTSPOT], [HOTSPOT]),
        ([WIFI, CABLE], [CABLE, WIFI]),
        ([TUNNEL, WIFI], [WIFI]),
        ([TUNNEL, HOTSPOT], [HOTSPOT]),
        ([HOTSPOT, WIFI], [WIFI, HOTSPOT]),
        ([CONTAINERS, WIFI, BRIDGE], [BRIDGE, WIFI]),
        ([TUNNEL], [TUNNEL]),
        ([TUNNEL, CONTAINERS], [CONTAINERS, TUNNEL]),
    ],
)
def test_the_local_networks_come_first_and_no_others_are_offered_beside_them(
    interfaces: list[Interface], offered: list[Interface]
) -> None:
    assert reachable(interfaces) == tuple(each.address for each in offered)


def test_a_page_offers_its_other_addresses_unless_it_listens_on_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.web.address.read_interfaces", lambda: (WIFI, HOTSPOT))
    assert other_addresses("0.0.0.0", "http://table.local:8000/") == (
        "http://192.168.1.9:8000/",
        "http://10.42.0.1:8000/",
    )
    assert other_addresses("0.0.0.0", "https://192.168.1.9:8001/") == ("https://10.42.0.1:8001/",)
    assert other_addresses("192.168.1.9", "http://192.168.1.9:8000/") == ()


def test_interfaces_that_are_down_and_the_machines_own_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [
        ("lo", "127.0.0.1", UP | LOOPBACK),
        ("wlan9", "192.168.1.9", UP),
        ("eth9", "10.0.0.7", 0),
        ("tun9", "10.8.0.2", UP | POINT_TO_POINT),
    ]
    monkeypatch.setattr("companion.web.address._addressed_interfaces", lambda: found)
    assert [(each.address, each.tunnel) for each in read_interfaces()] == [("192.168.1.9", False), ("10.8.0.2", True)]


ADDRESSES = """
import json
from companion.web.address import read_interfaces, reachable
print(json.dumps(reachable(read_interfaces())))
"""


@pytest.mark.exhaustive
def test_a_tunnel_that_takes_all_traffic_and_a_network_without_a_way_out_change_nothing() -> None:
    if reason := lacking():
        pytest.skip(f"needs root or user namespaces: {reason}")

    def offered() -> list[str]:
        done = subprocess.run([sys.executable, "-c", ADDRESSES], capture_output=True, text=True, check=True)
        return list(json.loads(done.stdout))

    with network() as net, inside(net.table):
        assert offered() == []
        table = net.place(1).table
        subprocess.run(["ip", "route", "del", "default"], check=True)
        assert offered() == [table]
        for command in (
            "route add default via 10.77.0.2 metric 600",
            "tuntap add tun0 mode tun",
            "address add 10.8.0.2/32 dev tun0",
            "link set tun0 up",
            "route add default dev tun0 metric 50",
        ):
            subprocess.run(["ip", *command.split()], check=True)
        assert offered() == [table]
