"""Power off in the pause menu ends the program, as a signal does; all acts are on disk before."""

import threading
from pathlib import Path

from companion.app import Program
from companion.config import Config, WebConfig
from companion.runtime.host import Clock
from companion.table.inputs import Answer, NewGame, Pause


def test_power_off_ends_the_table_and_loses_nothing(tmp_path: Path) -> None:
    config = Config(web=WebConfig(port=0))
    game = NewGame("farkle-cribbage", ("Ann", "Ben"))
    program = Program(config, data=tmp_path, clock=Clock(), game=game, looks=False)
    program.start()
    try:
        for given in (Pause(), Answer("skip this turn"), Pause(), Answer("power off"), Answer("power off")):
            program.host.submit(given).result(10)
        assert program.wait(threading.Event()) is None
    finally:
        program.close()
    again = Program(config, data=tmp_path, clock=Clock(), game=None, looks=False)
    try:
        assert again.feed.latest.view.to_move == "Ben"
    finally:
        again.start()
        again.close()
