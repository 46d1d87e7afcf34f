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
        state = running.until(lambda state: state["phase"] in {"choosing", "asking"})
        if state["phase"] == "asking":
            path, body = reply(state, THROWN)
            running.post(path, body)
            state = running.until(lambda state: state["phase"] == "choosing")
        assert sorted(state["roll"]) == sorted(THROWN)
        assert {"dice": [2, 1, 1], "points": 4} in [
            {name: each[name] for name in ("dice", "points")} for each in state["selections"]
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
