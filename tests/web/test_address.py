"""The page's address as a phone writes it, its QR code, and the sentence about access from the network."""

import socket

import cv2
import numpy as np
import pytest

from companion.config import is_open
from companion.web.address import STARTED_BY, page_address, played_with, qr_svg, qr_text

NAME = f"{socket.gethostname()}.local"


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_a_page_on_every_address_has_the_name_that_avahi_publishes(host: str) -> None:
    named = page_address(host, 8080, named="farklecrib-2.local", routed=lambda: "192.168.1.9")
    assert named == "http://farklecrib-2.local:8080/"


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_without_avahi_it_has_the_address_in_the_network(host: str) -> None:
    assert page_address(host, 8080, routed=lambda: "192.168.1.9") == "http://192.168.1.9:8080/"
    assert page_address(host, 8080, routed=lambda: None) == f"http://{NAME}:8080/"


@pytest.mark.parametrize(
    ("host", "address"),
    [("127.0.0.1", "http://127.0.0.1:80/"), ("crib.pub", "http://crib.pub:80/"), ("fd00::5", "http://[fd00::5]:80/")],
)
def test_a_page_on_one_address_has_that_address(host: str, address: str) -> None:
    assert page_address(host, 80) == address


@pytest.mark.parametrize(
    ("host", "opened"),
    [("127.0.0.1", False), ("localhost", False), ("::1", False), ("0.0.0.0", True), ("192.168.1.9", True)],
)
def test_only_this_machine_reaches_a_loopback_address(host: str, opened: bool) -> None:
    assert is_open(host) is opened


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
