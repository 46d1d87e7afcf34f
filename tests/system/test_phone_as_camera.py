"""A phone as the camera, the whole way: a browser's camera, TLS, the eye, the reader, the score."""

import re
from pathlib import Path

import pytest
from people import reply
from phone_films import film, phone
from running import PATIENCE_S, Table, table

THROWN = [1, 1, 5, 2, 3, 4]


def become_camera(page, running: Table) -> None:
    running.ready().says("HTTPS, for phones that play: ")
    secure = next(line for line in running.said if line.startswith("HTTPS, for")).rpartition(" ")[2]
    page.goto(f"{secure}camera")
    page.get_by_role("button", name="Be the camera").click()


OPTIONS = ("--camera", "phone", "--host", "127.0.0.1", "--tls-port", "0", "--players", "Ann,Ben")


@pytest.mark.browser
def test_a_throw_before_a_phones_camera_is_read_and_scored(chromium, tmp_path: Path) -> None:
    """Whatever a busy machine shows of the throw, the table counts it by itself or asks whether it was thrown."""
    acts = (
        (lambda hands: hands.still(), 1.0),
        (lambda hands: hands.throw(THROWN), 2.0),
        (lambda hands: hands.shelve(range(6)), 1.0),
    )
    shown = film(tmp_path / "throw.mjpeg", 3, acts)
    with table(tmp_path / "table", *OPTIONS) as running, phone(chromium, shown) as page:
        become_camera(page, running)
        read(running, 1, sorted(THROWN))
        assert {"dice": [2, 1, 1], "points": 4} in [
            {name: each[name] for name in ("dice", "points")} for each in running.get("state")["selections"]
        ]
        seen = page.get_by_text(re.compile("I see .* tags"))
        seen.wait_for(timeout=1000 * PATIENCE_S)
        page.context.set_offline(True)
        page.get_by_text("The table does not answer.").wait_for(timeout=1000 * PATIENCE_S)
        seen.wait_for(state="hidden", timeout=1000 * PATIENCE_S)
        page.context.set_offline(False)
        seen.wait_for(timeout=1000 * PATIENCE_S)
        page.get_by_text("The table does not answer.").wait_for(state="hidden")
        assert page.evaluate("document.getElementById('picture').videoWidth") == 960
        page.get_by_role("button", name="Stop").click()
        page.get_by_role("button", name="Be the camera").wait_for()
        running.end()


PROPPED = Path(__file__).resolve().parents[1] / "pictures" / "propped"
"""A grey print at 35 degrees, traced: 0 is the empty sheet, 1 to 3 are throws, 4 to 6 the throws of one turn."""

SHOWING = """
navigator.mediaDevices.getUserMedia = async () => {
  const canvas = Object.assign(document.createElement("canvas"), { width: 960, height: 720 });
  const drawing = canvas.getContext("2d");
  const pictures = [0, 1, 2, 3, 4, 5, 6].map((number) => Object.assign(new Image(), { src: `/propped/${number}.jpg` }));
  await Promise.all(pictures.map((picture) => picture.decode()));
  setInterval(() => {
    drawing.drawImage(pictures[window.laid ?? 0], 0, 0);
    drawing.fillStyle = `rgb(${Math.random() * 255}, 0, 0)`; // a camera whose pictures are equal is frozen
    drawing.fillRect(0, 0, 2, 2);
  }, 40);
  return canvas.captureStream(25);
};
"""

TURN = (((2, 3, 3, 4, 5, 6), (2,)), ((1, 2, 2, 3, 5), (2, 2)), ((2, 4, 5), ()))
"""The faces of each throw, and the dice that lie on the shelf at the next one."""


def done(page, step: str) -> str:
    """Do a step of the calibration, and return what the page says of it."""
    page.evaluate("step => { document.querySelector(`#step-${step} details`).open = true; }", step)
    page.locator(f"button#{step}:enabled").click(timeout=1000 * PATIENCE_S)
    said = page.locator(f"#step-{step} .said", has_text=re.compile(r"\w[.?]$"))
    said.wait_for(timeout=1000 * PATIENCE_S)
    return said.inner_text()


def read(running: Table, throw: int, faces: list[int]) -> None:
    """Wait until the table has this throw; say that it was thrown if the calibrated eye sees its dice first."""
    state = running.until(lambda state: state["throw_seq"] == throw or state["phase"] == "asking")
    if state["phase"] == "asking":
        running.post(*reply(state, faces))
        state = running.until(lambda state: state["phase"] == "choosing")
    assert sorted(state["roll"]) == faces


@pytest.mark.browser
def test_a_propped_sheet_is_calibrated_and_a_turn_of_three_throws_played_on_it(chromium, tmp_path: Path) -> None:
    with table(tmp_path / "table", *OPTIONS[:-2]) as running, phone(chromium, tmp_path / "none.mjpeg") as camera:
        camera.add_init_script(SHOWING)
        camera.route("**/propped/*", lambda route: route.fulfill(path=PROPPED / Path(route.request.url).name))
        become_camera(camera, running)
        page = chromium.new_page()
        page.goto(f"{running.address}calibrate")
        assert done(page, "empty") == "The empty tray is taken."
        for picture in (1, 2, 3):
            camera.evaluate("number => { window.laid = number; }", picture)
            while running.get("calibration")["throws"] < picture:
                done(page, "throw")  # until the picture has come, it says that it sees no dice, or the same ones
        assert "3 of 3 throws are read surely" in done(page, "save")
        assert done(page, "read") == "I read 1 1 4 5 5 5."
        running.post("game", {"rules": "farkle-cribbage", "players": ["Ann", "Ben"]})
        page.goto(running.address)
        for throw, (faces, chosen) in enumerate(TURN, 1):
            camera.evaluate("number => { window.laid = number; }", 3 + throw)
            read(running, throw, list(faces))
            if chosen:
                running.post("keep", {"dice": chosen})
        page.get_by_role("button", name="BANK").click()
        page.get_by_text("Ann banks 8 and has 8.").first.wait_for(timeout=1000 * PATIENCE_S)
        running.end()
