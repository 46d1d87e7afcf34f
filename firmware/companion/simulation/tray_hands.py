"""The port of the hands at the tray: what the program needs of them."""

from collections.abc import Mapping
from types import MappingProxyType

from companion.errors import RefusedError
from companion.words import message


class TrayHands:
    """The hands at the tray: here the players' own, which the program cannot move.

    Subclasses throw simulated or photographed dice.
    """

    simulated = False
    """Whether the dice are simulated or photographed, so that the page throws them."""

    skipped: Mapping[str, int] = MappingProxyType({})
    """The number of photographs that were not shown, by reason."""

    @property
    def stuck(self) -> str:
        """The reason why no throw can ever follow; empty if one can."""
        return ""

    def start(self) -> None:
        """Lay the dice out, if these hands can."""

    def throw(self, _faces: tuple[int, ...] | None, *, whole: bool | None = None) -> None:  # noqa: ARG002
        """Set the chosen dice aside, then throw the others; None leaves the faces to chance.

        A `whole` throw shows all that a hand does, another one is quick; None leaves it to the hands.

        Raises:
            RefusedError: if nothing may be thrown now.
        """
        raise RefusedError(message("refused.throw_real_dice"))

    def shelve(self, _dice: tuple[int, ...]) -> None:
        """Slide dice onto the shelf, by their index in the last throw.

        Raises:
            RefusedError: if these dice cannot be set aside now.
        """
        raise RefusedError(message("refused.move_real_dice"))

    def close(self) -> None:
        """Put the hands away."""
