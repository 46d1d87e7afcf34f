"""The phone that is the camera: one at a time, and what the table wants of its pictures."""

from dataclasses import dataclass, field

import pytest

from companion.devices.camera_phone import IDLE, IDLE_S, MOVING, SILENT_S, CameraPhone


@dataclass
class Eye:
    """An eye that keeps what it is shown, and the clock of its table."""

    shown: list[bytes] = field(default_factory=list)
    still_s: float = 0.0
    now: float = 100.0

    def clock(self) -> float:
        return self.now

    def show(self, picture: bytes) -> None:
        self.shown.append(picture)

    def still_for_s(self) -> float:
        return self.still_s


@pytest.fixture
def eye() -> Eye:
    return Eye()


@pytest.fixture
def camera(eye: Eye) -> CameraPhone:
    return CameraPhone(eye, eye.clock)  # type: ignore[arg-type]


def test_another_phone_is_told_whose_pictures_come_and_may_take_over(camera: CameraPhone) -> None:
    assert not camera.is_camera("a")
    assert camera.take("a", "Mia", over=False) == ""
    assert camera.take("b", "Ben", over=False) == "Mia"
    assert (camera.is_camera("a"), camera.is_camera("b"), camera.is_camera("")) == (True, False, False)
    assert camera.take("b", "Ben", over=True) == ""
    assert (camera.is_camera("a"), camera.is_camera("b")) == (False, True)


def test_a_silent_camera_is_replaced_without_a_question(camera: CameraPhone, eye: Eye) -> None:
    camera.take("a", "Mia", over=False)
    eye.now += SILENT_S - 0.1
    camera.give(b"picture")
    eye.now += SILENT_S - 0.1
    assert camera.take("b", "Ben", over=False) == "Mia"
    eye.now += 0.1
    assert camera.take("b", "Ben", over=False) == ""


def test_only_the_camera_itself_leaves(camera: CameraPhone) -> None:
    camera.take("a", "Mia", over=False)
    camera.leave("b")
    assert camera.is_camera("a")
    camera.leave("a")
    assert not camera.is_camera("a")
    assert camera.take("b", "Ben", over=False) == ""


def test_the_eye_gets_each_picture_and_fewer_are_wanted_while_nothing_moves(camera: CameraPhone, eye: Eye) -> None:
    camera.take("a", "Mia", over=False)
    assert camera.give(b"1") == MOVING
    eye.still_s = IDLE_S
    assert camera.give(b"2") == IDLE
    eye.still_s = 0.0
    assert camera.give(b"3") == MOVING
    assert eye.shown == [b"1", b"2", b"3"]
