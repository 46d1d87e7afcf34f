"""Calibration from the page: each step over the API, and the page itself in a real browser."""

import functools
import multiprocessing
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from served import Served, refusal, served
from test_set_up import Told, made

from companion.calibration.picture_work import problem_in_words
from companion.calibration.session import CalibrationSession
from companion.calibration.store import load_calibration
from companion.calibration.tray_cameras import EyeCamera, SimulatedCamera
from companion.config_files import load_layers
from companion.words import english
from dicereader.data.camera_modules import CameraView
from dicereader.data.frame import Pixels
from dicereader.data.pictures import decode
from dicereader.tray.calibration import Calibration
from dicereader.tray.fitness import problems_of

SEED = 9


@pytest.fixture
def told() -> list[tuple[Calibration, bytes]]:
    """Return what the eye is told: each calibration with its picture of the empty tray."""
    return []


@pytest.fixture
def table(tmp_path: Path, told: list[object]) -> Iterator[Served]:
    camera = SimulatedCamera(SEED)
    calibration = CalibrationSession(camera, f"simulated:{SEED}", tmp_path, lambda *known: told.append(known))
    with served(tmp_path, calibration=calibration) as running:
        yield running


class Watched:
    """A table whose eye shows what a test gives it."""

    def __init__(self) -> None:
        self.pictures: list[bytes] = []
        self.looks = 0
        self.seen: CameraView | None = None
        self.age_s = 0.0
        self.table: Served

    def shows(self, *pictures: bytes, view: CameraView | None = None) -> Served:
        """Show these pictures in turn from now on."""
        self.pictures, self.looks, self.seen, self.age_s = list(pictures), 0, view, 0.0
        return self.table

    def jpeg(self) -> bytes:
        self.looks += 1
        return self.pictures[self.looks % len(self.pictures)]


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """Serve a table to which tests show their own pictures; they share the process that reads them."""
    folder, watched = tmp_path_factory.mktemp("watched"), Watched()
    camera = EyeCamera(watched.jpeg, lambda: watched.seen, lambda: watched.age_s, pause=lambda _: None)
    with served(folder, calibration=CalibrationSession(camera, "usb:0", folder, bool)) as watched.table:
        yield watched


def jpeg(level: int) -> bytes:
    return cv2.imencode(".jpg", grey(level))[1].tobytes()


def test_each_step_leads_to_the_next_until_a_throw_is_read(table: Served, told: list, tmp_path: Path) -> None:
    answer = table.client.get("/api/v1/calibration")
    assert answer.headers["cache-control"] == "no-store"
    assert ([tag["number"] for tag in answer.json()["tags"]], answer.json()["problems"]) == ([0, 1, 2, 3], [])
    assert table.client.get("/api/v1/calibration/tray.jpg").content.startswith(b"\xff\xd8")
    assert why(table, "throw") == "Take the picture of the empty tray first."
    assert why(table, "read") == "Learn and save first."
    assert table.post("calibration/empty").json()["empty"] is True
    assert table.host.state.active_s is not None  # who calibrates is at the table, which does not go dim
    assert table.post("calibration/throw").json()["throws"] == 1
    saved = table.post("calibration/save")
    assert (saved.status_code, saved.json()["calibrated"]) == (200, True)
    assert re.search(r"[01] of 1 throw ", saved.json()["said"])  # a busy machine may spoil a picture
    stored = load_calibration(tmp_path, f"simulated:{SEED}")
    assert stored.calibration is not None
    ((known, empty),) = told
    assert (known.dice, empty) == (stored.calibration.dice, stored.empty)
    read = table.post("calibration/read").json()
    assert len(read["dice"]) == 6
    faces = " ".join(str(face) for face in sorted(die["face"] for die in read["dice"]))
    assert read["said"].startswith(f"I read {faces}")


def test_a_killed_picture_process_is_reported_and_another_one_started(watched: Watched) -> None:
    table = watched.shows(lit(1.0))
    assert table.post("calibration/empty").status_code == 200
    for worker in multiprocessing.active_children():  # also what an earlier test has left
        worker.kill()
        worker.join()
    assert why(table, "empty") == "The process that reads pictures has ended. Try again."
    assert table.post("calibration/empty").status_code == 200


@pytest.mark.exhaustive
def test_a_folder_that_cannot_be_written_is_reported(tmp_path: Path, told: list) -> None:
    (tmp_path / "taken").write_text("a file, and no folder")
    camera = SimulatedCamera(SEED, chance=random.Random(SEED))
    folder = tmp_path / "taken" / "folder"
    calibration = CalibrationSession(camera, "usb:0", folder, lambda *known: told.append(known))
    with served(tmp_path / "table", calibration=calibration) as running:
        running.post("calibration/empty")
        running.post("calibration/throw")
        assert running.post("calibration/save").status_code == 503
    assert told == []


@pytest.mark.parametrize(
    "body", [{"corners": [[1, 2]]}, {"die_mm": 400}, {"inside_mm": "wide"}, {"corners": [[1, 2, 3]] * 4}, {"else": 1}]
)
def test_an_impossible_body_is_refused(watched: Watched, body: dict) -> None:
    assert watched.table.post("calibration/save", body).status_code == 422


def test_a_table_without_a_camera_has_nothing_to_calibrate(tmp_path: Path) -> None:
    with served(tmp_path) as running:
        assert running.client.get("/api/v1/calibration").status_code == 404
        assert running.post("calibration/empty").status_code == 404
        assert running.client.get("/api/v1/calibration/tray.jpg").status_code == 404
        page = running.client.get("/calibrate")
        assert (page.status_code, "There is no camera to calibrate" in page.text) == (404, True)


def test_a_camera_that_gave_no_picture_yet_says_so(tmp_path: Path) -> None:
    with served(tmp_path, calibration=CalibrationSession(EyeCamera(lambda: None), "usb:0", tmp_path, bool)) as running:
        answer = running.client.get("/api/v1/calibration")
        assert (answer.status_code, "no picture yet" in answer.json()["detail"]) == (404, True)


@functools.cache
def drawn_tray() -> Pixels:
    return decode(SimulatedCamera(SEED).picture("now"), "the tray")


def drawn(part: float) -> bytes:
    """Draw the empty tray as a lens with this part of the field sees it: 3/4 of the drawn 66 degrees are 52 degrees."""
    picture = drawn_tray()
    height, width = picture.shape[:2]
    seen = picture[: int(height * part), : int(width * part)]
    return cv2.imencode(".jpg", cv2.resize(seen, (width, height)))[1].tobytes()


def test_for_a_camera_that_is_too_low_the_page_says_how_far_to_raise_it(watched: Watched) -> None:
    running = watched.shows(drawn(0.75), view=CameraView("imx708", "", 52.0, 41.0))
    problems = running.client.get("/api/v1/calibration").json()["problems"]
    (words,) = [each for each in problems if each.startswith("camera too low: raise the camera by ")]
    assert words.split()[7:9] == ["24", "%"], words


def grey(level: int) -> Pixels:
    return np.full((480, 640, 3), level, np.uint8)


def shifted(across: float, up: float) -> Pixels:
    """Return a drawn tray, moved out of the picture by these parts of its size."""
    picture = drawn_tray()
    height, width = picture.shape[:2]
    moved = np.array([[1, 0, across * width], [0, 1, up * height]], np.float64)
    return np.asarray(cv2.warpAffine(picture, moved, (width, height)), np.uint8)


@pytest.mark.parametrize(
    ("draw", "kinds"),
    [
        (lambda: grey(8), {"too dark", "tag hidden"}),
        (lambda: grey(255), {"too bright", "glare"}),
        (lambda: cv2.GaussianBlur(shifted(0, 0), (0, 0), 2.0), {"out of focus"}),
        (lambda: decode(drawn(0.75), "the tray"), {"camera too low", "tag hidden"}),
        (lambda: shifted(0.1, -0.1), {"camera off centre"}),
    ],
)
def test_a_problem_of_a_picture_has_a_sentence_that_begins_with_its_kind(
    draw: Callable[[], Pixels], kinds: set[str]
) -> None:
    problems = problems_of(draw(), view=CameraView("imx708", "", 62.2, 41.0))
    assert kinds <= {problem.kind for problem in problems}
    for problem in problems:
        assert english().text(problem_in_words(problem)).startswith(f"{problem.kind}: ")


def seen(running: Served) -> tuple[bool, int]:
    """Return whether the empty tray was taken, and how many throws."""
    now = running.client.get("/api/v1/calibration").json()
    return now["empty"], now["throws"]


def why(running: Served, step: str) -> str:
    """Return why a step of the calibration is refused."""
    status, reason = refusal(running.post(f"calibration/{step}"))
    assert status == 422
    return reason


@functools.cache
def drawn_throw(number: int) -> bytes:
    return SimulatedCamera(SEED, chance=random.Random(number)).picture("throw")


@functools.cache
def without_a_tag() -> bytes:
    """Draw the empty tray with something on its first tag."""
    picture = drawn_tray().copy()
    picture[: picture.shape[0] // 4, : picture.shape[1] // 4] = 40
    return cv2.imencode(".jpg", picture)[1].tobytes()


def test_a_tray_with_dice_or_a_hidden_tag_is_not_taken_as_empty(watched: Watched) -> None:
    before = seen(running := watched.shows(drawn_throw(1)))
    assert "Clear the tray, the shelf too" in why(running, "empty")
    running = watched.shows(without_a_tag())
    assert why(running, "empty") == "Not taken: I must see all four tags."
    assert seen(running) == before
    assert running.post("calibration/empty", {"by_corners": True}).json()["empty"] is True


def test_only_dice_that_were_thrown_anew_are_taken_as_a_throw(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = watched.shows(lit(1.0))
    running.post("calibration/empty")
    assert why(running, "throw").startswith("I see no dice.")
    watched.shows(drawn_throw(1))
    assert running.post("calibration/throw").json()["said"] == "The throw is taken: I see 6 dice."
    assert why(running, "throw").startswith("These dice lie as in a throw that was taken.")
    assert seen(running) == (True, 1)
    watched.shows(drawn_throw(2))
    assert running.post("calibration/throw").json()["throws"] == 2
    monkeypatch.setattr("companion.calibration.session.MOST_THROWS", 2)
    assert why(running, "throw") == "2 throws are enough. Learn and save."


def test_an_old_picture_says_its_age_and_nothing_is_taken_from_it(watched: Watched) -> None:
    running = watched.shows(lit(1.0))
    assert running.client.get("/api/v1/calibration").json()["age_s"] == 0
    watched.age_s = 12.2
    assert running.client.get("/api/v1/calibration").json()["age_s"] == 12
    assert why(running, "empty").startswith("The newest picture is 12 seconds old.")
    watched.age_s = 0.4
    running.post("calibration/empty")
    watched.shows(drawn_throw(1))
    watched.age_s = 12.2
    assert why(running, "throw").startswith("The newest picture is 12 seconds old.")


@pytest.mark.browser
def test_a_person_calibrates_by_tapping(table: Served, told: list, tabs) -> None:
    page = tabs()
    page.goto(f"{table.client.base_url}/calibrate")
    page.locator("#tags polygon").nth(3).wait_for()
    assert page.locator("#throw").is_disabled()
    page.locator("#empty").click()
    page.locator("#throw:not([disabled])").click()
    page.locator("#throws:has-text('1 taken')").wait_for()
    page.locator("#step-save summary").click()
    for step, button, said in (("save", "#save", "Saved"), ("read", "#read", "I read")):
        page.locator(f"{button}:not([disabled])").click()
        result = page.locator(f"#step-{step} .said:has-text('{said}')")
        result.wait_for()
        box = result.bounding_box()
        assert (page.evaluate("scrollY"), box["y"] + box["height"] <= 800) == (0, True)
    assert len(told) == 1


@pytest.mark.browser
def test_a_corner_is_dragged_by_finger_and_moved_by_key(table: Served, tabs) -> None:
    page = tabs()
    page.goto(f"{table.client.base_url}/calibrate")
    page.locator("#tags polygon").first.wait_for()
    page.locator("#by-corners").check()
    corner = page.locator("#corners circle").first
    box = corner.bounding_box()
    assert min(box["width"], box["height"]) >= 44
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y + 25, steps=4)
    page.mouse.up()
    assert corner.bounding_box()["x"] - box["x"] == pytest.approx(40, abs=2)
    before = float(corner.get_attribute("cx"))
    corner.press("ArrowRight")
    assert float(corner.get_attribute("cx")) == before + 2


def lit(level: float, spot: bool = False) -> bytes:
    """Draw the empty tray in a light of this level, with a lamp mirrored in its floor."""
    picture = (drawn_tray() * level).astype(np.uint8)
    if spot:
        cv2.circle(picture, (480, 330), 25, (255, 255, 255), -1)
    return cv2.imencode(".jpg", picture)[1].tobytes()


def test_the_empty_tray_is_measured_and_a_mirrored_lamp_is_marked(watched: Watched) -> None:
    for pictures, warning, marks in (
        ([lit(0.9), lit(0.9)], "", 0),
        ([lit(0.9), lit(0.8)], "lamp flickers", 0),
        ([lit(0.9, spot=True)], "lamp is mirrored", 1),
    ):
        running = watched.shows(*pictures)
        now = running.post("calibration/empty").json()
        again = running.client.get("/api/v1/calibration").json()
        assert [warning in words for words in now["warnings"]] == [True] * bool(warning)
        assert len(now["marks"]) == marks
        assert (again["marks"], again["warnings"]) == (now["marks"], now["warnings"])
        for x, y, wide, high in now["marks"]:
            assert x <= 480 <= x + wide
            assert y <= 330 <= y + high


def test_the_table_of_a_new_tray_leads_to_it(tmp_path: Path) -> None:
    calibration = CalibrationSession(EyeCamera(lambda: jpeg(90)), "usb:0", tmp_path, bool)
    set_up = made(tmp_path, Told())
    set_up.calibration = calibration
    set_up.config = load_layers(None, {"camera.source": "usb:0"}).config
    with served(tmp_path, calibration=calibration, set_up=set_up) as running:
        assert 'data-missing="tray"' in running.client.get("/").text
