"""A phone asks to play, answers with what the table shows, takes a place, and is taken away."""

import errno
import re
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from io import BytesIO
from itertools import product
from pathlib import Path
from zipfile import ZipFile

import httpx
import pytest
from served import OWN_PAGE, Served, refusal, served
from test_access import routes
from test_connections import await_text, connect, whole

from companion.calibration.session import CalibrationSession
from companion.calibration.tray_cameras import SimulatedCamera
from companion.devices.phrases import call_out
from companion.errors import RefusedError
from companion.pairing.door import LitHoles, Shows
from companion.pairing.pairing import Pairing
from companion.pairing.phones import PhonesFile
from companion.runtime.feed import Update
from companion.table.state.inputs import Gesture, Origin, Pause, Press, Started
from companion.web.guard import limits
from companion.web.guard.limits import Rate
from companion.words import english
from pegboard.buttons.port import Button

COOKIE = "farklecrib-8080="


@pytest.fixture
def table(table: Served) -> Served:
    return table.take(Started(lets_in=True))


def ask(table: Served, path: str, body: object, method: str = "POST", **headers: str) -> httpx.Response:
    answer = table.afar(method, f"/api/v1/{path}", body, **{**OWN_PAGE, **headers})
    table.host.consult(lambda _: None).result(60)  # the table has taken what the request put into its inbox
    return answer


def let_in(table: Served, name: str = "Mia") -> dict[str, str]:
    """Let a phone in by asking, the menu and the digits; return the headers of its requests."""
    assert ask(table, "pairing/ask", {"name": name}).status_code == 204
    table.take(Pause())
    table.post("answer", {"answer": "let_in"})
    answer = ask(table, "pairing/answer", {"name": name, "digits": table.pairing.digits()})
    assert answer.status_code == 204, answer.text
    return {**OWN_PAGE, "cookie": answer.headers["set-cookie"].partition(";")[0]}


def test_a_phone_asks_is_let_in_and_plays(table: Served) -> None:
    table.game()
    phone = let_in(table)
    assert ask(table, "access", None, "GET", **phone).json()["phone"]["name"] == "Mia"
    assert table.state()["message"]["text"].startswith("Mia may play now.")
    table.throws("111346")
    answer = ask(table, "buttons/bank", {}, **phone)
    assert answer.status_code == 200
    assert (answer.json()["last"]["kind"], answer.json()["by"]) == ("bank", "Mia")
    (listed,) = ask(table, "phones", None, "GET", **phone).json()
    assert (listed["name"], listed["did"]) == ("Mia", "bank")


@pytest.mark.parametrize(
    ("scheme", "name", "more"), [("http", "farklecrib-8080", set()), ("https", "__Host-farklecrib", {"Secure"})]
)
def test_the_cookie_holds_a_token_and_nothing_else_and_no_script_and_no_other_site_sends_it(
    tmp_path: Path, scheme: str, name: str, more: set[str]
) -> None:
    with served(tmp_path, tls=scheme == "https") as table:
        table.pairing.open()
        body, origin = {"name": "Mia", "digits": table.pairing.digits()}, f"{scheme}://{OWN}"
        answer = table.afar("POST", "/api/v1/pairing/answer", body, base=origin, origin=origin)
    cookie, *attributes = answer.headers["set-cookie"].split("; ")
    assert cookie.partition("=")[0] == name
    assert len(bytes.fromhex(cookie.partition("=")[2])) == 16
    assert set(attributes) == {"Path=/", "Max-Age=43200", "HttpOnly", "SameSite=Strict", *more}


def test_who_asks_is_shown_to_everyone_and_the_menu_begins_with_letting_it_in(table: Served) -> None:
    table.game()
    ask(table, "pairing/ask", {"name": " Mia  "})
    table.take(Pause())
    assert (table.state()["asks"], table.state()["question"]["keys"][0]) == ("Mia", "let_in")
    assert table.state()["captions"]["keep"]["tap"] == "go on"
    assert ask(table, "pairing/door", None, "GET").json()["asks"] == "Mia"


def test_in_the_lobby_keep_lets_in_and_adds_no_player(table: Served) -> None:
    ask(table, "pairing/ask", {"name": "Mia"})
    before = table.state()
    assert before["captions"]["keep"]["tap"] == "let the phone in"
    table.take(Press(Button.KEEP, origin=Origin.TABLE))
    after = table.state()
    assert (after["lobby"]["names"], after["door_open"]) == (before["lobby"]["names"], True)
    assert after["captions"]["keep"]["tap"] == "one more player"


def test_who_plays_refuses_a_phone_that_asks_and_it_waits_for_its_minute(table: Served) -> None:
    ask(table, "pairing/ask", {"name": "Mia"})
    assert ask(table, "pairing/refuse", {}).status_code == 403, "a phone that only watches"
    assert ask(table, "pairing/refuse", {}, **table.phone("Tom")).status_code == 204
    assert (table.state()["asks"], ask(table, "pairing/door", None, "GET").json()["asks"]) == ("", "")
    assert ask(table, "pairing/ask", {"name": "Mia"}).status_code == 429


def test_once_a_phone_is_in_its_name_stands_in_the_place_of_the_digits_and_friends_still_get_in(table: Served) -> None:
    ask(table, "pairing/ask", {"name": "Mia"})
    table.post("pairing/open")
    open_door = table.client.get("/api/v1/pairing/door").json()
    assert (open_door["asks"], len(open_door["digits"]), open_door["came"]) == ("Mia", 6, "")
    for name in ("Mia", "Tom"):
        body = {"name": name, "digits": open_door["digits"]}
        assert ask(table, "pairing/answer", body).status_code == 204
        door = table.client.get("/api/v1/pairing/door").json()
        assert (door["came"], door["digits"], table.state()["door_open"]) == (name, "", False)
        assert table.state()["message"]["text"].startswith(f"{name} may play now.")


def test_keep_lets_in_only_where_it_would_do_nothing(table: Served) -> None:
    table.game()
    ask(table, "pairing/ask", {"name": "Mia"})
    assert table.state()["captions"]["keep"]["tap"] == "let the phone in"
    table.throws("111346")
    assert table.state()["captions"]["keep"]["tap"] != "let the phone in"
    table.presses("keep")
    assert table.pairing.door.opening is None
    table.post("buttons/bank")
    table.presses("keep")
    assert table.pairing.door.opening is not None
    assert table.state()["asks"] == ""


def test_asking_can_be_switched_off(tmp_path: Path) -> None:
    with served(tmp_path, asking=False) as table:
        assert ask(table, "pairing/ask", {"name": "Mia"}).status_code == 403
        assert not ask(table, "pairing/door", None, "GET").json()["may_ask"]


def test_wrong_answers_shut_the_door(table: Served) -> None:
    wrong = {"name": "Mia", "digits": "not it"}
    said = [refusal(ask(table, "pairing/answer", wrong))[1]]
    table.pairing.open()
    said += [refusal(ask(table, "pairing/answer", wrong))[1] for _ in range(5)]
    left = [f"{number} tr" for number in (4, 3, 2, 1)]
    for words, told in zip(("The door is", *left, "shut now"), said, strict=True):
        assert words in told


def test_of_many_guesses_of_many_addresses_five_count_in_a_window(table: Served) -> None:
    table.pairing.open()
    guesses = [f"{number:06}" for number in range(50) if f"{number:06}" != table.pairing.digits()]
    counted = 0
    for number, guess in enumerate(guesses):
        body = {"name": "Eve", "digits": guess}
        answer = table.afar("POST", "/api/v1/pairing/answer", body, source=f"10.0.0.{number}", **OWN_PAGE)
        counted += not refusal(answer)[1].startswith("The door is shut.")
    assert counted == 5
    assert table.pairing.phones.all() == ()


def test_a_phone_that_was_taken_away_gets_nothing_for_its_cookie(table: Served) -> None:
    mia, tom = table.phone("Mia"), table.phone("Tom")
    (number,) = [each["id"] for each in ask(table, "phones", None, "GET", **tom).json() if each["name"] == "Mia"]
    assert ask(table, f"phones/{number}", None, "DELETE", **tom).status_code == 204
    assert ask(table, "access", None, "GET", **mia).json()["play"] is False
    assert ask(table, "undo", {}, **mia).status_code == 403
    assert ask(table, "undo", {}, **tom).status_code == 422


def test_the_menu_forgets_all_phones(table: Served) -> None:
    phone = table.game().phone()
    table.take(Pause())
    table.post("answer", {"answer": "forget_phones"})
    table.post("answer", {"answer": "forget_phones"})
    assert ask(table, "access", None, "GET", **phone).json()["play"] is False


def refuse(_: Path) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def forget_all(table: Served, phone: dict[str, str]) -> httpx.Response:
    for answer in ("forget_phones", "forget_phones"):
        if table.host.state.question is None:
            table.take(Pause())
        told = ask(table, "answer", {"answer": answer}, **phone)
    return told


WRITES: dict[str, Callable[[Served, dict[str, str]], httpx.Response]] = {
    "taken away": lambda table, mia: ask(table, f"phones/{table.pairing.phones.all()[0].id}", None, "DELETE", **mia),
    "all": forget_all,
    "pair": lambda table, _: ask(table, "pairing/answer", {"name": "Tom", "digits": table.pairing.digits()}),
    "seat": lambda table, phone: seat(table, "Ann", phone),
}
"""What changes the phones."""


@pytest.mark.parametrize("what", WRITES)
def test_an_answer_about_phones_comes_after_the_disk(tmp_path: Path, what: str) -> None:
    file = PhonesFile(tmp_path, lambda: 0.0)
    with served(tmp_path, phones=file) as table:
        table.take(Started(lets_in=True))
        phone = table.game().phone()
        table.pairing.open()
        with pytest.MonkeyPatch.context() as full_disk:
            full_disk.setattr("companion.pairing.phones.replacing", refuse)
            status, why = refusal(WRITES[what](table, phone))
            assert (status, "No space left" in why) == (503, True)
            assert [(each.name, each.seat) for each in file.read()] == [("Mia", "")]
            removed = what in {"taken away", "all"}
            assert why.startswith("Taken away, but" if removed else "Not saved, and so not done")
            assert [(each.name, each.seat) for each in table.pairing.phones.all()] == [("Mia", "")][removed:]
            saved = english()("fault.phones")
            assert table.host.feed.wait(lambda update: saved in str(english().rendered(update.view).degraded), 60)
    assert [each.name for each in file.read()] == ["Mia"][removed:]


def by_socket(table: Served, token: str, head: str) -> socket.socket:
    """Send the head of a request of a phone, as another machine would, and return its connection."""
    port = table.client.base_url.port
    made = connect(port)
    own = f"Host: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nX-Forwarded-For: 192.168.7.20\r\n"
    made.sendall(f"{head} HTTP/1.1\r\n{own}Cookie: farklecrib-{port}={token}\r\n".encode())
    return made


def test_the_connections_of_a_phone_that_is_taken_away_end(table: Served) -> None:
    mia, token = table.game().pairing.phones.pair("Mia")
    tom, toms = table.pairing.phones.pair("Tom")
    stream = by_socket(table, token, "GET /api/v1/events")
    body = by_socket(table, token, "POST /api/v1/undo")
    others = by_socket(table, toms, "GET /api/v1/events")
    stream.sendall(b"\r\n")
    others.sendall(b"\r\n")
    body.sendall(b"Content-Length: 2\r\nContent-Type: application/json\r\n\r\n{")
    for each in (stream, others):
        await_text(each, b"data:")
    own = by_socket(table, token, f"DELETE /api/v1/phones/{mia.id}")
    own.sendall(b"\r\n")
    assert whole(own).startswith(b"HTTP/1.1 204")
    whole(stream)
    whole(body)
    table.rolling()
    with others:
        await_text(others, b"rolling")
    assert table.pairing.phones.holds(tom.id)


def test_two_phones_that_answer_at_once_both_get_in(table: Served) -> None:
    table.pairing.open()
    digits = table.pairing.digits()
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda name: table.pairing.answer(name, digits), ("Mia", "Tom")))
    assert len({token for _, token in answers}) == 2
    assert {each.name for each in table.pairing.phones.all()} == {"Mia", "Tom"}


def test_the_digits_are_shown_on_this_machine_and_never_to_the_network(table: Served) -> None:
    table.pairing.open()
    digits = table.pairing.digits()
    assert table.client.get("/api/v1/pairing/door").json()["digits"] == digits
    for path in TELLING:
        assert digits not in table.afar("GET", path).text, path
    assert digits not in repr((table.host.state, table.host.feed.latest))


def test_on_a_desk_pairing_is_one_click(tmp_path: Path) -> None:
    with served(tmp_path, shows=Shows.NOTHING) as table:
        assert table.post("pairing/answer", {"name": "Mia"}).status_code == 204
        assert table.client.get("/api/v1/access").json()["phone"]["name"] == "Mia"
        assert ask(table, "pairing/answer", {"name": "Eve"}).status_code == 403


def seat(table: Served, player: str, phone: dict[str, str]) -> httpx.Response:
    return ask(table, "seat", {"player": player}, "PUT", **phone)


def test_a_phone_takes_the_place_of_a_player_in_any_spelling_and_stands_up(table: Served) -> None:
    phone = table.game("Ann", "Ben").phone()
    assert seat(table, "ANN", phone).status_code == 204
    assert ask(table, "access", None, "GET", **phone).json()["phone"]["seat"] == "Ann"
    assert seat(table, "Cy", phone).status_code == 422
    assert seat(table, "", phone).status_code == 204
    assert ask(table, "access", None, "GET", **phone).json()["phone"]["seat"] == ""


def test_no_phone_takes_the_place_of_a_bot(table: Served) -> None:
    phone = table.game("Ann", "bot:bold").phone()
    assert refusal(seat(table, "Bones", phone)) == (422, "The board plays for Bones. Take the place of a person.")
    assert ask(table, "lobby", {"open": True}, **phone).status_code == 200
    assert seat(table, "Bones", phone).status_code == 422
    assert seat(table, "Ann", phone).status_code == 204


def seated(table: Served) -> tuple[dict[str, str], dict[str, str]]:
    """Begin a game of two players with phones; return the headers of both."""
    ann, ben = table.game("Ann", "Ben").phone("Ann's"), table.phone("Ben's")
    seat(table, "Ann", ann)
    seat(table, "Ben", ben)
    return ann, ben


def anns_page_opens(table: Served) -> None:
    table.pairing.arrives(next(each.id for each in table.pairing.phones.all() if each.seat == "Ann"))
    assert table.host.feed.wait(lambda update: update.view.players[0].phones == ("Ann's",), 60)


def test_the_turn_of_a_player_with_a_phone_is_not_another_phones(table: Served) -> None:
    ann, ben = seated(table)
    table.throws("111346")
    assert ask(table, "buttons/keep", {}, **ben).status_code == 200, "Ann's phone does not show the page"
    anns_page_opens(table)
    assert refusal(ask(table, "buttons/bank", {}, **ben)) == (422, "it is Ann’s turn")
    assert ask(table, "correct", {"roll": [1, 1, 1, 3, 4, 4]}, **ben).status_code == 200
    table.presses("keep")
    assert ask(table, "buttons/bank", {}, **ann).status_code == 200
    assert ask(table, "buttons/keep", {}, **table.phone("Cy's")).status_code == 422


def asked_on_bens(table: Served) -> tuple[dict[str, str], dict[str, str]]:
    """Let Ben's phone ask in Ann's turn, whose phone shows the page, to end the game; return the headers of both."""
    ann, ben = seated(table)
    anns_page_opens(table)
    ask(table, "pause", {}, **ben)
    assert ask(table, "answer", {"answer": "end_game"}, **ben).status_code == 200
    return ann, ben


def test_a_question_of_the_menu_is_answered_on_the_phone_that_is_asked(table: Served) -> None:
    ann, ben = asked_on_bens(table)
    assert (table.state()["question"]["by"], table.state()["to_move"]) == ("Ben's", "Ann")
    asked = (422, "Ben's’s phone is asked, or the table’s own buttons")
    assert refusal(ask(table, "buttons/roll", {}, **ann)) == asked
    assert ask(table, "answer", {"answer": "end_game"}, **table.phone("Cy's")).status_code == 422
    assert ask(table, "answer", {"answer": "end_game"}, **ben).json()["phase"] == "over"


@pytest.mark.parametrize("how", ["buttons/keep", "answer", "the table"])
def test_everyone_may_go_on_with_the_game_and_the_table_answers_all(table: Served, how: str) -> None:
    ann, _ = asked_on_bens(table)
    if how == "the table":
        table.take(Press(Button.ROLL, origin=Origin.TABLE))
    else:
        assert ask(table, how, {"answer": "go_on"} if how == "answer" else {}, **ann).status_code == 200
    assert (table.state()["question"], table.state()["phase"]) == (None, "over" if how == "the table" else "to_throw")


def test_the_menu_of_a_phone_has_no_item_that_only_the_machine_may_confirm(table: Served) -> None:
    phone = table.game().phone()
    assert "power_off" not in ask(table, "pause", {}, **phone).json()["question"]["keys"]
    table.post("pause")
    assert "power_off" in table.post("pause").json()["question"]["keys"]
    table.post("pause")
    table.take(Started(real_buttons=True, lets_in=True))
    asked = ask(table, "pause", {}, **phone).json()["question"]
    assert "power_off" in asked["keys"]  # a press at the table confirms it


def test_a_phone_sets_the_table_up_once_keep_was_held_at_the_table(tmp_path: Path) -> None:
    calibration = CalibrationSession(SimulatedCamera(9), "simulated:9", tmp_path, bool)
    with served(tmp_path, calibration=calibration) as table:
        phone, other = table.game().phone("Mia"), table.phone("Tom")
        picture = "calibration/tray.jpg"
        assert ask(table, picture, None, "GET", **phone).status_code == 403
        assert table.afar("GET", "/calibrate", **phone).status_code == 403
        assert ask(table, "pairing/set-up", {}).status_code == 403, "a phone that only watches"
        assert table.post("pairing/set-up").status_code == 422, "no phone"
        assert ask(table, "pairing/open", {}).json()["detail"] == "This phone only watches. Ask to play first."
        assert ask(table, "pairing/set-up", {}, **phone).status_code == 204
        assert table.state()["sets_up"] == "Mia"
        held = [Press(Button.KEEP, gesture, Origin.NETWORK) for gesture in (Gesture.HOLD, Gesture.LONG_HOLD)]
        for given in held[1:]:
            table.take(given)
        assert ask(table, picture, None, "GET", **phone).status_code == 403, "not held at the table"
        for given in held:
            table.take(replace(given, origin=Origin.TABLE))
        assert ask(table, picture, None, "GET", **phone).status_code == 200
        assert ask(table, "access", None, "GET", **phone).json()["set_up"] is True
        assert ask(table, picture, None, "GET", **other).status_code == 403
        assert table.state()["question"] is None, "the hold before the long one opens no question"


def test_the_right_to_set_up_ends_after_ten_minutes(table: Served) -> None:
    clock, told = Clock(), []
    pairing = Pairing(table.host.feed, told.append, clock=clock)
    pairing.answer("Mia", pairing.open_with_digits(set_up=True))
    (phone,) = pairing.phones.all()
    pairing.ask_to_set_up(phone)
    for seconds, shown in ((59, "Mia"), (1, "")):
        clock.now += seconds
        pairing.refuse()  # the table is told what has changed
        assert told[-1].sets_up == shown
    clock.now += 600 - 61
    assert pairing.may_set_up(phone.id)
    clock.now += 1
    assert not pairing.may_set_up(phone.id)
    pairing.close()


def test_digits_of_the_machine_set_up_a_table_without_buttons_alone(table: Served) -> None:
    with_buttons = Pairing(table.host.feed, table.host.submit, real_buttons=True)
    with pytest.raises(RefusedError, match="hold KEEP"):
        with_buttons.open_with_digits(set_up=True)
    alone = Pairing(table.host.feed, table.host.submit, reachable=False)
    with pytest.raises(RefusedError, match="only this machine reaches"):
        alone.open_with_digits()


class Clock:
    """A clock that a test sets."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


TELLING = ("/", "/wall", "/phone", "/join", "/phones", "/api/v1/state", "/api/v1/access", "/api/v1/pairing/door")
VARIES = re.compile(r'"[0-9a-f]{8}"|"[0-9a-f]{64}"|id="[0-9a-f]+"|127\.0\.0\.1:\d+|\d{10}\.\d+|\d\d:\d\d')
"""What differs from table to table: ids, ports and times."""


def text_of(answer: httpx.Response) -> str:
    """Return what an answer says; of an archive its files, because its own bytes hold the time."""
    if answer.headers.get("content-type") != "application/zip":
        return answer.text
    with ZipFile(BytesIO(answer.content)) as archive:
        return "".join(f"{name} {archive.read(name).decode(errors='replace')}" for name in archive.namelist())


def everything_told(
    folder: Path, holes: tuple[int, ...], caplog: pytest.LogCaptureFixture, *, everywhere: bool
) -> list[str]:
    """Return all that a table says to anyone but its strip while these holes are lit."""
    with pytest.MonkeyPatch.context() as patch, served(folder, shows=Shows.HOLES) as table:
        patch.setattr("companion.pairing.door.draw_holes", lambda _: LitHoles(holes))
        patch.setattr(table.pairing, "_clock", Clock())
        patch.setattr(table.pairing.door, "_clock", table.pairing._clock)  # noqa: SLF001 - the same instant each time
        updates: list[Update] = []
        leave = table.host.feed.subscribe(updates.append)
        table.take(Started(lets_in=True))
        table.game()
        table.take(Pause())
        table.post("answer", {"answer": "let_in"})
        assert table.pairing.lit_holes() == holes
        ask(table, "pairing/answer", {"name": "Mia", "holes": [1, 2, 3]})
        phone = table.phone()
        every = [path for method, path in routes(table.app) if method == "GET" and "events" not in path]
        paths = every if everywhere else TELLING
        said = [repr(update) for update in updates]
        said += [call_out(english(), update.view, update.cues) for update in updates]
        for path in paths:
            said.append(f"{path} {text_of(table.client.get(path))}")
            said.append(f"{path} {text_of(table.afar('GET', path, **phone))}")
        leave()
    return [VARIES.sub("", each) for each in (*said, caplog.text)]


@pytest.mark.parametrize("everywhere", [False, pytest.param(True, marks=pytest.mark.exhaustive)])
def test_lit_holes_are_told_to_the_strip_alone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, *, everywhere: bool
) -> None:
    told = []
    for number, holes in enumerate([(7, 60, 118), (33, 44, 101)]):
        caplog.clear()
        told.append(everything_told(tmp_path / str(number), holes, caplog, everywhere=everywhere))
    first, second = told
    assert len(first) > len(TELLING)
    assert first == second


def test_a_cookie_is_in_no_log_and_no_file(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    file = PhonesFile(tmp_path, lambda: 0.0)
    with served(tmp_path) as table:
        pairing = Pairing(table.host.feed, table.host.submit, file=file)
        pairing.start()
        table.app.state.table = replace(table.app.state.table, pairing=pairing)
        pairing.open()
        answer = ask(table, "pairing/answer", {"name": "Mia", "digits": pairing.digits()})
        token = answer.headers["set-cookie"].partition("=")[2].partition(";")[0]
        for path in ("undo", "nowhere", "buttons/none"):
            ask(table, path, {}, cookie=f"{COOKIE}{token}")
        pairing.close()
    assert token not in caplog.text
    kept = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert (tmp_path / "paired-phones.json") in kept
    assert [path for path, body in kept.items() if token.encode() in body] == []


OWN, OTHER = "127.0.0.1:8080", "127.0.0.1:8081"
SITES = ("", "same-origin", "same-site", "cross-site", "none")


def matrix(scheme: str) -> Iterator[tuple[str, str, str, int]]:
    """Yield host, origin and Sec-Fetch-Site of a phone's write, and its status by docs/safety.md."""
    origins = ("", f"http://{OWN}", f"https://{OWN}", f"{scheme}://{OTHER}", "http://evil.example", "null")
    for host, origin, site in product((OWN, "evil.example", "evil.example:8080"), origins, SITES):
        ours = origin == f"{scheme}://{OWN}" or (not origin and site)
        allowed = ours and site in {"", "same-origin"}
        yield host, origin, site, 421 if host != OWN else 422 if allowed else 403


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_host_origin_and_site_decide_about_a_phones_write_on_either_port(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scheme: str
) -> None:
    monkeypatch.setattr(limits, "JSON", replace(limits.JSON, rate=Rate(1e6, 10**6)))
    with served(tmp_path, tls=scheme == "https") as table:
        _, token = table.game().pairing.phones.pair("Mia")
        name = "__Host-farklecrib" if scheme == "https" else "farklecrib-8080"
        for host, origin, site, status in matrix(scheme):
            given = {"host": host, "origin": origin, "sec-fetch-site": site}
            headers = {"cookie": f"{name}={token}", **{key: value for key, value in given.items() if value}}
            answer = table.afar("POST", "/api/v1/undo", base=f"{scheme}://{OWN}", **headers)
            assert answer.status_code == status, given


def test_beside_tls_plain_http_neither_reads_nor_sets_a_token(tmp_path: Path) -> None:
    with served(tmp_path, tls=True) as table:
        _, token = table.game().pairing.phones.pair("Mia")
        for scheme, name, status in (
            ("http", "__Host-farklecrib", 403),
            ("http", "farklecrib-8080", 403),
            ("https", "farklecrib-8080", 403),
            ("https", "__Host-farklecrib", 422),  # by the rules: there is nothing to undo
        ):
            own = f"{scheme}://{OWN}"
            answer = table.afar("POST", "/api/v1/undo", base=own, origin=own, cookie=f"{name}={token}")
            assert answer.status_code == status, (scheme, name)
        table.pairing.open()
        for path, body in (("ask", {}), ("answer", {"digits": table.pairing.digits()})):
            answer = ask(table, f"pairing/{path}", {"name": "Tom", **body})
            assert (answer.status_code, answer.headers.get("set-cookie")) == (403, None)
        secure = ask(table, "pairing/door", None, "GET").json()["secure"]
        assert secure.startswith("https://127.0.0.1:")


@pytest.mark.parametrize("host", ["board.example.org", "board.example.org:443", "203.0.113.7"])
def test_a_public_name_is_never_this_machine(tmp_path: Path, host: str) -> None:
    with served(tmp_path, hosts=("board.example.org",)) as table:
        assert table.client.get("/api/v1/access").json()["play"] is True
        answer = table.client.get("/api/v1/access", headers={"host": host})
        assert answer.status_code == 421 or answer.json()["play"] is False


def test_the_list_of_phones_has_words_for_each_write_of_the_table(table: Served) -> None:
    paths = table.client.get("/api/openapi.json").json()["paths"]
    writes = {path for path, methods in paths.items() if "View" in str(methods.get("post", {}).get("responses", ""))}
    tails = {path.replace("{button}", "keep").rpartition("/")[2] for path in writes}
    assert {"keep", "bank", "undo", "throw", "open"} - tails == {"bank"}
    assert tails <= set(english().section("did"))
