"""The page's address as a phone writes it, its QR code, and the addresses in the network that phones are offered."""

import json
import socket
import subprocess
import sys

import cv2
import numpy as np
import pytest
from namespaces import inside, lacking, network

from companion.config import is_open
from companion.web.address import (
    LOOPBACK,
    POINT_TO_POINT,
    STARTED_BY,
    UP,
    Interface,
    network_address,
    other_addresses,
    page_address,
    played_with,
    qr_svg,
    qr_text,
    reachable,
    read_interfaces,
)

EVERYWHERE = ("0.0.0.0", "::")


@pytest.mark.parametrize(
    ("host", "port", "given", "address"),
    [
        *(
            (each, 8080, {"named": "farklecrib-2.local"}, "http://farklecrib-2.local:8080/")
            for each in ("0.0.0.0", "::")
        ),
        *((each, 8080, {}, "http://192.168.1.9:8080/") for each in EVERYWHERE),
        ("0.0.0.0", 8080, {"routed": None}, f"http://{socket.gethostname()}.local:8080/"),
        ("127.0.0.1", 80, {}, "http://127.0.0.1:80/"),
        ("crib.pub", 80, {}, "http://crib.pub:80/"),
        ("fd00::5", 80, {}, "http://[fd00::5]:80/"),
    ],
)
def test_a_page_has_avahis_name_else_its_address_in_the_network_unless_it_listens_on_one(
    host: str, port: int, given: dict, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.web.address.routed_address", lambda: given.get("routed", "192.168.1.9"))
    assert page_address(host, port, named=given.get("named")) == address


def test_the_code_on_a_terminal_is_read_by_a_camera() -> None:
    lines = [
        line.partition("m")[2].removesuffix("\x1b[0m") for line in qr_text("http://192.168.1.9:8080/").splitlines()
    ]
    halves = {" ": (0, 0), "▀": (1, 0), "▄": (0, 1), "█": (1, 1)}
    rows = [[halves[sign][half] for sign in line] for line in lines for half in (0, 1)]
    picture = np.kron(np.array(rows, np.uint8) * 255, np.ones((8, 8), np.uint8))
    assert cv2.QRCodeDetector().detectAndDecode(picture)[0] == "http://192.168.1.9:8080/"


def test_the_code_on_the_page_is_a_drawing_with_its_quiet_zone() -> None:
    drawn = qr_svg("http://192.168.1.9:8080/")
    assert drawn.startswith("<svg")
    assert 'viewBox="0 0 33 33"' in drawn


def test_an_option_is_told_as_the_line_that_starts_this_table() -> None:
    assert played_with("--host 0.0.0.0", {STARTED_BY: "make"}) == 'make play ARGS="--host 0.0.0.0"'
    assert played_with("--host 0.0.0.0", {}) == "farklecrib play --host 0.0.0.0"


@pytest.mark.parametrize(
    ("host", "routed", "opened", "address"),
    [
        ("0.0.0.0", "192.168.1.23", True, "192.168.1.23"),
        ("::", "10.0.0.7", True, "10.0.0.7"),
        ("0.0.0.0", None, True, ""),
        ("192.168.1.5", None, True, "192.168.1.5"),
        ("127.0.0.1", None, False, ""),
        ("::1", None, False, ""),
        ("localhost", None, False, ""),
        ("fe80::1", None, True, ""),
    ],
)
def test_the_address_in_the_network_is_known_if_other_machines_reach_the_page(
    host: str, routed: str | None, *, opened: bool, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.web.address.routed_address", lambda: routed)
    assert is_open(host) is opened
    assert network_address(host) == address


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
