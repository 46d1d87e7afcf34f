"""A phone as the camera: who may send pictures, what else is refused, and what such a phone may no longer do."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from served import JPEG, Served, refusal, served
from test_camera_phone import Eye

from companion.devices.camera_phone import CameraPhone
from companion.web.guard import limits
from companion.web.guard.access import PICTURES
from companion.web.guard.limits import Rate


@pytest.fixture
def eye() -> Eye:
    return Eye()


@pytest.fixture
def table(tmp_path: Path, eye: Eye) -> Iterator[Served]:
    with served(tmp_path, camera=CameraPhone(eye, time.monotonic)) as running:  # type: ignore[arg-type]
        yield running


def be_camera(table: Served, phone: dict[str, str], *, over: bool = False) -> httpx.Response:
    return table.afar("POST", "/api/v1/camera", {"over": over}, **phone)


def send(table: Served, phone: dict[str, str], picture: bytes = JPEG, kind: str = "image/jpeg") -> httpx.Response:
    return table.afar("POST", PICTURES, picture, **phone, **{"content-type": kind})


def test_the_phone_that_is_the_camera_sends_pictures_to_the_eye(table: Served, eye: Eye) -> None:
    phone = table.phone()
    assert be_camera(table, phone).status_code == 204
    answer = send(table, phone)
    assert (answer.status_code, set(answer.json())) == (200, {"every_ms", "longest_px", "quality"})
    assert eye.shown == [JPEG]


def test_a_phone_that_came_by_the_address_alone_finds_how_to_be_the_camera(table: Served) -> None:
    for path in ("/", "/join"):
        assert 'href="/camera"' in table.afar("GET", path).text
    assert 'href="/join?then=camera"' in table.afar("GET", "/camera").text


def test_a_phone_that_is_not_the_camera_sends_none_and_is_asked_before_it_takes_over(table: Served, eye: Eye) -> None:
    first, second = table.phone("Mia"), table.phone("Ben")
    assert send(table, first).status_code == 403
    be_camera(table, first)
    assert refusal(send(table, second)) == (403, "This phone is not the camera now.")
    assert refusal(be_camera(table, second)) == (409, "Mia is the camera now.")
    assert be_camera(table, second, over=True).status_code == 204
    assert send(table, first).status_code == 403
    assert eye.shown == []


def test_the_camera_gives_up_its_place_and_cannot_play(table: Served) -> None:
    table.game()
    phone = table.phone()
    assert table.afar("PUT", "/api/v1/seat", {"player": "Ann"}, **phone).status_code == 204
    be_camera(table, phone)
    assert table.afar("GET", "/api/v1/access", **phone).json()["phone"]["seat"] == ""
    for method, path in (("POST", "buttons/keep"), ("PUT", "seat"), ("POST", "undo")):
        refused = table.afar(method, f"/api/v1/{path}", {"player": "Ann"}, **phone)
        assert refusal(refused) == (403, "This phone is the camera, so it cannot play. Play on another phone.")
    assert table.afar("DELETE", "/api/v1/camera", **phone).status_code == 204
    assert table.afar("PUT", "/api/v1/seat", {"player": "Ann"}, **phone).status_code == 204


def test_this_machine_may_be_the_camera_and_play(table: Served, eye: Eye) -> None:
    table.game()
    assert table.post("camera").status_code == 204
    assert table.client.post(PICTURES, content=JPEG, headers={"content-type": "image/jpeg"}).status_code == 200
    assert table.post("pause").status_code == 200
    assert eye.shown == [JPEG]


def test_only_jpegs_of_half_a_megabyte_are_taken(table: Served, eye: Eye) -> None:
    phone = table.phone()
    be_camera(table, phone)
    assert send(table, phone, JPEG, "application/json").status_code == 415
    assert send(table, phone, JPEG, "image/png").status_code == 415
    assert send(table, phone, b"{}").status_code == 422
    assert send(table, phone, JPEG.ljust(limits.JPEG.most_bytes + 1)).status_code == 413
    assert eye.shown == []
    assert send(table, phone, JPEG.ljust(limits.JPEG.most_bytes)).status_code == 200


def test_pictures_have_a_rate_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "JPEG", replace(limits.JPEG, rate=Rate(0.001, 3)))
    with served(tmp_path, camera=CameraPhone(Eye(), time.monotonic)) as table:  # type: ignore[arg-type]
        phone = table.phone()
        be_camera(table, phone)
        assert [send(table, phone).status_code for _ in range(4)] == [200, 200, 200, 429]
        assert be_camera(table, phone).status_code == 204


def test_a_table_with_another_camera_has_no_use_for_a_phone(tmp_path: Path) -> None:
    with served(tmp_path) as table:
        status, why = refusal(table.post("camera"))
        assert (status, "--camera phone" in why) == (404, True)
        assert "--camera phone" in table.client.get("/camera").text
