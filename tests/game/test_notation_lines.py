"""Every line and word of the notation is written as it is read."""

from collections.abc import Iterator

import pytest
from examples import FOLDER
from written_games import play, scores, to_move

from farkle.errors import NotationError
from farkle.notation import KEYWORDS, write
from farkle.replay import replay

CANONICAL = FOLDER / "canonical.farkle"


def canonical() -> Iterator[str]:
    for game in CANONICAL.read_text(encoding="utf-8").split("\n\n")[1:]:
        yield game.partition("\n")[2].rstrip("\n") + "\n"


def test_every_line_that_was_written_is_read_and_written_alike() -> None:
    for game in canonical():
        played = replay(game)
        assert write(played.events) == game
        assert replay(write(played.events)) == played
    words = " ".join(canonical()).replace(":", " ").replace(",", " ").split()
    assert KEYWORDS - set(words) == set()


@pytest.mark.parametrize("line", ["set: bonus_scores=true, target=241", "set: target=241,bonus_scores = true"])
def test_several_switches_may_stand_on_one_line(line: str) -> None:
    played = replay(f"rules: farkle-cribbage\n{line}\nplayers: Ann, Ben\n")
    assert played.state.rules.settings() == {"bonus_scores": True, "target": 241}


def test_the_header_may_stand_in_any_order_after_the_players() -> None:
    lines = ["start: Ben", "scores: Ann 1, Ben 2", "farkles: Ben 1", "set: target=60", "rules: farkle-cribbage"]
    first = replay("\n".join(["players: Ann, Ben", *lines]))
    assert replay("\n".join(["players: Ann, Ben", *reversed(lines)])) == first
    assert to_move(first) == "Ben"


def test_a_name_within_another_is_told_apart() -> None:
    lines = ("players: Ann, Ann Lee", "scores: Ann Lee 7, Ann 3")
    assert scores(play("farkle-cribbage", *lines)) == (3, 7)


def test_one_die_is_left_over_as_a_die() -> None:
    lines = ("scores: Ann 300, Ben 0", "left-over: 1 die 300", "start: Ben")
    assert "left-over: 1 die 300\n" in write(play("classic", *lines, piggyback=True).events)


@pytest.mark.parametrize("score", [1, 2])
def test_two_pegs_of_a_standing_are_not_in_one_hole_but_at_the_start(score: int) -> None:
    peg = {"one_peg_per_hole": 5}
    with pytest.raises(NotationError, match=f"expected one peg a hole, got Ann and Ben in hole {score}"):
        play("farkle-cribbage-advanced", f"scores: Ann {score}, Ben {score}", **peg)
    assert scores(play("farkle-cribbage-advanced", "scores: Ann 0, Ben 0", **peg)) == (0, 0)


def test_a_swap_may_be_named_by_a_player_of_the_team() -> None:
    lines = ("players: Ann, Ben, Cy, Di", "teams: A = Ann, Cy; B = Ben, Di", "scores: A 1, B 9")
    for name in ("B", "Ben", "Di"):
        played = play("farkle-cribbage-advanced", *lines, f"Ann: 444444 > 444444, swap {name}")
        assert scores(played) == (9, 1)


def test_a_set_that_the_sheet_has_anyway_is_not_written() -> None:
    assert "set:" not in write(play("farkle-cribbage", target=121).events)
