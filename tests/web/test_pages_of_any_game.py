"""Every page of a game can be made after each act: players join, leave, miss turns; scores and throws are mended."""

from collections.abc import Sequence

import httpx
import pytest
from served import Served

from companion.errors import RefusedError
from companion.games.export import FORMATS
from companion.games.story import story_of
from companion.table.state.inputs import Answer, Button, JoinGame, NewGame, Pause, Press, Undo
from farkle.replay import replay

PAGES = [
    *("/", "/wall", "/games", "/statistics", "/fairness", "/games/now", "/games/now/throws", "/games/now/result.svg"),
    *("/api/v1/state", "/api/v1/games", "/api/v1/lobby/earlier"),
]
JOIN, LEAVE_LAST, END = "join", "leave last", "end"
ACTS = (JOIN, LEAVE_LAST, "skip", "adjust", "give", "bank", "undo", END)


def answers(table: Served, *paths: str) -> dict[str, httpx.Response]:
    return {path: table.client.get(path) for path in paths}


def check_pages(table: Served, pages: Sequence[str] = PAGES) -> None:
    number = table.host.state.game_number
    turns, notation = f"/api/v1/games/{number}/turns", f"/api/v1/games/{number}/notation.txt"
    found = answers(table, *pages, turns, notation)
    assert {path: answer.status_code for path, answer in found.items()} == dict.fromkeys(found, 200)
    told, sides = found[turns].json(), len(table.host.state.current.game.sides)
    assert {len(holes) for holes in (told["start"], *(turn["holes"] for turn in told["turns"]))} == {sides}
    report = story_of(table.host.consult(lambda journal: journal.rows(number)).result(60))
    assert replay(found[notation].text).state == table.host.state.current.game
    for exported in FORMATS.values():
        assert exported(report)


def do(table: Served, act: str) -> None:
    """Do one of `ACTS`; a `RefusedError` says that it cannot be done now."""
    players = len(table.host.state.current.game.players)
    last = [Answer(f"player {players}")]
    match act:
        case "join":
            table.take(JoinGame(f"Newcomer {players}"))
        case "leave last":
            table.take(Pause(), Answer("leave"), *last, Answer("leaves"))
        case "skip":
            table.take(Pause(), Answer("skip"))
        case "adjust":
            sides = len(table.host.state.current.game.sides)
            table.take(Pause(), Answer("adjust_score"), Answer(f"player {sides}"), Answer("+1"), Answer("do_it"))
        case "give":
            table.take(Pause(), Answer("give_throw"))
            assert table.host.state.menu is not None
            table.take(Answer(table.host.state.menu.items[0].id))
        case "bank":
            table.throws("111346")
            table.take(Press(Button.BANK))
        case "undo":
            table.take(Undo())
        case "end":
            table.take(Pause(), Answer("end_game"), Answer("end_game"))


def tried(table: Served, act: str) -> bool:
    """Do one of `ACTS`, and return whether it could be done; a menu that it opened is closed."""
    before = table.host.state.seq
    try:
        do(table, act)
    except RefusedError:
        if table.host.state.menu is not None:
            table.take(Pause())
        return table.host.state.seq > before
    return True


TEAMS = {"A": ("Ann", "Cy"), "B": ("Ben", "Di")}


@pytest.mark.parametrize(
    ("turns", "teams"),
    [
        pytest.param(0, {}, id="alone at the start", marks=pytest.mark.exhaustive),
        pytest.param(3, TEAMS, id="teams later"),
        pytest.param(3, {}, id="alone later", marks=pytest.mark.exhaustive),
        pytest.param(0, TEAMS, id="teams at the start", marks=pytest.mark.exhaustive),
    ],
)
def test_every_page_of_a_game_can_be_made_after_each_act(table: Served, turns: int, teams: dict) -> None:
    done = set()
    for number, act in enumerate(ACTS):
        rules, players = "farkle-cribbage", ("Ann", "Ben", "Cy", "Di") if teams else ("Ann", "Ben")
        track = (61, 91, 121, 241)[number % 4]
        table.take(NewGame(rules, players, {"target": 61}, track=track, teams=teams))
        for _ in range(turns):
            do(table, "bank")
        if tried(table, act):
            done.add(act)
        check_pages(table)
        for later in (JOIN, END):
            tried(table, later)
            check_pages(table, pages=["/games/now"])
    assert done >= ({*ACTS} - {"undo"} - ({JOIN} if teams else set()))


def test_a_throw_of_a_player_whose_joining_was_undone_stays_in_the_report(table: Served) -> None:
    table.take(NewGame("farkle-cribbage", ("Ann",), {"target": 61}, track=121), JoinGame("Ben"))
    do(table, "bank")
    table.throws("111346")
    table.take(Undo())
    check_pages(table)
    table.take(Undo(), Undo(), Undo())
    assert table.host.state.current.game.players == ("Ann",)
    do(table, "bank")
    check_pages(table)
    assert answers(table, "/games/now/throws")["/games/now/throws"].text.count("Taken back") == 2


def test_an_act_in_the_midst_of_a_turn_leaves_every_page(table: Served) -> None:
    table.take(NewGame("farkle-cribbage", ("Ann", "Ben"), {"target": 61}, track=121))
    do(table, "bank")
    table.throws("111346")
    for act in (JOIN, "skip", "adjust", "give", END):
        tried(table, act)
        check_pages(table)
    assert table.host.state.current.game.over
