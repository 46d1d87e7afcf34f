"""Buttons that a script presses."""

from collections.abc import Iterable

from pegboard.buttons.port import Gesture


class ScriptedButtons:
    """Buttons that give each gesture of a script at its time."""

    def __init__(self, script: Iterable[tuple[float, Gesture]]) -> None:
        self._script = sorted(script, key=lambda entry: entry[0])

    def poll(self, now_s: float) -> tuple[Gesture, ...]:
        due = tuple(gesture for at_s, gesture in self._script if at_s <= now_s)
        self._script = [(at_s, gesture) for at_s, gesture in self._script if at_s > now_s]
        return due

    def close(self) -> None:
        self._script = []
