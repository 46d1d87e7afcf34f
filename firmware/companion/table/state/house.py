"""What a table knows of its house and of itself: customs, times, devices, rules, features. None of it is journalled."""

from dataclasses import dataclass, field, replace
from typing import Self, TypeVar

from companion.table.state.bots import BUILT_IN, BotKind
from companion.table.state.draft import ANY_TRACK, NO_NAME, BoardTracks
from companion.times import Times
from companion.words import Text
from farkle.rules.ruleset import RuleSet

SETTINGS = "settings"
"""The part that is degraded while the package's configuration is used in place of the machine's own."""


@dataclass(frozen=True)
class HouseRules:
    """The house's customs where the rule sheets say nothing; the words are those of the configuration.

    `off_table`: after a die falls off the table, `all` dice are thrown again, or `that_die`.
    `cocked`: a die that leans or stands on another is thrown again (`that_die`), or laid flat and counted (`flatten`).
    """

    off_table: str = "all"
    cocked: str = "that_die"

    def __post_init__(self) -> None:
        for name, known in (("off_table", ("all", "that_die")), ("cocked", ("that_die", "flatten"))):
            if getattr(self, name) not in known:
                raise ValueError(f"{name}: expected {' or '.join(known)}, got {getattr(self, name)!r}")


@dataclass(frozen=True)
class SoundLevel:
    """The table's sound. It is not journalled."""

    volume: int
    """The volume in percent."""
    muted: bool = False
    """Whether it is muted."""


class AnyFeature:
    """A feature of the table; `companion.table.feature.TableFeature` says what it may have."""


Note = TypeVar("Note")


@dataclass(frozen=True)
class House:
    """The house, the table's devices and its features."""

    times: Times = field(default_factory=Times)
    """How long things take."""
    house: HouseRules = field(default_factory=HouseRules)
    """The house's customs."""
    simulated: bool = False
    """Whether the tray is simulated."""
    real_buttons: bool = False
    """Whether the table has buttons of its own."""
    switches_off: bool = False
    """Whether it may switch its machine off."""
    sound: SoundLevel | None = None
    """How loud it is; None at a table that makes no sound."""
    no_name: str = NO_NAME
    """What a player without a name is called, in the table's language."""
    address: str = ""
    """The address of the page."""
    network_address: str = ""
    """This machine's IPv4 address; empty without a network."""
    own_rules: tuple[RuleSet, ...] = ()
    """The rule sets that the house has saved."""
    tracks: BoardTracks = ANY_TRACK
    """The tracks of the board."""
    bots: tuple[BotKind, ...] = BUILT_IN
    """The kinds of bots that may play."""
    faults: tuple[tuple[str, Text], ...] = ()
    """The parts that do not work, each with what is wrong."""
    settings_agreed: bool = False
    """Whether the players play although the machine's configuration cannot be used."""
    features: tuple[AnyFeature, ...] = ()
    """The features of the table."""
    notes: tuple[object, ...] = ()
    """What features note without journalling it, one of a type."""

    def note(self, kind: type[Note]) -> Note:
        """Return the note of this type; without one, a new note with its defaults."""
        for note in self.notes:
            if isinstance(note, kind):
                return note
        return kind()

    def with_note(self, note: object) -> Self:
        """Return this state with a note in place of the one of the same type."""
        others = [other for other in self.notes if type(other) is not type(note)]
        return replace(self, notes=(*others, note))

    @property
    def settings_unsure(self) -> bool:
        """Whether the configuration is not the machine's own, and nobody has agreed to play with it yet."""
        return not self.settings_agreed and any(part == SETTINGS for part, _ in self.faults)

    def with_fault(self, part: str, text: Text | None) -> Self:
        """Return this with the fault of one part set, or cleared if `text` is None."""
        others = tuple((name, said) for name, said in self.faults if name != part)
        return replace(self, faults=others if text is None else (*others, (part, text)))
