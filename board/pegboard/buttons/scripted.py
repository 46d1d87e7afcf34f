"""Buttons that press themselves at given times: for tests, for showing, and where all buttons are on the page."""

from collections.abc import Iterable

from pegboard.buttons.press import Gesture


class ScriptedButtons:
    """Gives each gesture once its time has come; without a script it is a table without buttons."""

    def __init__(self, script: Iterable[tuple[float, Gesture]] = ()) -> None:
        self._script = sorted(script, key=lambda entry: entry[0])

    def poll(self, now_s: float) -> tuple[Gesture, ...]:
        """What is due until `now_s`."""
        due = tuple(gesture for at_s, gesture in self._script if at_s <= now_s)
        self._script = [(at_s, gesture) for at_s, gesture in self._script if at_s > now_s]
        return due

    def close(self) -> None:
        """Nothing more comes."""
        self._script = []
