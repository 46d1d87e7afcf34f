"""Power off in the pause menu ends the program, as a signal does; all acts are on disk before."""

from pathlib import Path

from companion.app import Ending, Program
from companion.config import Config, WebConfig
from companion.launch import Launch
from companion.table.state.inputs import Answer, NewGame, Origin, Pause


def test_power_off_ends_the_table_and_loses_nothing(tmp_path: Path) -> None:
    config = Config(web=WebConfig(port=0))
    game = NewGame("farkle-cribbage", ("Ann", "Ben"))
    program = Program(Launch(config, tmp_path, eye=False), game)
    program.start()
    try:
        for given in (Pause(), Answer("skip this turn"), Pause(), Answer("power off")):
            program.host.submit(given).result(60)
        program.host.submit(Answer("power off", Origin.MACHINE)).result(60)
        assert program.wait() == Ending("switched off in the menu", switched_off=True)
    finally:
        program.close()
    again = Program(Launch(config, tmp_path, eye=False))
    try:
        assert again.feed.latest.view.to_move == "Ben"
    finally:
        again.start()
        again.close()
