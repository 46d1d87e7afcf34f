"""A table in this process that tells a broker what happens, without an eye."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from hosted import PATIENCE_S
from running import launched

from companion.app import Program
from companion.config import Config, MqttConfig
from companion.table.state.inputs import Input, NewGame

GAME = NewGame("farkle-cribbage", ("Zaphod", "Trillian"))


@contextmanager
def table(folder: Path, port: int, game: NewGame | None = GAME, **given: object) -> Iterator[Program]:
    config = replace(Config(), mqtt=MqttConfig(**{"host": "127.0.0.1", "port": port, "board": folder.name, **given}))
    with launched(folder / "data", game, config) as made:
        yield made


def take(made: Program, *given: Input) -> None:
    for each in given:
        made.host.submit(each).result(PATIENCE_S)
