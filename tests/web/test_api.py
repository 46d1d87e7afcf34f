"""The table's API: the whole view, writes and their refusals, races, streams, pictures."""

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from fastapi.routing import APIRoute
from served import JPEG, Served, refusal, served

from companion.errors import BusyError, RefusedError
from companion.features.house_rules import feature as house
from companion.table.state.inputs import Started
from companion.web import api, phones
from companion.web.table import WebTable
from companion.words import english
from pegboard.drawing import plan_json
from pegboard.layouts import load_layout
from pegboard.layouts.long_board import long_board

CONTRACT = {
    *("seq", "simulated", "rules", "track", "phase", "to_move", "players", "roll", "shelf", "locked", "turn_points"),
    *("selections", "chosen", "reading", "legal", "refused", "message", "final_round", "winners", "degraded"),
}


def test_the_state_has_every_key_of_the_contract(table: Served) -> None:
    state = table.game().throws("233346").state()
    assert [key for key in CONTRACT if key not in state] == []
    assert set(state["players"][0]) >= {"name", "color", "shape", "score", "hole", "front_hole", "farkles", "out"}
    assert state["selections"][0] | {"dice": [3, 3, 3, 2], "points": 8} == state["selections"][0]
    assert state["reading"]["picture"] == "/api/v1/tray.jpg?v=1"
    assert set(state["reading"]["dice"][0]) >= {"face", "box", "confidence", "zone", "doubts"}
    assert state["refused"]["roll"] == "keep a die first"
    assert state["legal"] == ["keep", "bank"]


def test_a_game_is_played_through_the_api(table: Served) -> None:
    started = table.post("game", {"rules": "farkle-cribbage", "settings": {}, "track": 121, "players": ["Ann", "Ben"]})
    assert (started.status_code, started.json()["phase"]) == (200, "to_throw")
    table.throws("233346")
    chosen = table.post("keep", {"dice": [3, 3, 3]})
    assert (chosen.status_code, chosen.json()["chosen"]["points"]) == (200, 6)
    banked = table.post("buttons/bank", {"press": "tap"})
    assert (banked.status_code, banked.json()["players"][0]["score"]) == (200, 8)
    undone = table.post("undo")
    assert (undone.json()["players"][0]["score"], undone.json()["phase"]) == (0, "choosing")
    corrected = table.post("correct", {"roll": [1, 3, 3, 3, 4, 6]})
    assert corrected.json()["roll"] == [1, 3, 3, 3, 4, 6]
    assert table.client.get("/api/v1/notation.txt").text.endswith("Ann: 133346\n")


def test_a_refusal_by_the_rules_is_a_problem_with_the_reason(table: Served) -> None:
    answer = table.game().post("buttons/bank", {"press": "tap"})
    assert refusal(answer) == (422, "throw first")
    assert answer.headers["content-type"] == "application/problem+json"


def test_a_bad_body_gets_one_sentence(table: Served) -> None:
    table.game().throws("233346")
    for path, body, words in (
        ("keep", {"dice": [7]}, "a die shows one to six"),
        ("keep", {"dice": "111"}, "dice"),
        ("keep", {}, "dice"),
        ("keep", {"dice": [3], "colour": "red"}, "colour"),
        ("correct", {"roll": [1]}, "this throw has six dice"),
        ("answer", {"answer": "yes"}, "no question is open"),
        ("game", {"rules": "chess", "players": ["Ann"]}, "This table does not know such rules."),
        ("game", {"rules": "farkle-cribbage", "players": []}, "a game needs a player"),
        ("game", {"rules": "classic"}, "a game needs a player"),
        ("game", {"players": [7]}, "players.0: Input should be a valid string, got 7"),
        ("lobby", {"start": 1.5}, "start: Input should be a valid integer, got 1.5"),
        ("lobby", {"teams": {"A": "Ann"}}, "teams: Input should be a valid list, got"),
        ("lobby", {"settings": {"target": None}}, "settings"),
        ("sound", {"volume": 101}, "volume"),
        ("sound", {"volume": 50}, "this table makes no sound"),
        *(("lobby", {"track": track}, "track") for track in (10, 1002, 61.0, "61", True)),
        ("buttons/bank", {"press": "kick"}, "press"),
    ):
        status, detail = refusal(table.post(path, body))
        assert (status, words in detail, "\n" in detail) == (422, True, False), detail


def test_a_write_that_lost_the_race_gets_the_new_state(table: Served) -> None:
    seen = table.game().throws("233346").state()["seq"]
    assert table.post("keep", {"dice": [2], "expected_seq": seen}).status_code == 200
    late = table.post("keep", {"dice": [3, 3, 3], "expected_seq": seen})
    assert late.status_code == 409
    assert (late.json()["seq"], late.json()["chosen"]["dice"]) == (seen + 1, [2])
    assert late.json()["detail"] == "Another press came first: look again."


def test_of_two_phones_that_bank_at_once_one_wins(table: Served) -> None:
    seen = table.game().throws("233346").state()["seq"]
    ready = threading.Barrier(2)

    def bank() -> int:
        ready.wait()
        return table.post("buttons/bank", {"press": "tap", "expected_seq": seen}).status_code

    with ThreadPoolExecutor(2) as phones:
        statuses = sorted(each.result() for each in [phones.submit(bank), phones.submit(bank)])
    assert statuses == [200, 409]
    assert table.state()["players"][0]["score"] == 8


def events(response: httpx.Response) -> Iterator[tuple[int, dict]]:
    fields: dict[str, str] = {}
    for line in response.iter_lines():
        name, _, value = line.partition(":")
        if line:
            fields[name] = value.strip()
        elif fields.pop("event", "") == "ping":
            fields = {}
        elif "data" in fields:
            yield int(fields["id"]), json.loads(fields["data"])
            fields = {}


def test_the_stream_gives_whole_views_the_newest_first(table: Served) -> None:
    table.game()
    with table.client.stream("GET", "/api/v1/events") as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        stream = events(response)
        number, view = next(stream)
        assert (number, view["phase"]) == (1, "to_throw")
        table.throws("233346")
        number, view = next(stream)
        assert (number, view["roll"]) == (2, [2, 3, 3, 3, 4, 6])


def test_a_view_is_written_once_for_all_streams_of_a_language(table: Served) -> None:
    table.game()
    web: WebTable = table.app.state.table  # type: ignore[attr-defined]
    first = web.shown_in(english())
    assert web.shown_in(english()).event is first.event
    table.throws("233346")
    assert web.shown_in(english()).event is not first.event


def test_a_stream_pings_with_the_version_of_its_last_view_also_while_views_come(
    table: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.web.table.PING_S", 0.02)
    table.game()
    with table.client.stream("GET", "/api/v1/events") as response:
        lines = response.iter_lines()
        view = json.loads(next(lines).removeprefix("data: "))
        ping = ["event: ping", f'data: {{"version": {view["version"]}}}', ""]
        assert [next(lines) for _ in range(5)] == [f"id: {view['seq']}", "", *ping]
        while next(lines) != "event: ping":
            table.post("pause", {})  # each makes a view, and none of them puts a ping off


def test_a_phone_shows_the_page_as_long_as_its_stream_is_open(table: Served) -> None:
    phone, token = table.game("Ann", "Ben").pairing.phones.pair("Tom")
    table.pairing.phones.sit(phone.id, "Ben")
    cookie = {"cookie": f"farklecrib-{table.client.base_url.port}={token}"}
    with table.client.stream("GET", "/api/v1/events", headers=cookie) as response:
        stream = events(response)  # without a name it would be thrown away, which ends the connection
        next(stream)
        assert table.host.feed.wait(lambda update: update.view.players[1].phones == ("Tom",), 60)
    assert table.host.feed.wait(lambda update: update.view.players[1].phones == (), 60)


def test_an_open_stream_does_not_delay_the_end(table: Served) -> None:
    with table.client.stream("GET", "/api/v1/events") as response:
        stream = events(response)
        next(stream)
        table.web.stop()
        assert not table.web.alive


def test_pictures_are_given_as_they_are(table: Served) -> None:
    live = table.client.get("/api/v1/tray.jpg")
    still = table.client.get("/api/v1/tray.jpg?v=1")
    assert (live.content, still.content) == (JPEG, JPEG)
    assert live.headers["content-type"] == "image/jpeg"
    assert live.headers["cache-control"] == "no-store"
    assert "immutable" in still.headers["cache-control"]
    assert table.client.get("/api/v1/tray.jpg?v=99").status_code == 404
    assert table.client.get("/api/v1/tray.jpg?v=-1").status_code == 422


def test_acts_reach_the_hands_and_their_refusals_the_client(table: Served) -> None:
    table.game()
    table.desk.then = table.rolling
    answer = table.post("simulator/throw", {"dice": [1, 1, 5, 2, 3, 4]})
    assert (answer.status_code, answer.json()["phase"]) == (200, "rolling")
    assert table.post("simulator/throw", {"dice": None}).status_code == 200
    assert table.post("simulator/throw", {"whole": True}).status_code == 200
    table.post("simulator/shelve", {"dice": [0, 3]})
    done = [("throw", (1, 1, 5, 2, 3, 4)), ("throw", None), ("whole throw", None), ("shelve", (0, 3))]
    assert table.desk.done == done
    table.desk.refuse = BusyError("the dice are moving")
    assert table.post("simulator/throw").status_code == 409
    table.desk.refuse = RefusedError("keep a die first")
    assert refusal(table.post("simulator/throw")) == (422, "keep a die first")


def test_every_answer_fits_its_documented_schema(table: Served) -> None:
    promised = table.client.get("/api/openapi.json").json()
    required = promised["components"]["schemas"]["View"]["required"]
    assert set(required) == set(table.game().state())
    for path, methods in promised["paths"].items():
        for method, operation in methods.items():
            statuses = set(operation["responses"])
            assert "421" in statuses, (method, path)
            if method == "post":
                assert {"403", "409", "413", "415", "422", "503"} <= statuses, path


def test_every_field_of_the_view_is_explained_in_the_documentation(table: Served) -> None:
    schemas = table.client.get("/api/openapi.json").json()["components"]["schemas"]
    shown = [name for name in schemas if name.endswith("View")]
    assert len(shown) > 12
    explained = {f"{name}.{field}": of for name in shown for field, of in schemas[name]["properties"].items()}
    assert [name for name, of in explained.items() if not of.get("description", "").endswith(".")] == []


def test_the_start_makes_no_schema_of_an_answer_that_is_never_compared_with_it() -> None:
    made = [
        (route.path, status)
        for router in (api.router, phones.router, house.router)
        for route in router.routes
        if isinstance(route, APIRoute)
        for status in route.response_fields
    ]
    assert made == []


def test_the_page_has_the_drawing_and_the_tracks_of_the_configured_board(tmp_path: Path) -> None:
    board = load_layout("short-board-2")
    with served(tmp_path, board=board) as running:
        assert running.client.get("/boards/2.json").json() == json.loads(plan_json(board))
        offered = running.client.get("/api/v1/rules/farkle-cribbage").json()["tracks"]
    assert [each["holes"] for each in offered] == [61, 121]


def test_a_table_without_a_configured_board_has_the_long_one(table: Served) -> None:
    for sides, lanes in ((0, 2), (1, 2), (2, 2), (3, 3), (4, 4), (12, 4)):
        assert table.client.get(f"/boards/{sides}.json").json()["name"] == f"long-board-{lanes}"
    drawing = table.client.get("/boards/3.json?track=91").json()
    assert drawing == json.loads(plan_json(long_board(3, 91)))
    for track in (10, 1002, "x"):
        assert table.client.get(f"/boards/2.json?track={track}").status_code == 422


def test_a_game_on_a_track_of_another_length_offers_this_length_again(table: Served) -> None:
    body = {"rules": "farkle-cribbage", "track": 91, "players": ["Ann", "Ben"]}
    assert table.post("game", body).json()["skunk_lines"] == [69, 46]
    rules = table.client.get("/api/v1/rules/classic").json()
    assert [each["holes"] for each in rules["tracks"]] == [61, 91, 121, 241]
    assert table.post("game", {**body, "track": 1002}).status_code == 422


def test_an_unfinished_game_goes_on_and_the_other_is_kept(table: Served) -> None:
    table.game("Ann", "Ben").throws("111346")
    table.post("buttons/bank", {"press": "tap"})
    table.game("Cy", "Di").throws("233346")
    earlier = table.client.get("/api/v1/lobby/earlier").json()
    assert [(each["number"], each["standing"]) for each in earlier["unfinished"]] == [(1, "Ann 20, Ben 0")]
    assert earlier["names"] == ["Cy", "Di", "Ann", "Ben"]
    resumed = table.post("games/1/resume").json()
    assert (resumed["to_move"], resumed["out_of_step"]) == ("Ben", True)
    assert [each["number"] for each in table.client.get("/api/v1/lobby/earlier").json()["unfinished"]] == [2]


POWER_OFF = [("buttons/roll", {"press": "tap"}), ("answer", {"answer": "power_off"})]


def asked_to_switch_off(table: Served) -> None:
    for path, body in (("pause", {}), ("answer", {"answer": "power_off"})):
        assert table.post(path, body).status_code == 200
    assert table.state()["question"]["text"] == "End the table? The game is kept. Confirm at the table."


@pytest.mark.parametrize(("path", "body"), POWER_OFF)
def test_three_requests_of_a_phone_do_not_switch_the_table_off(table: Served, path: str, body: dict[str, str]) -> None:
    phone = table.phone()
    asked_to_switch_off(table.game())
    why = "only the page on the table's own machine can do that"
    assert refusal(table.afar("POST", f"/api/v1/{path}", body, **phone)) == (422, why)
    assert table.state()["question"] is not None
    assert table.post(path, body).status_code == 200
    assert table.state()["message"]["text"].startswith("Good night.")


@pytest.mark.parametrize(("path", "body"), POWER_OFF)
def test_beside_real_buttons_the_page_of_this_machine_does_not_either(
    table: Served, path: str, body: dict[str, str]
) -> None:
    table.take(Started(real_buttons=True))
    asked_to_switch_off(table.game())
    assert refusal(table.post(path, body)) == (422, "press ROLL at the table itself to confirm it")
