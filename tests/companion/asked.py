"""How a command ended, as the tests of the commands look at it."""

import json
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Answered:
    """What a command said, and its exit status."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> dict:
        """The one JSON value that is all of standard output."""
        assert self.out.count("\n") == 1
        return json.loads(self.out)

    @property
    def lines(self) -> list[dict]:
        return [json.loads(line) for line in self.out.splitlines()]


Run = Callable[..., Answered]
