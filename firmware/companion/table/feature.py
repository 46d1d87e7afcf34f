"""What a feature brings along for the table: a frozen value whose functions are pure.

The table asks each of its features, in the order of `TableState.features`, and names none. A feature keeps what it
journals as events beside the game (`Aside`), and what it does not journal as a note (`TableState.note`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ParamSpec, TypeVar, cast

from companion.errors import CompanionError, FeatureFailedError
from companion.table.state.acts import Handlers, Step
from companion.table.state.draft import GameDraft, PlayForm
from companion.table.state.events import Aside
from companion.table.state.house import AnyFeature
from companion.table.state.inputs import Fault, Input
from companion.table.state.menus import Menu, OpenMenu
from companion.table.state.state import Play, TableState
from companion.words import NOTHING, Message, Text, message
from farkle.errors import FarkleError

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class Item:
    """One entry of the pause menu: whether it is offered now, and the input that it gives.

    `key` returns the key of its words now if that is not its name.
    """

    offered: Callable[[TableState], bool]
    gives: Callable[[TableState], Input]
    key: Callable[[TableState], str] = lambda _: ""


@dataclass(frozen=True)
class MenuKind:
    """One kind of menu: the key of its words, and the menu as it opens; `stays`: it stays open after a choice."""

    key: str
    opened: Callable[[TableState, OpenMenu], Menu]
    stays: bool = False


@dataclass(frozen=True)
class NextGame:
    """The game that follows the one at the table, the question that offers it, and the caption of its button.

    `form` is the draft with which the lobby opens.
    """

    draft: GameDraft
    asks: Message
    caption: Message
    form: GameDraft


@dataclass(frozen=True)
class GamePlan:
    """A new game: its draft, its players as asked for, and the events beside the game that it begins with.

    `names` are those of the players where a feature has chosen them; then nobody is asked who begins.
    """

    draft: GameDraft
    asked: tuple[str, ...]
    names: tuple[str, ...] = ()
    events: tuple[Aside, ...] = ()

    @property
    def match(self) -> bool:
        """Whether a feature has chosen the players."""
        return bool(self.names)


@dataclass(frozen=True)
class HeldBank:
    """What holding BANK does in a turn, and its caption, which is empty where it would be refused."""

    do: Callable[[TableState], Step]
    caption: Callable[[TableState], Text]


@dataclass(frozen=True, eq=False)
class TableFeature(AnyFeature):
    """One feature of the table.

    Args:
        name: its name, which the kinds of its events begin with.
        handlers: what each of its inputs does.
        part: the type of its part of the view, and `shown` makes it.
        shown: the part of the view.
        items: its entries of the pause menu, by their names.
        menus: its kinds of menus.
        plays: what the lobby's players may play in place of one game, by name.
        follows: the game that follows, from the one that would follow without this feature.
        plans: the plan of a new game, from the one without this feature.
        resumes: the events that a kept game goes on with, from that game and the one at the table.
        corrects: whether a finished game of this number may be played again from its end.
        prompt: what the table waits for in the lobby, if its game can start, or after a game; empty if nothing special.
        held_bank: what holding BANK does in a turn.
    """

    name: str
    handlers: Handlers = field(default_factory=dict)
    part: type | None = None
    shown: Callable[[TableState], object] = lambda _: None
    items: Mapping[str, Item] = field(default_factory=dict)
    menus: Mapping[str, MenuKind] = field(default_factory=dict)
    plays: Mapping[str, PlayForm] = field(default_factory=dict)
    follows: Callable[[TableState, NextGame], NextGame] = lambda _, following: following
    plans: Callable[[TableState, GamePlan], GamePlan] = lambda _, plan: plan
    resumes: Callable[[Play, Play | None], tuple[Aside, ...]] = lambda _resumed, _before: ()
    corrects: Callable[[Play | None, int], bool] = lambda _play, _game: False
    prompt: Callable[[TableState], Message] = lambda _: NOTHING
    held_bank: HeldBank | None = None


_MAY_REFUSE = {"handlers", "opened", "do", "plans", "resumes"}
"""The functions of a feature that carry out an input, and so may refuse it; what is shown and offered may not."""


def guarded(feature: TableFeature) -> TableFeature:
    """Return a feature whose functions raise a `FeatureFailedError` in place of an error that they may not raise."""

    def safe(call: Callable[P, T], refusals: tuple[type[Exception], ...]) -> Callable[P, T]:
        def called(*args: P.args, **given: P.kwargs) -> T:
            try:
                return call(*args, **given)
            except refusals:
                raise
            except Exception as error:
                raise FeatureFailedError(feature.name) from error

        return called

    def part_of(state: TableState) -> object:
        made = feature.shown(state)
        if feature.part is not None and not isinstance(made, feature.part):
            raise TypeError(f"expected a part of the type {feature.part.__name__}, got {made!r}")
        return made

    def guard(name: str, value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: guard(name, each) for key, each in value.items()}
        if isinstance(value, Item | MenuKind | HeldBank):
            return replace(value, **{part: guard(part, each) for part, each in vars(value).items()})
        if callable(value) and not isinstance(value, type):
            return safe(value, (CompanionError, FarkleError) if name in _MAY_REFUSE else ())
        return value

    parts = {**vars(feature), "shown": part_of}
    return replace(feature, **{name: guard(name, each) for name, each in parts.items()})


def fault_of(feature: str) -> Fault:
    """Return the fault of a feature that failed."""
    return Fault(f"feature {feature}", message("fault.feature", name=feature))


def features_of(state: TableState) -> tuple[TableFeature, ...]:
    """Return the features of a table."""
    return cast("tuple[TableFeature, ...]", state.features)


def held_bank(state: TableState) -> HeldBank | None:
    """Return what holding BANK does in a turn, None if no feature answers it."""
    return next((feature.held_bank for feature in features_of(state) if feature.held_bank is not None), None)


def play_form(state: TableState, plays: str) -> PlayForm | None:
    """Return what the lobby's players may play under this name, None if no feature offers it."""
    return next((feature.plays[plays] for feature in features_of(state) if plays in feature.plays), None)
