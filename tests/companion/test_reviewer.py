"""The reviewer: games are looked at in a process of their own, kept beside the journal, and forgotten with the game."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hosted import Hosted, eventually, hosted

from companion.features.reviews import reviewer as reviewer_module
from companion.features.reviews.reviewer import Reviewer
from companion.games.repository import GameRepository, open_games

QUICK = {"target": 5, "endgame": "immediate"}
"""A game that a first throw wins, and whose odds are solved in a second."""


@contextmanager
def reviewing(folder: Path) -> Iterator[tuple[Hosted, GameRepository, Reviewer]]:
    """Run a table with its reviewer."""
    with hosted(folder, running=True) as table:
        games = open_games(folder, table.host)
        reviewer = Reviewer(folder, games, table.host.feed)
        reviewer.start()
        try:
            yield table, games, reviewer
        finally:
            reviewer.close()


def win(table: Hosted) -> None:
    table.game("Ann", "Ben", settings=QUICK).throws("134466").taps("bank").throws("111346").taps("bank")


def test_a_review_is_made_when_it_is_asked_for_then_at_each_end_and_kept_with_its_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with reviewing(tmp_path) as (table, _, reviewer):
        win(table)
        eventually(lambda: reviewer._known.get(1, (0,))[0] != 0)  # noqa: SLF001 - it was looked at, and put off
        assert (reviewer.players(), (tmp_path / "odds").exists()) == ({}, False)
        eventually(lambda: reviewer.look(1).ready is not None)  # its odds had to be solved first
        ready = reviewer.look(1).ready
        assert (ready.review.exact, [each.name for each in ready.review.players]) == (True, ["Ann", "Ben"])
        win(table)
        eventually(lambda: set(reviewer.players()) == {1, 2})  # nobody asked for the second
    with monkeypatch.context() as patch:
        patch.setattr(reviewer_module, "get_context", lambda *_: pytest.fail("a process"))
        with reviewing(tmp_path) as (table, games, reviewer):
            eventually(lambda: set(reviewer.players()) == {1, 2})
            assert reviewer.look(1).ready == ready
            table.game("Cy", "Di")
            games.delete(1)
            assert set(reviewer.players()) == {2}
            assert b"accurate" in (tmp_path / "games.db").read_bytes()
            games.delete(2)
            assert b"accurate" not in (tmp_path / "games.db").read_bytes()


@pytest.mark.exhaustive
def test_a_game_without_odds_says_so_and_a_process_that_dies_spoils_one_review(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with reviewing(tmp_path) as (table, _, reviewer):
        table.game("Ann", settings=QUICK).throws("111346").taps("bank")
        eventually(lambda: reviewer.look(1).ready is not None)
        alone = reviewer.look(1).ready
        assert (alone.review, "two sides or more" in alone.reason) == (None, True)
        monkeypatch.setattr(reviewer_module, "review_beside", os.abort)  # which takes no arguments, either
        win(table)
        eventually(lambda: reviewer.look(2).ready is not None)
        died = reviewer.look(2).ready
        assert "without a result" in died.reason
    monkeypatch.undo()
    with reviewing(tmp_path) as (_, _, reviewer):
        eventually(lambda: (found := reviewer.look(2).ready) is not None and found.review is not None)


def test_closing_ends_the_process_of_a_review(tmp_path: Path) -> None:
    with reviewing(tmp_path) as (table, _, reviewer):
        long = {"target": 120, "six_ones_win": True}  # takes minutes to solve
        table.game("Ann", "Ben", settings=long).throws("111111")
        eventually(lambda: reviewer.look(1).share > 0)
        process = reviewer._process  # noqa: SLF001 - what is to end
    assert process.exitcode is not None
    assert not reviewer.alive
