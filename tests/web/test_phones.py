"""A phone asks to play, answers with what the table shows, takes a place, and is taken away."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from anyio.from_thread import start_blocking_portal
from served import OWN_PAGE, Served, served
from test_access import from_network

from companion.pairing.door import WRONG_ANSWERS
from companion.pairing.secret import Shows
from companion.table.state.inputs import Pause, Press, Started
from pegboard.buttons.port import Button

COOKIE = "farklecrib-8080="


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path) as running:
        running.host.submit(Started(lets_in=True)).result(60)
        yield running


def ask(table: Served, path: str, body: object, method: str = "POST", **headers: str) -> httpx.Response:
    return from_network(table.app, method, f"/api/v1/{path}", body, **{**OWN_PAGE, **headers})


def let_in(table: Served, name: str = "Mia") -> dict[str, str]:
    """Let a phone in by asking, the menu and the digits; return the headers of its requests."""
    assert ask(table, "pairing/ask", {"name": name}).status_code == 204
    table.host.submit(Pause()).result(60)
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
    assert [(each["name"], each["did"]) for each in ask(table, "phones", None, "GET", **phone).json()] == [
        ("Mia", "bank")
    ]


def test_the_cookie_holds_a_token_and_nothing_else_and_no_script_and_no_other_site_sends_it(table: Served) -> None:
    ask(table, "pairing/ask", {"name": "Mia"})
    table.pairing.open()
    answer = ask(table, "pairing/answer", {"name": "Mia", "digits": table.pairing.digits()})
    value, *attributes = answer.headers["set-cookie"].split("; ")
    assert value.startswith(COOKIE)
    assert len(bytes.fromhex(value.removeprefix(COOKIE))) == 16
    assert set(attributes) == {"Path=/", "Max-Age=43200", "HttpOnly", "SameSite=Strict"}


def test_who_asks_is_shown_to_everyone_but_not_in_a_question(table: Served) -> None:
    table.game()
    ask(table, "pairing/ask", {"name": " Mia  "})
    table.host.submit(Pause()).result(60)
    assert table.state()["asks"] == ""
    assert table.state()["question"]["keys"][0] == "let_in"
    table.host.submit(Pause()).result(60)
    assert table.state()["asks"] == "Mia"


def test_keep_lets_in_only_where_it_would_do_nothing(table: Served) -> None:
    table.game()
    ask(table, "pairing/ask", {"name": "Mia"})
    assert table.state()["captions"]["keep"]["tap"] == "let the phone in"
    table.throws("111346")
    assert table.state()["captions"]["keep"]["tap"] != "let the phone in"
    table.host.submit(Press(Button.KEEP)).result(60)
    assert table.pairing.door.opening is None
    table.post("buttons/bank")
    table.host.submit(Press(Button.KEEP)).result(60)
    assert table.pairing.door.opening is not None
    assert table.state()["asks"] == ""


def test_a_second_phone_that_asks_within_a_minute_is_told_to_wait(table: Served) -> None:
    assert ask(table, "pairing/ask", {"name": "Mia"}).status_code == 204
    refused = ask(table, "pairing/ask", {"name": "Tom"})
    assert refused.status_code == 429
    assert refused.json()["detail"].startswith("A phone asked a moment ago. Ask again in ")
    assert table.state()["asks"] == "Mia"


def test_asking_can_be_switched_off(tmp_path: Path) -> None:
    with served(tmp_path, asking=False) as table:
        assert ask(table, "pairing/ask", {"name": "Mia"}).status_code == 403
        assert not ask(table, "pairing/door", None, "GET").json()["may_ask"]
        table.pairing.open()
        assert ask(table, "pairing/answer", {"name": "Mia", "digits": table.pairing.digits()}).status_code == 204


@pytest.mark.parametrize("name", ["", " ", "a" * 21, "a\u202eb", "a\nb"])
def test_a_name_that_no_player_can_have_is_refused(table: Served, name: str) -> None:
    assert ask(table, "pairing/ask", {"name": name}).status_code == 422
    assert table.state()["asks"] == ""


def test_wrong_answers_shut_the_door(table: Served) -> None:
    assert ask(table, "pairing/answer", {"name": "Mia", "digits": "000000"}).json()["detail"].startswith("The door is")
    table.pairing.open()
    wrong = {"name": "Mia", "digits": "not it"}
    for left in range(WRONG_ANSWERS - 1, 0, -1):
        assert f"{left} tr" in ask(table, "pairing/answer", wrong).json()["detail"]
    assert "shut now" in ask(table, "pairing/answer", wrong).json()["detail"]
    assert table.pairing.phones.all() == ()


@pytest.mark.parametrize("many", [300, pytest.param(10_000, marks=pytest.mark.exhaustive)])
def test_of_many_guesses_of_many_addresses_five_count_in_a_window(table: Served, many: int) -> None:
    table.pairing.open()
    digits = table.pairing.digits()
    guesses = (f"{number:06}" for number in range(many) if f"{number:06}" != digits)

    async def guess() -> list[int]:
        found = []
        for place, given in enumerate(guesses):
            transport = httpx.ASGITransport(app=table.app, client=(f"10.0.{place // 250}.{place % 250}", 4000))
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8080") as client:
                body = {"name": "Eve", "digits": given}
                answer = await client.post("/api/v1/pairing/answer", json=body, headers=OWN_PAGE)
                found.append(not answer.json()["detail"].startswith("The door is shut."))
        return found

    with start_blocking_portal() as portal:
        counted = portal.call(guess)
    assert sum(counted) == WRONG_ANSWERS
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
    table.host.submit(Pause()).result(60)
    table.post("answer", {"answer": "forget_phones"})
    table.post("answer", {"answer": "forget_phones"})
    assert ask(table, "access", None, "GET", **phone).json()["play"] is False


def test_two_phones_that_answer_at_once_both_get_in(table: Served) -> None:
    table.pairing.open()
    digits = table.pairing.digits()
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda name: table.pairing.answer(name, digits), ("Mia", "Tom")))
    assert len({token for _, token in answers}) == 2
    assert {each.name for each in table.pairing.phones.all()} == {"Mia", "Tom"}


def test_a_new_opening_ends_the_one_before(table: Served) -> None:
    table.pairing.open()
    before = table.pairing.digits()
    table.pairing.open()
    assert ask(table, "pairing/answer", {"name": "Mia", "digits": before}).status_code == 422
    assert ask(table, "pairing/answer", {"name": "Mia", "digits": table.pairing.digits()}).status_code == 204


def test_the_digits_are_shown_on_this_machine_and_never_to_the_network(table: Served) -> None:
    table.pairing.open()
    digits = table.pairing.digits()
    assert table.client.get("/api/v1/pairing/door").json()["digits"] == digits
    watched = ("pairing/door", "state", "access", "../../", "../../wall", "../../phone", "../../join")
    for path in watched:
        assert digits not in from_network(table.app, "GET", httpx.URL(f"/api/v1/{path}").path).text
    assert digits not in repr((table.host.state, table.host.feed.latest))


def test_on_a_desk_pairing_is_one_click(tmp_path: Path) -> None:
    with served(tmp_path, shows=Shows.NOTHING) as table:
        answer = table.post("pairing/answer", {"name": "Mia"})
        assert answer.status_code == 204
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


def test_the_turn_of_a_player_with_a_phone_is_not_another_phones(table: Served) -> None:
    ann, ben = table.game("Ann", "Ben").phone("Ann's"), table.phone("Ben's")
    seat(table, "Ann", ann)
    seat(table, "Ben", ben)
    table.throws("111346")
    assert ask(table, "buttons/keep", {}, **ben).status_code == 200, "Ann's phone does not show the page"
    (phone,) = [each for each in table.pairing.phones.all() if each.seat == "Ann"]
    table.pairing.arrives(phone.id)
    assert table.host.feed.wait(lambda update: update.view.players[0].phones == ("Ann's",), 60)
    refused = ask(table, "buttons/bank", {}, **ben)
    assert (refused.status_code, refused.json()["detail"]) == (422, "it is Ann’s turn")
    assert ask(table, "correct", {"roll": [1, 1, 1, 3, 4, 4]}, **ben).status_code == 200
    table.host.submit(Press(Button.KEEP)).result(60)
    assert ask(table, "buttons/bank", {}, **ann).status_code == 200
    assert ask(table, "buttons/keep", {}, **table.phone("Cy's")).status_code == 422


def test_two_phones_share_a_place_and_a_third_takes_over_from_the_older(table: Served) -> None:
    table.game("Ann", "Ben")
    phones = [table.phone(f"phone {number}") for number in range(3)]
    for phone in phones:
        assert seat(table, "Ann", phone).status_code == 204
    seats = [each.seat for each in table.pairing.phones.all()]
    assert sorted(seats) == ["", "Ann", "Ann"]
    assert ask(table, "access", None, "GET", **phones[2]).json()["phone"]["seat"] == "Ann"
