"""The report of a game: every turn, throw and score, and what players corrected or undid."""

import csv
import io
import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hosted import Hosted, hosted

from companion.games.export import COLUMNS, as_csv, as_json
from companion.games.statistics import (
    LEVEL,
    DiceStatistics,
    chi_square_of,
    dice_of,
    fairness_of,
    findable_share,
    players_of,
    summarize,
    upper_tail,
)
from companion.games.story import Story, story_of
from companion.table.state.inputs import Answer, CorrectRoll, JoinGame, NewGame, Pause, Undo
from companion.web.games.pages import rematch_of
from companion.words import english
from farkle.replay import replay


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Hosted]:
    with hosted(tmp_path) as running:
        yield running


def record(table: Hosted) -> Story:
    return story_of(table.storage.journal.rows(table.host.state.game_number))


def evening(table: Hosted, *players: str) -> Hosted:
    """Play two banks and a farkle. The first player at 20 wins."""
    table.game(*players, settings={"target": 20}).throws("111346").taps("bank")
    table.throws("344662").taps("bank")
    return table.throws("346346").throws("344666").taps("bank")


def test_a_record_has_every_turn_with_its_throws_and_scores(table: Hosted) -> None:
    told = record(evening(table))
    assert [(turn.player, turn.number, turn.ended, turn.points, turn.score) for turn in told.turns] == [
        ("Ann", 1, "bank", 20, 20),
        ("Ben", 1, "bank", 2, 2),
    ]
    assert english().text(told.throws[0].why) == "three of a kind 1 1 1 = 20"
    assert (told.over, told.winners, told.won_by) == (True, ("Ann",), ("Ann",))
    assert [(place.place, place.name, place.score, place.hole) for place in told.places] == [
        (1, "Ann", 20, 20),
        (2, "Ben", 2, 2),
    ]
    assert told.race == ((0, 0), (20, 0), (20, 2))
    document = json.loads(as_json(told))
    assert document["turns"][0]["throws"][0]["roll"] == [1, 1, 1, 3, 4, 6]
    assert document["turns"][0]["throws"][0]["why"] == "three of a kind 1 1 1 = 20"
    assert document["places"][0]["name"] == "Ann"
    lines = list(csv.reader(io.StringIO(as_csv(told))))
    assert lines[0] == list(COLUMNS)
    assert [line[5] for line in lines[1:]] == ["1 1 1 3 4 6", "3 4 4 6 6 2"]
    assert lines[1][8:12] == ["three of a kind 1 1 1 = 20", "bank", "20", "20"]


def test_acts_between_the_turns_are_described_in_words(table: Hosted) -> None:
    table.game("Ann", "Ben", "Cy").take(JoinGame("Dee"))
    table.throws("111346").taps("bank")
    for given in (Pause(), Answer("skip this turn"), Pause(), *map(Answer, ("a player leaves", "Ben", "Ben leaves"))):
        table.take(given)
    table.throws("344662").taps("bank")
    for given in (Pause(), Answer("adjust a score"), Answer("Cy"), Answer("+10"), Answer("do it")):
        table.take(given)
    between = tuple(map(english().text, record(table).between))
    assert between == (
        "Dee joins.",
        "Ben misses a turn. Ben leaves.",
        "All agree that Cy has 12.",
    )


def test_an_undone_throw_stays_in_the_record_and_does_not_count(table: Hosted) -> None:
    table.game().throws("113456").take(Undo())
    told = record(table.throws("123456"))
    throws = [throw for turn in told.turns for throw in turn.throws]
    assert [(throw.roll, throw.undone) for throw in throws] == [
        ((1, 1, 3, 4, 5, 6), True),
        ((1, 2, 3, 4, 5, 6), False),
    ]
    assert len(told.throws) == 1


def test_an_export_says_which_players_are_bots(table: Hosted) -> None:
    table.take(NewGame("farkle-cribbage", ("bot:bold", "Ann, the 1st", "bot:best"), {"target": 20}))
    table.throws("111346")
    told = record(table)
    assert replay(told.notation).bots == told.bots == {"Bones": "bold", "Pips": "best"}
    assert replay(table.host.notation()).bots == told.bots
    lines = list(csv.reader(io.StringIO(as_csv(told))))
    assert [line[-1] for line in lines] == ["bot", "bold"]
    assert rematch_of(told)["players"] == ["bot:bold", "Ann, the 1st", "bot:best"]


@pytest.mark.parametrize("name", ["=1+1", "+4917", "-Ann", "@SUM(A1)"])
def test_no_name_becomes_a_formula_in_a_spreadsheet(table: Hosted, name: str) -> None:
    cells = [
        cell
        for line in csv.reader(io.StringIO(as_csv(record(evening(table, name, "Ben")))))
        for cell in line
        if not cell.lstrip("-").isdecimal()
    ]
    assert f"'{name}" in cells
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]


def test_a_player_is_recognised_in_many_games_however_the_name_is_written(table: Hosted) -> None:
    first = summarize(record(evening(table, "Ann", "Ben")))
    second = summarize(record(evening(table, "BEN", "Cy")))
    told = {each.player: each for each in players_of([first, second], "farkle-cribbage")}
    assert sorted(told) == ["Ann", "BEN", "Cy"]
    assert (told["BEN"].games, told["BEN"].won, told["BEN"].turns, told["BEN"].best_turn) == (2, 1, 2, 20)
    assert (told["Ann"].mean_turn, told["Ann"].farkle_share) == (20.0, 0.0)


def test_a_farkle_counts_its_lost_points(table: Hosted) -> None:
    table.game().throws("113346").taps("keep").throws("3346", shelf="11")
    player = summarize(record(table)).by_player[0]
    assert (player.turns, player.farkles, player.lost, player.farkle_share) == (1, 1, 2, 1.0)


def test_only_dice_that_the_eye_read_are_counted_with_their_true_faces(table: Hosted) -> None:
    table.game().throws("113456").take(CorrectRoll((1, 1, 3, 4, 5, 5)))
    (throw,) = record(table).throws
    assert (throw.roll, throw.read) == ((1, 1, 3, 4, 5, 5), (1, 1, 3, 4, 5, 6))
    dice = dice_of([summarize(record(table))], "simulated")
    assert (dice.counts, dice.throws, dice.corrected) == ((2, 0, 1, 1, 2, 0), 1, 1)
    assert dice_of([summarize(record(table))], "real").dice == 0


# --- fairness: fair dice pass, loaded dice are found ---


def thrown(chance: random.Random, dice: int, six: float = 1 / 6) -> DiceStatistics:
    """Return the counts of each face of this many dice, of which a share `six` shows a six."""
    weights = [*[(1 - six) / 5] * 5, six]
    counts = Counter(chance.choices(range(1, 7), weights, k=dice))
    return DiceStatistics(tuple(counts[face] for face in range(1, 7)), dice // 6)


# Abramowitz and Stegun, Handbook of Mathematical Functions, table 26.8: five degrees of freedom.
@pytest.mark.parametrize(("tail", "value"), [(0.5, 4.35146), (0.1, 9.23635), (0.05, 11.0705), (0.01, 15.0863)])
def test_the_tail_of_chi_square_agrees_with_the_printed_table(tail: float, value: float) -> None:
    assert upper_tail(value) == pytest.approx(tail, abs=1e-5)
    assert upper_tail(0.0) == 1.0


def test_the_smallest_detectable_bias_is_found_four_times_in_five() -> None:
    chance = random.Random(7)
    share = findable_share(900)
    found = sum(upper_tail(chi_square_of(thrown(chance, 900, share).counts)) < LEVEL for _ in range(500))
    assert 370 <= found <= 430  # three and a half standard deviations around 400
    uneven = sum(upper_tail(chi_square_of(thrown(chance, 600).counts)) < LEVEL for _ in range(500))
    assert 10 <= uneven <= 40  # and fair dice once in twenty: three standard deviations around 25
    shares = [findable_share(dice) or 1.0 for dice in (60, 600, 6000)]
    assert shares == sorted(shares, reverse=True)


def test_a_handful_of_dice_says_nothing() -> None:
    found = fairness_of(DiceStatistics((5, 0, 0, 0, 0, 0), 1))
    assert (found.p, found.findable) == (None, None)
    assert fairness_of(DiceStatistics((5,) * 6, 5)).p == 1.0
    assert english().text(found.verdict) == "Too few dice to say anything: expected at least 30, got 5."


def test_loaded_dice_are_called_uneven() -> None:
    found = fairness_of(thrown(random.Random(1), 2000, 0.25))
    assert found.p < 1e-6
    assert english().text(found.verdict).startswith("These dice are uneven: fair dice look at least as uneven in ")
    found = fairness_of(DiceStatistics((100,) * 6, 100, corrected=3, unsure=2))
    assert found.misread == pytest.approx((0.005, 0.0017, 0.0146), abs=1e-4)  # the eye's own error beside it
