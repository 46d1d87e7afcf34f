"""The daily challenge: its dice are the same everywhere and fair, and nothing shows a throw before it counts."""

import hashlib
from collections import Counter
from dataclasses import replace
from itertools import product

import pytest
from tables import Table

from companion.errors import RefusedError
from companion.storage.codec import decode, encode
from companion.table.state.daily_dice import dealt
from companion.table.state.events import DailyBegan
from companion.table.state.history import Act
from companion.table.state.inputs import CountPoints, EnterRoll, JoinGame, NewGame, Pause
from companion.table.state.state import ManualEntry, TableState, restored
from companion.table.throws.daily import next_dice, result_of
from companion.words import english

DAY, RULES = "2026-11-27", "farkle-cribbage"
DAYS = [f"20{year}-{month:02}-{day:02}" for year, month, day in product(range(26, 30), range(1, 13), range(1, 29))]

CHI_SQUARE = {5: 25.7, 35: 75.1}
"""The values that a chi-square of so many degrees of freedom exceeds once in ten thousand times."""


def challenge(*players: str, **given: object) -> Table:
    table = Table()
    table.state = replace(table.state, deals=True)
    table.take(NewGame(RULES, players or ("Ann",), daily=DAY, **given))  # type: ignore[arg-type]
    return table


def throw(table: Table, *, kept: str = "") -> Table:
    """Throw the dice that the table expects, as simulated hands do."""
    found = next_dice(table.state, table.view.dice_to_throw)
    assert found is not None
    thrown = "".join(map(str, found))
    return table.throws(thrown, shelf=kept) if kept else table.throws(thrown)


def turn(table: Table) -> Table:
    """Throw once, and bank the best of it."""
    before = len(table.state.history)
    throw(table)
    if table.view.phase == "choosing":
        table.taps("keep").taps("bank")
    assert len(table.state.history) > before
    return table


def test_the_dice_are_what_the_docs_say_that_any_program_makes() -> None:
    digest = hashlib.sha256(b"Farkle Crib daily challenge 1|2026-11-27|farkle-cribbage|1|1|0").digest()
    assert dealt(DAY, RULES, 1, 1) == tuple(1 + byte % 6 for byte in digest if byte < 252)[:6] == (6, 3, 3, 1, 2, 2)
    assert dealt(DAY, RULES, 14, 3) == (4, 3, 6, 6, 3, 2)


def chi_square(counts: Counter[object], kinds: int) -> float:
    mean = counts.total() / kinds
    return sum((count - mean) ** 2 for count in counts.values()) / mean + (kinds - len(counts)) * mean


def test_the_dice_of_many_days_are_fair() -> None:
    throws = [dealt(day, RULES, turn, throw) for day in DAYS[::4] for turn in (1, 2, 7, 14) for throw in (1, 2, 3)]
    assert chi_square(Counter(face for six in throws for face in six), 6) < CHI_SQUARE[5]
    for place in range(6):
        assert chi_square(Counter(six[place] for six in throws), 6) < CHI_SQUARE[5], place
        neighbour = (place + 1) % 6
        assert chi_square(Counter((six[place], six[neighbour]) for six in throws), 36) < CHI_SQUARE[35], place


def test_the_dice_of_a_day_tell_nothing_about_the_next_throw_turn_or_day() -> None:
    for other in ((0, 0, 1), (0, 1, 0), (1, 0, 0)):
        pairs = Counter[object]()
        for number, day in enumerate(DAYS[:-1]):
            following = DAYS[number + other[0]]
            pairs.update(zip(dealt(day, RULES, 3, 1), dealt(following, RULES, 3 + other[1], 1 + other[2]), strict=True))
        assert chi_square(pairs, 36) < CHI_SQUARE[35], other


def test_a_throw_depends_on_its_turn_and_number_alone() -> None:
    """Ann farkles or banks as the dice fall, Ben stops later in the first turn: the second turn is the same to both."""
    ann, ben = turn(challenge("Ann")), challenge("Ben")
    throw(ben)
    assert next_dice(ben.state, 2) is not None
    ben.taps("keep")
    kept = "".join(map(str, ben.view.chosen.dice if ben.view.chosen else ()))
    throw(ben, kept=kept)
    while ben.view.daily is not None and ben.view.daily.turn == 1:
        ben.taps("keep").taps("bank")
    assert (ann.view.daily and ann.view.daily.turn) == (ben.view.daily and ben.view.daily.turn) == 2
    assert next_dice(ann.state, 6) == next_dice(ben.state, 6) == dealt(DAY, RULES, 2, 1)


def test_a_challenge_is_played_to_its_end_and_has_a_result_to_tell() -> None:
    table = challenge()
    while table.view.phase != "over":
        assert table.view.daily is not None
        assert table.view.daily.line == ""
        turn(table)
    found = result_of(table.state.current)
    assert found is not None
    assert (found.dealt, found.throws, found.attempt) == (True, found.turns, 1)
    line = english().text(table.view.daily.line if table.view.daily else "")
    assert line == f"Farkle Crib {DAY}: 121 in {found.turns} turns, {found.turns} throws, best turn {found.best_turn}"


def test_a_restart_goes_on_with_the_same_dice() -> None:
    table = turn(turn(challenge()))
    acts = tuple(Act(number, tuple(events)) for number, events in enumerate(table.journal, 1))
    again: TableState = replace(restored(acts, seq=len(acts), game_number=1), deals=True)
    assert next_dice(again, 6) == next_dice(table.state, 6) == dealt(DAY, RULES, 3, 1)
    assert decode(*encode(DailyBegan(DAY, 2))) == DailyBegan(DAY, 2)


def test_a_throw_stands_and_everything_else_may_be_undone() -> None:
    table = throw(challenge())
    assert table.view.undo is False
    with pytest.raises(RefusedError, match="a throw of the daily challenge cannot be undone"):
        table.undoes()
    table.taps("keep").undoes().taps("keep").taps("bank").undoes()
    assert (table.view.phase, table.view.roll) == ("choosing", dealt(DAY, RULES, 1, 1))


def test_a_misread_throw_is_corrected_to_the_dice_of_the_day_alone() -> None:
    table = challenge()
    table.throws("633121")
    assert result_of(table.state.current).dealt is False  # type: ignore[union-attr]
    with pytest.raises(RefusedError, match="dice of the day"):
        table.corrects("633111")
    table.corrects("633122")
    assert result_of(table.state.current).dealt is True  # type: ignore[union-attr]


def test_a_challenge_with_other_dice_has_no_result_to_tell() -> None:
    table = challenge().throws("111111").taps("keep").taps("bank")
    while table.view.phase != "over":
        turn(table)
    assert table.view.daily is not None
    assert table.view.daily.line == ""


def test_entered_faces_are_those_of_the_day() -> None:
    table = challenge()
    table.state = replace(table.state, manual=ManualEntry.FACES)
    with pytest.raises(RefusedError, match="dice of the day"):
        table.take(EnterRoll((1, 1, 1, 2, 2, 2)))
    table.take(EnterRoll(dealt(DAY, RULES, 1, 1)[::-1]))
    assert table.view.phase == "choosing"


def test_the_players_do_not_count_or_join_or_adjust_scores_in_a_challenge() -> None:
    table = challenge()
    with pytest.raises(RefusedError, match="for one person"):
        table.take(JoinGame("Ben"))
    table.take(Pause())
    offered = table.view.question.keys if table.view.question else ()
    assert not {"count_points", "join", "leave", "adjust_score", "skip", "give_throw"} & set(offered)
    assert "end_game" in offered
    with pytest.raises(RefusedError):
        challenge().take(CountPoints(20))


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"players": ("Ann", "Ben")}, "for one person"),
        ({"players": ("bot:best",)}, "for one person"),
        ({"settings": {"target": 20}}, "by the rule sheet"),
    ],
)
def test_a_challenge_is_for_one_person_and_by_the_sheet(given: dict[str, object], says: str) -> None:
    players = given.pop("players", ("Ann",))
    with pytest.raises(RefusedError, match=says):
        challenge(*players, **given)  # type: ignore[misc]


def test_real_dice_have_no_challenge() -> None:
    table = Table()
    with pytest.raises(RefusedError, match="this table has real dice"):
        table.take(NewGame(RULES, ("Ann",), daily=DAY))
    assert table.view.lobby.daily is False
