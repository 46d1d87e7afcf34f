"""Data for the tests of the commands, the result of a command, and a fixture that runs one in this process."""

import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from companion.cli.main import main

TRAYS = Path(__file__).parent.parent / "pictures" / "trays"
TRAY = TRAYS / "00104.jpg"
HEAD = "rules: farkle-cribbage\nplayers: Ann, Ben\n"
GAME = f"{HEAD}set: target=20\nAnn: 233346 > 333, 146 > 1, bank\nBen: 344662 > 2, 34466 farkle\n"


@dataclass(frozen=True)
class Answered:
    """The output of a command and its exit status."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> dict:
        """Return the JSON value that makes up the whole standard output."""
        assert self.out.count("\n") == 1
        return json.loads(self.out)

    @property
    def lines(self) -> list[dict]:
        return [json.loads(line) for line in self.out.splitlines()]


class Terminal(io.StringIO):
    """A terminal: it holds what a person types, and keeps what is written."""

    def isatty(self) -> bool:
        return True


Run = Callable[..., Answered]


def refused(answer: Answered, words: str) -> None:
    """Check for status 2, one line with these words on standard error, and empty standard output."""
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.startswith("farklecrib: error: ")
    assert answer.err.count("\n") == 1
    assert words in answer.err


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that runs the program in this process, as the console script calls it."""

    def running(*words: object, given: str | bytes = "") -> Answered:
        data = given if isinstance(given, bytes) else given.encode()
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        monkeypatch.setattr("sys.argv", ["farklecrib", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr()
        return Answered(ended.value.code or 0, said.out, said.err)  # type: ignore[arg-type]

    return running
