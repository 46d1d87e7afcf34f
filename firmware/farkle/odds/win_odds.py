"""What an answer about a moment of a game says: the chance to win, and what each choice is worth."""

from dataclasses import dataclass

from farkle.rules.dice import Faces


@dataclass(frozen=True)
class ChoiceOdds:
    """A selection, and what banking and throwing after it are worth; None where the rules refuse it.

    `choice` names the meaning that is chosen where a selection has several.
    """

    dice: Faces
    points: int
    choice: str | None
    bank: float | None
    throw: float | None

    @property
    def worth(self) -> float:
        """The worth of the better of both."""
        return max(each for each in (self.bank, self.throw) if each is not None)


@dataclass(frozen=True)
class WinOdds:
    """The chance that the side to move wins, and the worth of its choices.

    Attributes:
        win: the chance.
        exact: whether it is that of the game itself.
        bank: what banking is worth; None where that cannot be done.
        throw: the same of throwing on.
        choices: the selections of a roll; None where no roll lies.
        fresh: what a fresh turn is worth where dice left over may be thrown instead; else None.
        piggyback: the same of the dice left over.
    """

    win: float
    exact: bool
    bank: float | None = None
    throw: float | None = None
    choices: tuple[ChoiceOdds, ...] | None = None
    fresh: float | None = None
    piggyback: float | None = None

    @property
    def best(self) -> str | None:
        """The better of banking and throwing, or of a fresh turn and the dice left over; None without a choice.

        Equal chances are banked, or begun afresh.
        """
        if self.fresh is not None:
            return "piggyback" if (self.piggyback or 0.0) > self.fresh else "fresh"
        if self.bank is None and self.throw is None:
            return None
        return "throw" if self.bank is None or (self.throw or 0.0) > self.bank else "bank"
