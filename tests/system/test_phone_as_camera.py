"""A phone as the camera, the whole way: a browser's camera, TLS, the eye, the reader, the score."""

import re
from pathlib import Path

import pytest
from people import reply
from phone_films import Act, film, phone
from planned_game import planned_game
from running import PATIENCE_S, Table, table

THROWN = [1, 1, 5, 2, 3, 4]


def become_camera(page, running: Table) -> None:
    running.ready().says("HTTPS, for phones that play: ")
    secure = next(line for line in running.said if line.startswith("HTTPS, for")).rpartition(" ")[2]
    page.goto(f"{secure}camera")
    page.get_by_role("button", name="Be the camera").click()


OPTIONS = ("--camera", "phone", "--host", "127.0.0.1", "--tls-port", "0", "--players", "Ann,Ben")


@pytest.mark.browser
@pytest.mark.smoke
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


@pytest.mark.browser
@pytest.mark.timeout(900)
def test_a_whole_game_before_a_phones_camera_needs_only_the_button_bank(chromium, tmp_path: Path) -> None:
    """The film reacts to nothing: a throw that the table misses, or asks about, fails.

    After each throw the dice rest for seconds. A slow machine has time to read them and the test to press the button.
    """
    throws, end = planned_game(31, 37, ("Ann", "Ben"))

    def aside(dice: tuple[int, ...]) -> Act:
        return lambda hands: hands.shelve(hands.find(dice))

    acts: list[tuple[Act, float]] = [(lambda hands: hands.still(), 15.0)]
    for each in throws:
        acts.append((lambda hands, faces=each.faces: hands.throw(faces), 8.0))
        if each.aside:
            acts.append((aside(each.aside), 3.0))
    acts.append((lambda hands: hands.still(), 20.0))
    shown = film(tmp_path / "game.mjpeg", 7, acts)
    options = (*OPTIONS, "--start", "Ann", "--set", "target=31")
    with table(tmp_path / "table", *options) as running, phone(chromium, shown) as page:
        become_camera(page, running)
        for seq, each in enumerate(throws, start=1):
            state = running.until(lambda state, seq=seq: state["throw_seq"] >= seq or state["question"] is not None)
            assert (state["question"], state["throw_seq"]) == (None, seq), running.said
            if each.banks:
                assert sorted(state["roll"]) == sorted(each.faces)
                assert running.post("buttons/bank", {"press": "tap"})[0] == 200
        state = running.until(lambda state: state["phase"] == "over")
        assert [player["score"] for player in state["players"]] == [side.score for side in end.sides]
        assert state["winners"] == [end.players[winner] for winner in end.winners]
        running.end()
