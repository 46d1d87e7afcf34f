"""The reviewer: games are looked at in a process of their own, kept beside the journal, and forgotten with the game."""

import subprocess
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
        patch.setattr(reviewer_module.subprocess, "Popen", lambda *_args, **_given: pytest.fail("a process"))
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
        run = subprocess.Popen
        monkeypatch.setattr(
            reviewer_module.subprocess, "Popen", lambda command, **given: run([*command[:1], "-c", "exit(3)"], **given)
        )
        win(table)
        eventually(lambda: reviewer.look(2).ready is not None)
        died = reviewer.look(2).ready
        assert "without a result" in died.reason
    monkeypatch.undo()
    with reviewing(tmp_path) as (_, _, reviewer):
        eventually(lambda: (found := reviewer.look(2).ready) is not None and found.review is not None)


def test_closing_ends_the_process_of_a_review(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []
    run = subprocess.Popen

    def starting(command, **given):
        started.append(run([*command[:1], "-c", "import time; time.sleep(600)"], **given))
        return started[-1]

    monkeypatch.setattr(reviewer_module.subprocess, "Popen", starting)
    with reviewing(tmp_path) as (table, _, reviewer):
        win(table)
        reviewer.look(1)
        eventually(lambda: bool(started))
    assert started[0].poll() is not None
    assert not reviewer.alive
