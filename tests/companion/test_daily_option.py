"""`farklecrib play --daily` begins the challenge of today, goes on with it, and leaves a played one as it is."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from companion.app import Program
from companion.config import Config
from companion.runtime.host import Clock
from companion.table.state.inputs import Answer, NewGame, Pause
from companion.table.state.state import TableState

NOON, DAY = 1_795_780_800.0, "2026-11-27"  # 12 o'clock by UTC: the same day from Hawaii to Japan


@contextmanager
def played(folder: Path, who: str) -> Iterator[Program]:
    config = Config()
    clock = replace(Clock(), wall=lambda: NOON)
    config = replace(config, web=replace(config.web, port=0))
    made = Program(config, data=folder, clock=clock, game=None, eye=False, daily=who)
    made.start()
    try:
        yield made
    finally:
        made.close()


def game(program: Program) -> TableState:
    return program.host.state


def test_the_option_begins_goes_on_and_leaves_a_played_challenge_as_it_is(tmp_path: Path) -> None:
    with played(tmp_path, "Ann") as program:
        daily = game(program).current.daily
        assert (daily and daily.day, game(program).current.game.players) == (DAY, ("Ann",))
        program.host.submit(NewGame("farkle-cribbage", ("Ben", "Cy"))).result(60)
    with played(tmp_path, "") as program:
        assert (game(program).game_number, game(program).current.game.players) == (1, ("Ann",))
        seq = game(program).seq
    with played(tmp_path, "Ann") as program:
        assert game(program).seq == seq, "a restart writes no event"
        for given in (Pause(), Answer("end_game"), Answer("end_game")):
            program.host.submit(given).result(60)
        assert game(program).current.game.over
    with played(tmp_path, "ANN") as program:
        assert (program.daily_played, game(program).last_game) == (DAY, 2)
